import { Readable } from 'node:stream'
import { expect } from 'vitest'
import type { ReadingOverride } from '#contract/yard-file/reading.ts'
import { openTable, type SentRow, type TableFile } from '#server/features/stock-files/table/open-table.ts'
import type { AppError } from '#server/platform/errors.ts'

/* A seller's file as the importer reads it, from bytes that come in pieces. */

export type Content = string | Buffer
export const MB = 1024 * 1024
// Tens of megabytes byte by byte, on a machine with other work to do.
export const LARGE_MS = 60_000

export const inPieces = (content: Content, size = 64 * 1024): Buffer[] => {
  const bytes = Buffer.from(content)
  const count = Math.ceil(bytes.length / size)
  return Array.from({ length: count }, (_, piece) => bytes.subarray(piece * size, (piece + 1) * size))
}

/** A file of a stream of bytes, or of a workbook. */
export const tableOf = (open: () => Readable): TableFile => ({
  open,
  blob: async () => new Blob((await open().toArray()) as Buffer<ArrayBuffer>[]),
})

export async function read(pieces: Buffer[], knownHeader?: readonly string[], overrides?: ReadingOverride) {
  const source = await openTable(
    tableOf(() => Readable.from(pieces)),
    { knownHeader, overrides },
  )
  const rows = await collect(source.batches)
  return { header: source.header, reading: source.reading, rows, notes: source.notes() }
}

export async function collect(batches: AsyncIterable<readonly SentRow[]>): Promise<SentRow[]> {
  const rows: SentRow[] = []
  for await (const batch of batches) {
    for (const { row, cells, problem } of batch) rows.push({ row, cells, ...(problem && { problem }) })
  }
  return rows
}

export const readText = (content: Content, knownHeader?: readonly string[], overrides?: ReadingOverride) =>
  read(inPieces(content), knownHeader, overrides)

export async function refusal(
  content: Content,
  size?: number,
  overrides?: ReadingOverride,
): Promise<AppError> {
  const error: unknown = await read(inPieces(content, size), undefined, overrides).catch(
    (thrown: unknown) => thrown,
  )
  expect(error).toMatchObject({ name: 'AppError' })
  const refused = error as AppError
  expect(refused.fields).toEqual({ file: refused.message })
  return refused
}
