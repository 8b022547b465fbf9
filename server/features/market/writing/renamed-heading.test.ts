import { expect, test } from 'vitest'
import { renamedHeading } from './renamed-heading.ts'

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

test('a name with a dash', () => {
  const named = {
    heading: '2012 Mercedes-Benz (W204) door',
    manufacturer_name: 'Mercedes-Benz',
    model_name: '(W204)',
  }
  const columns = { manufacturer_name: 'Mercedes' }
  expect(renamedHeading(named, columns)).toEqual({ heading: '2012 Mercedes (W204) door' })
})
