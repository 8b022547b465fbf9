import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'
import { COMES_BACK } from './coming-back-queries.ts'
import { type LeftOutRow, MOST_LEFT_OUT_TOLD } from './left-out-row.ts'

/* Parts that came with a stock number and come without one now, in the tables of a plan (see `plan-queries.ts`). */

/**
 * A row without a stock number is the part that came with one and has the same key without it: where one of these says the
 * same, else where exactly one fits and no other row may be it. Equal rows are all the parts that say the same where they
 * are as many. The source stays under its number. Rows of which nobody can tell which part they are are refused, and
 * answered: a guess would give one part's price to another, and a new listing would be the same part twice.
 */
export async function findNumberedParts(trx: Db, sellerId: string): Promise<LeftOutRow[]> {
  if (!(await hasNumberedParts(trx, sellerId))) return []
  await collectFits(trx, sellerId)
  await keepEqual(trx)
  await dropEnded(trx, sql`part_key, said`)
  await keepEqual(trx)
  await take(trx, saidTheSame)
  await dropEnded(trx, sql`part_key`)
  await take(trx, onlyOnes)
  return refuseAmbiguous(trx)
}

async function hasNumberedParts(trx: Db, sellerId: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from listing_source where seller_id = ${sellerId} and part_key is not null) as has
  `.execute(trx)
  return rows[0]?.has ?? false
}

/** New rows without a number, and the parts of the seller that they may be: such that no other row of the file is. */
async function collectFits(trx: Db, sellerId: string): Promise<void> {
  await sql`
    create temp table plan_open on commit drop as
    select row_no, key, hash, copies from plan_action a
    where action = 'create' and part_key is null
      -- The place of a deleted part is that one's, which comes back.
      and not exists (select from plan_source s where s.key = a.key and s.ordinal = a.ordinal)
  `.execute(trx)
  await sql`
    create temp table plan_fit on commit drop as
    select s.part_key, s.source_key as key, s.ordinal, s.listing_id, s.content_hash as hash, s.copies, s.part_hash,
           -- Where it is not known, a row without a number may have written it last.
           coalesce(s.part_hash, s.content_hash) as said,
           ${COMES_BACK} as comes_back, l.ended_at is null or ${COMES_BACK} as living, l.stock_number
    from listing_source s join listing l on l.id = s.listing_id
    where s.seller_id = ${sellerId} and s.part_key in (select key from plan_open) and l.deleted_at is null
      and not exists (select from plan_action a where a.listing_id = s.listing_id)
      and not exists (select from plan_named n where n.listing_id = s.listing_id)
  `.execute(trx)
  await sql`analyze plan_open, plan_fit`.execute(trx)
}

/** Pairs rows with parts, both of which are then none of the others' any more. */
async function take(trx: Db, pairs: RawBuilder<unknown>): Promise<void> {
  await sql`
    with pair as (${pairs}), row_taken as (
      delete from plan_open o using pair where o.row_no = pair.row_no
    ), part_taken as (
      delete from plan_fit f using pair where f.listing_id = pair.listing_id
    )
    update plan_action a
    set action = case when f.said = a.hash and f.copies = a.copies and not f.comes_back then 'same' else 'update' end,
        listing_id = f.listing_id, key = f.key, ordinal = f.ordinal, prior_hash = f.hash, prior_copies = f.copies,
        part_hash = a.hash, prior_part_hash = f.part_hash
    from pair join plan_fit f using (listing_id)
    where a.row_no = pair.row_no
  `.execute(trx)
}

/** Rows that are as many as the parts that say the same: all of these are there, and nothing changes. */
async function keepEqual(trx: Db): Promise<void> {
  await sql`
    with kept as (
      select o.row_no, o.hash, f.listing_id, f.part_key, f.key, f.ordinal, f.copies,
             row_number() over (partition by o.row_no order by f.key, f.ordinal) as n
      from plan_open o
      join (
        select part_key, said, sum(copies) as copies from plan_fit
        group by part_key, said having not bool_or(comes_back)
      ) equal on equal.part_key = o.key and equal.said = o.hash and equal.copies = o.copies
      join plan_fit f on f.part_key = o.key and f.said = o.hash
    ), rows_kept as (
      delete from plan_open o using kept k where k.row_no = o.row_no
    ), parts_kept as (
      delete from plan_fit f using kept k where k.listing_id = f.listing_id
    ), more_parts as (
      insert into plan_part (key, hash, row_no, copies) select part_key, hash, row_no, copies from kept where n > 1
    ), more_actions as (
      insert into plan_action (row_no, action, listing_id, key, ordinal, hash, copies)
      select row_no, 'same', listing_id, key, ordinal, hash, copies from kept where n > 1
    )
    update plan_action a set action = 'same', listing_id = k.listing_id, key = k.key, ordinal = k.ordinal
    from kept k where k.n = 1 and a.row_no = k.row_no
  `.execute(trx)
}

const saidTheSame = sql`
  select o.row_no, f.listing_id
  from plan_open o
  join (
    select part_key, said, (array_agg(listing_id))[1] as listing_id from plan_fit
    group by part_key, said having count(*) = 1
  ) f on f.part_key = o.key and f.said = o.hash`

const onlyOnes = sql`
  select o.row_no, f.listing_id
  from (select key, min(row_no) as row_no from plan_open group by key having count(*) = 1) o
  join (
    select part_key, (array_agg(listing_id))[1] as listing_id from plan_fit group by part_key having count(*) = 1
  ) f on f.part_key = o.key`

/** A row is rather a living part than an ended one that is like it. */
async function dropEnded(trx: Db, like: RawBuilder<unknown>): Promise<void> {
  await sql`delete from plan_fit where not living and (${like}) in (select ${like} from plan_fit where living)`.execute(
    trx,
  )
}

async function refuseAmbiguous(trx: Db): Promise<LeftOutRow[]> {
  await sql`
    create temp table plan_ambiguous on commit drop as
    select o.row_no, o.key, o.hash, f.parts, f.stock_numbers, count(*) over (partition by o.key)::integer as rows
    from plan_open o
    join (
      select part_key, count(*)::integer as parts,
             (array_agg(stock_number order by stock_number) filter (where stock_number is not null))[1:3] as stock_numbers
      from plan_fit group by part_key
    ) f on f.part_key = o.key
  `.execute(trx)
  await sql`
    update plan_row r set refused = true from plan_ambiguous m
    where r.key = m.key and r.hash = m.hash and r.listing_id is null and not r.refused
  `.execute(trx)
  await sql`delete from plan_part p using plan_ambiguous m where m.row_no = p.row_no`.execute(trx)
  await sql`delete from plan_action a using plan_ambiguous m where m.row_no = a.row_no`.execute(trx)
  const { rows } = await sql<LeftOutRow>`
    select row_no as "rowNo", 'ambiguous' as why, parts, coalesce(stock_numbers, '{}') as "stockNumbers", rows
    from plan_ambiguous order by row_no limit ${MOST_LEFT_OUT_TOLD}
  `.execute(trx)
  return rows
}
