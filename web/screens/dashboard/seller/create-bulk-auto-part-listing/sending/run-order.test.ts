import { expect, test } from 'vitest'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import { dayOf, orderContent, type RunOrder, sellerSlugOf } from './run-order.ts'

const id = '0192abcd-1111-7000-8000-000000000000'

test.each([
  ['Green Country Salvage', 'a@example.com', 'green-country-salvage'],
  ['  José & Söhne ', 'a@example.com', 'jose-sohne'],
  ['', 'parts.desk@example.com', 'parts-desk'],
  ['修理', '_@example.com', 'seller_0192abcd'],
])('the slug of %j, %j is %s', (name, email, slug) => {
  expect(sellerSlugOf({ name, email, id })).toBe(slug)
})

test('the day is the local calendar day', () => {
  expect(dayOf(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05')
})

const file = {
  file: new File(['a'], 'stock.csv', { lastModified: 1 }),
  reading: { delimiter: ',' },
  decimals: {},
} as ImportFile
const order: RunOrder = {
  file,
  mapping: { partname: 'Part', partprice: 'Price' },
  defaults: {},
  mode: 'add',
  dryRun: false,
  chunkSize: 1_000,
  concurrency: 2,
  edits: new Map([[2, ['Door', '10']]]),
  staging: { sellerSlug: 'yard', datasetHint: 'ecomm', timestamp: '2026-11-21' },
}
const saved = new File(['b'], 'stock.csv', { lastModified: 2 })

test.each<[string, Partial<RunOrder>]>([
  ['a file that was saved again', { file: { ...file, file: saved } }],
  ['a different reading', { file: { ...file, reading: { ...file.reading, delimiter: ';' } } }],
  ['a different mapping', { mapping: { partname: 'Part' } }],
  ['different values for empty cells', { defaults: { partcity: 'Tulsa' } }],
  ['a different row edit', { edits: new Map([[2, ['Door', '11']]]) }],
  ['no edits', { edits: new Map() }],
  ['a different mode', { mode: 'replace' }],
  ['a dry run', { dryRun: true }],
  ['a different chunk size', { chunkSize: 500 }],
  ['a different folder', { staging: { ...order.staging, sellerSlug: 'other' } }],
])('%s is another run', (_, changes) => {
  expect(orderContent({ ...order, ...changes })).not.toBe(orderContent(order))
})

test.each<[string, Partial<RunOrder>]>([
  ['column order', { mapping: { partprice: 'Price', partname: 'Part' } }],
  ['the number of chunks sent at once', { concurrency: 5 }],
  [
    'the date, which may change during the upload',
    { staging: { ...order.staging, timestamp: '2026-11-22' } },
  ],
])('%s does not matter', (_, changes) => {
  expect(orderContent({ ...order, ...changes })).toBe(orderContent(order))
})

test('a hundred thousand edits make a short text', () => {
  const edits = new Map(Array.from({ length: 100_000 }, (_, row) => [row, ['Door', String(row)]]))
  expect(orderContent({ ...order, edits }).length).toBeLessThan(500)
})
