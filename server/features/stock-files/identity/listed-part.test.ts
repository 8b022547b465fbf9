import { expect, test } from 'vitest'
import { textOfRow } from './listed-part.ts'

test.each<[string, Parameters<typeof textOfRow>, object]>([
  ['trimmed values', [{ partname: ' Alternator ' }, ['partname']], { partname: 'Alternator' }],
  ['numbers as text', [{ partprice: 12 }, ['partprice']], { partprice: '12' }],
  ['no fields that the file lacks', [{ partname: 'A', vin: 'V' }, ['partname']], { partname: 'A' }],
  [
    'an empty text for empty or absent values',
    [{ vin: null }, ['vin', 'partcity']],
    { vin: '', partcity: '' },
  ],
  [
    'no empty description, heading, or stock number',
    [{ partdescription: ' ', h1: null }, ['partdescription', 'h1', 'stocknum']],
    {},
  ],
  [
    'a description, heading, and stock number that have content',
    [{ partdescription: 'New', h1: 'H', stocknum: 'S' }, ['partdescription', 'h1', 'stocknum']],
    { partdescription: 'New', h1: 'H', stocknum: 'S' },
  ],
])('a row has %s', (_, [fields, ofFile], text) => {
  expect(textOfRow(fields, ofFile)).toEqual(text)
})
