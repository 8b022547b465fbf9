import { expect, test } from 'vitest'
import { renamedHeading, staleHeading } from './titles.ts'

const listing = (heading: string | null) => ({ heading, manufacturer_name: 'Chevy', model_name: 'Ram' })
const LONG = `2012 Chevy Ram alternator ${'x'.repeat(92)}`

test.each<[what: string, heading: string | null, columns: object, after: string | null | undefined]>([
  ['the make', '2012 Chevy Ram door', { manufacturer_name: 'Chevrolet' }, '2012 Chevrolet Ram door'],
  ['written otherwise', '2012 CHEVY door', { manufacturer_name: 'Chevrolet' }, '2012 Chevrolet door'],
  ['twice', 'Chevy door, Chevy', { manufacturer_name: 'GM' }, 'GM door, GM'],
  ['the model', 'Ramp for a Ram, 1Ram2', { model_name: 'Ram 1500' }, 'Ramp for a Ram 1500, 1Ram2'],
  ['both', 'Chevy Ram door', { manufacturer_name: 'Dodge', model_name: '1500' }, 'Dodge 1500 door'],
  ['a name with signs', 'Chevy door', { manufacturer_name: "$& $1 C'" }, "$& $1 C' door"],
  ['what it does not name', 'Front door, left', { manufacturer_name: 'Chevrolet' }, undefined],
  ['the same name', 'Chevy door', { manufacturer_name: 'Chevy' }, undefined],
  ['no heading', null, { manufacturer_name: 'Chevrolet' }, undefined],
  ['too long afterwards', LONG, { manufacturer_name: 'Chevrolet' }, null],
])('%s', (_what, heading, columns, after) => {
  expect(renamedHeading(listing(heading), columns)).toEqual(after === undefined ? {} : { heading: after })
})

const before = {
  heading: '2014 Ford Focus alternator, number DL3Z-10346-A',
  name: 'Alternator',
  year_from: 2014,
  year_to: 2014,
  manufacturer_name: 'Ford',
  model_name: 'Focus',
  trim_name: null,
  part_number: 'DL3Z-10346-A',
  grade: 'B',
  miles: null,
  price_cents: 9_550,
}

test.each<[what: string, columns: Parameters<typeof staleHeading>[1], isStale: boolean]>([
  ['another name', { name: 'Starter' }, true],
  ['another year', { year_from: 2015, year_to: 2015 }, true],
  ['another make', { manufacturer_name: 'Mazda' }, true],
  ['another model', { model_name: 'Fiesta' }, true],
  ['a trim', { trim_name: 'SE' }, true],
  ['a number taken away', { part_number: null }, true],
  ['another grade', { grade: 'C' }, true],
  ['miles', { miles: 84_000 }, true],
  ['what was there already', { name: 'Alternator', year_from: 2014, trim_name: null }, false],
  ['a price that it does not name', { price_cents: 8_000 }, false],
  ['a description', { description: 'Works.' }, false],
  ['a heading of its own', { name: 'Starter', heading: '2014 Ford Focus starter' }, false],
  ['nothing', {}, false],
])('%s', (_what, columns, isStale) => {
  expect(staleHeading(before, columns)).toEqual(isStale ? { heading: null } : {})
})

test('a name with a dash', () => {
  const named = {
    heading: '2012 Mercedes-Benz (W204) door',
    manufacturer_name: 'Mercedes-Benz',
    model_name: '(W204)',
  }
  const columns = { manufacturer_name: 'Mercedes' }
  expect(renamedHeading(named, columns)).toEqual({ heading: '2012 Mercedes (W204) door' })
})

test('a price that it names', () => {
  const named = { ...before, heading: 'Alternator, $95.50' }
  expect(staleHeading(named, { price_cents: 8_000 })).toEqual({ heading: null })
  expect(staleHeading(named, { price_cents: 9_550 })).toEqual({})
})

test('where there is none, none is taken away', () => {
  expect(staleHeading({ ...before, heading: null }, { name: 'Starter' })).toEqual({})
})
