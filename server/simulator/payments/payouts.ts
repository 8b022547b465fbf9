import { z } from 'zod'
import { type ApiCall, apiCall, listOf } from '#server/simulator/api-call.ts'
import {
  cents,
  createdRange,
  integer,
  metadata,
  nestedParameters,
  noSuch,
  parameters,
  StripeError,
  text,
  usd,
} from '#server/simulator/parameters.ts'
import { accountAt, PLATFORM } from '#server/simulator/permissions.ts'
import type { Work } from '#server/simulator/simulator.ts'
import {
  assignToPayout,
  changeObject,
  findObject,
  findOwner,
  insertObject,
  listObjects,
  recordEvent,
  setDue,
} from '#server/simulator/store.ts'
import { newId, type Payout } from '#server/simulator/stripe-objects.ts'
import { connectedBalance, enter, lockBalance, platformBalance } from './balance.ts'

/* Payouts to bank accounts, of the platform or of a connected account; one may be paid and then fail. */

export const payoutCalls: readonly ApiCall[] = [
  apiCall(
    'GET /payouts',
    nestedParameters({
      created: createdRange,
      limit: integer.pipe(z.number().min(1).max(100)).default(10),
      starting_after: text.optional(),
      status: z.enum(['pending', 'paid', 'failed', 'canceled']).optional(),
    }),
    async ({ db }, { created, limit, starting_after: after, status }, { account: owner = PLATFORM }) => {
      const found = await listObjects(db, { kind: 'payout', owner, where: { status }, created, after, limit })
      return listOf(found, '/v1/payouts', limit)
    },
  ),
  apiCall('GET /payouts/:id', parameters({}), async ({ db }, _given, { id, account = PLATFORM }) => {
    const payout = await findObject(db, 'payout', id)
    if (!payout || (await findOwner(db, id)) !== account) throw noSuch('payout', id)
    return payout
  }),
  apiCall(
    'POST /payouts',
    parameters({ amount: cents, currency: usd, metadata }),
    (work, { amount, metadata }, { account }) => payOut(work, { account, amount, metadata }),
  ),
]

const DAY_S = 24 * 3_600

type Wanted = {
  /** The platform's own if undefined. */
  readonly account: string | undefined
  readonly amount: number
  readonly isAutomatic?: boolean
  readonly metadata?: Record<string, string>
}

export async function payOut(work: Work, wanted: Wanted): Promise<Payout> {
  const { account, amount, isAutomatic = false, metadata = {} } = wanted
  const owner = account ?? PLATFORM
  await lockBalance(work, owner)
  const { available } =
    account === undefined
      ? await platformBalance(work)
      : await connectedBalance(work, await accountAt(work, account))
  if (available < amount) {
    throw new StripeError(400, 'You have insufficient funds in your Stripe account for this transfer.', {
      code: 'balance_insufficient',
    })
  }
  const id = newId('po')
  const left = await enter(work, { account: owner, type: 'payout', amount: -amount, source: id })
  const payout: Payout = {
    id,
    object: 'payout',
    amount,
    arrival_date: work.now + 2 * DAY_S,
    automatic: isAutomatic,
    balance_transaction: left.id,
    created: work.now,
    currency: 'usd',
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata,
    method: 'standard',
    source_type: 'card',
    status: 'pending',
    type: 'bank_account',
  }
  await insertObject(work.db, payout, owner)
  if (isAutomatic) await assignToPayout(work.db, owner, id, work.now)
  await recordEvent(work, 'payout.created', payout, account)
  // The simulator's bank is faster than its arrival date.
  await setDue(work.db, id, work.nowMs + work.simulator.behavior.balanceDelayMs)
  return payout
}

/** A pending payout is paid; one that a test wants to fail fails after that, and its money returns. */
export async function continuePayout(work: Work, payout: Payout): Promise<void> {
  const owner = (await findOwner(work.db, payout.id)) ?? PLATFORM
  const by = owner === PLATFORM ? {} : { account: owner }
  if (payout.status === 'pending') {
    await changeObject(work, payout, { fields: { status: 'paid' }, type: 'payout.paid', ...by })
    const { payouts, failureDelayMs } = work.simulator.behavior
    if (payouts === 'fail') await setDue(work.db, payout.id, work.nowMs + failureDelayMs)
    return
  }
  const back = await enter(work, {
    account: owner,
    type: 'payout_failure',
    amount: payout.amount,
    source: payout.id,
  })
  await changeObject(work, payout, {
    fields: {
      failure_balance_transaction: back.id,
      failure_code: 'account_closed',
      failure_message: 'The bank account has been closed',
      status: 'failed',
    },
    type: 'payout.failed',
    ...by,
  })
}
