import type Stripe from 'stripe'
import {
  type NewBuyer,
  type NewPayment,
  type Payment,
  type PaymentCalls,
  type PaymentSession,
  type ProviderDispute,
  ProviderFailure,
  type ProviderRefund,
} from '#server/features/money/billing/provider.ts'
import { asker } from './call-in-time.ts'

/* Payments of orders: the marketplace takes the money, and transfers a yard's share later (docs/decisions/0110). */

const WITH_CHARGE = ['latest_charge.balance_transaction']

/** All pages of one of the provider's lists. */
export async function* eachOf<Item extends { id: string }>(
  list: (after: { starting_after?: string }) => Promise<{ data: Item[]; has_more: boolean }>,
): AsyncGenerator<Item> {
  for (let after: string | undefined; ; ) {
    const page = await list(after === undefined ? {} : { starting_after: after })
    yield* page.data
    after = page.data.at(-1)?.id
    if (!page.has_more || after === undefined) return
  }
}

export type Context = { stripe: Stripe; deadline: number }

export function paymentCalls(context: Context): PaymentCalls {
  return { ...sessionCalls(context), ...moneyCalls(context), ...disputeCalls(context), ...bookCalls(context) }
}

function sessionCalls({
  stripe,
  deadline,
}: Context): Pick<PaymentCalls, 'createBuyer' | 'readSession' | 'openPayment' | 'closeSession'> {
  const ask = asker(deadline)
  const readSession = async (id: string) =>
    sessionOf(await ask((options) => stripe.checkout.sessions.retrieve(id, {}, options)))
  return {
    createBuyer: async (buyer, key) =>
      (await ask((options) => stripe.customers.create(buyerParams(buyer), options), key)).id,
    readSession,
    openPayment: async (payment, key) =>
      sessionOf(
        await ask((options) => stripe.checkout.sessions.create(sessionParams(payment), options), key),
      ),
    closeSession: async (id) => {
      const known = await readSession(id)
      if (known.status !== 'open') return known
      try {
        return sessionOf(
          await ask((options) => stripe.checkout.sessions.expire(id, {}, options), `expire-${id}`),
        )
      } catch (error) {
        // It was paid, or expired, in between.
        if (error instanceof ProviderFailure && error.status === 400) return readSession(id)
        throw error
      }
    },
  }
}

function moneyCalls({
  stripe,
  deadline,
}: Context): Pick<
  PaymentCalls,
  'readPayment' | 'capturePayment' | 'dropPayment' | 'createRefund' | 'readRefund' | 'readAlarms'
> {
  const ask = asker(deadline)
  return {
    readPayment: async (id) =>
      paymentOf(await ask((options) => stripe.paymentIntents.retrieve(id, { expand: WITH_CHARGE }, options))),
    capturePayment: async (id, cents, key) => {
      const params = { amount_to_capture: cents, expand: WITH_CHARGE }
      return paymentOf(await ask((options) => stripe.paymentIntents.capture(id, params, options), key))
    },
    dropPayment: async (id, key) => {
      const params = { expand: WITH_CHARGE }
      return paymentOf(await ask((options) => stripe.paymentIntents.cancel(id, params, options), key))
    },
    createRefund: async ({ paymentId, cents, orderId, refundId }, key) => {
      const params: Stripe.RefundCreateParams = {
        payment_intent: paymentId,
        amount: cents,
        metadata: { order: orderId, refund: refundId },
        expand: ['balance_transaction'],
      }
      return refundOf(await ask((options) => stripe.refunds.create(params, options), key))
    },
    readRefund: async (id) => {
      const params = { expand: ['balance_transaction'] }
      return refundOf(await ask((options) => stripe.refunds.retrieve(id, params, options)))
    },
    readAlarms: async (id) => {
      const params = { expand: ['review'] }
      const { review } = await ask((options) => stripe.paymentIntents.retrieve(id, params, options))
      const of = { payment_intent: id, limit: 1 }
      const warnings = await ask((options) => stripe.radar.earlyFraudWarnings.list(of, options))
      const isOpen = typeof review === 'object' && review?.open === true
      return { isReviewed: isOpen, fraudWarning: warnings.data.some(({ actionable }) => actionable) }
    },
  }
}

// Four megabytes through a slow line.
const UPLOAD_MS = 30_000

function disputeCalls({
  stripe,
  deadline,
}: Context): Pick<
  PaymentCalls,
  'readDisputes' | 'listDisputedPayments' | 'uploadEvidence' | 'submitEvidence'
> {
  const ask = asker(deadline)
  const askLong = asker(deadline, UPLOAD_MS)
  return {
    readDisputes: async (paymentId) => {
      const found: ProviderDispute[] = []
      const list = (after: object) =>
        ask((options) => stripe.disputes.list({ payment_intent: paymentId, limit: 100, ...after }, options))
      for await (const dispute of eachOf(list)) found.unshift(disputeOf(dispute))
      return found
    },
    listDisputedPayments: async function* (since) {
      const created = { gte: Math.floor(since.getTime() / 1_000) }
      const list = (after: object) =>
        ask((options) => stripe.disputes.list({ created, limit: 100, ...after }, options))
      for await (const dispute of eachOf(list)) {
        const paymentId = idOf(dispute.payment_intent)
        if (paymentId !== null) yield paymentId
      }
    },
    uploadEvidence: async ({ name, bytes }, key) => {
      const file = { data: bytes, name, type: 'application/pdf' }
      const params = { purpose: 'dispute_evidence', file } as const
      return (await askLong((options) => stripe.files.create(params, options), key)).id
    },
    submitEvidence: async (id, evidence, key) => {
      const params = { evidence, submit: true }
      return disputeOf(await ask((options) => stripe.disputes.update(id, params, options), key))
    },
  }
}

function bookCalls({
  stripe,
  deadline,
}: Context): Pick<PaymentCalls, 'listBalance' | 'listOrderPayments' | 'readAvailable' | 'readClock'> {
  const ask = asker(deadline)
  return {
    listBalance: async function* () {
      const list = (after: object) =>
        ask((options) =>
          stripe.balanceTransactions.list({ limit: 100, expand: ['data.source'], ...after }, options),
        )
      for await (const { id, type, source, amount, fee, net, created } of eachOf(list)) {
        const at = new Date(created * 1_000)
        const changed = { id, type, cents: amount, feeCents: fee, netCents: net, at }
        yield { ...changed, source: idOf(source), orderId: orderOf(source), causeId: causeOf(source) }
      }
    },
    listOrderPayments: async function* (since) {
      const created = { gte: Math.floor(since.getTime() / 1_000) }
      const list = (after: object) =>
        ask((options) => stripe.checkout.sessions.list({ limit: 100, created, ...after }, options))
      for await (const found of eachOf(list)) {
        const { mode, client_reference_id: orderId, amount_total: cents } = found
        const paymentId = idOf(found.payment_intent)
        if (mode === 'payment' && orderId !== null && paymentId !== null) {
          yield { paymentId, orderId, cents: cents ?? 0 }
        }
      }
    },
    readAvailable: async () => {
      const { available, connect_reserved: reserved = [] } = await ask((options) =>
        stripe.balance.retrieve({}, options),
      )
      const dollars = (amounts: readonly { amount: number; currency: string }[]) =>
        amounts.reduce((sum, { amount, currency }) => sum + (currency === 'usd' ? amount : 0), 0)
      return dollars(available) - dollars(reserved)
    },
    readClock: async () => {
      const { lastResponse } = await ask((options) => stripe.balance.retrieve({}, options))
      const date = Date.parse(lastResponse.headers.date ?? '')
      return Math.floor((Number.isNaN(date) ? Date.now() : date) / 1_000)
    },
  }
}

function buyerParams({ orderId, email, name, address }: NewBuyer): Stripe.CustomerCreateParams {
  const { line1, line2, city, state, zip } = address
  return {
    email,
    name,
    metadata: { order: orderId },
    shipping: {
      name,
      address: {
        country: 'US',
        ...(line1 && { line1 }),
        ...(line2 && { line2 }),
        ...(city && { city }),
        ...(state && { state }),
        ...(zip && { postal_code: zip }),
      },
    },
  }
}

// Stripe's tax codes of goods and of their shipping.
const TAX_CODES = { goods: 'txcd_99999999', shipping: 'txcd_92010001' } as const

function sessionParams(payment: NewPayment): Stripe.Checkout.SessionCreateParams {
  const { orderId, lines, isManual, statementSuffix, taxedBy } = payment
  return {
    mode: 'payment',
    client_reference_id: orderId,
    // The page asks for no address, so tax is of the one that we checked.
    ...(taxedBy
      ? { customer: taxedBy, automatic_tax: { enabled: true, liability: { type: 'self' } } }
      : { customer_email: payment.email }),
    expires_at: payment.expiresAt,
    success_url: payment.successUrl,
    cancel_url: payment.cancelUrl,
    metadata: { order: orderId },
    line_items: lines.map(({ name, description, cents, quantity, isShipping }) => ({
      quantity,
      price_data: {
        currency: 'usd',
        unit_amount: cents,
        ...(taxedBy && { tax_behavior: 'exclusive' }),
        product_data: {
          name,
          ...(description && { description }),
          ...(taxedBy && { tax_code: TAX_CODES[isShipping ? 'shipping' : 'goods'] }),
        },
      },
    })),
    payment_intent_data: {
      ...(isManual && { capture_method: 'manual' }),
      transfer_group: orderId,
      metadata: { order: orderId },
      ...(statementSuffix && { statement_descriptor_suffix: statementSuffix }),
    },
  }
}

/** The order that an object of the provider names, in the metadata that we gave it. */
function orderOf(source: Stripe.BalanceTransaction['source']): string | null {
  if (typeof source !== 'object' || source === null || !('metadata' in source)) return null
  return source.metadata?.order ?? null
}

/** The charge of a refund or dispute, or the transfer of a reversal. */
function causeOf(source: Stripe.BalanceTransaction['source']): string | null {
  if (typeof source !== 'object' || source === null) return null
  if ('charge' in source)
    return typeof source.charge === 'string' ? source.charge : (source.charge?.id ?? null)
  if ('transfer' in source) {
    return typeof source.transfer === 'string' ? source.transfer : (source.transfer?.id ?? null)
  }
  return null
}

export const idOf = (ref: string | { id: string } | null | undefined): string | null =>
  typeof ref === 'string' ? ref : (ref?.id ?? null)

const SESSION_STATUSES = ['complete', 'expired'] as const

function sessionOf(found: Stripe.Checkout.Session): PaymentSession {
  return {
    id: found.id,
    status: SESSION_STATUSES.find((known) => known === found.status) ?? 'open',
    url: found.url,
    expiresAt: new Date(found.expires_at * 1_000),
    paymentId: idOf(found.payment_intent),
    taxCents: found.total_details?.amount_tax ?? 0,
  }
}

function paymentOf(found: Stripe.PaymentIntent): Payment {
  const charge = typeof found.latest_charge === 'object' ? found.latest_charge : null
  const before = charge?.payment_method_details?.card?.capture_before
  const balance = typeof charge?.balance_transaction === 'object' ? charge.balance_transaction : null
  return {
    id: found.id,
    status: found.status,
    amountCents: found.amount,
    receivedCents: found.amount_received,
    chargeId: idOf(found.latest_charge),
    captureBefore: before === undefined ? null : new Date(before * 1_000),
    risk: charge?.outcome?.risk_level ?? null,
    isDisputed: charge?.disputed ?? false,
    balance: balance && { id: balance.id, feeCents: balance.fee, netCents: balance.net },
  }
}

const REFUND_STATUSES: Readonly<Record<string, ProviderRefund['status']>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
}

function refundOf(found: Stripe.Refund): ProviderRefund {
  const balance = typeof found.balance_transaction === 'object' ? found.balance_transaction : null
  return {
    id: found.id,
    status: REFUND_STATUSES[found.status ?? ''] ?? 'pending',
    problem: found.failure_reason ?? null,
    balance: balance && { id: balance.id, netCents: balance.net },
  }
}

// An inquiry that was closed, and a dispute that was prevented, took nothing.
const DISPUTE_STATES: Readonly<Record<string, ProviderDispute['state']>> = {
  needs_response: 'needs-response',
  warning_needs_response: 'needs-response',
  won: 'won',
  warning_closed: 'won',
  prevented: 'won',
  lost: 'lost',
}

function disputeOf(found: Stripe.Dispute): ProviderDispute {
  const { due_by: dueBy, submission_count: submissions } = found.evidence_details
  return {
    id: found.id,
    state: DISPUTE_STATES[found.status] ?? 'under-review',
    reason: found.reason,
    amountCents: found.amount,
    dueBy: dueBy === null ? null : new Date(dueBy * 1_000),
    isSubmitted: submissions > 0,
    balance: found.balance_transactions.map(({ id, amount, fee }) => ({
      id,
      amountCents: amount,
      feeCents: fee,
    })),
  }
}
