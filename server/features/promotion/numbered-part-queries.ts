import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'
import { COMES_BACK } from './coming-back-queries.ts'
import { type LeftOutRow, MOST_LEFT_OUT_TOLD } from './left-out-row.ts'

/* Parts that came with a stock number and come without one now, in the tables of a plan (see `plan-queries.ts`). */

/**
 * A row without a stock number is the part that came with one and has the same key without it: where one of these said the
 * same as the row before, else where exactly one fits and no other row may be it. The source stays under its number. Rows
 * of which nobody can tell which part they are are refused, and answered: a guess would give one part's price to another,
 * and a new listing would be the same part twice.
 */
export async function findNumberedParts(trx: Db, sellerId: string): Promise<LeftOutRow[]> {
  if (!(await hasNumberedParts(trx, sellerId))) return []
  await collectFits(trx, sellerId)
  await take(trx, saidTheSame)
  await dropEnded(trx)
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
    select s.part_key, s.source_key as key, s.ordinal, s.listing_id, s.content_hash as hash, s.copies,
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
    set action = case when f.hash = a.hash and f.copies = a.copies and not f.comes_back then 'same' else 'update' end,
        listing_id = f.listing_id, key = f.key, ordinal = f.ordinal, prior_hash = f.hash, prior_copies = f.copies
    from pair join plan_fit f using (listing_id)
    where a.row_no = pair.row_no
  `.execute(trx)
}

const saidTheSame = sql`
  select distinct on (o.row_no) o.row_no, f.listing_id
  from plan_open o join plan_fit f on f.part_key = o.key and f.hash = o.hash
  order by o.row_no, f.living desc, f.key, f.ordinal`

const onlyOnes = sql`
  select o.row_no, f.listing_id
  from (select key, min(row_no) as row_no from plan_open group by key having count(*) = 1) o
  join (
    select part_key, (array_agg(listing_id))[1] as listing_id from plan_fit group by part_key having count(*) = 1
  ) f on f.part_key = o.key`

/** A row is rather a living part than an ended one. */
async function dropEnded(trx: Db): Promise<void> {
  await sql`
    delete from plan_fit where not living and part_key in (select part_key from plan_fit where living)
  `.execute(trx)
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
