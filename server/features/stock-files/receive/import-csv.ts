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
 * Imports a CSV, or one chunk of it. Without a key, each call is an import of its own.
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

/** Detecting how to read a large file takes seconds before its first row; a cancel interrupts that too. */
const stoppable = (file: SpooledFile, signal: AbortSignal): TableFile => ({
  open: () => addAbortSignal(signal, file.open()),
  blob: () => file.blob(),
})

/** The call's settings override the template's; row numbers apply to the call's file alone. */
function saidOfBoth({ rowOffset: _, ...ofTemplate }: SaidReading, ofCall: SaidReading): SaidReading {
  const decimals = { ...ofTemplate.decimals, ...ofCall.decimals }
  const areSaid = ofTemplate.decimals !== undefined || ofCall.decimals !== undefined
  return { ...ofTemplate, ...ofCall, ...(areSaid && { decimals }) }
}
