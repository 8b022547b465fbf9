import { sql } from 'kysely'
import { readPages, type Shape } from '#server/features/listings/listing-queries.ts'
import { type Db, inTransaction, onlyRow } from '#server/platform/database/database.ts'
import { type PagedList, type Tally, tallyFields, tallyOf } from './list-queries.ts'

// A page walks at most this far: 0.03 ms. A list of a million has 10,000 checkpoints, written in half a second.
const ROWS_BETWEEN = 100
// The walk plus a page of the usual or the maximum size. Literals, since a parameter would be planned every time.
const USUAL_PAGE = 24
const rowsWalked = (limit: number) => (limit <= USUAL_PAGE ? sql`124` : sql`200`)

// The limit for counting new listings since the checkpoints were built.
const GROWTH_COUNTED = 20_000

type Checkpoints = {
  /** Whether the checkpoints match the current data; null if there are none. */
  fresh: boolean | null
  /** How old they are. */
  ageMs: number | null
}

/** A page that was read from a checkpoint on. */
export type CheckpointPage<Item> = Tally & Checkpoints & { items: Item[] }

type CheckpointRead<Item extends { id: string }> = {
  list: PagedList
  shape: Shape<Item>
  offsets: readonly number[]
  limit: number
  mustBeFresh: boolean
}

/**
 * Pages of a list at these offsets, each read from the last checkpoint before it; without listings if checkpoints must be
 * fresh and are not. All pages and the tally are from one snapshot.
 */
export async function readPagesFromCheckpoints<Item extends { id: string }>(
  db: Db,
  { list, shape, offsets, limit, mustBeFresh }: CheckpointRead<Item>,
): Promise<CheckpointPage<Item>[]> {
  const { head, pages } = await readPages<Tally & Checkpoints, Item>(db, shape, {
    head: sql`
      select tally.*, s.writes = tally.writes as fresh,
             (extract(epoch from now() - s.built_at) * 1000)::bigint as "ageMs"
      from (${tallyOf(list.sellerId)}) tally left join list_checkpoint_state s on s.list = ${list.key}`,
    fields: sql`${tallyFields}, 'fresh', head.fresh, 'ageMs', head."ageMs"`,
    // The subselect hides the number of offsets from the planner, which would plan the statement for each number.
    pages: sql`
      select at, (array(
        select l.id from ${list.table} where ${list.where} and ${list.from} order by ${list.by} limit ${rowsWalked(limit)}
      ))[start.places + 1 : start.places + ${limit}::int] as ids
      from unnest((select ${offsets}::bigint[])) with ordinality wanted(place, at)
      left join lateral (
        select c.listing_id, c.price_cents, (wanted.place - c.position)::int as places
        from list_checkpoint c where c.list = ${list.key} and c.position <= wanted.place
        order by c.position desc limit 1
      ) start on head.fresh or not ${mustBeFresh}::boolean`,
  })
  return pages.map((items) => ({ ...head, items }))
}

/**
 * How many listings came on top of a list since its checkpoints were built; 0 for lists by price, where new ones may be
 * anywhere.
 */
export async function countGrowth(db: Db, { key, sort, table, where }: PagedList): Promise<number> {
  if (sort !== 'newest') return 0
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (
      select from ${table}
      where ${where} and l.id > (select listing_id from list_checkpoint where list = ${key} and position = 0)
      limit ${GROWTH_COUNTED}
    ) above
  `.execute(db)
  return onlyRow(rows).n
}

/**
 * Rebuilds the checkpoints of a list. Does nothing and returns false if another process is doing it or they are younger
 * than `leastAgeMs`: a replica shows new ones only after a while.
 */
export function buildCheckpoints(db: Db, list: PagedList, leastAgeMs: number): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const { rows } = await sql<{ due: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${`checkpoints of ${list.key}`}, 0)) and not exists (
        select from list_checkpoint_state
        where list = ${list.key} and built_at > now() - make_interval(secs => ${leastAgeMs / 1_000}::float8)
      ) as due
    `.execute(trx)
    if (!onlyRow(rows).due) return false
    await writeCheckpoints(trx, list)
    return true
  })
}

/** One statement, so that positions and the data's version are from one snapshot. */
async function writeCheckpoints(
  trx: Db,
  { key, sellerId, count, sort, table, where, by }: PagedList,
): Promise<void> {
  // Without a price in the newest list, the walk needs the index only.
  const price = sort === 'newest' ? sql`null::bigint` : sql`l.price_cents`
  await sql`
    with tally as materialized (${tallyOf(sellerId)}),
    placed as (
      select l.id, ${price} as price_cents, row_number() over (order by ${by}) - 1 as position
      from ${table} where ${where}
    ),
    written as (
      insert into list_checkpoint as c (list, position, listing_id, price_cents)
      select ${key}, position, id, price_cents from placed where position % ${ROWS_BETWEEN} = 0
      on conflict (list, position) do update
        set listing_id = excluded.listing_id, price_cents = excluded.price_cents
        where (c.listing_id, c.price_cents) is distinct from (excluded.listing_id, excluded.price_cents)
    ),
    surplus as (
      delete from list_checkpoint c using tally where c.list = ${key} and c.position >= tally.${sql.ref(count)}
    )
    insert into list_checkpoint_state (list, writes, length, built_at)
    select ${key}, writes, ${sql.ref(count)}, now() from tally
    on conflict (list) do update
      set writes = excluded.writes, length = excluded.length, built_at = excluded.built_at
  `.execute(trx)
}
