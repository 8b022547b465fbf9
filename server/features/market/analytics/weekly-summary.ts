import { sql } from 'kysely'
import { z } from 'zod'
import { listingTitle } from '#server/features/market/listings/titles.ts'
import { canSignIn } from '#server/features/people/accounts/closure.ts'
import { unsubscribePage, unsubscribeUrl } from '#server/features/people/accounts/email/unsubscribe.ts'
import { type NewMail, queueMail } from '#server/features/talk/mail/mail.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'
import { type DayRange, listTopListings, type Sums, sumInAll, weekFrom, withConversion } from './figures.ts'

/** Runs every hour and emails last week's summary wherever it is Monday morning. */
export const weeklySummaryQueue: JobQueue<Record<string, never>> = {
  name: 'weekly-summary',
  title: 'Weekly summaries',
  payload: z.object({}).strict(),
  // Few attempts, because the next run is an hour away.
  maxAttempts: 3,
  retryDelaySeconds: 60,
  resumable: true,
  timeoutSeconds: 1_800,
  concurrency: 1,
}

/** A seller's member who wants the summary and has not had last week's. */
type Reader = {
  userId: string
  sellerId: string
  name: string
  email: string
  unsubscribeKey: string
  timeZone: string
  /** The Monday on which the past week began. */
  week: string
}

const MONDAY = 1
const FIRST_HOUR = 8

/** Readers for whom it is Monday, 8 a.m. or later. */
async function listSummaryReaders(db: Db, now: Date, limit: number): Promise<Reader[]> {
  const { rows } = await sql<Reader>`
    select u.id as "userId", s.id as "sellerId", u.name, u.email::text as email,
           u.unsubscribe_key as "unsubscribeKey", s.time_zone as "timeZone",
           there.moment::date - 7 as week
    from app_user u
    join seller_member m on m.user_id = u.id
    join seller s on s.id = m.seller_id
    cross join lateral (select ${now}::timestamptz at time zone s.time_zone as moment) there
    where (u.notification_prefs ->> 'weeklySummary')::boolean and ${canSignIn}
      and u.email_verified_at is not null
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

/** Marks the week as sent; false if another run was faster. */
async function claimSummary(trx: Db, { userId, sellerId, week }: Reader): Promise<boolean> {
  const { rows } = await sql`
    insert into weekly_summary (user_id, seller_id, week) values (${userId}, ${sellerId}, ${week})
    on conflict do nothing returning user_id
  `.execute(trx)
  return rows.length > 0
}

async function setSummaryMail(trx: Db, { userId, sellerId, week }: Reader, mailId: string): Promise<void> {
  await sql`
    update weekly_summary set mail_id = ${mailId}
    where user_id = ${userId} and seller_id = ${sellerId} and week = ${week}
  `.execute(trx)
}

/** Messages of any age that are neither answered nor closed. */
async function countUnanswered(db: Db, sellerId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from lead where seller_id = ${sellerId} and state = 'new'
  `.execute(db)
  return rows[0]?.count ?? 0
}

export type Summary = Sums & {
  range: DayRange
  unanswered: number
  topParts: readonly { slug: string; title: string; views: number; leads: number }[]
}

/** An empty week is not worth an email. */
export function isWorthSending({ views, leads, unanswered }: Summary): boolean {
  return views > 0 || leads > 0 || unanswered > 0
}

export function summaryMail(
  to: { name: string; email: string; unsubscribeKey: string },
  summary: Summary,
  { publicUrl, productName }: { publicUrl: string; productName: string },
): NewMail {
  const { views, leads, conversionPercent, unanswered, range } = summary
  const page = (path: string) => `${publicUrl}/dashboard/seller/${path}`
  const parts = summary.topParts.map(
    ({ title, slug, views, leads }) =>
      `- ${title}: ${count(views, 'view')}, ${count(leads, 'message')}\n  ${publicUrl}/parts/${encodeURIComponent(slug)}`,
  )
  const unsubscribing = { key: to.unsubscribeKey, kind: 'weeklySummary' } as const
  return {
    to: to.email,
    unsubscribeUrl: unsubscribeUrl(publicUrl, unsubscribing),
    subject: `Your week on ${productName}: ${count(views, 'view')}, ${count(leads, 'message')}`,
    body: `${[
      `Hello ${to.name},`,
      `Your week from ${inWords(range.from)} to ${inWords(range.to)}:`,
      [
        `Views of your listings: ${views.toLocaleString('en-US')}`,
        `Messages from buyers: ${leads.toLocaleString('en-US')}`,
        ...(conversionPercent === null ? [] : [`Messages per 100 views: ${conversionPercent}`]),
      ].join('\n'),
      ...(unanswered === 0
        ? []
        : [`${count(unanswered, 'unanswered message')}:\n${page('leads?state=new')}`]),
      ...(parts.length === 0 ? [] : [`Most viewed:\n${parts.join('\n')}`]),
      `See all numbers: ${page('analytics')}`,
      `${productName} sends this on Mondays while "Send me a weekly summary" is on in your settings:\n${page('account-settings')}\nStop these emails: ${unsubscribePage(publicUrl, unsubscribing)}`,
    ].join('\n\n')}\n`,
  }
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`
}

function inWords(day: string): string {
  return new Date(day).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
}

export type SummaryDeps = { db: Db; now: () => Date; site: { publicUrl: string; productName: string } }

const READERS_AT_ONCE = 200
const TOP_PARTS = 5

/**
 * Emails last week's summary to everyone who wants it and has not received it. Each email has its own transaction, so
 * that an interrupted run neither repeats nor skips one.
 */
export async function sendWeeklySummaries(
  deps: SummaryDeps,
  signal: AbortSignal,
): Promise<{ mails: number }> {
  let mails = 0
  for (;;) {
    const readers = await listSummaryReaders(deps.db, deps.now(), READERS_AT_ONCE)
    if (readers.length === 0) return { mails }
    for (const reader of readers) {
      signal.throwIfAborted()
      if (await sendSummary(deps, reader)) mails += 1
    }
  }
}

async function sendSummary({ db, site }: SummaryDeps, reader: Reader): Promise<boolean> {
  const summary = await readSummary(db, reader)
  return db.transaction().execute(async (trx) => {
    if (!(await claimSummary(trx, reader)) || !isWorthSending(summary)) return false
    await setSummaryMail(trx, reader, await queueMail(trx, summaryMail(reader, summary, site)))
    return true
  })
}

async function readSummary(db: Db, { sellerId, timeZone, week }: Reader): Promise<Summary> {
  const range = weekFrom(week)
  const counted = { sellerId, timeZone, range }
  const sums = withConversion(await sumInAll(db, counted))
  const unanswered = await countUnanswered(db, sellerId)
  const listings = await listTopListings(db, counted, TOP_PARTS)
  const topParts = listings.map((listing) => ({ ...listing, title: listingTitle(listing) }))
  return { ...sums, range, unanswered, topParts }
}
