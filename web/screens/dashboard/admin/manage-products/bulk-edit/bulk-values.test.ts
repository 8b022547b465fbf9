import { expect, test } from 'vitest'
import { toSheetRow, writeCells } from '#web/components/data-grid/sheet-row.ts'
import { checkValues, normaliseValue, sentencesOf } from './bulk-values.ts'

test.each([
  ['partprice', '$1,299.5', '1299.50'],
  ['partprice', ' 129 ', '129.00'],
  ['partprice', '12,95', '12.95'],
  ['partprice', 'call', 'call'],
  ['partprice', '', ''],
  ['partgrade', 'b', 'B'],
  ['status', 'hidden', 'HIDDEN'],
  ['partquantity', '1,200', '1200'],
  ['partmiles', 'many', 'many'],
  ['partshipping', '$20', '20.00'],
  ['partshipping', '0', 'Free'],
  ['partshipping', 'pickup', 'Pickup only'],
  ['partdescription', ' two\r\nlines ', 'two\nlines'],
  ['dealername', ' Green Country ', 'Green Country'],
])('%s: "%s" is kept as "%s"', (field, typed, kept) => {
  expect(normaliseValue(field, typed)).toBe(kept)
})

const row = toSheetRow({
  id: 'a',
  version: 1,
  values: { kind: 'ecommerce', partprice: '10.00', partgrade: 'A' },
})
const change = (changes: Record<string, string>) =>
  writeCells(
    row,
    Object.fromEntries(Object.entries(changes).map(([field, text]) => [field, { text }])),
    checkValues,
  )

test.each([
  [{ partprice: '12,95' }, ['Price: Enter a price like 129.95 (up to 2 decimals)']],
  [{ partprice: '' }, ['Price is required']],
  [{ partgrade: 'E' }, ['Grade: Choose A excellent, B good, C fair or D poor']],
  [{ zipcode: '7410' }, ['Zipcode: A zipcode has 5 digits, or 5+4 such as 74103-1234']],
  [{ status: 'SOLD' }, ['Status must be ACTIVE or HIDDEN']],
  [{ partnum: 'X'.repeat(61) }, ['Part Number can have at most 60 characters']],
  // Of a tire; the server refuses it of other parts.
  [{ partyear: '' }, []],
  [{ partprice: '11.00', partgrade: 'B', status: 'HIDDEN', dealerphone: '' }, []],
])('%o: %o', (changes, sentences) => {
  expect(sentencesOf(change(changes))).toEqual(sentences)
})
