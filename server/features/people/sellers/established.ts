import { sql } from 'kysely'
import { writeSearchRows } from '#server/features/market/listings/search-row/search-rows.ts'
import { type Db, LOWEST_ID } from '#server/platform/database/database.ts'

/*
 * A seller is new until 30 days after it registered with an address that is confirmed by then. What a new seller states of
 * part numbers counts nothing, and its name may be reviewed: both are free to try for anybody.
 */

const NEW_DAYS = 30

// A tenth of a second for each page.
const LISTINGS_A_PAGE = 500

/**
 * Marks the sellers that are no longer new, and makes their listings found by the numbers that they state. Returns how many
 * sellers. Those of the last two days are done again: a file may have been published while they were marked.
 */
export async function markEstablishedSellers(db: Db, now: Date): Promise<number> {
  await sql`
    update seller s set established_at = ${now}
    where s.established_at is null and s.created_at < ${now}::timestamptz - make_interval(days => ${NEW_DAYS}) and exists (
      select from seller_member m join app_user u on u.id = m.user_id
      where m.seller_id = s.id and u.email_verified_at is not null
    )
  `.execute(db)
  const { rows } = await sql<{ id: string }>`
    select id from seller where established_at > ${now}::timestamptz - interval '2 days' order by id
  `.execute(db)
  for (const { id } of rows) await findByStatedNumbers(db, id)
  return rows.length
}

async function findByStatedNumbers(db: Db, sellerId: string): Promise<void> {
  for (let after = LOWEST_ID; ; ) {
    const { rows } = await sql<{ id: string }>`
      select id from listing
      where seller_id = ${sellerId} and id > ${after} and interchange is not null and deleted_at is null
      order by id limit ${LISTINGS_A_PAGE}
    `.execute(db)
    const last = rows.at(-1)
    if (last === undefined) return
    await db.transaction().execute((trx) =>
      writeSearchRows(
        trx,
        rows.map(({ id }) => id),
      ),
    )
    after = last.id
  }
}
