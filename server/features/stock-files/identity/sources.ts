import { type RawBuilder, sql } from 'kysely'
import type { PlannedAction, Source } from '#server/features/stock-files/plan/actions.ts'
import { copyRows } from '#server/platform/database/copy-rows.ts'
import type { Db } from '#server/platform/database/database.ts'
import { NORMALISER } from './row-identity.ts'

/* Which row of which file a listing is, as a page writes it and an undo takes it back. */

export const placeOf = ({ key, ordinal }: Pick<Source, 'key' | 'ordinal'>): string => `${key} ${ordinal}`

/**
 * Sources of these keys, for statements that join a page's places. Without it the planner reads all that the seller has and
 * throws away what does not match: while a file goes live nobody has told it yet how much that is.
 */
const hasKeyOf = (places: readonly Pick<Source, 'key'>[]): RawBuilder<boolean> =>
  sql`s.source_key = any(${places.map(({ key }) => `\\x${key}`)}::bytea[])`

/** The sources at the places of these actions, locked in one order, by `placeOf`. */
export async function lockSources(
  trx: Db,
  sellerId: string,
  actions: readonly Pick<PlannedAction, 'key' | 'ordinal'>[],
): Promise<Map<string, Source>> {
  const { rows } = await sql<Source>`
    select encode(s.source_key, 'hex') as key, s.ordinal, s.listing_id as "listingId",
           encode(s.content_hash, 'hex') as hash, encode(s.part_hash, 'hex') as "partHash", s.copies,
           s.created_by_promotion as "createdBy", s.ended_at as "endedAt"
    from unnest(${actions.map(({ key }) => key)}::text[], ${actions.map(({ ordinal }) => ordinal)}::int[])
           as a(key, ordinal)
    join listing_source s
      on s.seller_id = ${sellerId} and s.source_key = decode(a.key, 'hex') and s.ordinal = a.ordinal
    where ${hasKeyOf(actions)}
    order by s.source_key, s.ordinal
    for update of s
  `.execute(trx)
  return new Map(rows.map((row) => [placeOf(row), row]))
}

export type NewSource = {
  action: PlannedAction
  listingId: string
  /** The listing was made for it, not found. */
  isNew: boolean
}

const sourceColumns = [
  'seller_id',
  'source_key',
  'ordinal',
  'listing_id',
  'content_hash',
  'copies',
  'normaliser',
  'promotion_id',
  'row_no',
  'created_by_promotion',
  'part_key',
  'part_hash',
]

export async function insertSources(
  trx: Db,
  promotion: { id: string; sellerId: string },
  sources: readonly NewSource[],
): Promise<void> {
  if (sources.length === 0) return
  const rows = sources.map(({ action, listingId, isNew }) => [
    promotion.sellerId,
    `\\x${action.key}`,
    action.ordinal,
    listingId,
    `\\x${action.hash}`,
    action.copies,
    NORMALISER,
    promotion.id,
    action.rowNo,
    isNew ? promotion.id : null,
    action.partKey && `\\x${action.partKey}`,
    action.partHash && `\\x${action.partHash}`,
  ])
  await copyRows(trx, 'listing_source', sourceColumns, rows)
}

export async function deleteSources(
  trx: Db,
  sellerId: string,
  places: readonly Pick<Source, 'key' | 'ordinal'>[],
): Promise<void> {
  if (places.length === 0) return
  await sql`
    delete from listing_source s
    using unnest(${places.map(({ key }) => key)}::text[], ${places.map(({ ordinal }) => ordinal)}::int[]) as a(key, ordinal)
    where s.seller_id = ${sellerId} and s.source_key = decode(a.key, 'hex') and s.ordinal = a.ordinal
      and ${hasKeyOf(places)}
  `.execute(trx)
}

export type SourceContent = Pick<Source, 'key' | 'ordinal'> & {
  hash: string | null
  copies: number | null
  rowNo: number
  /** Learned by a source that does not know it; null where the row has no stock number. */
  partKey: string | null
  partHash: string | null
}

/** What the sources' rows say by now (or said before, for an undo). */
export async function updateSources(
  trx: Db,
  promotion: { id: string; sellerId: string },
  contents: readonly SourceContent[],
): Promise<void> {
  if (contents.length === 0) return
  await sql`
    update listing_source s
    set content_hash = decode(t.hash, 'hex'), copies = t.copies, promotion_id = ${promotion.id}, row_no = t."rowNo",
        part_key = coalesce(s.part_key, decode(t."partKey", 'hex')), part_hash = decode(t."partHash", 'hex')
    from jsonb_to_recordset(${JSON.stringify(contents)}::jsonb)
           as t(key text, ordinal integer, hash text, copies integer, "rowNo" integer, "partKey" text, "partHash" text)
    where s.seller_id = ${promotion.sellerId} and s.source_key = decode(t.key, 'hex') and s.ordinal = t.ordinal
      and ${hasKeyOf(contents)}
  `.execute(trx)
}

/** Notes which end was this promotion's. */
export async function markSourcesEnded(
  trx: Db,
  promotionId: string,
  ended: { listingIds: readonly string[]; at: Date },
): Promise<void> {
  if (ended.listingIds.length === 0) return
  await sql`
    update listing_source set ended_by_promotion = ${promotionId}, ended_at = ${ended.at}
    where listing_id = any(${[...ended.listingIds]}::uuid[])
  `.execute(trx)
}

/* A part that came without a stock number and got one later: its source moves from the key of the part to that of the number. */

type Place = Pick<Source, 'key' | 'ordinal'>

function placesBefore(actions: readonly PlannedAction[]) {
  return actions.flatMap(({ key, ordinal, priorKey, priorOrdinal, listingId, partKey }) =>
    priorKey === null || priorOrdinal === null || listingId === null
      ? []
      : [{ listingId, partKey, now: { key, ordinal }, before: { key: priorKey, ordinal: priorOrdinal } }],
  )
}

// As `sourceKey` makes it of the number that the listing has by now.
const keyOfNumber = sql`
  substr(sha256(convert_to(E'stock\\n' || lower(btrim(l.stock_number) collate pg_c_utf8), 'UTF8')), 1, 16)`

/**
 * Moves the sources of parts that got their first stock number to its key. Those whose listing has another one by now, or
 * is deleted, stay: then the row is a part of its own.
 */
export async function moveToStockNumbers(
  trx: Db,
  sellerId: string,
  actions: readonly PlannedAction[],
): Promise<void> {
  const unnumbered = sql`
    exists (
      select from listing l
      where l.id = s.listing_id and l.deleted_at is null
        and (l.stock_number is null or ${keyOfNumber} = decode(t."to" ->> 'key', 'hex')))`
  const moves = placesBefore(actions).map(({ now, before, ...move }) => ({ ...move, from: before, to: now }))
  const learned = sql`coalesce(s.part_key, decode(t."partKey", 'hex'))`
  await moveSources(trx, { sellerId, moves, condition: unnumbered, partKey: learned })
}

/** And back, for an undo. Where an import without stock numbers made such a part since, that one has the place. */
export async function moveBack(trx: Db, sellerId: string, actions: readonly PlannedAction[]): Promise<void> {
  const moves = placesBefore(actions).map(({ now, before, ...move }) => ({ ...move, from: now, to: before }))
  // Under the key of its part it is found by that one.
  const partKey = sql`nullif(s.part_key, decode(t."to" ->> 'key', 'hex'))`
  await moveSources(trx, { sellerId, moves, condition: sql`true`, partKey })
}

type Moving = {
  sellerId: string
  moves: readonly { listingId: string; partKey: string | null; from: Place; to: Place }[]
  condition: RawBuilder<unknown>
  /** What the source is found by beside its key. */
  partKey: RawBuilder<unknown>
}

async function moveSources(trx: Db, { sellerId, moves, condition, partKey }: Moving): Promise<void> {
  if (moves.length === 0) return
  await sql`
    update listing_source s
    set source_key = decode(t."to" ->> 'key', 'hex'), ordinal = (t."to" ->> 'ordinal')::integer,
        part_key = ${partKey}
    from jsonb_to_recordset(${JSON.stringify(moves)}::jsonb)
           as t("listingId" uuid, "partKey" text, "from" jsonb, "to" jsonb)
    where s.seller_id = ${sellerId} and s.source_key = decode(t."from" ->> 'key', 'hex')
      and s.ordinal = (t."from" ->> 'ordinal')::integer and s.listing_id = t."listingId" and ${condition}
      and not exists (
        select from listing_source o
        where o.seller_id = ${sellerId} and o.source_key = decode(t."to" ->> 'key', 'hex')
          and o.ordinal = (t."to" ->> 'ordinal')::integer)
  `.execute(trx)
}

/**
 * The sources of parts that this promotion made and that a later one moved to their stock numbers, locked, by the
 * `placeOf` that they had.
 */
export async function lockMovedSources(
  trx: Db,
  promotion: { id: string; sellerId: string },
  places: readonly Place[],
): Promise<Map<string, Source>> {
  if (places.length === 0) return new Map()
  const { rows } = await sql<Source & { placeKey: string; placeOrdinal: number }>`
    select t.key as "placeKey", t.ordinal as "placeOrdinal", encode(s.source_key, 'hex') as key, s.ordinal,
           s.listing_id as "listingId", encode(s.content_hash, 'hex') as hash,
           encode(s.part_hash, 'hex') as "partHash", s.copies,
           s.created_by_promotion as "createdBy", s.ended_at as "endedAt"
    from unnest(${places.map(({ key }) => key)}::text[], ${places.map(({ ordinal }) => ordinal)}::int[])
           as t(key, ordinal)
    join promotion_action a on a.prior_key = decode(t.key, 'hex') and a.prior_ordinal = t.ordinal
    join listing_source s
      on s.seller_id = ${promotion.sellerId} and s.source_key = a.source_key and s.ordinal = a.ordinal
        and s.listing_id = a.listing_id and s.created_by_promotion = ${promotion.id}
    order by s.source_key, s.ordinal
    for update of s
  `.execute(trx)
  return new Map(
    rows.map(({ placeKey, placeOrdinal, ...source }) => [
      placeOf({ key: placeKey, ordinal: placeOrdinal }),
      source,
    ]),
  )
}
