import { type RawBuilder, sql } from 'kysely'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { findOrdered } from '#server/features/market/listings/ordered-parts.ts'
import { changeListings, diffColumns, lockListings } from '#server/features/market/listings/write-queries.ts'
import { endSubscriptions } from '#server/features/money/billing/endings.ts'
import type { StripeClient } from '#server/features/money/billing/provider.ts'
import { isForeignCustomer } from '#server/features/money/billing/sync.ts'
import type { Letterhead } from '#server/features/people/accounts/account-mails.ts'
import { queueMail } from '#server/features/talk/mail/mail.ts'
import { type Db, HIGHEST_ID } from '#server/platform/database/database.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'
import { reopenedMail } from './close-account.ts'

/* Applies a closure to listings and payments, page by page; after an interruption, the next run does the rest. */

export type ClosingDeps = {
  db: Db
  /** Undefined while payments are off. */
  stripe: StripeClient | undefined
  letterhead: Letterhead
}

type Closure = { takenDownAt: Date; reopenedAt: Date | null }

/** Undefined if there is no closure, or the account is already erased. */
async function findClosure(db: Db, userId: string): Promise<Closure | undefined> {
  const { rows } = await sql<Closure>`
    select taken_down_at as "takenDownAt", reopened_at as "reopenedAt" from account_closure
    where user_id = ${userId} and erased_at is null
  `.execute(db)
  return rows[0]
}

/** The person's sellers without another active member. */
export async function listSellersOf(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select m.seller_id as id from seller_member m
    where m.user_id = ${userId} and not exists (
      select from seller_member other
      where other.seller_id = m.seller_id and other.user_id <> m.user_id
        and not exists (
          select from account_closure c where c.user_id = other.user_id and c.reopened_at is null
        )
    )
    order by m.seller_id
  `.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Takes down a closed account's listings and ends its subscription; if the closure was canceled, restores the listings.
 */
export async function settleClosure(
  { db, stripe, letterhead }: ClosingDeps,
  job: JobRun<{ userId: string }>,
): Promise<void> {
  const { userId } = job.payload
  const closure = await findClosure(db, userId)
  if (!closure) return
  const sellerIds = await listSellersOf(db, userId)
  if (closure.reopenedAt === null) {
    // Listings first, so that a provider outage delays only the subscription.
    for (const sellerId of sellerIds) await hideListings(job, { sellerId, at: closure.takenDownAt })
    if (!stripe) return
    for (const sellerId of sellerIds) await endPlan({ db, stripe }, sellerId)
    return
  }
  let listings = 0
  for (const sellerId of sellerIds)
    listings += await restoreListings(job, { sellerId, at: closure.takenDownAt })
  await endReopening(job, { letterhead, listings })
}

/** A customer of another provider account cannot be charged by this one, so it does not block the closure. */
async function endPlan(deps: { db: Db; stripe: StripeClient }, sellerId: string): Promise<void> {
  try {
    await endSubscriptions(deps, sellerId)
  } catch (error) {
    if (!isForeignCustomer(error)) throw error
  }
}

type Seller = { sellerId: string; at: Date }
type Job = JobRun<{ userId: string }>

const hideListings = (job: Job, { sellerId, at }: Seller): Promise<number> =>
  changeAll(job, {
    sellerId,
    reason: 'close account',
    isIn: (closure) => closure.reopenedAt === null,
    where: sql`seller_id = ${sellerId} and deleted_at is null and ended_at is null`,
    columns: { ended_at: at, ended_reason: 'withdrawn' },
  })

const restoreListings = (job: Job, { sellerId, at }: Seller): Promise<number> =>
  changeAll(job, {
    sellerId,
    reason: 'reopen account',
    isIn: (closure) => closure.reopenedAt !== null,
    where: sql`
      seller_id = ${sellerId} and deleted_at is null and ended_at = ${at} and ended_reason = 'withdrawn'`,
    columns: { ended_at: null, ended_reason: null },
  })

type ListingsChange = {
  sellerId: string
  reason: string
  /** Whether the closure is still in the state this change applies to; if not, another job follows. */
  isIn: (closure: Closure) => boolean
  where: RawBuilder<unknown>
  columns: { ended_at: Date | null; ended_reason: 'withdrawn' | null }
}

// Keeps a transaction well under a second.
const PAGE = 500

/** Changes listings newest first, page by page, and returns how many. */
async function changeAll(job: Job, change: ListingsChange): Promise<number> {
  let total = 0
  for (let before = HIGHEST_ID; ; ) {
    job.signal.throwIfAborted()
    const ids = await job.withFence((trx) => changePage(trx, job, { ...change, before }))
    total += ids.length
    const last = ids.at(-1)
    if (last === undefined || ids.length < PAGE) return total
    before = last
  }
}

async function changePage(trx: Db, job: Job, change: ListingsChange & { before: string }): Promise<string[]> {
  const { userId } = job.payload
  const { sellerId, reason, isIn, where, columns, before } = change
  // A sign-in that cancels the closure waits for this page, and the next page sees it.
  await sql`select from account_closure where user_id = ${userId} for share`.execute(trx)
  const closure = await findClosure(trx, userId)
  if (!closure || !isIn(closure)) return []
  const { rows } = await sql<{ id: string }>`
    select id from listing where ${where} and id < ${before} order by id desc limit ${PAGE}
  `.execute(trx)
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const source = { actorUserId: userId, onBehalfOf: sellerId, jobId: job.jobId, reason }
  await withChangeSet(trx, { actorKind: 'user', ...source }, async (_trx, changeSetId) => {
    await releaseOffers(trx, ids)
    const listings = [...(await lockListings(trx, ids)).values()]
    const changes = listings.map((listing) => ({ before: listing, columns: diffColumns(listing, columns) }))
    // Ordered in the moment of closing: the order ends its part, and a gone seller's parts are in no list.
    const ordered = await findOrdered(trx, changes)
    const changed = changes.filter(
      ({ before, columns: of }) => Object.keys(of).length > 0 && !ordered.has(before.id),
    )
    await changeListings(trx, changed, changeSetId)
  })
  return ids
}

/** Buyers of accepted offers can no longer pay. Orders come first: see `closeAccount`. */
async function releaseOffers(trx: Db, listingIds: readonly string[]): Promise<void> {
  await sql`
    update part_hold set ended_at = now(), ending = 'released'
    where listing_id = any(${[...listingIds]}::uuid[]) and lead_id is not null and ended_at is null
  `.execute(trx)
}

/** Reopens the account completely and emails its owner. */
function endReopening(job: Job, mail: { letterhead: Letterhead; listings: number }): Promise<void> {
  const { userId } = job.payload
  return job.withFence(async (trx) => {
    const { rows } = await sql<{ email: string; hadPlan: boolean }>`
      with gone as (
        delete from account_closure where user_id = ${userId} and reopened_at is not null returning user_id
      )
      select u.email::text as email, exists (
        select from seller_member m join seller s on s.id = m.seller_id
        where m.user_id = u.id and s.subscription_status = 'CANCELED'
      ) as "hadPlan"
      from gone join app_user u on u.id = gone.user_id
    `.execute(trx)
    const [person] = rows
    if (!person) return
    const { letterhead, listings } = mail
    await queueMail(trx, reopenedMail(letterhead, { to: person.email, listings, hadPlan: person.hadPlan }))
  })
}
