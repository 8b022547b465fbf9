import type { ListingColumns } from '#server/features/listings/listing-columns.ts'
import { diffColumns } from '#server/features/listings/listing-diff.ts'
import { renamedHeading } from '#server/features/listings/renamed-heading.ts'
import type { ListingRecord } from '#server/features/listings/write-queries.ts'
import type { LookupKind } from '#server/features/lookups/lookup-kind.ts'
import type { Undo } from './undo-decision.ts'

type Lookup = { readonly id: string; readonly name: string }

/** Lookups by the ids that listings had before an import: itself, or what it was merged into; one that is gone is absent. */
export type StandingLookups = Readonly<Record<LookupKind, ReadonlyMap<string, Lookup>>>

const idOf = { category: 'category_id', manufacturer: 'manufacturer_id', car_model: 'car_model_id' } as const
const nameOf = { category: undefined, manufacturer: 'manufacturer_name', car_model: 'model_name' } as const
const kinds = Object.keys(idOf) as LookupKind[]

/** The listing as it was before the import. */
function recordBefore({ listing, columns }: Extract<Undo, { kind: 'restore' }>): ListingRecord {
  const before = Object.entries(columns).map(([column, [, value]]) => [column, value])
  return { ...listing, ...Object.fromEntries(before) }
}

/** The lookup of a kind that a listing gets back; null where it gets none. */
export function formerLookup(undo: Undo, kind: LookupKind): string | null {
  if (undo.kind !== 'restore') return null
  const returns = [idOf[kind], nameOf[kind]].some((column) => column && column in undo.columns)
  return returns ? recordBefore(undo)[idOf[kind]] : null
}

/**
 * Lookups may have been renamed, merged or deleted since the import. A listing gets back the one that its former one is
 * now, under its name of now: a name beside another one's id would be a false listing. Where one of them is gone, all of
 * the listing stays as the import left it, or it would be parts of two.
 */
export function withStandingLookups(undo: Undo, standing: StandingLookups): Undo {
  if (undo.kind !== 'restore') return undo
  const { listing } = undo
  const said: Partial<ListingColumns> = {}
  for (const kind of kinds) {
    const id = formerLookup(undo, kind)
    if (id === null) continue
    const lookup = standing[kind].get(id)
    if (!lookup) return { kind: 'keep', listing, why: 'deleted' }
    said[idOf[kind]] = lookup.id
    if (nameOf[kind]) said[nameOf[kind]] = lookup.name
  }
  Object.assign(said, renamedHeading(recordBefore(undo), said))
  const others = Object.entries(undo.columns).filter(([column]) => !(column in said))
  return { ...undo, columns: { ...Object.fromEntries(others), ...diffColumns(listing, said) } }
}
