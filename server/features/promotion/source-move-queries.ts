import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'
import type { PlannedAction, Source } from './action-decision.ts'
import { placeOf } from './source-queries.ts'

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
