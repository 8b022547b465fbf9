import { sql } from 'kysely'
import { STATEMENTS_A_DAY } from '#contract/listing/interchange.ts'
import { noteChange } from '#server/features/market/for-sale/tally.ts'
import type { Db } from '#server/platform/database/database.ts'
import { writeSearchRows } from './search-rows.ts'

/*
 * What a yard states of other numbers counts up to a limit a day, whether its listings state it or the yard does of the numbers
 * themselves. A file is never refused for it: what is beyond the limit is held, and counts on one of the next days. Until then a
 * held listing shows it as its seller's word, on its own page, and is found by its own number only.
 */

type Stating = { seller_id: string; interchange?: string | null | undefined }

/** Holds what the sellers of just written listings stated beyond the day's limit, in the transaction that wrote them. */
export async function holdStatements(trx: Db, written: readonly Stating[]): Promise<void> {
  const sellers = new Set(written.filter(({ interchange }) => interchange).map((one) => one.seller_id))
  for (const sellerId of sellers) await holdBeyond(trx, sellerId)
}

async function holdBeyond(trx: Db, sellerId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    with over as materialized (
      select listing_id, source from interchange_claim
      where seller_id = ${sellerId} and stated_at >= date_trunc('day', now(), 'UTC')
      order by stated_at, id offset ${STATEMENTS_A_DAY}
    )
    insert into held_statement (listing_id, seller_id, source)
    select listing_id, ${sellerId}, min(source) from over where listing_id is not null group by listing_id
    on conflict do nothing
    returning listing_id as id
  `.execute(trx)
  await follow(trx, rows)
}

/** Writes again what listings state and what they are found by. */
async function follow(trx: Db, listings: readonly { id: string; source?: string }[]): Promise<void> {
  if (listings.length === 0) return
  const ids = listings.map(({ id }) => id)
  await sql`
    select state_interchange(l, given.source)
    from unnest(${ids}::uuid[], ${listings.map(({ source }) => source ?? 'listing')}::text[]) as given (id, source)
    join listing l on l.id = given.id
    order by l.id
  `.execute(trx)
  await writeSearchRows(trx, ids)
}

/** How many listings of a file are held. */
export async function countHeldOf(db: Db, promotionId: string): Promise<number> {
  const { rows } = await sql<{ held: number }>`
    select count(*)::int as held from held_statement h
    where exists (select from listing_source s where s.listing_id = h.listing_id and s.promotion_id = ${promotionId})
  `.execute(db)
  return rows[0]?.held ?? 0
}

const LISTINGS_A_PAGE = 500

/** Counts what was held, for each yard as much as the day has room for, the oldest first. */
export async function countHeldStatements(db: Db): Promise<void> {
  const { rows } = await sql<{ id: string }>`select distinct seller_id as id from held_statement`.execute(db)
  for (const { id } of rows) while (await countSome(db, id));
}

/** Returns whether there may be more to count today. */
function countSome(db: Db, sellerId: string): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const { rows: today } = await sql<{ stated: number }>`
      select count(*)::int as stated from interchange_claim
      where seller_id = ${sellerId} and stated_at >= date_trunc('day', now(), 'UTC')
    `.execute(trx)
    const room = Math.min(LISTINGS_A_PAGE, STATEMENTS_A_DAY - (today[0]?.stated ?? 0))
    if (room <= 0) return false
    const { rows } = await sql<{ id: string; source: string }>`
      delete from held_statement where listing_id in (
        select listing_id from held_statement where seller_id = ${sellerId} order by held_at, listing_id limit ${room}
        for update skip locked
      )
      returning listing_id as id, source
    `.execute(trx)
    if (rows.length > 0) await noteChange(trx)
    await follow(trx, rows)
    await holdBeyond(trx, sellerId)
    return rows.length === room
  })
}
