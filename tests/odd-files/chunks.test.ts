import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { atLength } from '#tests/support/at-length.ts'
import { fileRecords } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import {
  fileChunks,
  sentReading,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/file-chunks.ts'
import type { RunOrder } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/run-order.ts'
import { madeFiles } from './made-files.ts'
import {
  checkRows,
  keptFiles,
  type OddFile,
  ofLastFile,
  type ReadRow,
  readOnPage,
  readOnServer,
  titleOf,
} from './odd-file.ts'

/* However an odd file is cut, its rows, row numbers, and problems equal those of the whole file. */

const LARGE_MS = 60_000
const RUNS = atLength({ full: 20, brief: 1 })
const MOST_CHUNKS = 12
const LARGE_BYTES = 100_000
const files = [...keptFiles(), ...madeFiles].filter(
  ({ expected }) => expected.pageRefuses === undefined && !expected.large,
)
const named = (some: OddFile[]) => some.map((file): [string, OddFile] => [titleOf(file), file])

/** Row numbers within one import: each chunk starts where the lines of the previous one end. */
const numberedFrom = (rows: readonly ReadRow[], ahead: number): ReadRow[] =>
  rows.map((one) => ({ ...one, row: one.row + ahead }))

/** Chunks and pieces are compared with the whole. */
const wholeOf = ofLastFile(async ({ content }) => readOnServer(await content()))

describe.each(named(files))('%s', { timeout: LARGE_MS }, (_, odd) => {
  const { name, content, expected } = odd

  test('in the wizard’s chunks', async () => {
    const bytes = await content()
    const whole = await wholeOf(odd)
    const { file } = await readOnPage(bytes, name)
    const { headerRow } = file.reading
    const fewest = Math.ceil(whole.rows.length / MOST_CHUNKS)
    const wholeChecked = checkRows(whole.header, whole.rows, expected)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: fewest, max: 40 * fewest }), async (chunkSize) => {
        const order = orderOf(file, chunkSize, expected.mapping)
        const rows: ReadRow[] = []
        for await (const chunk of fileChunks(order, fileRecords(file))) {
          const sent = new Uint8Array(await (await chunk.content()).arrayBuffer())
          const read = await readOnServer(sent, sentReading(order))
          expect(read.header).toEqual(whole.header)
          expect(read.notes).toEqual([])
          rows.push(...numberedFrom(read.rows, chunk.firstRow - headerRow - 1))
        }
        expect(rows.map(({ row, cells }) => [row, cells])).toEqual(
          whole.rows.map(({ row, cells }) => [row, cells]),
        )
        expect(checkRows(whole.header, rows, expected)).toEqual(wholeChecked)
      }),
      { numRuns: bytes.length > LARGE_BYTES ? 1 : RUNS },
    )
  })

  test('its bytes may arrive in any pieces', async () => {
    const bytes = await content()
    const whole = await wholeOf(odd)
    const least = Math.max(1, bytes.length >> 12)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: least, max: 50 * least }), async (size) => {
        expect(await readOnServer(bytes, undefined, size)).toEqual(whole)
      }),
      { numRuns: bytes.length > LARGE_BYTES ? 1 : RUNS },
    )
  })
})

const orderOf = (file: RunOrder['file'], chunkSize: number, mapping: RunOrder['mapping']): RunOrder => ({
  file,
  mapping,
  defaults: {},
  mode: 'add',
  dryRun: false,
  chunkSize,
  concurrency: 1,
  edits: new Map(),
  staging: { sellerSlug: 'yard', datasetHint: 'ecomm', timestamp: '2026-11-21' },
})
