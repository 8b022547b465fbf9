import { createHash, randomUUID } from 'node:crypto'
import type { DryRunReply, StagedReply } from '#contract/imports.ts'
import type { Actor } from '#server/platform/actor.ts'
import { type ImportDeps, importChunk } from './import-chunk.ts'
import type { ImportOrder } from './import-order.ts'
import type { PartRecord } from './part-record.ts'

/**
 * Imports one part on the way that a file takes: a file of one row.
 * @throws AppError those of `importChunk`
 */
export async function importPart(
  deps: ImportDeps,
  { actor, order, part }: { actor: Actor; order: ImportOrder; part: PartRecord },
): Promise<{ reply: DryRunReply | StagedReply; replayed: boolean }> {
  const { mode, defaults, place } = order
  const { header, cells, mapping } = part
  const { reply, replayed } = await importChunk(deps, {
    actor,
    key: order.key ?? randomUUID(),
    dryRun: order.dryRun,
    terms: { mapping, defaults, place, mode, chunkCount: 1 },
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

async function* oneBatch<T>(batch: T[]): AsyncGenerator<T[]> {
  yield batch
}
