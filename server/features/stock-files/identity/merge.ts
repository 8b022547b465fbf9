import { sql } from 'kysely'
import type { JsonValue } from '#db/schema.gen.ts'
import type { ColumnChanges } from '#server/features/market/listings/write-queries.ts'
import { RELABEL_REASONS } from '#server/features/market/lookups/lookup-kind.ts'
import { fittingAddresses } from '#server/features/market/pictures/picture-lists.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type RowChange, type RowListing, rowChange, type UpdatedListing } from './listed-part.ts'

/*
 * Merges a row into a listing that was edited since: the row writes a value only if it differs from the row's last one,
 * and no person has changed the listing's value in between.
 */

/** What happened to a column since its row was last imported. */
type ColumnEdit = {
  /** Its value then. */
  readonly base: JsonValue
  /** Whether a person changed it last. */
  readonly byPerson: boolean
}

/** By column, `imageUrl`, and the other keys of `changes.ts`. */
export type ListingEdits = Readonly<Record<string, ColumnEdit>>

/** The reason of a change that replaces edits with the file's values, which is not an edit. */
export const USE_FILE_VALUES = 'use file values'
const NO_EDITS = [...RELABEL_REASONS, USE_FILE_VALUES]

/**
 * What changed in listings from files since their rows were last imported, by listing. Names that change because a
 * lookup was renamed or merged are not edits.
 */
export async function listEdits(trx: Db, listingIds: readonly string[]): Promise<Map<string, ListingEdits>> {
  if (listingIds.length === 0) return new Map()
  const { rows } = await sql<{ listingId: string; edits: ListingEdits }>`
    with edit as (
      select s.listing_id, e.key, (array_agg(e.value -> 0 order by c.version))[1] as base,
             (array_agg(b.actor_kind = 'user' and b.reason <> all(${NO_EDITS}) order by c.version desc))[1] as by_person
      from listing_source s
      cross join lateral (
        select coalesce(s.listing_version, (
          select max(o.version) from listing_change o join promotion p on p.change_set_id = o.change_set_id
          where p.id = s.promotion_id and o.listing_id = s.listing_id
        ), 1) as version
      ) since
      join listing_change c on c.listing_id = s.listing_id and c.version > since.version
      join change_set b on b.id = c.change_set_id
      cross join lateral jsonb_each(c.changes) e
      where s.listing_id = any(${[...listingIds]}::uuid[]) and jsonb_typeof(e.value) = 'array'
      group by s.listing_id, e.key
    )
    select listing_id as "listingId", jsonb_object_agg(key, jsonb_build_object('base', base, 'byPerson', by_person)) as edits
    from edit group by listing_id
  `.execute(trx)
  return new Map(rows.map(({ listingId, edits }) => [listingId, edits]))
}

/** Values of the row that the listing does not have: column → [value, whether a person set the listing's value]. */
type UnwrittenValues = Readonly<Record<string, readonly [value: JsonValue, byPerson: boolean]>>

export type Memory = { readonly edits: ListingEdits | undefined; readonly said: string | null }

export type MergedRow = {
  readonly change: RowChange
  /** Edits that stay although the row has a new value: column → [listing's value, row's value]. */
  readonly kept: ColumnChanges | undefined
  /** For the source (see `Source`). */
  readonly said: string | null
}

/** Columns that only make sense together. */
const jointColumns: readonly (readonly string[])[] = [
  ['manufacturer_id', 'manufacturer_name', 'car_model_id', 'model_name'],
  ['year_from', 'year_to'],
  ['shipping_kind', 'shipping_cents'],
  ['dealer_phone', 'dealer_phone_e164'],
]
const companions = new Map(
  jointColumns.flatMap((columns) => columns.map((column) => [column, columns] as const)),
)

/** What a row changes in its listing, with respect to edits. `copies`: how many equal rows it represents. */
export function mergeRow(
  updated: UpdatedListing,
  row: RowListing,
  copies: number,
  memory: Memory,
): MergedRow {
  const before: UnwrittenValues = memory.said === null ? {} : JSON.parse(memory.said)
  if (memory.edits === undefined && memory.said === null) {
    const said = unwritten(row, updated)
    return { change: rowChange(updated, row, copies), kept: undefined, said: textOf(said) }
  }
  const { listing, imageUrl, copiesBefore = 1 } = updated
  const now: Values = { ...listing, imageUrl }
  const wanted = wantedValues(row, copies, copiesBefore)
  const { written, said, kept } = divideRow({ memory, before, now, wanted })
  const { imageUrl: url, ...columns } = written
  const merged: RowListing = { columns, imageUrl: url as RowListing['imageUrl'] }
  return {
    change: rowChange(updated, merged, copiesBefore),
    kept: Object.keys(kept).length > 0 ? kept : undefined,
    said: textOf({ ...said, ...unwritten(merged, updated) }),
  }
}

const textOf = (said: UnwrittenValues) => (Object.keys(said).length > 0 ? JSON.stringify(said) : null)

/** The row's picture addresses, if not all of them fit in addition to the pictures that people added. */
function unwritten({ imageUrl }: RowListing, { others }: UpdatedListing): UnwrittenValues {
  if (!imageUrl || fittingAddresses(imageUrl, others) === imageUrl) return {}
  return { imageUrl: [imageUrl, false] }
}

/** Splits a row into the values to write and those where the listing's value stays. */
function divideRow(facts: Facts) {
  const { now, wanted } = facts
  const written: Record<string, unknown> = { ...wanted }
  const said = unwrittenBefore(facts)
  const kept: ColumnChanges = {}
  for (const columns of groupsOf(Object.keys(wanted))) {
    if (columns.every((column) => now[column] === wanted[column])) continue
    const known = columns.map((column) => ({ column, ...factsOf(column, facts) }))
    const byPerson = known.some((fact) => fact.byPerson)
    const isNew = known.some(({ column, base }) => base !== wanted[column])
    if (isNew && !byPerson) continue
    for (const column of columns) {
      delete written[column]
      said[column] = [wanted[column] as JsonValue, byPerson]
      if (isNew) kept[column] = [now[column], wanted[column]]
    }
  }
  return { written, said, kept }
}

/** Columns that never come from a file. */
const OWN_COLUMNS = new Set([
  'created',
  'picture',
  'pictures',
  'pictureNotes',
  'slug',
  'status',
  'ended_at',
  'ended_reason',
  'deleted_at',
])

/** The row's last values in columns that this file lacks, where the listing has another value. */
function unwrittenBefore(facts: Facts): Record<string, UnwrittenValues[string]> {
  const { before, memory, now, wanted } = facts
  const said: Record<string, UnwrittenValues[string]> = {}
  for (const column of Object.keys({ ...memory.edits, ...before })) {
    if (column in wanted || OWN_COLUMNS.has(column)) continue
    const { base, byPerson } = factsOf(column, facts)
    if (base !== now[column]) said[column] = [base as JsonValue, byPerson]
  }
  return said
}

function wantedValues({ columns, imageUrl }: RowListing, copies: number, copiesBefore: number) {
  const wanted: Record<string, unknown> = { ...(copies !== copiesBefore && { quantity: copies }), ...columns }
  if (imageUrl !== undefined) wanted.imageUrl = imageUrl
  return wanted
}

/** Groups the columns that belong together. */
function groupsOf(columns: readonly string[]): readonly string[][] {
  const fields = new Map<unknown, string[]>()
  for (const column of columns) {
    const field = companions.get(column) ?? column
    fields.set(field, [...(fields.get(field) ?? []), column])
  }
  return [...fields.values()]
}

type Values = Readonly<Record<string, unknown>>
type Facts = { memory: Memory; before: UnwrittenValues; now: Values; wanted: Values }

/** The row's last value in a column, and whether a person has changed the listing's value since. */
function factsOf(
  column: string,
  { memory: { edits }, before, now, wanted }: Facts,
): { base: unknown; byPerson: boolean } {
  const said = before[column]
  const edit = edits?.[column]
  // In older history, replacing a file's picture by hand left no address to compare with.
  const wasReplaced = edits?.picture?.byPerson && edits.picture.base !== null && !edits.imageUrl
  if (column === 'imageUrl' && !said && now.imageUrl === null && wasReplaced) {
    return { base: wanted.imageUrl, byPerson: true }
  }
  // A value that was changed and changed back is not edited.
  const isEdited = edit !== undefined && edit.base !== now[column]
  const byPerson = isEdited ? edit.byPerson : (said?.[1] ?? false)
  if (said) return { base: said[0], byPerson }
  return { base: isEdited ? edit.base : now[column], byPerson }
}
