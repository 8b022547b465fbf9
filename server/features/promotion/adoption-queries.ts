import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'
import { COMES_BACK } from './coming-back-queries.ts'

/*
 * What a plan would make anew although the seller has it, under another sign: set by set, over plan_action.
 */

/** A part that the seller had listed by hand under this stock number becomes the file's, instead of a second one. */
export async function adoptByStockNumber(trx: Db, sellerId: string): Promise<void> {
  await sql`
    with wanted as (
      select row_no, lower(stock collate "C") as stock,
             row_number() over (partition by lower(stock collate "C") order by row_no) as n
      from plan_action where action = 'create' and stock is not null
    ), by_hand as (
      select l.id, lower(l.stock_number) as stock,
             row_number() over (partition by lower(l.stock_number) order by l.id) as n
      from listing l
      where l.seller_id = ${sellerId} and l.deleted_at is null and l.stock_number is not null
        and lower(l.stock_number) in (select stock from wanted)
        and not exists (select from listing_source s where s.listing_id = l.id)
        and not exists (select from plan_named n where n.listing_id = l.id)
    )
    update plan_action a set action = 'update', listing_id = h.id
    from wanted w join by_hand h on h.stock = w.stock and h.n = w.n
    where a.row_no = w.row_no
  `.execute(trx)
}

/**
 * A part from a file that has this stock number by now, typed by hand, is the row's too: its source moves to the key of the
 * number. Where another row of the file is that part, it stays that row's.
 */
export async function adoptByTypedNumber(trx: Db, sellerId: string): Promise<void> {
  await sql`
    with wanted as (
      select a.row_no, lower(a.stock collate "C") as stock,
             row_number() over (partition by lower(a.stock collate "C") order by a.row_no) as n
      from plan_action a
      where a.action = 'create' and a.stock is not null and a.part_key is not null
        and not exists (select from plan_source s where s.key = a.key and s.ordinal = a.ordinal)
    ), typed as (
      select s.source_key as key, s.ordinal, s.listing_id, s.content_hash as hash, s.copies, s.part_hash,
             lower(l.stock_number) as stock,
             row_number() over (partition by lower(l.stock_number) order by l.id) as n
      from listing l join listing_source s on s.listing_id = l.id
      where l.seller_id = ${sellerId} and l.deleted_at is null and l.stock_number is not null
        and lower(l.stock_number) in (select stock from wanted)
        and not exists (select from plan_action a where a.listing_id = l.id)
        and not exists (select from plan_action a where a.key = s.source_key and a.ordinal = s.ordinal)
        and not exists (select from plan_named n where n.listing_id = l.id)
    )
    update plan_action a
    set action = 'update', listing_id = t.listing_id, prior_key = t.key, prior_ordinal = t.ordinal,
        prior_hash = t.hash, prior_copies = t.copies, prior_part_hash = t.part_hash
    from wanted w join typed t using (stock, n)
    where a.row_no = w.row_no
  `.execute(trx)
}

/**
 * A part that came without a stock number and has one in this file is the same part: its source moves to the new key. Rows
 * that say what the part said but for the number take it first, also one that was ended by hand; then living parts in
 * their order. A part that another row of the file is stays that row's.
 */
export async function adoptByPart(trx: Db, sellerId: string): Promise<void> {
  await sql`
    with wanted as (
      select a.row_no, a.hash, a.part_key, a.part_hash,
             row_number() over (partition by a.part_key, a.part_hash order by a.row_no) as n
      from plan_action a
      where a.action = 'create' and a.part_key is not null
        -- The place of a deleted part is that one's, which comes back.
        and not exists (select from plan_source s where s.key = a.key and s.ordinal = a.ordinal)
    ), spare as (
      select s.source_key as key, s.ordinal, s.listing_id, s.content_hash as hash, s.copies,
             l.ended_at is null
               or ${COMES_BACK} as living
      from listing_source s join listing l on l.id = s.listing_id
      where s.seller_id = ${sellerId} and s.source_key in (select part_key from wanted)
        and l.deleted_at is null and l.stock_number is null
        and not exists (select from plan_action a where a.key = s.source_key and a.ordinal = s.ordinal)
        and not exists (select from plan_named n where n.listing_id = s.listing_id)
    ), numbered as (
      select *, row_number() over (partition by key, hash order by not living, ordinal) as n from spare
    ), same as (
      select w.row_no, s.key, s.ordinal
      from wanted w join numbered s on s.key = w.part_key and s.hash = w.part_hash and s.n = w.n
    ), rest as (
      select w.row_no, w.part_key, row_number() over (partition by w.part_key order by w.row_no) as n
      from wanted w where not exists (select from same where same.row_no = w.row_no)
    ), others as (
      select s.key, s.ordinal, row_number() over (partition by s.key order by s.ordinal) as n
      from spare s
      where s.living and not exists (select from same where same.key = s.key and same.ordinal = s.ordinal)
    ), found as (
      select row_no, key, ordinal from same
      union all
      select r.row_no, o.key, o.ordinal from rest r join others o on o.key = r.part_key and o.n = r.n
    )
    update plan_action a
    set action = 'update', listing_id = s.listing_id, prior_key = s.key, prior_ordinal = s.ordinal,
        prior_hash = s.hash, prior_copies = s.copies
    from found f join spare s using (key, ordinal)
    where a.row_no = f.row_no
  `.execute(trx)
}
