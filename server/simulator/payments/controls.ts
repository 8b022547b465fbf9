import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { moveTo, STAGES } from '#server/simulator/accounts.ts'
import { StripeError } from '#server/simulator/parameters.ts'
import { accountAt } from '#server/simulator/permissions.ts'
import { clockOf, inWork, type Simulator, type Work } from '#server/simulator/simulator.ts'
import { findObject, lockObject, updateObject } from '#server/simulator/store.ts'
import type { Charge } from '#server/simulator/stripe-objects.ts'
import { updateCharge } from './charges.ts'
import { closeDispute, lockOpen, openDispute } from './disputes.ts'
import { finishDelayed } from './payment-sessions.ts'
import { payOut } from './payouts.ts'
import { failRefund } from './refunds.ts'
import { closeReview, openReview, warnOfFraud } from './reviews.ts'

/*
 * What banks, card networks and Stripe's staff do, for tests:
 *
 * POST /simulator/disputes        {charge, amountCents?, reason?}   the buyer's bank takes the money back
 * POST /simulator/disputes/close  {dispute, outcome: won | lost}
 * POST /simulator/fraud-warnings  {charge}                          a card network's early fraud warning
 * POST /simulator/reviews         {charge}                          Radar asks for a review
 * POST /simulator/reviews/close   {review, reason}
 * POST /simulator/refunds/fail    {refund}                          the buyer's bank sends the money back
 * POST /simulator/payouts         {account?, amountCents}           as by a schedule; the platform's without account
 * POST /simulator/delayed         {session, outcome: succeeded | failed}   ends what POST {page}/pay?delayed=1 began
 * POST /simulator/accounts        {account, stage}                  a stage of onboarding: verified, paused, rejected…
 * POST /simulator/pass-time       {}                                what is due by the clock happens before the reply
 */
export function servePaymentControls(app: FastifyInstance, simulator: Simulator): void {
  for (const { path, perform } of CONTROLS) {
    app.post(path, async ({ body }) => {
      await simulator.passTime()
      return inWork(simulator, (work) => perform(work, body))
    })
  }
}

type Control = {
  readonly path: string
  readonly perform: (work: Work, body: unknown) => Promise<object>
}

function control<Takes extends z.ZodType>(
  path: string,
  takes: Takes,
  act: (work: Work, given: z.output<Takes>) => Promise<object>,
): Control {
  return { path, perform: async (work, body) => act(work, takes.parse(body)) }
}

const charge = z.string()
const amountCents = z.number().int().positive()

const CONTROLS: readonly Control[] = [
  control(
    '/disputes',
    z.strictObject({ charge, amountCents: amountCents.optional(), reason: z.string().default('fraudulent') }),
    async (work, { charge, amountCents: amount, reason }) =>
      openDispute(work, await lockCharge(work, charge), { ...(amount !== undefined && { amount }), reason }),
  ),
  control(
    '/disputes/close',
    z.strictObject({ dispute: z.string(), outcome: z.enum(['won', 'lost']) }),
    async (work, { dispute, outcome }) =>
      closeDispute(work, await lockOpen(work, dispute, 'closed'), outcome),
  ),
  control('/fraud-warnings', z.strictObject({ charge }), async (work, given) =>
    warnOfFraud(work, await lockCharge(work, given.charge)),
  ),
  control('/reviews', z.strictObject({ charge }), async (work, given) => {
    const { payment_intent } = await chargeAt(work, given.charge)
    // Before the charge, as everywhere.
    const intent = await lockObject(work.db, 'payment_intent', payment_intent)
    if (!intent) throw new Error(`${payment_intent} is gone`)
    const reviewed = await lockCharge(work, given.charge)
    const review = await openReview(work, reviewed)
    await updateCharge(work, reviewed, { review: review.id })
    await updateObject(work.db, { ...intent, review: review.id })
    return review
  }),
  control(
    '/reviews/close',
    z.strictObject({ review: z.string(), reason: z.enum(['approved', 'refunded', 'refunded_as_fraud']) }),
    async (work, { review: id, reason }) => {
      const review = await lockObject(work.db, 'review', id)
      if (!review) throw new StripeError(400, `No such review: '${id}'`)
      return closeReview(work, review, reason)
    },
  ),
  control('/refunds/fail', z.strictObject({ refund: z.string() }), async (work, { refund: id }) => {
    const refund = await lockObject(work.db, 'refund', id)
    if (!refund || refund.status === 'failed') throw new StripeError(400, `${id} cannot fail.`)
    return failRefund(work, refund)
  }),
  control(
    '/payouts',
    z.strictObject({ account: z.string().optional(), amountCents }),
    (work, { account, amountCents: amount }) => payOut(work, { account, amount, isAutomatic: true }),
  ),
  control(
    '/delayed',
    z.strictObject({ session: z.string(), outcome: z.enum(['succeeded', 'failed']) }),
    async (work, { session: id, outcome }) => {
      const session = await lockObject(work.db, 'checkout.session', id)
      if (!session) throw new StripeError(400, `No such checkout.session: '${id}'`)
      return finishDelayed(work, session, outcome)
    },
  ),
  control(
    '/accounts',
    z.strictObject({ account: z.string(), stage: z.enum(STAGES) }),
    async (work, { account, stage }) => moveTo(work, await accountAt(work, account), stage),
  ),
  control('/pass-time', z.strictObject({}), async ({ simulator }) => ({ now: clockOf(simulator) })),
]

const lockCharge = (work: Work, id: string) => chargeAt(work, id, 'for update')

async function chargeAt({ db }: Work, id: string, lock: '' | 'for update' = ''): Promise<Charge> {
  const charge = await findObject(db, 'charge', id, lock)
  if (!charge) throw new StripeError(400, `No such charge: '${id}'`)
  return charge
}
