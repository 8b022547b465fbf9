import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'
import { inTransaction } from '#server/platform/in-transaction.ts'
import { type FoundIds, onlyRow, type Span, type WholeList } from './list-queries.ts'
import { tallyOf } from './tally-queries.ts'

// So far a page has to walk at most: 0.3 ms. A list of a million has 1,000 checkpoints, written in half a second.
const ROWS_BETWEEN = 1_000

// Counted at most of what came on top of the checkpoints since they were made.
const GROWTH_COUNTED = 20_000

export type FoundFromCheckpoint = FoundIds & {
  /** Whether the checkpoints are of the data as it is; null where there are none. */
  fresh: boolean | null
  /** How old they are. */
  ageMs: number | null
}

/**
 * A part of a list, counted off from the last checkpoint before it. Where checkpoints are older than the data, what came
 * on top since then is counted in, and the rest is as exact as the list is unchanged; or, with `exactly`, no ids are given.
 */
export async function findIdsFromCheckpoint(
  db: Db,
  list: WholeList,
  { offset, limit, exactly }: Span & { exactly: boolean },
): Promise<FoundFromCheckpoint> {
  const { rows } = await sql<FoundFromCheckpoint>`/* prepared */
    with tally as materialized (${tallyOf(list.sellerId)}),
    state as materialized (
      select s.writes = tally.writes as fresh, s.built_at from list_checkpoint_state s, tally where s.list = ${list.key}
    ),
    wanted as materialized (select ${offset}::bigint - ${growth(list)} as position),
    start as materialized (
      select c.listing_id, c.price_cents, c.position from list_checkpoint c, wanted
      where c.list = ${list.key} and c.position <= wanted.position order by c.position desc limit 1
    )
    select tally.*, (select fresh from state) as fresh,
           (select extract(epoch from now() - built_at) * 1000 from state)::bigint as "ageMs",
           array(
             select l.id from listing l
             where ${list.where} and ${list.from} and (not ${exactly}::boolean or (select fresh from state))
             order by ${list.by} limit ${limit}
             offset (select wanted.position - start.position from wanted, start)
           ) as ids
    from tally
  `.execute(db)
  return onlyRow(rows)
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
