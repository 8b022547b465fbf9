import { expect, test } from 'vitest'
import { staleHeading } from './stale-heading.ts'

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

test('a price that it names', () => {
  const named = { ...before, heading: 'Alternator, $95.50' }
  expect(staleHeading(named, { price_cents: 8_000 })).toEqual({ heading: null })
  expect(staleHeading(named, { price_cents: 9_550 })).toEqual({})
})

test('where there is none, none is taken away', () => {
  expect(staleHeading({ ...before, heading: null }, { name: 'Starter' })).toEqual({})
})
