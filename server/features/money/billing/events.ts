import { sql } from 'kysely'
import { z } from 'zod'
import { isId } from '#contract/endpoint.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { refuseUnreadableText } from '#server/platform/http/readable-text.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'
import type { ProviderEvent, StripeClient } from './provider.ts'

export type ReadProviderPayload = {
  /** The provider's id of a customer or a payout account. */
  subject: string
  /** The event that caused the read. */
  eventId?: string | undefined
}

/** Rereads a customer or payout account and updates its seller. */
export const readProviderQueue: JobQueue<ReadProviderPayload> = {
  name: 'read-provider',
  title: 'Read payment provider',
  payload: z
    .object({ subject: z.string().min(1).max(255), eventId: z.string().min(1).max(255).optional() })
    .strict(),
  // About nine hours including the pauses; after a longer outage, `payments reconcile` rereads everyone.
  maxAttempts: 16,
  retryDelaySeconds: 5,
  resumable: true,
  timeoutSeconds: 60,
  // A job spends nearly all of its time waiting for the provider.
  concurrency: 6,
}

type NewEvent = Pick<ProviderEvent, 'id' | 'type' | 'account' | 'signedBy'> & { subject: string | null }

/** Returns false for a repeated event. A concurrent second delivery waits until the first is stored. */
async function insertEvent(trx: Db, event: NewEvent): Promise<boolean> {
  const { id, type, subject, account, signedBy } = event
  const { rows } = await sql`
    insert into stripe_event (id, type, subject, connected, signed_by, handled_at)
    values (${id}, ${type}, ${subject}, ${account !== undefined}, ${signedBy},
            case when ${subject}::text is null then now() end)
    on conflict (id) do nothing
    returning id`.execute(trx)
  return rows.length > 0
}

export async function markEventHandled(db: Db, id: string): Promise<void> {
  await sql`update stripe_event set handled_at = now() where id = ${id} and handled_at is null`.execute(db)
}

/** Events that the provider must send about the platform account. */
export const PLATFORM_EVENTS = [
  'charge.dispute.closed',
  'charge.dispute.created',
  'charge.dispute.funds_reinstated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.updated',
  'charge.refunded',
  'charge.updated',
  'checkout.session.async_payment_failed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.completed',
  'checkout.session.expired',
  'customer.deleted',
  'customer.subscription.created',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'customer.subscription.updated',
  'invoice.paid',
  'invoice.payment_failed',
  'payment_intent.amount_capturable_updated',
  'payment_intent.canceled',
  'payment_intent.succeeded',
  'radar.early_fraud_warning.created',
  'refund.created',
  'refund.failed',
  'refund.updated',
  'review.closed',
  'review.opened',
]
/** Events that it must send about connected payout accounts. */
export const CONNECT_EVENTS = [
  'account.updated',
  'payout.canceled',
  'payout.created',
  'payout.failed',
  'payout.paid',
  'payout.updated',
]

const OF_CUSTOMERS = /^(customer\.subscription|checkout\.session|invoice)\./

/**
 * Returns the customer or payout account to reread after an event, or null if the event is irrelevant. The event's
 * content is ignored, as it may be out of date.
 */
export function eventSubject({ type, account, object }: ProviderEvent): string | null {
  if (account !== undefined) return account
  if (isOfOrder(type, object)) return orderSubject(object)
  if (type === 'account.updated' || type === 'customer.deleted') return idOf(object)
  return OF_CUSTOMERS.test(type) ? idOf(object.customer) : null
}

const OF_ORDERS = /^(payment_intent|charge|refund|review|radar\.early_fraud_warning)\./

const isOfOrder = (type: string, { mode }: ProviderEvent['object']): boolean =>
  OF_ORDERS.test(type) || (type.startsWith('checkout.session.') && mode === 'payment')

/** An order's own id, which we gave to session and payment, or the payment's: refunds and reviews name that. */
function orderSubject({
  id,
  object,
  metadata,
  payment_intent: payment,
}: ProviderEvent['object']): string | null {
  const named =
    typeof metadata === 'object' && metadata !== null && 'order' in metadata ? metadata.order : undefined
  if (typeof named === 'string' && isId(named)) return named
  return object === 'payment_intent' ? idOf(id) : idOf(payment)
}

/** Whether a subject is an order or its payment. */
export const isOrderSubject = (subject: string): boolean => isId(subject) || subject.startsWith('pi_')

/** Whether a subject is a payout account. */
export const isAccount = (subject: string): boolean => subject.startsWith('acct_')

/** A reference is an id, or the whole object if it was expanded. */
function idOf(ref: unknown): string | null {
  if (typeof ref === 'string') return ref
  if (typeof ref !== 'object' || ref === null || !('id' in ref)) return null
  return typeof ref.id === 'string' ? ref.id : null
}

/**
 * Stores an event once, with the job that rereads its subject. Deliveries may repeat and arrive in any order, as each
 * is only a hint to look.
 * @throws AppError MALFORMED if the signature is missing, wrong or too old, for a thin event, or for text that cannot be stored
 */
export async function receiveEvent(
  { db, stripe }: { db: Db; stripe: StripeClient },
  { body, signature }: { body: Buffer; signature: string | undefined },
): Promise<void> {
  const event = stripe.readEvent(body, signature)
  if (!event) {
    throw new AppError('MALFORMED', 'The signature of this delivery is missing, wrong or too old.')
  }
  if ('isThin' in event) {
    throw new AppError(
      'MALFORMED',
      `${event.type} arrived as a thin event, but this URL accepts snapshot events. In Stripe, set the payload style of the event destination to Snapshot.`,
    )
  }
  const subject = eventSubject(event)
  refuseUnreadableText([event.id, event.type, subject])
  await db.transaction().execute(async (trx) => {
    const isNew = await insertEvent(trx, { ...event, subject })
    if (!isNew || subject === null) return
    await enqueueJob(trx, { queue: readProviderQueue, payload: { subject, eventId: event.id } })
  })
}
