import { expect, test } from 'vitest'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import type { RunOrder } from './import-run.ts'
import { runContent } from './run-content.ts'

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
  ['another way to read it', { file: { ...file, reading: { ...file.reading, delimiter: ';' } } }],
  ['another mapping', { mapping: { partname: 'Part' } }],
  ['other values for empty cells', { defaults: { partcity: 'Tulsa' } }],
  ['another edit of a row', { edits: new Map([[2, ['Door', '11']]]) }],
  ['no edits', { edits: new Map() }],
  ['another mode', { mode: 'replace' }],
  ['a dry run', { dryRun: true }],
  ['other chunks', { chunkSize: 500 }],
  ['another folder', { staging: { ...order.staging, sellerSlug: 'other' } }],
])('%s is another run', (_, changes) => {
  expect(runContent({ ...order, ...changes })).not.toBe(runContent(order))
})

test.each<[string, Partial<RunOrder>]>([
  ['the order of the columns', { mapping: { partprice: 'Price', partname: 'Part' } }],
  ['how many chunks are sent at once', { concurrency: 5 }],
  ['the day, which may turn while it is sent', { staging: { ...order.staging, timestamp: '2026-11-22' } }],
])('%s is no matter', (_, changes) => {
  expect(runContent({ ...order, ...changes })).toBe(runContent(order))
})

test('a hundred thousand edits are a short text', () => {
  const edits = new Map(Array.from({ length: 100_000 }, (_, row) => [row, ['Door', String(row)]]))
  expect(runContent({ ...order, edits }).length).toBeLessThan(500)
})
