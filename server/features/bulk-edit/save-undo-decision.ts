import type { ColumnChanges } from '#server/features/listings/listing-diff.ts'
import type { ListingRecord } from '#server/features/listings/write-queries.ts'

export type SaveUndo =
  /** What was before the bulk save returns. */
  | { kind: 'restore'; columns: ColumnChanges }
  | { kind: 'keep'; because: 'gone' | 'deleted' | 'changed' | 'model gone' }

type LaterChange = {
  changes: ColumnChanges
  /** The listing followed a lookup that was renamed or merged: nobody worked on it. */
  relabelled?: boolean
}

type Facts = {
  /** As it is now; undefined where it is gone altogether. */
  listing: ListingRecord | undefined
  /** What the bulk save made of it. */
  change: { version: number; changes: ColumnChanges }
  /** Everything after that, oldest first. */
  later: readonly LaterChange[]
  /** Whether a car model is still there. */
  isModel: (id: string) => boolean
}

/** A listing is given back what it was, unless somebody has worked on it since. */
export function decideSaveUndo({ listing, change, later, isModel }: Facts): SaveUndo {
  if (!listing) return { kind: 'keep', because: 'gone' }
  if (listing.deleted_at) return { kind: 'keep', because: 'deleted' }
  const isKnown = listing.version === change.version + later.length
  const worked = later.filter(({ relabelled, changes }) => !relabelled || meet(changes, change.changes))
  if (!isKnown || !cancelOut(worked)) return { kind: 'keep', because: 'changed' }
  const columns = reversed(change.changes)
  const model = columns.car_model_id?.[1]
  if (typeof model === 'string' && !isModel(model)) return { kind: 'keep', because: 'model gone' }
  return { kind: 'restore', columns }
}

const meet = (some: ColumnChanges, others: ColumnChanges): boolean =>
  Object.keys(some).some((column) => column in others)

/** What others changed and took back again is no change. */
function cancelOut(later: readonly LaterChange[]): boolean {
  const net = new Map<string, [before: unknown, after: unknown]>()
  for (const { changes } of later) {
    for (const [column, [before, after]] of Object.entries(changes)) {
      net.set(column, [net.has(column) ? net.get(column)?.[0] : before, after])
    }
  }
  return [...net.values()].every(([before, after]) => JSON.stringify(before) === JSON.stringify(after))
}

const reversed = (changes: ColumnChanges): ColumnChanges =>
  Object.fromEntries(Object.entries(changes).map(([column, [before, after]]) => [column, [after, before]]))
