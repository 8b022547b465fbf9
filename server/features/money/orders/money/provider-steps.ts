import { sql } from 'kysely'
import { DAY_MS } from '#contract/order/order-steps.ts'
import {
  type NewPayment,
  type ProviderCalls,
  ProviderFailure,
} from '#server/features/money/billing/provider.ts'
import { readDisputes, settleDispute } from '#server/features/money/orders/disputes/disputes.ts'
import { submitToBank } from '#server/features/money/orders/disputes/evidence.ts'
import { findOrderById, lockOrder, type Order } from '#server/features/money/orders/orders.ts'
import { findPickupPlace } from '#server/features/money/orders/quotes.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { noteTax, type SettleDeps, settlePayment } from './payments.ts'
import { settleRefund } from './refunds.ts'
import { finishStep, listWanted, type ProviderStep, type StepKind, wantStep } from './wanted-steps.ts'

/*
 * Performs the wanted steps of an order at the payment provider: by the caller who wrote them, by a job, or by both. The key
 * makes each happen once, and what happened is read again before it is written.
 */

export type StepDeps = SettleDeps & { db: Db }
/** The photos of evidence are in the file store. */
export type PerformDeps = StepDeps & { files: FileStore }

/**
 * Does what is to be done for an order, in order. Stops at the first failure that may pass.
 * @throws ProviderFailure if the provider did not respond
 */
export async function performSteps(deps: PerformDeps, orderId: string, calls: ProviderCalls): Promise<void> {
  // Performing one may ask for another, such as a refund of money that came too late.
  for (let round = 0; round < 5; round += 1) {
    const steps = await listWanted(deps.db, orderId)
    if (steps.length === 0) return
    for (const step of steps) await performStep(deps, step, calls)
  }
}

async function performStep(deps: PerformDeps, step: ProviderStep, calls: ProviderCalls): Promise<void> {
  try {
    await PERFORMERS[step.kind](deps, step, calls)
  } catch (error) {
    if (!(error instanceof ProviderFailure) || error.mayPass) throw error
    // Refused for good: the state at the provider decides what that means.
    const problem = error.message.slice(0, 500)
    await inTransaction(deps.db, async (trx) => {
      await finishStep(trx, step.id, { state: 'failed', problem })
      if (step.kind === 'refund' && step.refundId !== null) {
        await settleRefund(trx, step.refundId, { failed: problem }, deps)
      }
    })
    if (step.kind !== 'read') await readOrderAtProvider(deps, step.orderId, calls)
    if (step.kind === 'capture') await giveUpCapture(deps, step.orderId)
  }
}

/** The bank does not give what it promised: the rest of the promise is let go, which ends the order. */
function giveUpCapture({ db }: StepDeps, orderId: string): Promise<void> {
  return inTransaction(db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    if (order.state === 'capturing') await wantStep(trx, { orderId, kind: 'cancel' })
  })
}

type Performer = (deps: PerformDeps, step: ProviderStep, calls: ProviderCalls) => Promise<void>

const MINUTES_31_S = 31 * 60

const PERFORMERS: Record<StepKind, Performer> = {
  'open-session': async ({ db }, step, calls) => {
    const order = await findOrderById(db, step.orderId)
    // It ended while the provider was away.
    if (order?.state !== 'pending') return finishStep(db, step.id, { state: 'void' })
    const request = await withExpiry(
      db,
      order.taxed ? await withBuyer(db, { step, order }, calls) : step,
      calls,
    )
    const session = await calls.openPayment(request, step.id)
    await inTransaction(db, async (trx) => {
      await finishStep(trx, step.id, { state: 'done', providerId: session.id })
      await sql`
        update part_order set session_id = ${session.id}, session_url = ${session.url}, updated_at = now()
        where id = ${step.orderId}`.execute(trx)
    })
  },

  'expire-session': async (deps, step, calls) => {
    const order = await findOrderById(deps.db, step.orderId)
    if (order?.sessionId) await calls.closeSession(order.sessionId)
    await readOrderAtProvider(deps, step.orderId, calls)
    await finishStep(deps.db, step.id, { state: 'done' })
  },

  capture: async (deps, step, calls) => {
    const order = await findOrderById(deps.db, step.orderId)
    if (!order?.paymentId) return finishStep(deps.db, step.id, { state: 'void' })
    // Read first: the last try may have succeeded without our hearing of it.
    const known = await calls.readPayment(order.paymentId)
    const payment =
      known.status === 'requires_capture'
        ? await calls.capturePayment(known.id, step.amountCents ?? known.amountCents, step.id)
        : known
    await inTransaction(deps.db, async (trx) => {
      await finishStep(trx, step.id, { state: 'done', providerId: payment.id })
      await settlePayment(trx, step.orderId, payment, deps)
    })
  },

  cancel: async (deps, step, calls) => {
    const order = await findOrderById(deps.db, step.orderId)
    if (!order?.paymentId) return finishStep(deps.db, step.id, { state: 'void' })
    const known = await calls.readPayment(order.paymentId)
    const isOpen = known.status === 'requires_capture' || known.status === 'requires_payment_method'
    const payment = isOpen ? await calls.dropPayment(known.id, step.id) : known
    await inTransaction(deps.db, async (trx) => {
      await finishStep(trx, step.id, { state: 'done', providerId: payment.id })
      await settlePayment(trx, step.orderId, payment, deps)
    })
  },

  refund: async (deps, step, calls) => {
    const order = await findOrderById(deps.db, step.orderId)
    const { refundId, amountCents } = step
    if (!order?.paymentId || refundId === null || amountCents === null) {
      return finishStep(deps.db, step.id, { state: 'void' })
    }
    const asked = { paymentId: order.paymentId, cents: amountCents, orderId: order.id, refundId }
    const refund = await calls.createRefund(asked, step.id)
    await inTransaction(deps.db, async (trx) => {
      await finishStep(trx, step.id, { state: 'done', providerId: refund.id })
      await settleRefund(trx, refundId, { refund }, deps)
    })
  },

  'submit-evidence': async (deps, step, calls) => {
    const order = await findOrderById(deps.db, step.orderId)
    if (!order?.paymentId) return finishStep(deps.db, step.id, { state: 'void' })
    const dispute = await submitToBank(deps, step, { order, paymentId: order.paymentId }, calls)
    if (dispute && 'problem' in dispute) {
      return finishStep(deps.db, step.id, { state: 'failed', problem: dispute.problem })
    }
    await inTransaction(deps.db, async (trx) => {
      await finishStep(trx, step.id, { state: 'done', ...(dispute && { providerId: dispute.id }) })
      if (dispute) await settleDispute(trx, step.orderId, dispute, deps)
    })
  },

  read: async (deps, step, calls) => {
    await readOrderAtProvider(deps, step.orderId, calls)
    await finishStep(deps.db, step.id, { state: 'done' })
  },
}

/** Sales tax is that of where the part goes, or where it is picked up. */
async function withBuyer(
  db: Db,
  { step, order }: { step: ProviderStep; order: Order },
  calls: ProviderCalls,
): Promise<ProviderStep> {
  if (step.request.taxedBy !== undefined) return step
  const { line1, line2, city, region: state, zip } = order
  const address =
    order.delivery === 'ship' ? { line1, line2, city, state, zip } : await findPickupPlace(db, order)
  const { email, name } = order
  const taxedBy = await calls.createBuyer({ orderId: order.id, email, name, address }, `${step.id}-buyer`)
  await sql`
    update order_step set request = request || jsonb_build_object('taxedBy', ${taxedBy}::text) where id = ${step.id}`.execute(
    db,
  )
  return { ...step, request: { ...step.request, taxedBy } }
}

/** Expiries count by the provider's clock, and a request is sent again exactly as it was. */
async function withExpiry(db: Db, { id, request }: ProviderStep, calls: ProviderCalls): Promise<NewPayment> {
  if (request.expiresAt !== undefined) return request as NewPayment
  const expiresAt = (await calls.readClock()) + MINUTES_31_S
  const { rows } = await sql<{ request: NewPayment }>`
    update order_step
    set request = case when request ? 'expiresAt' then request else request || jsonb_build_object('expiresAt', ${expiresAt}::bigint) end
    where id = ${id} returning request`.execute(db)
  const [stored] = rows
  if (!stored) throw new Error(`step ${id} is gone`)
  return stored.request
}

/** Reads an order's session, payment and refunds, and writes what that means. */
export async function readOrderAtProvider(
  deps: StepDeps,
  orderId: string,
  calls: ProviderCalls,
): Promise<void> {
  const order = await findOrderById(deps.db, orderId)
  if (!order) return
  const session = order.sessionId === null ? undefined : await calls.readSession(order.sessionId)
  const paymentId = session?.paymentId ?? order.paymentId
  const payment =
    paymentId === null || paymentId === undefined ? undefined : await calls.readPayment(paymentId)
  if (payment) {
    await inTransaction(deps.db, async (trx) => {
      if (session) await noteTax(trx, orderId, session, payment)
      await settlePayment(trx, orderId, payment, deps)
    })
  }
  await readRefunds(deps, orderId, calls)
  if (payment?.isDisputed) await readDisputes(deps, orderId, payment.id, calls)
}

async function readRefunds(deps: StepDeps, orderId: string, calls: ProviderCalls): Promise<void> {
  const { rows } = await sql<{ id: string; providerId: string }>`
    select id, provider_id as "providerId" from order_refund
    where order_id = ${orderId} and provider_id is not null and state <> 'failed'
      and (state = 'pending' or settled_at > ${new Date(deps.now().getTime() - 30 * DAY_MS)})`.execute(
    deps.db,
  )
  for (const { id, providerId } of rows) {
    const refund = await calls.readRefund(providerId)
    await inTransaction(deps.db, (trx) => settleRefund(trx, id, { refund }, deps))
  }
}
