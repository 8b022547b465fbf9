import { sql } from 'kysely'
import { LISTING_TITLE } from '#server/features/market/listings/titles.ts'
import type { Db } from '#server/platform/database/database.ts'
import { LISTING_KEY } from './row-identity.ts'

/*
 * Rows that are held back, since only the seller knows what they are:
 * - a row and the only active listing left under its stock number that are not alike. The listing may have been corrected,
 *   or the row may be another part;
 * - a row without a listing id, in a file with a column of them, that equals a part listed by hand. The file may be our
 *   export with its ids emptied, or the yard may have a second such part.
 */

/** A row that waits for its seller's answer. */
export type HeldRow = {
  readonly rowNo: number
  readonly why: 'held'
  /** The title of the listing it may be. */
  readonly listing: string
  /** Whether it equals the listing. Absent in older plans. */
  readonly repeats?: boolean
}

type HoldOptions = {
  readonly sellerId: string
  /** Whether the file has a column of listing ids. */
  readonly hasIds: boolean
}

/** Holds back such rows of a plan, and returns the first `limit`. */
export async function holdRows(
  trx: Db,
  { sellerId, hasIds }: HoldOptions,
  limit: number,
): Promise<HeldRow[]> {
  await collectUnlike(trx, sellerId)
  if (hasIds) await collectRepeats(trx, sellerId)
  await sql`
    update plan_row r set refused = true from plan_held h
    where r.key = h.key and r.hash = h.hash and r.listing_id is null and not r.refused
  `.execute(trx)
  await sql`delete from plan_part p using plan_held h where h.row_no = p.row_no`.execute(trx)
  await sql`delete from plan_action a using plan_held h where h.row_no = a.row_no`.execute(trx)
  const { rows } = await sql<HeldRow>`
    select h.row_no as "rowNo", 'held' as why, h.repeats,
           ${LISTING_TITLE} as listing
    from plan_held h join listing l on l.id = h.listing_id
    order by h.row_no limit ${limit}
  `.execute(trx)
  return rows
}

async function collectUnlike(trx: Db, sellerId: string): Promise<void> {
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
    select o.row_no, spare.listing_id, o.key, o.hash, o.copies, o.part_key, o.part_hash, o.digest, false as repeats
    from single join spare using (key) join open o using (row_no)
  `.execute(trx)
}

/** Only parts listed by hand: others are matched by their source row. */
async function collectRepeats(trx: Db, sellerId: string): Promise<void> {
  await sql`
    insert into plan_held
    with open as (
      select *, row_number() over (partition by part order by row_no) as n
      from plan_action a
      cross join lateral (select case when stock is null then key else coalesce(part_key, key) end as part) p
      where action = 'create' and not exists (select from plan_held h where h.row_no = a.row_no)
    ), by_hand as (
      select l.id, ${LISTING_KEY} as part from listing l
      where l.seller_id = ${sellerId} and l.deleted_at is null and l.ended_at is null
        and not exists (select from listing_source s where s.listing_id = l.id)
        and not exists (select from plan_named m where m.listing_id = l.id)
        and not exists (select from plan_action a where a.listing_id = l.id)
        and not exists (select from plan_held h where h.listing_id = l.id)
    ), numbered as (
      select *, row_number() over (partition by part order by id) as n from by_hand
    )
    select o.row_no, l.id, o.key, o.hash, o.copies, o.part_key, o.part_hash, o.digest, true
    from open o join numbered l using (part, n)
  `.execute(trx)
}

/** False if the plan had nothing to compare with, and so held no rows back. */
async function hasHeldTable(trx: Db): Promise<boolean> {
  const { rows } = await sql<{
    has: boolean
  }>`select to_regclass('pg_temp.plan_held') is not null as has`.execute(trx)
  return rows[0]?.has ?? false
}

/** How many rows of a file equal a part that was listed by hand, duplicates included. */
export async function countRowsListedByHand(trx: Db): Promise<number> {
  if (!(await hasHeldTable(trx))) return 0
  const { rows } = await sql<{ rows: number }>`
    select coalesce(sum(copies) filter (where repeats), 0)::integer as rows from plan_held
  `.execute(trx)
  return rows[0]?.rows ?? 0
}

/** Stores a plan's held rows in place of an earlier plan's. */
export async function storeHeldRows(trx: Db, promotionId: string): Promise<void> {
  await sql`delete from promotion_held_row where promotion_id = ${promotionId}`.execute(trx)
  if (!(await hasHeldTable(trx))) return
  await sql`
    insert into promotion_held_row (promotion_id, row_no, listing_id, source_key, content_hash, copies, part_key,
                                    part_hash, row_digest, repeats)
    select ${promotionId}::uuid, row_no, listing_id, key, hash, copies, part_key, part_hash, digest, repeats from plan_held
  `.execute(trx)
}
