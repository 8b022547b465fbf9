import { type RawBuilder, sql } from 'kysely'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { isOffered } from './for-sale.ts'

/*
 * How many parts are for sale of each part type, make, model and model year, and of each part type for each model.
 * Triggers record additions and removals, one row per kind of part and statement; folds add it to the counts. So no
 * query counts a million listings, and an update costs only as much as what changed. Unlike the tally, the counts are
 * as of the last fold.
 */

/** A part type, make or model, or one year of a model. */
type StockCount = { id: string /** 0 for all years. */; year: number; live: number; changed: number }

// A statement of a quarter of a second.
const FOLDED_AT_ONCE = 10_000

// An arbitrary number that must never change: one process folds at a time, so that the numbers of folds grow as they commit.
const FOLD_LOCK = 7_214_120_080

/** Folds changes into the counts; returns how many, 0 while another process does. */
export async function foldStock(db: Db): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const lock = await sql<{ isMine: boolean }>`
      select pg_try_advisory_xact_lock(${FOLD_LOCK}) as "isMine"`.execute(trx)
    if (!onlyRow(lock.rows).isMine) return 0
    const settled = await settleLeftOut(trx)
    const folded = await fold(trx, {
      taken: sql`
        delete from stock_change where ctid = any(array(select ctid from stock_change limit ${FOLDED_AT_ONCE})) returning *`,
      delta: sql`
        select ${countedColumns}, live from taken where seller_id not in (select seller_id from stock_left_out)`,
    })
    return settled + folded
  })
}

const countedColumns = sql`category_id, manufacturer_id, car_model_id, year_from, year_to`

/** Removes the parts of a gone seller from the counts, or adds them back: one seller per fold. */
async function settleLeftOut(trx: Db): Promise<number> {
  const { rows } = await sql<{ id: string; isGone: boolean }>`
    select seller_id as id, true as "isGone" from gone_seller
    where seller_id not in (select seller_id from stock_left_out)
    union all
    select seller_id, false from stock_left_out where seller_id not in (select seller_id from gone_seller)
    limit 1
  `.execute(trx)
  const [seller] = rows
  if (!seller) return 0
  // Changes not folded yet are already in the listings, which this statement reads in the same snapshot.
  const sign = seller.isGone ? sql`-1` : sql`1`
  await fold(trx, {
    taken: sql`delete from stock_change where seller_id = ${seller.id} returning *`,
    delta: sql`
      select ${countedColumns}, ${sign} * count(*) as live from listing l
      where ${isOffered('l')} and l.seller_id = ${seller.id} group by ${countedColumns}
      ${seller.isGone ? sql`union all select ${countedColumns}, live from taken` : sql``}`,
  })
  await (seller.isGone
    ? sql`insert into stock_left_out (seller_id) values (${seller.id})`
    : sql`delete from stock_left_out where seller_id = ${seller.id}`
  ).execute(trx)
  return 1
}

/** `taken` deletes the changes that are done with; `delta` selects the counted columns and `live`. */
type Fold = { taken: RawBuilder<unknown>; delta: RawBuilder<unknown> }

async function fold(trx: Db, { taken, delta }: Fold): Promise<number> {
  const { rows } = await sql<{ folded: number }>`
    with taken as (${taken}), delta as materialized (${delta}),
    counted as (
      insert into stock_count as c (id, year, live, changed)
      select id, year, live, (select nextval('stock_fold'))
      from (
        select id, 0 as year, sum(live) as live
        from delta cross join lateral unnest(array[category_id, manufacturer_id, car_model_id]) id
        where id is not null group by id
        union all
        select car_model_id, year, sum(live) from delta cross join lateral generate_series(year_from::int, year_to::int) year
        where car_model_id is not null group by car_model_id, year
      ) changed
      where live <> 0
      on conflict (id, year) do update set live = c.live + excluded.live, changed = excluded.changed
    ), paired as (
      insert into stock_pair as p (car_model_id, category_id, live)
      select car_model_id, category_id, sum(live) from delta
      where car_model_id is not null and category_id is not null group by 1, 2 having sum(live) <> 0
      on conflict (car_model_id, category_id) do update set live = p.live + excluded.live
    )
    select count(*)::int as folded from taken
  `.execute(trx)
  return onlyRow(rows).folded
}

/** Counts that a fold after this one changed (-1 for all of them), and whether anything waits to be folded. */
export async function readStockCounts(
  db: Db,
  after: number,
): Promise<{ counts: StockCount[]; isBehind: boolean }> {
  const { rows } = await sql<{ counts: StockCount[]; isBehind: boolean }>`
    select exists (select from stock_change)
           or exists (select seller_id from gone_seller except select seller_id from stock_left_out)
           or exists (select seller_id from stock_left_out except select seller_id from gone_seller) as "isBehind",
           (select coalesce(json_agg(c), '[]') from stock_count c where c.changed > ${after}) as counts
  `.execute(db)
  return onlyRow(rows)
}

/** A part type for a model. */
export type StockPair = { modelId: string; partId: string }

/** Those of the pairs that are in stock, and how many of each. */
export async function countPairs(
  db: Db,
  pairs: readonly StockPair[],
): Promise<(StockPair & { live: number })[]> {
  if (pairs.length === 0) return []
  const { rows } = await sql<StockPair & { live: number }>`
    select p.car_model_id as "modelId", p.category_id as "partId", p.live
    from unnest(${pairs.map(({ modelId }) => modelId)}::uuid[], ${pairs.map(({ partId }) => partId)}::uuid[]) as w(model_id, part_id)
    join stock_pair p on p.car_model_id = w.model_id and p.category_id = w.part_id
    where p.live > 0
  `.execute(db)
  return rows
}
