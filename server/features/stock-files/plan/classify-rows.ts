import { type RawBuilder, sql } from 'kysely'
import type { ImportMode } from '#contract/imports.ts'
import { holdRows, storeHeldRows } from '#server/features/stock-files/identity/hold-rows.ts'
import {
  fillPairingTables,
  openPairing,
  pairInOrder,
  pairSimilar,
  splitDigest,
  splitRowDigest,
} from '#server/features/stock-files/identity/pair-alike.ts'
import {
  adoptByPart,
  adoptByPlainNumber,
  adoptByStockNumber,
  adoptByTypedNumber,
  findNumberedParts,
  IS_RESTORED,
} from '#server/features/stock-files/identity/pairing.ts'
import { LISTING_DIGEST, mayBeSamePart } from '#server/features/stock-files/identity/row-identity.ts'
import type { PlanTotals } from '#server/features/stock-files/promotion/promotions.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type LeftOutRow, MAX_LEFT_OUT_SHOWN } from './left-out.ts'
import { keepOrderedParts, storeOrderedParts } from './ordered-parts.ts'
import type { NewNameKind } from './plan-rows.ts'

/*
 * A plan is made set by set, in temporary tables of one connection: plan_row (as read), plan_part (duplicates merged),
 * plan_named (listings that rows name by id), plan_source (the seller's parts from files), plan_action (the result).
 */

/** The process id of a connection's PostgreSQL backend. */
export async function findBackend(connection: Db): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection)
  return rows[0]?.pid ?? 0
}

export async function cancelBackend(db: Db, pid: number): Promise<void> {
  await sql`select pg_cancel_backend(${pid})`.execute(db)
}

export type PlannedFile = {
  sellerId: string
  mode: ImportMode
  rows: number
  importId: string | null
  /** Whether some rows name their listings. */
  namesListings: boolean
  /** Whether the file has a column of listing ids, possibly emptied. */
  hasIds: boolean
}

/** Fills plan_action; the tables last until the transaction ends. Returns the first rows that are refused as unclear. */
export async function classifyPlanRows(trx: Db, planned: PlannedFile): Promise<LeftOutRow[]> {
  const { sellerId, mode, namesListings } = planned
  await sql`
    -- A million rows are sorted and joined here; the default of 4 MB would spill to disk.
    set local work_mem = '64MB';
    -- Only the columns used below: analyzing everything took a fifth of a plan's database time.
    analyze plan_row (key, hash, refused, listing_id)
  `.execute(trx)
  const contradicting = [
    ...(namesListings ? await refuseRepeatedListings(trx) : []),
    ...(await refuseRepeatedNumbers(trx)),
  ]
  await collectNamedListings(trx)
  await mergeEqualRows(trx)
  await collectSources(trx, sellerId, mode)
  await pairParts(trx)
  if (namesListings) await pairNamedListings(trx)
  // A yard's first file is all new: nothing to match, nothing to end.
  if (!(await hasListings(trx, sellerId))) {
    await endSoldOut(trx)
    return contradicting
  }
  await adoptByStockNumber(trx, sellerId)
  await adoptByTypedNumber(trx, sellerId)
  await adoptByPart(trx, sellerId)
  await adoptByPlainNumber(trx, sellerId)
  const ambiguous = await findNumberedParts(trx, sellerId, MAX_LEFT_OUT_SHOWN)
  await endSoldOut(trx)
  const held = await holdRows(trx, planned, MAX_LEFT_OUT_SHOWN)
  if (mode === 'replace') await endMissing(trx, planned)
  await keepOrderedParts(trx, sellerId)
  return [...contradicting, ...ambiguous, ...held]
}

/** Whether the seller has any listings that are not deleted. */
async function hasListings(trx: Db, sellerId: string): Promise<boolean> {
  // Two queries, since the indexes by seller cover either active or ended listings.
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from listing where seller_id = ${sellerId} and deleted_at is null and ended_at is null)
      or exists (select from listing where seller_id = ${sellerId} and deleted_at is null and ended_at is not null) as has
  `.execute(trx)
  return rows[0]?.has ?? false
}

/** Rows that name the same listing with different content: the first one counts, the others are refused. */
async function refuseRepeatedListings(trx: Db): Promise<LeftOutRow[]> {
  const { rows } = await sql<LeftOutRow>`
    with refused as (
      update plan_row r set refused = true
      from (
        select distinct on (listing_id) listing_id, hash, row_no from plan_row
        where listing_id is not null and not refused order by listing_id, row_no
      ) first
      where r.listing_id = first.listing_id and r.hash <> first.hash and not r.refused
      returning r.row_no, first.row_no as first_row, r.gone
    )
    select row_no as "rowNo", 'contradicts' as why, first_row as "firstRow" from refused where not gone
    order by row_no limit ${MAX_LEFT_OUT_SHOWN}
  `.execute(trx)
  return rows
}

/** In a list whose stock numbers are of parts and not of vehicles, nearly every part has one of its own. */
const OWN_NUMBERS = 0.9

/**
 * Rows with the stock number, vehicle and name of an earlier one that differ from it, such as another price in a block that was
 * pasted twice: the first one counts, or the part would be for sale twice. Where a number is a vehicle's, they are parts alike.
 */
async function refuseRepeatedNumbers(trx: Db): Promise<LeftOutRow[]> {
  const own = sql`stock is not null and part_key is not null and listing_id is null and not refused and not gone`
  await sql`
    create temp table plan_twice on commit drop as
    select key, part_key, min(row_no) as first_row from plan_row where ${own}
    group by key, part_key having count(*) > 1
  `.execute(trx)
  const found = await sql`select from plan_twice limit 1`.execute(trx)
  if (found.rows.length === 0) return []
  const { rows } = await sql<LeftOutRow>`
    with numbered as (
      select count(*) as parts, count(distinct key) as numbers
      from (select distinct key, part_key from plan_row where ${own}) part
    ),
    refused as (
      update plan_row r set refused = true
      from plan_twice t join plan_row first on first.row_no = t.first_row, numbered
      where numbered.numbers >= ${OWN_NUMBERS}::numeric * numbered.parts
        and r.key = t.key and r.part_key = t.part_key and r.hash <> first.hash
        and not r.refused and not r.gone and r.listing_id is null
      returning r.row_no, t.first_row
    )
    select row_no as "rowNo", 'disagrees' as why, first_row as "firstRow" from refused
    order by row_no limit ${MAX_LEFT_OUT_SHOWN}
  `.execute(trx)
  return rows
}

/** The listings that rows name; duplicate rows count once. */
async function collectNamedListings(trx: Db): Promise<void> {
  await sql`
    create temp table plan_named on commit drop as
    select distinct on (listing_id) listing_id, row_no, changes, new_category, new_manufacturer, new_model
    from plan_row where listing_id is not null and not refused
    order by listing_id, row_no;
    analyze plan_named
  `.execute(trx)
}

/** Merges rows that are equal in every mapped field into one part with a quantity. */
async function mergeEqualRows(trx: Db): Promise<void> {
  await sql`
    create temp table plan_part on commit drop as
    select key, hash, min(row_no) as row_no, count(*)::integer as copies, min(stock) as stock,
           min(part_key) as part_key, min(part_hash) as part_hash, min(digest) as digest,
           min(new_category) as new_category, min(new_manufacturer) as new_manufacturer, min(new_model) as new_model,
           bool_or(gone) as gone
    from plan_row where not refused and listing_id is null group by key, hash;
    analyze plan_part (row_no, key, hash)
  `.execute(trx)
}

/**
 * The seller's parts from files under these keys, or all of them for a full stock. A deleted listing counts as gone. One
 * that a full stock ended comes back, unless someone else ended it since.
 */
async function collectSources(trx: Db, sellerId: string, mode: ImportMode): Promise<void> {
  await sql`
    create temp table plan_source on commit drop as
    select s.source_key as key, s.ordinal, s.listing_id, s.content_hash as hash, s.copies, s.part_key, s.part_hash,
           s.row_digest, s.listing_version, s.said,
           l.deleted_at is not null as gone,
           l.deleted_at is null and l.ended_at is null as live,
           ${IS_RESTORED} as comes_back,
           s.listing_id in (select listing_id from plan_named) as named
    from listing_source s join listing l on l.id = s.listing_id
    where s.seller_id = ${sellerId}
      and (${mode === 'replace'} or s.source_key in (select key from plan_row))
  `.execute(trx)
  await sql`analyze plan_source`.execute(trx)
}

/** Pairs parts and sources under each key, and makes an action of each part. */
async function pairParts(trx: Db): Promise<void> {
  await openPairing(trx)
  await pairSources(trx)
  await sql`
    create temp table plan_action on commit drop as
    with paired as (
      select p.row_no, s.key, s.ordinal from plan_paired p join plan_source s using (listing_id)
    ), rest as (
      select p.row_no, p.key, row_number() over (partition by p.key order by p.row_no) as n
      from plan_part p left join paired using (row_no) where paired.row_no is null
    ), vacant as (
      select s.key, s.ordinal, row_number() over (partition by s.key order by s.ordinal) as n
      from plan_source s left join paired using (key, ordinal)
      where s.gone and not s.named and paired.row_no is null
    ), used as (
      select key, max(ordinal) as top from plan_source group by key
    ), spare as (
      select key, count(*) as count from vacant group by key
    ), placed as (
      select row_no, ordinal from paired
      union all
      select r.row_no,
             coalesce(v.ordinal, coalesce(u.top, 0) + r.n - coalesce(spare.count, 0))::integer
      from rest r
      left join vacant v on v.key = r.key and v.n = r.n
      left join used u on u.key = r.key
      left join spare on spare.key = r.key
    )
    select p.row_no,
           case when s.key is null or s.gone then 'create'
                when s.hash = p.hash and s.copies = p.copies and not s.comes_back then 'same'
                else 'update' end as action,
           case when not s.gone then s.listing_id end as listing_id,
           p.key, placed.ordinal, p.hash, p.copies, p.digest,
           case when not s.gone then s.hash end as prior_hash,
           case when not s.gone then s.copies end as prior_copies,
           case when not s.gone then s.part_hash end as prior_part_hash,
           case when not s.gone then s.row_digest end as prior_digest,
           case when not s.gone then s.listing_version end as prior_version,
           case when not s.gone then s.said end as prior_said,
           p.stock, p.part_key, p.part_hash, null::bytea as prior_key, null::integer as prior_ordinal,
           p.new_category, p.new_manufacturer, p.new_model
    from placed
    join plan_part p using (row_no)
    left join plan_source s on s.key = p.key and s.ordinal = placed.ordinal
  `.execute(trx)
}

/** Pairs rows with sources under one key into plan_paired: with equal content first, then as `pairSimilar` does. */
async function pairSources(trx: Db): Promise<void> {
  await sql`
    create temp table plan_paired on commit drop as
    select distinct on (s.key, s.hash) p.row_no, s.listing_id
    from plan_part p join plan_source s using (key, hash)
    where not s.gone and not s.named order by s.key, s.hash, s.ordinal;
    analyze plan_paired
  `.execute(trx)
  const rows = await fillPairingTables(trx, {
    rows: sql`
      select p.row_no, encode(p.key, 'hex') as place, ${splitRowDigest(sql`p.digest`)}
      from plan_part p where not exists (select from plan_paired d where d.row_no = p.row_no)`,
    parts: sql`
      select s.listing_id, encode(s.key, 'hex'), s.ordinal,
             case when s.gone then 1 when s.live or s.comes_back then 3 else 2 end,
             ${splitDigest(sql`coalesce(s.row_digest, ${LISTING_DIGEST})`)}
      from plan_source s
      -- Computing a digest takes a while, and most sources have theirs.
      left join listing l on l.id = s.listing_id and s.row_digest is null
        and (s.part_key is not null or l.stock_number is not null)
      left join category c on c.id = l.category_id
      where not s.named and s.key in (select key from plan_part)
        and not exists (select from plan_paired d where d.listing_id = s.listing_id)`,
  })
  if (rows === 0) return
  if ((await pairSimilar(trx, rows)) > 0) await pairInOrder(trx)
  await sql`insert into plan_paired (row_no, listing_id) select row_no, listing_id from plan_pair`.execute(
    trx,
  )
}

/** A listing that a row names belongs to that row, whatever its values; its source stays as it is. */
async function pairNamedListings(trx: Db): Promise<void> {
  await sql`
    insert into plan_action (row_no, action, listing_id, key, ordinal, copies, new_category, new_manufacturer, new_model)
    select row_no, case when changes then 'update' else 'same' end, listing_id, uuid_send(listing_id), 0, 1,
           new_category, new_manufacturer, new_model
    from plan_named
  `.execute(trx)
}

/**
 * A full stock ends the parts it lacks. A part that may be a refused row's is not missing, so it stays as it is. Many yards
 * number the vehicle, so of several parts under a refused row's stock number only those like it may be. The only one under it
 * may have been corrected.
 */
async function endMissing(trx: Db, { rows, importId }: PlannedFile): Promise<void> {
  await sql`
    with ${onlyOne(sql`plan_source`, importId)}
    insert into plan_action (row_no, action, listing_id, key, ordinal, copies)
    select ${rows}::integer + row_number() over (order by s.listing_id), 'end', s.listing_id, s.key, s.ordinal, s.copies
    from plan_source s left join only_one on only_one.key = s.key
    where s.live and not exists (select from plan_action a where a.listing_id = s.listing_id)
      and ${isUnnamed(importId)}
  `.execute(trx)
}

/** Keys under which a source is the only live one, and a refused row is. */
const onlyOne = (sources: RawBuilder<unknown>, importId: string | null) => sql`only_one as (
  select key from ${sources}
  where live and key in (select key from plan_row where refused
    union all select source_key from promotion_kept_row where import_id = ${importId})
  group by key having count(*) = 1
)`

/** That a source s may not be the part of a held or refused row. */
function isUnnamed(importId: string | null): RawBuilder<unknown> {
  const mayBeIt = (row: RawBuilder<unknown>) =>
    sql`(only_one.key is not null or ${mayBeSamePart(row, sql`s.row_digest`)})`
  return sql`
    not exists (select from plan_held h where h.listing_id = s.listing_id)
    and not exists (select from plan_row r where r.refused and r.key = s.key and ${mayBeIt(sql`r.digest`)})
    and not exists (select from plan_row r where r.refused and r.listing_id = s.listing_id)
    and not exists (select from plan_row r where r.refused and r.part_key = s.key)
    and not exists (select from plan_row r where r.refused and r.key = s.part_key)
    and not exists (
      select from promotion_kept_row k
      where k.import_id = ${importId} and k.source_key = s.key and ${mayBeIt(sql`k.row_digest`)})
    and not exists (
      select from promotion_kept_row k
      where k.import_id = ${importId} and k.source_key in (s.part_key, uuid_send(s.listing_id)))
    and not exists (select from promotion_kept_row k where k.import_id = ${importId} and k.part_key = s.key)`
}

/** How many of the seller's live parts from files a classified file does not name, whatever its mode. */
export async function countMissing(trx: Db, sellerId: string): Promise<number> {
  if (!(await hasListings(trx, sellerId))) return 0
  const { rows } = await sql<{ missing: number }>`
    with own as materialized (
      select s.source_key as key, s.part_key, s.row_digest, s.listing_id, true as live
      from listing_source s join listing l on l.id = s.listing_id
      where s.seller_id = ${sellerId} and l.deleted_at is null and l.ended_at is null
    ), ${onlyOne(sql`own`, null)}
    select count(*)::integer as missing
    from own s left join only_one on only_one.key = s.key
    where ${isUnnamed(null)}
      and not exists (
        select from plan_action a where a.listing_id = s.listing_id
          and (a.action <> 'end' or exists (select from plan_part p where p.gone and p.row_no = a.row_no)))
  `.execute(trx)
  return rows[0]?.missing ?? 0
}

/** Rows with quantity 0 end the active parts from earlier files that they are; the others are left out. */
async function endSoldOut(trx: Db): Promise<void> {
  await sql`
    update plan_action a
    set action = 'end', key = s.source_key, ordinal = s.ordinal, hash = null, digest = null, part_key = null,
        part_hash = null, prior_hash = null, prior_copies = null, prior_part_hash = null, prior_digest = null,
        prior_version = null, prior_said = null, prior_key = null, prior_ordinal = null
    from plan_part p, listing l, listing_source s
    where p.gone and a.row_no = p.row_no and l.id = a.listing_id and s.listing_id = l.id
      and l.ended_at is null and l.deleted_at is null
  `.execute(trx)
  await sql`
    delete from plan_action a using plan_part p where p.gone and a.row_no = p.row_no and a.action <> 'end'
  `.execute(trx)
}

export type PlanCounts = PlanTotals & {
  rowsWithNewNames: number
  liveSourced: number
  /** Places in the list of new names that changes need. */
  newNames: Record<NewNameKind, number[]>
}

export async function countPlan(
  trx: Db,
  { sellerId, mode }: Pick<PlannedFile, 'sellerId' | 'mode'>,
): Promise<PlanCounts> {
  const { rows } = await sql<PlanCounts>`
    with counted as (
      select count(*) filter (where action = 'create')::integer as "create",
             count(*) filter (where action = 'update')::integer as "update",
             count(*) filter (where action = 'same')::integer as unchanged,
             count(*) filter (where action = 'end')::integer as "end",
             coalesce(sum(copies) filter (where action in ('create', 'update')
               and (new_category is not null or new_manufacturer is not null or new_model is not null)), 0)::integer
               as "rowsWithNewNames",
             jsonb_build_object(
               'category', coalesce(jsonb_agg(distinct new_category)
                 filter (where action <> 'same' and new_category is not null), '[]'),
               'manufacturer', coalesce(jsonb_agg(distinct new_manufacturer)
                 filter (where action <> 'same' and new_manufacturer is not null), '[]'),
               'model', coalesce(jsonb_agg(distinct new_model)
                 filter (where action <> 'same' and new_model is not null), '[]')) as "newNames"
      from plan_action
    )
    select counted.*,
           -- A row of a part that is gone was left out when it was read.
           (select count(*)::integer from plan_row where refused and not gone) as refused,
           (select count(*)::integer from plan_row where not refused and not gone)
             - (select count(*)::integer from plan_part where gone is not true)
             - (select count(*)::integer from plan_named) as merged,
           case when ${mode} = 'replace' then (select count(*)::integer from plan_source where live)
                when counted."end" > 0 then (
                  select count(*)::integer from listing_source s join listing l on l.id = s.listing_id
                  where s.seller_id = ${sellerId} and l.deleted_at is null and l.ended_at is null)
                else 0 end as "liveSourced"
    from counted
  `.execute(trx)
  const [counts] = rows
  if (!counts) throw new Error('a plan could not be counted')
  return counts
}

/** Stores the plan's actions and held rows in place of an earlier plan's. */
export async function storePlanActions(trx: Db, promotionId: string): Promise<void> {
  await sql`delete from promotion_action where promotion_id = ${promotionId}`.execute(trx)
  await sql`
    insert into promotion_action (promotion_id, row_no, action, listing_id, source_key, ordinal, content_hash, copies,
                                  prior_hash, prior_copies, prior_key, prior_ordinal, part_key, part_hash,
                                  prior_part_hash, row_digest, prior_digest, prior_version, prior_said)
    select ${promotionId}::uuid, row_no, action, listing_id, key, ordinal, hash, copies, prior_hash, prior_copies,
           prior_key, prior_ordinal, part_key, part_hash, prior_part_hash, digest, prior_digest, prior_version, prior_said
    from plan_action where action <> 'same' order by row_no
  `.execute(trx)
  await storeHeldRows(trx, promotionId)
  await storeOrderedParts(trx, promotionId)
}
