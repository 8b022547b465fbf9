import { sql } from 'kysely'
import { z } from 'zod'
import { endingDate } from '#contract/account/ending-date.ts'
import type { Letterhead } from '#server/features/people/accounts/account-mails.ts'
import { type NewMail, queueMail } from '#server/features/talk/mail/mail.ts'
import type { Db } from '#server/platform/database/database.ts'
import { GiveUp, type JobQueue, type JobRun } from '#server/platform/jobs/job-definition.ts'
import { type ProviderCalls, ProviderFailure, type StripeClient } from './provider.ts'
import type { Subscription } from './provider-state.ts'
import { getStanding } from './queries.ts'
import { closeRequest, findOpenRequest } from './requests.ts'
import { isForeignCustomer, JOB_TIMEOUT_MS, syncSubscription } from './sync.ts'

/*
 * Subscriptions that end without the owner's request: the account was closed or disabled, or the person became an
 * administrator.
 */

export type EndingTime = 'now' | 'period-end'

// Every other status may still cost the seller money.
const OVER = new Set(['canceled', 'incomplete_expired'])
// Only these have a paid period left to use.
const PAID = new Set(['active', 'trialing'])

type Ending = {
  /** How many subscriptions were ended now or will end. */
  readonly ended: number
  /** When the last of them ends; null for now. */
  readonly at: Date | null
}

/**
 * Ends a seller's subscriptions at the provider, whatever they are for, and stores the plan that results. An open checkout
 * can no longer be paid. Safe to repeat.
 * @throws ProviderFailure
 */
export async function endSubscriptions(
  { db, stripe }: { db: Db; stripe: StripeClient },
  sellerId: string,
  when: EndingTime = 'now',
): Promise<Ending> {
  const calls = stripe.within(JOB_TIMEOUT_MS)
  const { customerId } = await getStanding(db, sellerId)
  if (customerId === null) return NOTHING_ENDED
  await closeCheckout(db, calls, sellerId)
  // Must run first: it also detects that the customer was deleted, along with its subscriptions.
  const subscriptions = (await syncSubscription(db, calls, sellerId))?.subscriptions ?? []
  const open = subscriptions.filter(({ status }) => !OVER.has(status))
  for (const subscription of open) await end(calls, subscription, when)
  if (open.length > 0) await syncSubscription(db, calls, sellerId)
  const waiting = when === 'period-end' ? open.filter(({ status }) => PAID.has(status)) : []
  const times = waiting.flatMap(({ cancelAt, periodEnd }) => (cancelAt ?? periodEnd)?.getTime() ?? [])
  return { ended: open.length, at: times.length > 0 ? new Date(Math.max(...times)) : null }
}

const NOTHING_ENDED: Ending = { ended: 0, at: null }

async function end(calls: ProviderCalls, subscription: Subscription, when: EndingTime): Promise<void> {
  const { id, status, cancelAt, cancelAtPeriodEnd } = subscription
  const isEnding = cancelAtPeriodEnd || cancelAt !== null
  try {
    if (when === 'now' || !PAID.has(status)) await calls.cancelSubscription(id)
    else if (!isEnding) await calls.endAtPeriodEnd(id)
  } catch (error) {
    // Missing means that it ended in the meantime.
    if (!(error instanceof ProviderFailure && error.isMissing)) throw error
  }
}

async function closeCheckout(db: Db, calls: ProviderCalls, sellerId: string): Promise<void> {
  const request = await findOpenRequest(db, sellerId, 'checkout')
  if (!request || request.providerId === null) return
  try {
    await calls.expireCheckout(request.providerId)
  } catch (error) {
    // It was already paid, expired or deleted; the subscriptions are read after this.
    if (!(error instanceof ProviderFailure) || error.mayPass) throw error
  }
  await closeRequest(db, request.id, 'void')
}

type EndingPayload = {
  sellerId: string
  /** The person to email. */
  userId: string
  when: EndingTime
  reason: 'disabled' | 'administrator'
}

/** Ends the subscription of a person who was disabled or made an administrator, and emails them. */
export const endSubscriptionQueue: JobQueue<EndingPayload> = {
  name: 'end-subscription',
  title: 'End subscriptions',
  payload: z
    .object({
      sellerId: z.uuid(),
      userId: z.uuid(),
      when: z.enum(['now', 'period-end']),
      reason: z.enum(['disabled', 'administrator']),
    })
    .strict(),
  // About nine hours including the pauses, because the payment provider may be down for a while.
  maxAttempts: 16,
  retryDelaySeconds: 5,
  resumable: true,
  timeoutSeconds: 120,
  concurrency: 2,
}

type Deps = { db: Db; stripe: StripeClient | undefined; letterhead: Letterhead }

export async function endSubscription(
  { db, stripe, letterhead }: Deps,
  job: JobRun<EndingPayload>,
): Promise<void> {
  const { sellerId, userId, when, reason } = job.payload
  if (!stripe) return
  const ending = await endOrGiveUp({ db, stripe }, sellerId, when)
  if (ending.ended === 0) return
  await job.withFence(async (trx) => {
    const { rows } = await sql<{ email: string }>`
      select email::text as email from app_user where id = ${userId}`.execute(trx)
    const [person] = rows
    if (person) await queueMail(trx, endingMail(letterhead, { to: person.email, at: ending.at, reason }))
  })
}

async function endOrGiveUp(
  deps: { db: Db; stripe: StripeClient },
  sellerId: string,
  when: EndingTime,
): Promise<Ending> {
  try {
    return await endSubscriptions(deps, sellerId, when)
  } catch (error) {
    if (isForeignCustomer(error)) throw new GiveUp(String(error))
    throw error
  }
}

const REASONS = {
  disabled: 'because an administrator disabled your account',
  administrator: 'because you are an administrator now, and administrators are not charged',
} as const

function endingMail(
  { productName, supportEmail }: Letterhead,
  { to, at, reason }: { to: string; at: Date | null; reason: EndingPayload['reason'] },
): NewMail {
  const day = at && endingDate(at)
  const what = day
    ? `Your ${productName} Pro subscription ends on ${day}, ${REASONS[reason]}. It is paid until then and will not renew.`
    : `Your ${productName} Pro subscription ended today, ${REASONS[reason]}. You will not be charged again.`
  return {
    to,
    subject: day
      ? `Your ${productName} Pro subscription ends on ${day}`
      : `Your ${productName} Pro subscription ended`,
    body: `Hello,

${what}

If you think this is a mistake, write to ${supportEmail}.

${productName}
`,
  }
}
