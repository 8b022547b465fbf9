import { expect, test } from 'vitest'
import { textOfRow } from './listed-part.ts'

test.each<[string, Parameters<typeof textOfRow>, object]>([
  [
    'values without spaces at their ends',
    [{ partname: ' Alternator ' }, ['partname']],
    { partname: 'Alternator' },
  ],
  ['numbers as text', [{ partprice: 12 }, ['partprice']], { partprice: '12' }],
  [
    'nothing of fields that the file does not have',
    [{ partname: 'A', vin: 'V' }, ['partname']],
    { partname: 'A' },
  ],
  ['what is empty or absent as empty', [{ vin: null }, ['vin', 'partcity']], { vin: '', partcity: '' }],
  [
    'nothing of an empty description, heading or stock number',
    [{ partdescription: ' ', h1: null }, ['partdescription', 'h1', 'stocknum']],
    {},
  ],
  [
    'those as well as any where they say something',
    [{ partdescription: 'New', h1: 'H', stocknum: 'S' }, ['partdescription', 'h1', 'stocknum']],
    { partdescription: 'New', h1: 'H', stocknum: 'S' },
  ],
])('a row has %s', (_, [fields, ofFile], text) => {
  expect(textOfRow(fields, ofFile)).toEqual(text)
})
