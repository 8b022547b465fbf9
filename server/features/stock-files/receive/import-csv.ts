import { randomUUID } from 'node:crypto'
import { addAbortSignal } from 'node:stream'
import type { CsvReply } from '#contract/imports.ts'
import type { SaidReading } from '#contract/yard-file/reading.ts'
import { openTable, type TableFile } from '#server/features/stock-files/read/open-table.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { SpooledFile } from '#server/platform/http/handler.ts'
import { type ImportDeps, importChunk } from './chunk.ts'
import type { ImportOrder } from './import-order.ts'
import { type NamedMapping, resolveMapping } from './mapping-templates.ts'

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
  const { mode, chunkCount, defaults, place, chunkIndex, dryRun } = order
  const { mapping, reading: ofTemplate } = await resolveMapping(deps.db, actor, named)
  const reading = saidOfBoth(ofTemplate, order.reading)
  return importChunk(deps, {
    actor,
    key: order.key ?? randomUUID(),
    dryRun,
    terms: { mapping, defaults, place, mode, chunkCount, reading },
    chunkIndex,
    contentSha256: file.sha256,
    fileName: file.filename,
    open: (known, signal) =>
      openTable(stoppable(file, signal), {
        said: reading,
        knownHeader: known?.header,
        knownReading: known?.reading ?? undefined,
      }),
  })
}

/** Looking at a large file before its first row counts takes seconds; who cancels waits for none of them. */
const stoppable = (file: SpooledFile, signal: AbortSignal): TableFile => ({
  open: () => addAbortSignal(signal, file.open()),
  blob: () => file.blob(),
})

/** What the call says goes before what its template says; numbers of rows are those of the call's file alone. */
function saidOfBoth({ rowOffset: _, ...ofTemplate }: SaidReading, ofCall: SaidReading): SaidReading {
  const decimals = { ...ofTemplate.decimals, ...ofCall.decimals }
  const areSaid = ofTemplate.decimals !== undefined || ofCall.decimals !== undefined
  return { ...ofTemplate, ...ofCall, ...(areSaid && { decimals }) }
}
