import { sql } from 'kysely'
import { reportReasons } from '#contract/pages/report-reasons.ts'
import type { ReportDecision } from '#contract/reports.ts'
import { userSource, withChangeSet } from '#server/features/market/history/change-sets.ts'
import { requireNotOrdered } from '#server/features/market/listings/ordered-parts.ts'
import { listingNotFound } from '#server/features/market/listings/policy.ts'
import { listingTitle } from '#server/features/market/listings/titles.ts'
import {
  changeListing,
  diffColumns,
  type ListingRecord,
  lockListing,
} from '#server/features/market/listings/write-queries.ts'
import { canSignIn } from '#server/features/people/accounts/closure.ts'
import { queueMail } from '#server/features/talk/mail/mail.ts'
import type { Actor } from '#server/platform/actor.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { answerMail, hiddenMail, type ReportLetterhead, restoredMail } from './report-mails.ts'

/* An administrator's decision about a reported listing: hide it, restore it, or only answer. */

type ReportDecisionRequest = {
  listingId: string
  decision: ReportDecision
  answer: string
  actor: Actor
  ip: string
  requestId: string
}

const outcomes = { hide: 'hidden', answer: 'answered' } as const
const actions = {
  hide: 'reported-listing-hidden',
  restore: 'reported-listing-restored',
  answer: 'report-answered',
} as const

/**
 * Decides all open reports of a listing at once: changes the listing's status, closes the reports, and emails the
 * seller and the reporters.
 * @throws AppError CONFLICT if there is nothing to decide
 */
export function decideReport(
  db: Db,
  request: ReportDecisionRequest,
  letterhead: ReportLetterhead,
): Promise<void> {
  const { listingId, decision, answer, actor, ip, requestId } = request
  return inTransaction(db, async (trx) => {
    const listing = await lockListing(trx, listingId)
    if (!listing) throw listingNotFound()
    const hasChanged = await setStatus(trx, listing, request)
    const closed = await closeReports(trx, request)
    if (closed.length === 0 && !hasChanged) {
      throw new AppError('CONFLICT', 'Someone else has already decided about these reports.')
    }
    await notifyReporters(trx, { listing, closed, request }, letterhead)
    if (hasChanged) await notifySeller(trx, { listing, closed, request }, letterhead)
    await writeAudit(trx, {
      action: actions[decision],
      actorUserId: actor.userId,
      target: listingId,
      ip,
      requestId,
      detail: { reports: closed.length, answer: answer !== '' },
    })
  })
}

type Decided = { listing: ListingRecord; closed: readonly ClosedReport[]; request: ReportDecisionRequest }

async function notifyReporters(trx: Db, decided: Decided, letterhead: ReportLetterhead): Promise<void> {
  const { listing, closed, request } = decided
  const { decision, answer } = request
  const asItIs = listing.status === 'HIDDEN' ? 'hidden' : 'public'
  const state = ({ hide: 'hidden', restore: 'again', answer: asItIs } as const)[decision]
  for (const to of new Set(closed.map(({ email }) => email))) {
    if (to !== null) await queueMail(trx, answerMail(titled(listing), { to, answer, state }, letterhead))
  }
}

async function notifySeller(trx: Db, decided: Decided, letterhead: ReportLetterhead): Promise<void> {
  const { listing, closed, request } = decided
  const reported = titled(listing)
  const reasons = [...new Set(closed.map(({ reason }) => reasonWords(reason)))]
  for (const to of await listPeopleOf(trx, listing.seller_id)) {
    const isHidden = request.decision === 'hide'
    const mail = isHidden
      ? hiddenMail(reported, { to, reasons, note: request.answer }, letterhead)
      : restoredMail(reported, to, letterhead)
    await queueMail(trx, mail)
  }
}

const titled = ({ slug, year_from, year_to, manufacturer_name, model_name, name }: ListingRecord) => ({
  slug,
  title: listingTitle({
    yearFrom: year_from,
    yearTo: year_to,
    manufacturerName: manufacturer_name,
    modelName: model_name,
    name,
  }),
})

const reasonWords = (reason: string): string =>
  (Object.hasOwn(reportReasons, reason) && reportReasons[reason as keyof typeof reportReasons]) || reason

/** @throws AppError NOT_FOUND if nobody ever reported the listing */
export async function requireReported(db: Db, listingId: string): Promise<void> {
  const { rows } = await sql`select from listing_report where listing_id = ${listingId} limit 1`.execute(db)
  if (rows.length === 0) throw listingNotFound()
}

/** Whether the listing's status changed. */
async function setStatus(
  trx: Db,
  before: ListingRecord,
  { decision, ...by }: ReportDecisionRequest,
): Promise<boolean> {
  const status = decision === 'hide' ? 'HIDDEN' : 'ACTIVE'
  if (decision === 'answer' || before.status === status) return false
  const source = userSource(by, `${decision} reported listing`, before.seller_id)
  await requireNotOrdered(trx, { before, columns: diffColumns(before, { status }) })
  return withChangeSet(trx, source, (same, changeSetId) =>
    changeListing(same, before, { changeSetId, columns: { status } }),
  )
}

type ClosedReport = { email: string | null; reason: string }

/** Restoring also updates the reports for which the listing was hidden, and returns them: their text of hiding stays. */
async function closeReports(
  trx: Db,
  { listingId, decision, answer, actor }: ReportDecisionRequest,
): Promise<ClosedReport[]> {
  if (decision === 'restore') {
    const { rows } = await sql<ClosedReport>`
      update listing_report
      set outcome = 'restored', restored_at = now(), restored_by = ${actor.userId}, restore_answer = ${answer},
          closed_at = coalesce(closed_at, now())
      where listing_id = ${listingId} and (closed_at is null or outcome = 'hidden')
      returning email, reason
    `.execute(trx)
    return rows
  }
  const { rows } = await sql<ClosedReport>`
    update listing_report
    set closed_at = now(), closed_by = ${actor.userId}, outcome = ${outcomes[decision]}, answer = ${answer}
    where listing_id = ${listingId} and closed_at is null
    returning email, reason
  `.execute(trx)
  return rows
}

async function listPeopleOf(db: Db, sellerId: string): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select u.email::text as email from seller_member m join app_user u on u.id = m.user_id
    where m.seller_id = ${sellerId} and ${canSignIn} order by u.id
  `.execute(db)
  return rows.map(({ email }) => email)
}
