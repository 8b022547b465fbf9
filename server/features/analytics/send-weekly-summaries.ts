import { listingTitle } from '#server/features/listings/listing-title.ts'
import { queueMail } from '#server/features/mail/queue-mail.ts'
import type { Db } from '#server/platform/database/database.ts'
import { withConversion } from './conversion.ts'
import { weekFrom } from './day-range.ts'
import { listTopListings, sumInAll } from './queries.ts'
import { isWorthTelling, type Summary, summaryMail } from './summary-mail.ts'
import {
  claimSummary,
  countUnanswered,
  listSummaryReaders,
  type Reader,
  setSummaryMail,
} from './summary-queries.ts'

export type SummaryDeps = { db: Db; now: () => Date; site: { publicUrl: string; productName: string } }

const READERS_AT_ONCE = 200
const TOP_PARTS = 5

/**
 * Mails the summary of the past week to everybody who wants it and has not had it. Each is told in a transaction of
 * their own, so that a run cut short anywhere neither repeats nor skips one; answers how many mails were written.
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
    if (!(await claimSummary(trx, reader)) || !isWorthTelling(summary)) return false
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
