import { randomUUID } from 'node:crypto'
import type { CsvReply } from '#contract/imports.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { SpooledFile } from '#server/platform/http/handler.ts'
import { type ImportDeps, importChunk } from './import-chunk.ts'
import type { ImportOrder } from './import-order.ts'
import { openTable } from './open-table.ts'
import { type NamedMapping, resolveMapping } from './resolve-mapping.ts'

export type SentCsv = {
  readonly actor: Actor
  readonly order: ImportOrder
  readonly mapping: NamedMapping
  readonly file: SpooledFile
}

/**
 * Imports a CSV, or one chunk of it. A call without a key is an import of its own.
 * @throws AppError VALIDATION_FAILED and those of `importChunk`
 */
export async function importCsv(
  deps: ImportDeps,
  { actor, order, mapping: named, file }: SentCsv,
): Promise<{ reply: CsvReply; replayed: boolean }> {
  const { mode, chunkCount, defaults, place, chunkIndex, dryRun, reading } = order
  const mapping = await resolveMapping(deps.db, actor, named)
  return importChunk(deps, {
    actor,
    key: order.key ?? randomUUID(),
    dryRun,
    terms: { mapping, defaults, place, mode, chunkCount, reading },
    chunkIndex,
    contentSha256: file.sha256,
    fileName: file.filename,
    open: (known) =>
      openTable(file, {
        said: reading,
        knownHeader: known?.header,
        knownReading: known?.reading ?? undefined,
      }),
  })
}
