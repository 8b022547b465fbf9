import type { LookupActor } from '#server/features/lookups/lookup-change.ts'
import type { LookupKind } from '#server/features/lookups/lookup-kind.ts'
import { mergeLookups } from '#server/features/lookups/merge-lookups.ts'
import { renameLookup } from '#server/features/lookups/rename-lookup.ts'
import type { Db } from '#server/platform/database.ts'
import type { NameDecision, NamedRecord } from './name-plan.ts'
import { markReviewed } from './queries.ts'

export type Decided = { readonly record: NamedRecord; readonly decision: NameDecision }

/**
 * Does what was decided about some names, and remembers that they were looked at, in the caller's transaction.
 * @throws AppError where a name is taken or gone by now: then nothing of it may stay
 */
export async function applyNames(
  trx: Db,
  { kind, decided, by }: { kind: LookupKind; decided: readonly Decided[]; by: LookupActor },
): Promise<void> {
  for (const { record, decision } of decided) {
    const { id } = record
    if (decision.kind === 'merge') await mergeLookups(trx, { kind, id, into: decision.into.id, by })
    if (decision.kind === 'rename') await renameLookup(trx, { kind, id, name: decision.name, by })
  }
  const names = decided
    .filter(({ decision }) => decision.kind !== 'merge')
    .map(({ record: { id, name }, decision }) => ({
      id,
      name: decision.kind === 'rename' ? decision.name : name,
    }))
  await markReviewed(trx, kind, names)
}
