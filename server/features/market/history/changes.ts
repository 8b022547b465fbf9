import { sql } from 'kysely'
import {
  inOrder,
  type ListingField,
  listingFields,
  recordOrder,
  termFields,
  textFields,
} from '#contract/listing/listing-fields.ts'
import { fieldLabels } from '#contract/listing/listing-rules.ts'
import { type TermValue, termText } from '#contract/listing/listing-terms.ts'
import { type Actor, isAdmin } from '#server/platform/actor.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'

/** Who changed a listing last, and when. */
export type LastChange = {
  /** Null for the system and for deleted accounts. */
  userId: string | null
  /** The person's name. */
  by: string | null
  kind: 'user' | 'job' | 'system'
  how: string
  at: Date
  /** Whether they belong to the seller of the listing. */
  isOfSeller: boolean
}

/** "Dana Whitfield changed it on Nov 21, 2026, 6:38 AM UTC", for admins. */
export function changedBy(change: LastChange | undefined): string {
  if (!change) return 'Someone else changed it'
  const who = change.by ?? `The system (${change.how})`
  return `${who} changed it on ${formatMinute(change.at)}`
}

/** Describes who made the last change; admins see names, sellers do not. */
export function whoChanged({ userId, by, kind, how, isOfSeller }: LastChange, viewer: Actor): string {
  if (userId === viewer.userId) return kind === 'user' ? 'you, in another window' : `you (${how})`
  if (userId === null) return kind === 'user' ? 'someone whose account is gone' : `the system (${how})`
  if (isAdmin(viewer)) return by ?? 'someone else'
  return isOfSeller ? 'a colleague' : 'an administrator'
}

/** "Nov 21, 2026, 6:38 AM UTC" */
export const formatMinute = (at: Date): string =>
  `${at.toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })} UTC`

/**
 * A stored change: column → the values before and after. For pictures: `imageUrl`, the addresses from a file;
 * `pictures`, the ids in order; `cover` (formerly `picture`), the hash of a replaced cover; `pictureNotes`, a picture's
 * caption and marks.
 */
export type RecordedChange = Readonly<Record<string, readonly [before: unknown, after: unknown]>>

/** A change under the API's names. */
type ChangedField = { field: string; label: string; before: unknown; after: unknown }

type Side = 0 | 1
type FieldReader = {
  field: string
  label: string
  /** The field changed if one of these columns did. */
  columns: readonly string[]
  read: (value: ValueOf, categoryName: (id: string) => string, former: ValueOf) => unknown
}
type ValueOf = (column: string) => unknown

const plain = (column: string, field: string, label: string): FieldReader => ({
  field,
  label,
  columns: [column],
  read: (value) => value(column) ?? null,
})

const labelled = (column: string, field: ListingField): FieldReader =>
  plain(column, field, fieldLabels[field])

const fieldReaders: readonly FieldReader[] = [
  ...textFields.map((field) => labelled(listingFields[field].column, field)),
  { ...labelled('year_from', 'partyear'), columns: ['year_from', 'year_to'], read: yearText },
  plain('manufacturer_name', 'partmanu', fieldLabels.partmanuId),
  labelled('model_name', 'partmodel'),
  { ...plain('category_id', 'partcategory', fieldLabels.partcategoryId), read: categoryText },
  { ...labelled('price_cents', 'partprice'), read: (value) => dollars(value('price_cents')) },
  labelled('quantity', 'partquantity'),
  {
    ...labelled('shipping_kind', 'partshipping'),
    columns: ['shipping_kind', 'shipping_cents'],
    read: shippingText,
  },
  labelled('miles', 'partmiles'),
  ...termFields.map((field) => {
    const { column } = listingFields[field]
    return {
      ...labelled(column, field),
      read: (value: ValueOf) => termText(field, value(column) as TermValue) || null,
    }
  }),
  {
    ...plain('cover', 'image', 'Picture'),
    columns: ['cover', 'picture'],
    read: (value) => value('cover') ?? value('picture') ?? null,
  },
  {
    ...plain('pictures', 'pictures', 'Pictures'),
    read: (value, _, former) => orderText(value('pictures'), former('pictures')),
  },
  {
    ...plain('pictureNotes', 'pictureNotes', 'Picture notes'),
    read: (value) => notesText(value('pictureNotes')),
  },
  plain('imageUrl', 'imageUrl', 'Picture address'),
  labelled('latitude', 'latitude'),
  labelled('longitude', 'longitude'),
  labelled('slug', 'partslug'),
]

const byField = new Map(fieldReaders.map((reader) => [reader.field, reader]))

/**
 * Title first, then in the order of exports. Excludes ids of manufacturers and models, because their names change with
 * them.
 */
const readers: readonly FieldReader[] = [
  ...inOrder(['partname', ...recordOrder], [...byField.keys()]).flatMap((field) => byField.get(field) ?? []),
  plain('status', 'status', 'Status'),
  plain('ended_at', 'endedAt', 'Ended'),
  plain('ended_reason', 'endedReason', 'Reason it ended'),
  plain('deleted_at', 'deletedAt', 'Deleted'),
]

/** The changed fields, with prices in dollars and names instead of ids. */
export function changedFields(changes: RecordedChange, categoryName: (id: string) => string): ChangedField[] {
  return readers.flatMap(({ field, label, columns, read }) => {
    if (!columns.some((column) => changes[column])) return []
    const valueAt =
      (side: Side): ValueOf =>
      (column) =>
        changes[column]?.[side]
    const at = (side: Side) => read(valueAt(side), categoryName, valueAt(0))
    return { field, label, before: at(0), after: at(1) }
  })
}

/** The category ids in these changes. */
export const categoriesIn = (changes: readonly RecordedChange[]): string[] =>
  changes
    .flatMap(({ category_id: category }) => category ?? [])
    .filter((id): id is string => typeof id === 'string')

/** Pictures by their previous numbers: "1, 2, 3", then "2, 1, 3, new". */
function orderText(ids: unknown, before: unknown): string | null {
  const former = (before ?? []) as string[]
  const names = ((ids ?? []) as string[]).map((id) => former.indexOf(id) + 1 || 'new')
  return names.join(', ') || null
}

/** "Left side. Marks: crack; scratch" */
function notesText(value: unknown): string | null {
  const { alt = '', marks = [] } = (value ?? {}) as { alt?: string; marks?: { note: string }[] }
  const notes = marks.map(({ note }) => note).join('; ')
  return [alt, notes && `Marks: ${notes}`].filter(Boolean).join('. ') || null
}

function dollars(cents: unknown): number | null {
  return typeof cents === 'number' ? cents / 100 : null
}

function yearText(value: ValueOf): unknown {
  const [from, to] = [value('year_from'), value('year_to')]
  if (from === undefined) return `to ${to}`
  if (to === undefined) return `from ${from}`
  return from === to ? from : `${from}-${to}`
}

function categoryText(value: ValueOf, categoryName: (id: string) => string): unknown {
  const id = value('category_id')
  return typeof id === 'string' ? categoryName(id) : null
}

/** If only the amount changed, the kind is "flat", the only one with an amount. */
function shippingText(value: ValueOf): string {
  const kind = value('shipping_kind') ?? 'flat'
  const cents = dollars(value('shipping_cents'))
  if (kind === 'flat') return cents === null ? 'Flat rate' : `$${cents.toFixed(2)}`
  return { free: 'Free', pickup: 'Pickup only' }[String(kind)] ?? 'On request'
}

type PastChange = {
  version: number
  at: Date
  /** The person's name; null for the system. */
  by: string | null
  how: string
  changeSetId: string
  changes: RecordedChange
}

/** Lists changes of a listing before a version, newest first, without its creation. */
async function listChanges(
  db: Db,
  listingId: string,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<PastChange[]> {
  const { rows } = await sql<PastChange>`
    select c.version, c.at, u.name as by, s.reason as how, c.change_set_id as "changeSetId", c.changes
    from listing_change c
    join change_set s on s.id = c.change_set_id left join app_user u on u.id = s.actor_user_id
    where c.listing_id = ${listingId} and c.version < ${before ?? MAX_INTEGER} and not c.changes ? 'created'
    order by c.version desc limit ${limit}
  `.execute(db)
  return rows
}

// PostgreSQL's maximum.
const MAX_INTEGER = 2_147_483_647

/** Finds when and how a listing, even a deleted one, was created; undefined if it does not exist. */
async function findCreation(db: Db, listingId: string): Promise<{ at: Date; how: string } | undefined> {
  const { rows } = await sql<{ at: Date; how: string }>`
    select l.created_at as at,
           coalesce(
             (select changes -> 'created' ->> 1 from listing_change where listing_id = l.id and changes ? 'created'),
             (select 'import' from listing_source where listing_id = l.id limit 1),
             'not recorded') as how
    from listing l where l.id = ${listingId}
  `.execute(db)
  return rows[0]
}

/** Names of categories, by id. */
export async function listCategoryNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from category where id = any(${[...ids]}::uuid[])
  `.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Who changed each of these listings last. */
export async function findLastChanges(
  db: Db,
  listingIds: readonly string[],
): Promise<Map<string, LastChange>> {
  if (listingIds.length === 0) return new Map()
  const { rows } = await sql<LastChange & { listingId: string }>`
    select c.listing_id as "listingId", s.actor_user_id as "userId", u.name as by, s.actor_kind as kind, s.reason as how, c.at,
           exists (
             select from listing l join seller_member m on m.seller_id = l.seller_id
             where l.id = c.listing_id and m.user_id = s.actor_user_id
           ) as "isOfSeller"
    from unnest(${[...listingIds]}::uuid[]) as asked(id)
    cross join lateral (
      select listing_id, change_set_id, at from listing_change
      where listing_id = asked.id order by version desc limit 1
    ) c
    join change_set s on s.id = c.change_set_id left join app_user u on u.id = s.actor_user_id
  `.execute(db)
  return new Map(rows.map(({ listingId, ...change }) => [listingId, change]))
}

const PICTURE_CHANGES = ['cover', 'pictures', 'pictureNotes', 'imageUrl']

/** Whether all changes of a listing since an earlier version were of its pictures. */
export async function isSameBesidesPictures(
  db: Db,
  { id, version }: { id: string; version: number },
  since: number,
): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select count(*) = ${version - since} and bool_and(changes - ${PICTURE_CHANGES}::text[] = '{}') as is
    from listing_change where listing_id = ${id} and version > ${since}
  `.execute(db)
  return rows[0]?.is ?? false
}

export type History = {
  items: (Omit<PastChange, 'changes'> & { fields: ChangedField[] })[]
  /** The `before` of the next page, or null. */
  nextBefore: number | null
  created: { at: Date; how: string }
}

const CHANGES_A_PAGE = 20

/** @throws AppError NOT_FOUND */
export async function readHistory(db: Db, listingId: string, before: number | undefined): Promise<History> {
  const created = await findCreation(db, listingId)
  if (!created) throw new AppError('NOT_FOUND', 'There is no such listing.')
  const found = await listChanges(db, listingId, { before, limit: CHANGES_A_PAGE + 1 })
  const page = found.slice(0, CHANGES_A_PAGE)
  const names = await listCategoryNames(db, categoriesIn(page.map(({ changes }) => changes)))
  const nameOf = (id: string) => names.get(id) ?? 'a deleted category'
  return {
    items: page.map(({ changes, ...change }) => ({ ...change, fields: changedFields(changes, nameOf) })),
    nextBefore: found.length > CHANGES_A_PAGE ? (page.at(-1)?.version ?? null) : null,
    created,
  }
}
