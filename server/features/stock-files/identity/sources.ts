import { type RawBuilder, sql } from 'kysely'
import { copyRows } from '#server/platform/database/copy-rows.ts'
import type { Db } from '#server/platform/database/database.ts'
import { NORMALIZER } from './row-identity.ts'

/*
 * Where each listing came from (listing_source): the key of its row, its place among rows with the same key, and the hash
 * of its content. Later imports find their parts here.
 */

/** What the plan does with one listing. */
export type PlannedAction = {
  readonly rowNo: number
  readonly action: 'create' | 'update' | 'end'
  readonly listingId: string | null
  /** Hex. */
  readonly key: string
  readonly ordinal: number
  /** Null for an end, and for an update of the listing that a row names by its id: its source stays as it is. */
  readonly hash: string | null
  readonly copies: number
  readonly priorHash: string | null
  readonly priorCopies: number | null
  /** The source's place before the file gave the part a stock number; null if it does not move. */
  readonly priorKey: string | null
  readonly priorOrdinal: number | null
  /** The key without the stock number, by which the source is also found; null if it has none. */
  readonly partKey: string | null
  /** Hash of the content without the stock number; null if the part has none. */
  readonly partHash: string | null
  readonly priorPartHash: string | null
  /** `rowDigest`; null without a stock number. */
  readonly digest: string | null
  readonly priorDigest: string | null
  readonly priorVersion: number | null
  readonly priorSaid: string | null
}

/** The row that a seller's listing came from. */
export type Source = {
  readonly key: string
  readonly ordinal: number
  readonly listingId: string
  readonly hash: string
  readonly partHash: string | null
  readonly copies: number
  readonly digest: string | null
  /** The listing's version when the row was last imported; null if that was before versions were stored here. */
  readonly version: number | null
  /** JSON: columns whose value in the listing is not the row's (see `merge.ts`); null if none. */
  readonly said: string | null
  readonly createdBy: string | null
  /** When a full stock ended it. */
  readonly endedAt: Date | null
}

/** A source's key, and its place among those with the same key. */
type Place = Pick<Source, 'key' | 'ordinal'>

export const placeOf = ({ key, ordinal }: Place): string => `${key} ${ordinal}`

/**
 * Restricts a join on a page's places to their keys. Without it the planner reads all of the seller's sources: statistics
 * lag behind while a file is being promoted.
 */
const hasKeyOf = (places: readonly Pick<Source, 'key'>[]): RawBuilder<boolean> =>
  sql`s.source_key = any(${places.map(({ key }) => `\\x${key}`)}::bytea[])`

const sourceFields = sql`
  encode(s.source_key, 'hex') as key, s.ordinal, s.listing_id as "listingId",
  encode(s.content_hash, 'hex') as hash, encode(s.part_hash, 'hex') as "partHash", s.copies,
  encode(s.row_digest, 'hex') as digest, s.listing_version as version, s.said::text as said,
  s.created_by_promotion as "createdBy", s.ended_at as "endedAt"`

/** The sources at the places of these actions, locked in one order, by `placeOf`. */
export async function lockSources(
  trx: Db,
  sellerId: string,
  actions: readonly Place[],
): Promise<Map<string, Source>> {
  const { rows } = await sql<Source>`
    select ${sourceFields}
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
  /** Created for this action rather than found. */
  isNew: boolean
  /** The listing's version now. */
  version: number
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
  'row_digest',
  'listing_version',
]

export async function insertSources(
  trx: Db,
  promotion: { id: string; sellerId: string },
  sources: readonly NewSource[],
): Promise<void> {
  if (sources.length === 0) return
  const rows = sources.map(({ action, listingId, isNew, version }) => [
    promotion.sellerId,
    `\\x${action.key}`,
    action.ordinal,
    listingId,
    `\\x${action.hash}`,
    action.copies,
    NORMALIZER,
    promotion.id,
    action.rowNo,
    isNew ? promotion.id : null,
    action.partKey && `\\x${action.partKey}`,
    action.partHash && `\\x${action.partHash}`,
    action.digest && `\\x${action.digest}`,
    version,
  ])
  await copyRows(trx, 'listing_source', sourceColumns, rows)
}

export async function deleteSources(trx: Db, sellerId: string, places: readonly Place[]): Promise<void> {
  if (places.length === 0) return
  await sql`
    delete from listing_source s
    using unnest(${places.map(({ key }) => key)}::text[], ${places.map(({ ordinal }) => ordinal)}::int[]) as a(key, ordinal)
    where s.seller_id = ${sellerId} and s.source_key = decode(a.key, 'hex') and s.ordinal = a.ordinal
      and ${hasKeyOf(places)}
  `.execute(trx)
}

export type SourceContent = Place & {
  hash: string | null
  copies: number | null
  rowNo: number
  /** Set on a source that has none; null if the row has no stock number. */
  partKey: string | null
  partHash: string | null
  digest: string | null
  version: number | null
  said: string | null
}

/** Updates the content of sources to their current rows (or, for an undo, to the previous ones). */
export async function updateSources(
  trx: Db,
  promotion: { id: string; sellerId: string },
  contents: readonly SourceContent[],
): Promise<void> {
  if (contents.length === 0) return
  await sql`
    update listing_source s
    set content_hash = decode(t.hash, 'hex'), copies = t.copies, promotion_id = ${promotion.id}, row_no = t."rowNo",
        part_key = coalesce(s.part_key, decode(t."partKey", 'hex')), part_hash = decode(t."partHash", 'hex'),
        row_digest = decode(t.digest, 'hex'), listing_version = t.version, said = t.said::jsonb
    from jsonb_to_recordset(${JSON.stringify(contents)}::jsonb)
           as t(key text, ordinal integer, hash text, copies integer, "rowNo" integer, "partKey" text, "partHash" text, digest text, version integer, said text)
    where s.seller_id = ${promotion.sellerId} and s.source_key = decode(t.key, 'hex') and s.ordinal = t.ordinal
      and ${hasKeyOf(contents)}
  `.execute(trx)
}

/** Records that this promotion ended the listings. */
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

/* A part imported without a stock number got one later: its source moves from the part's key to the number's. */

function placesBefore(actions: readonly PlannedAction[]) {
  return actions.flatMap(({ key, ordinal, priorKey, priorOrdinal, listingId, partKey }) =>
    priorKey === null || priorOrdinal === null || listingId === null
      ? []
      : [{ listingId, partKey, now: { key, ordinal }, before: { key: priorKey, ordinal: priorOrdinal } }],
  )
}

// Same as `sourceKey`, for the listing's current number.
const keyOfNumber = sql`
  substr(sha256(convert_to(E'stock\\n' || lower(btrim(l.stock_number) collate pg_c_utf8), 'UTF8')), 1, 16)`

/**
 * Moves the sources of parts that got their first stock number to the number's key. If the listing has another number by
 * now or is deleted, the source stays, and the row becomes a new part.
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
  const newPartKey = sql`coalesce(s.part_key, decode(t."partKey", 'hex'))`
  await moveSources(trx, { sellerId, moves, condition: unnumbered, partKey: newPartKey })
}

/** The reverse, for an undo. If an import without stock numbers created such a part since, that one keeps the place. */
export async function moveBack(trx: Db, sellerId: string, actions: readonly PlannedAction[]): Promise<void> {
  const moves = placesBefore(actions).map(({ now, before, ...move }) => ({ ...move, from: now, to: before }))
  // Under the part's own key it needs no second one.
  const partKey = sql`nullif(s.part_key, decode(t."to" ->> 'key', 'hex'))`
  await moveSources(trx, { sellerId, moves, condition: sql`true`, partKey })
}

type SourceMoves = {
  sellerId: string
  moves: readonly { listingId: string; partKey: string | null; from: Place; to: Place }[]
  condition: RawBuilder<unknown>
  /** The second key after the move. */
  partKey: RawBuilder<unknown>
}

async function moveSources(trx: Db, { sellerId, moves, condition, partKey }: SourceMoves): Promise<void> {
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
 * The sources of parts that this promotion created and a later one moved to their stock numbers, locked, by their previous
 * `placeOf`.
 */
export async function lockMovedSources(
  trx: Db,
  promotion: { id: string; sellerId: string },
  places: readonly Place[],
): Promise<Map<string, Source>> {
  if (places.length === 0) return new Map()
  const { rows } = await sql<Source & { placeKey: string; placeOrdinal: number }>`
    select t.key as "placeKey", t.ordinal as "placeOrdinal", ${sourceFields}
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
