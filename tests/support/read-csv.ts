import { Readable } from 'node:stream'
import { expect } from 'vitest'
import { openCsv } from '#server/features/imports/open-csv.ts'
import type { SentRow } from '#server/features/imports/row-source.ts'
import type { AppError } from '#server/platform/app-error.ts'

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

export async function read(pieces: Buffer[], knownHeader?: readonly string[]) {
  const { header, batches } = await openCsv(() => Readable.from(pieces), { knownHeader })
  return { header, rows: await collect(batches) }
}

export async function collect(batches: AsyncIterable<readonly SentRow[]>): Promise<SentRow[]> {
  const rows: SentRow[] = []
  for await (const batch of batches) rows.push(...batch)
  return rows
}

export const readText = (content: Content, knownHeader?: readonly string[]) =>
  read(inPieces(content), knownHeader)

export async function refusal(content: Content, size?: number): Promise<AppError> {
  const error: unknown = await read(inPieces(content, size)).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ name: 'AppError' })
  const refused = error as AppError
  expect(refused.fields).toEqual({ file: refused.message })
  return refused
}
