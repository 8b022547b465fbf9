import { createHash, randomUUID } from 'node:crypto'
import type { ImportMapping } from '#contract/import-fields.ts'
import type { DryRunReply, StagedReply } from '#contract/imports.ts'
import type { Actor } from '#server/platform/actor.ts'
import { type ImportDeps, importChunk } from './import-chunk.ts'
import { type ImportOrder, wrongField } from './import-order.ts'
import type { PartRecord } from './part-record.ts'
import { type NamedMapping, resolveMapping } from './resolve-mapping.ts'

export type SentPart = {
  readonly actor: Actor
  readonly order: ImportOrder
  readonly part: PartRecord
  /** A part may be sent under any names with a mapping or a template, as a file is; its own names do without. */
  readonly mapping: NamedMapping
}

/**
 * Imports one part on the way that a file takes: a file of one row.
 * @throws AppError VALIDATION_FAILED and those of `importChunk`
 */
export async function importPart(
  deps: ImportDeps,
  { actor, order, part, mapping: named }: SentPart,
): Promise<{ reply: DryRunReply | StagedReply; replayed: boolean }> {
  const { mode, defaults, place } = order
  const { header, cells } = part
  const { mapping } = isNamed(named) ? await resolveMapping(deps.db, actor, named) : byItsNames(part)
  const { reply, replayed } = await importChunk(deps, {
    actor,
    key: order.key ?? randomUUID(),
    dryRun: order.dryRun,
    terms: { mapping, defaults, place, mode, chunkCount: 1, reading: {} },
    chunkIndex: 0,
    contentSha256: createHash('sha256')
      .update(JSON.stringify([header, cells]))
      .digest('hex'),
    fileName: '',
    open: async () => ({ header, batches: oneBatch([{ row: 2, cells }]), lastRow: () => 2 }),
  })
  if ('received' in reply) throw new Error('a part is an import of one chunk')
  return { reply, replayed }
}

const isNamed = ({ mappingId, mapping }: NamedMapping) => Boolean(mappingId?.trim() || mapping?.trim())

function byItsNames({ mapping }: PartRecord): { mapping: ImportMapping } {
  if (Object.keys(mapping).length > 0) return { mapping }
  throw wrongField('partname', 'Send the fields of a part, such as partname and partprice')
}

async function* oneBatch<T>(batch: T[]): AsyncGenerator<T[]> {
  yield batch
}
