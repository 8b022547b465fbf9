import { type RawBuilder, sql } from 'kysely'
import { type Db, onlyRow } from '#server/platform/database/database.ts'

/*
 * Pairs rows with parts that share a stock number, since many yards number the vehicle: by part number, then by
 * category and name. Order decides only between otherwise equal parts, so that no listing ever shows another part.
 */

/**
 * Creates the tables of `pairSimilar`, which last until the transaction ends: rows without a part, parts without a row,
 * and the pairs. `place` is what they share. `reach`: 3 for an active part, 2 for an ended and 1 for a deleted one.
 */
export async function openPairing(trx: Db): Promise<void> {
  await sql`
    create temp table plan_rest (
      row_no integer, place text, number bytea, category bytea, name bytea, unsided bytea
    ) on commit drop;
    create temp table plan_free (
      listing_id uuid, place text, rank bigint, reach smallint, number bytea, category bytea, name bytea
    ) on commit drop;
    create temp table plan_pair (row_no integer, listing_id uuid) on commit drop
  `.execute(trx)
}

/** The columns number, category and name of a digest. */
export const splitDigest = (digest: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`substr(${digest}, 1, 4) as number, substr(${digest}, 5, 4) as category, substr(${digest}, 9, 4) as name`

/** The same for a row, whose name may contain the side from a column. */
export const splitRowDigest = (digest: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`${splitDigest(digest)}, nullif(substr(${digest}, 13, 4), ''::bytea) as unsided`

/**
 * Fills the tables for another round of `pairSimilar`. Returns how many rows may have a part: often none, and a round is
 * a dozen statements.
 */
export async function fillPairingTables(
  trx: Db,
  { rows, parts }: { rows: RawBuilder<unknown>; parts: RawBuilder<unknown> },
): Promise<number> {
  await sql`truncate plan_rest, plan_free, plan_pair`.execute(trx)
  const free = await sql`
    insert into plan_free (listing_id, place, rank, reach, number, category, name) ${parts}
  `.execute(trx)
  if (!free.numAffectedRows) return 0
  const rest = await sql`
    insert into plan_rest (row_no, place, number, category, name, unsided)
    select * from (${rows}) r where place in (select place from plan_free)
  `.execute(trx)
  if (!rest.numAffectedRows) return 0
  await sql`analyze plan_rest, plan_free`.execute(trx)
  return Number(rest.numAffectedRows)
}

const NO_NUMBER = sql`'\\x00000000'::bytea`

type Step = {
  /** The values that both share. */
  on: RawBuilder<unknown>
  /** What all rows that share `on` must agree on, and all parts too; otherwise only order could decide. */
  besides: RawBuilder<unknown>
  reach: number
  /** Limits the rows. */
  where?: RawBuilder<unknown>
}

const steps: readonly Step[] = [
  { on: sql`place, number, category, name`, besides: sql`''::bytea`, reach: 1 },
  // A name that was corrected.
  {
    on: sql`place, number`,
    besides: sql`category || name`,
    reach: 2,
    where: sql`number <> ${NO_NUMBER}`,
  },
  // A number that was corrected, added or left out.
  { on: sql`place, category, name`, besides: sql`number`, reach: 3 },
  // Another word for the category.
  { on: sql`place, name`, besides: sql`number || category`, reach: 3 },
]

/** Moves rows and parts that are alike from plan_rest and plan_free to plan_pair. Returns how many `rows` are left. */
export async function pairSimilar(trx: Db, rows: number): Promise<number> {
  const left = await pairStepwise(trx, rows, steps)
  if (left === 0) return 0
  // Parts from files imported before the sides column was read.
  const { numAffectedRows } = await sql`
    update plan_rest set name = unsided where unsided is not null
  `.execute(trx)
  if (!numAffectedRows) return left
  const ofUnsided = steps.map(({ where = sql`true`, ...step }) => ({
    ...step,
    where: sql`unsided is not null and ${where}`,
  }))
  return pairStepwise(trx, left, ofUnsided)
}

async function pairStepwise(trx: Db, rows: number, some: readonly Step[]): Promise<number> {
  let left = rows
  for (const step of some) if (left > 0) left -= await pairBy(trx, step)
  return left
}

/** Returns how many pairs it made. */
async function pairBy(trx: Db, { on, besides, reach, where = sql`true` }: Step): Promise<number> {
  const { rows } = await sql<{ pairs: number }>`
    with r as (
      select *, row_number() over (partition by ${on} order by row_no) as n from plan_rest where ${where}
    ), f as (
      select *, row_number() over (partition by ${on} order by reach desc, rank) as n
      from plan_free where reach >= ${reach}
    ), mixed as (
      select ${on}, true as is_mixed from r group by ${on} having count(distinct ${besides}) > 1
      union
      select ${on}, true from f group by ${on} having count(distinct ${besides}) > 1
    ), paired as (
      insert into plan_pair (row_no, listing_id)
      select r.row_no, f.listing_id from r join f using (${on}, n) left join mixed using (${on})
      where is_mixed is null
      returning row_no, listing_id
    ), rows_gone as (
      delete from plan_rest t using paired p where t.row_no = p.row_no
    ), parts_gone as (
      delete from plan_free t using paired p where t.listing_id = p.listing_id
    )
    select count(*) as pairs from paired
  `.execute(trx)
  return onlyRow(rows).pairs
}

/**
 * Pairs the remaining rows in order. Only for rows without a stock number, whose place contains the same information
 * as a digest.
 */
export async function pairInOrder(trx: Db): Promise<void> {
  await pairBy(trx, { on: sql`place`, besides: sql`''::bytea`, reach: 1, where: sql`number is null` })
}
