import { randomUUID } from 'node:crypto'
import type { ImportMapping } from '#contract/import-fields.ts'
import type { CsvForm, CsvReply } from '#contract/imports.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { Db } from '#server/platform/database.ts'
import type { SpooledFile } from '#server/platform/http/handler.ts'
import { type ImportDeps, importChunk } from './import-chunk.ts'
import { type ImportOrder, wrongField } from './import-order.ts'
import { readMapping } from './mapping.ts'
import { openCsv } from './open-csv.ts'
import { findMapping } from './template-queries.ts'

export type SentCsv = {
  readonly actor: Actor
  readonly order: ImportOrder
  readonly mapping: Pick<CsvForm, 'mappingId' | 'mapping'>
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
  const { mode, chunkCount, defaults, place, chunkIndex, dryRun } = order
  const mapping = await resolveMapping(deps.db, actor, named)
  return importChunk(deps, {
    actor,
    key: order.key ?? randomUUID(),
    dryRun,
    terms: { mapping, defaults, place, mode, chunkCount },
    chunkIndex,
    contentSha256: file.sha256,
    fileName: file.filename,
    open: (knownHeader) => openCsv(() => file.open(), { knownHeader }),
  })
}

/** A template wins over a mapping that was sent along. */
async function resolveMapping(db: Db, actor: Actor, named: SentCsv['mapping']): Promise<ImportMapping> {
  const id = named.mappingId?.trim()
  if (id) {
    const found = await findMapping(db, { id, sellerId: actor.sellerId })
    if (found) return found
    throw wrongField('mappingId', 'There is no such mapping template (mappingId). Choose another one.')
  }
  const mapping = named.mapping?.trim() ? readMapping(named.mapping) : {}
  if (Object.keys(mapping).length > 0) return mapping
  throw wrongField('mapping', 'mapping or mappingId is required')
}
