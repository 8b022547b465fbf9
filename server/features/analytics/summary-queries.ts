import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** A member of a seller who wants a summary and has none of the past week yet. */
export type Reader = {
  userId: string
  sellerId: string
  name: string
  email: string
  timeZone: string
  /** The Monday with which the past week began. */
  week: string
}

const MONDAY = 1
const FIRST_HOUR = 8

/** Some of those for whom it is Monday, eight o'clock or later. */
export async function listSummaryReaders(db: Db, now: Date, limit: number): Promise<Reader[]> {
  const { rows } = await sql<Reader>`
    select u.id as "userId", s.id as "sellerId", u.name, u.email::text as email, s.time_zone as "timeZone",
           there.moment::date - 7 as week
    from app_user u
    join seller_member m on m.user_id = u.id
    join seller s on s.id = m.seller_id
    cross join lateral (select ${now}::timestamptz at time zone s.time_zone as moment) there
    where (u.notification_prefs ->> 'weeklySummary')::boolean and u.disabled_at is null
      and extract(isodow from there.moment) = ${MONDAY} and extract(hour from there.moment) >= ${FIRST_HOUR}
      and not exists (
        select from weekly_summary w
        where w.user_id = u.id and w.seller_id = s.id and w.week = there.moment::date - 7
      )
    order by u.id, s.id
    limit ${limit}
  `.execute(db)
  return rows
}

/** Remembers that the week is told; false where another run was faster. */
export async function claimSummary(trx: Db, { userId, sellerId, week }: Reader): Promise<boolean> {
  const { rows } = await sql`
    insert into weekly_summary (user_id, seller_id, week) values (${userId}, ${sellerId}, ${week})
    on conflict do nothing returning user_id
  `.execute(trx)
  return rows.length > 0
}

export async function setSummaryMail(
  trx: Db,
  { userId, sellerId, week }: Reader,
  mailId: string,
): Promise<void> {
  await sql`
    update weekly_summary set mail_id = ${mailId}
    where user_id = ${userId} and seller_id = ${sellerId} and week = ${week}
  `.execute(trx)
}

/** Messages that nobody has answered or closed yet, of whatever age. */
export async function countUnanswered(db: Db, sellerId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from lead where seller_id = ${sellerId} and state = 'new'
  `.execute(db)
  return rows[0]?.count ?? 0
}
