import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/*
 * Rows that are held back: a row and the only active listing left under its stock number that are not alike. The listing
 * may have been corrected, or the row may be another part; only the seller knows.
 */

/** A row that waits for its seller's answer. */
export type HeldRow = {
  readonly rowNo: number
  readonly why: 'held'
  /** The title of the listing it may be. */
  readonly listing: string
}

/** Holds back such rows of a plan, and returns the first `limit`. */
export async function holdUnlike(trx: Db, sellerId: string, limit: number): Promise<HeldRow[]> {
  await sql`
    create temp table plan_held on commit drop as
    with open as (
      select * from plan_action where action = 'create' and stock is not null
    ), single as (
      select key, min(row_no) as row_no, min(lower(stock collate "C")) as stock from open group by key having count(*) = 1
    ), under_key as (
      select s.key, s.listing_id from plan_source s
      where s.live and not s.named and s.key in (select key from single)
    ), under_number as (
      select o.key, l.id as listing_id from listing l join single o on o.stock = lower(l.stock_number)
      where l.seller_id = ${sellerId} and l.deleted_at is null and l.ended_at is null and l.stock_number is not null
        and not exists (select from plan_named n where n.listing_id = l.id)
    ), spare as (
      select key, (array_agg(listing_id))[1] as listing_id
      from (select * from under_key union select * from under_number) u
      where not exists (select from plan_action a where a.listing_id = u.listing_id)
      group by key having count(*) = 1
    )
    select o.row_no, spare.listing_id, o.key, o.hash, o.copies, o.part_key, o.part_hash, o.digest
    from single join spare using (key) join open o using (row_no)
  `.execute(trx)
  await sql`
    update plan_row r set refused = true from plan_held h
    where r.key = h.key and r.hash = h.hash and r.listing_id is null and not r.refused
  `.execute(trx)
  await sql`delete from plan_part p using plan_held h where h.row_no = p.row_no`.execute(trx)
  await sql`delete from plan_action a using plan_held h where h.row_no = a.row_no`.execute(trx)
  const { rows } = await sql<HeldRow>`
    select h.row_no as "rowNo", 'held' as why,
           concat_ws(' ', concat_ws('–', l.year_from, nullif(l.year_to, l.year_from)), l.manufacturer_name, l.model_name, l.name) as listing
    from plan_held h join listing l on l.id = h.listing_id
    order by h.row_no limit ${limit}
  `.execute(trx)
  return rows
}

/** Stores a plan's held rows in place of an earlier plan's. */
export async function storeHeldRows(trx: Db, promotionId: string): Promise<void> {
  await sql`delete from promotion_held_row where promotion_id = ${promotionId}`.execute(trx)
  const { rows } = await sql<{
    held: boolean
  }>`select to_regclass('pg_temp.plan_held') is not null as held`.execute(trx)
  if (!rows[0]?.held) return
  await sql`
    insert into promotion_held_row (promotion_id, row_no, listing_id, source_key, content_hash, copies, part_key,
                                    part_hash, row_digest)
    select ${promotionId}::uuid, row_no, listing_id, key, hash, copies, part_key, part_hash, digest from plan_held
  `.execute(trx)
}
