import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'
import { inTransaction } from '#server/platform/in-transaction.ts'
import { onlyRow, type Span, tallyColumns, type WholeList } from './list-queries.ts'
import { type ReadListing, readPage } from './listing-queries.ts'
import { type Tally, tallyOf } from './tally-queries.ts'

// So far a page has to walk: 0.3 ms. A list of a million has 1,000 checkpoints, written in half a second.
const ROWS_BETWEEN = 1_000
// And the longest page (100) from there; written out, or the statement would be planned every time.
const ROWS_WALKED = sql`1100`

// Counted at most of what came on top of the checkpoints since they were made.
const GROWTH_COUNTED = sql`20000`

type Checkpoints = {
  /** Whether the checkpoints are of the data as it is; null where there are none. */
  fresh: boolean | null
  /** How old they are. */
  ageMs: number | null
}

/**
 * A page of a list, counted off from the last checkpoint before it. Where checkpoints are older than the data, what came
 * on top since then is counted in, and the rest is as exact as the list is unchanged; or, with `exactly`, no listings are
 * given.
 */
export async function readPageFromCheckpoint(
  db: Db,
  list: WholeList,
  { offset, limit, exactly }: Span & { exactly: boolean },
): Promise<Tally & Checkpoints & { items: ReadListing[] }> {
  const { head, items } = await readPage<Tally & Checkpoints>(db, {
    head: sql`
      with tally as materialized (${tallyOf(list.sellerId)}),
      state as materialized (
        select s.writes = tally.writes as fresh, s.built_at from list_checkpoint_state s, tally where s.list = ${list.key}
      ),
      wanted as materialized (select ${offset}::bigint - ${growth(list)} as position),
      start as materialized (
        select c.listing_id, c.price_cents, ((select position from wanted) - c.position)::int as places
        from list_checkpoint c
        where c.list = ${list.key} and c.position <= (select position from wanted)
        order by c.position desc limit 1
      )
      select tally.*, (select fresh from state) as fresh,
             (select extract(epoch from now() - built_at) * 1000 from state)::bigint as "ageMs",
             (array(
               select l.id from listing l
               where ${list.where} and ${list.from} and (not ${exactly}::boolean or (select fresh from state))
               order by ${list.by} limit ${ROWS_WALKED}
             ))[(select places from start) + 1 : (select places from start) + ${limit}::int] as ids
      from tally`,
    columns: sql`${tallyColumns}, head.fresh, head."ageMs"`,
  })
  return { ...head, items }
}

/** How many stand above the first checkpoint today; by price nobody can tell where new ones went. */
function growth({ key, sort, where }: WholeList) {
  if (sort !== 'newest') return sql`0`
  return sql`(select case when fresh then 0 else (
    select count(*) from (
      select from listing l
      where ${where} and l.id > (select listing_id from list_checkpoint where list = ${key} and position = 0)
      limit ${GROWTH_COUNTED}
    ) as above
  ) end from state)`
}

/**
 * Makes the checkpoints of a list anew, for the data as it is now. Answers false, having done nothing, where another
 * process is at it.
 */
export function buildCheckpoints(db: Db, list: WholeList): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const locked = await sql<{ locked: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${`checkpoints of ${list.key}`}, 0)) as locked
    `.execute(trx)
    if (!onlyRow(locked.rows).locked) return false
    await writeCheckpoints(trx, list)
    return true
  })
}

/** One statement, so that positions and the version of the data are of the same moment. */
async function writeCheckpoints(
  trx: Db,
  { key, sellerId, count, sort, where, by }: WholeList,
): Promise<void> {
  // Asking for the price by name keeps the walk in the index.
  const price = sort === 'newest' ? sql`null::bigint` : sql`l.price_cents`
  await sql`
    with tally as materialized (${tallyOf(sellerId)}),
    placed as (
      select l.id, ${price} as price_cents, row_number() over (order by ${by}) - 1 as position
      from listing l where ${where}
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
