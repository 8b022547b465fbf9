import { z } from 'zod'
import { type ApiCall, apiCall, listOf } from '#server/simulator/api-call.ts'
import { asOf } from '#server/simulator/expand.ts'
import {
  createdRange,
  integer,
  nestedParameters,
  noSuch,
  noSuchIn,
  parameters,
  StripeError,
  text,
} from '#server/simulator/parameters.ts'
import { PLATFORM } from '#server/simulator/permissions.ts'
import { draw, type Work } from '#server/simulator/simulator.ts'
import {
  findObject,
  insertTransaction,
  listObjects,
  lockKey,
  sumTransactions,
} from '#server/simulator/store.ts'
import { type Account, type BalanceTransaction, newId } from '#server/simulator/stripe-objects.ts'

/* Balance transactions: every cent that enters or leaves the balance of the platform or of a connected account. */

const DAY_S = 24 * 3_600
// Stripe's usual time for cards in the United States.
export const SETTLING_S = 2 * DAY_S

export const balanceCalls: readonly ApiCall[] = [
  apiCall(
    'GET /balance_transactions',
    nestedParameters({
      created: createdRange,
      ids: z.array(text).max(100).optional(),
      limit: integer.pipe(z.number().min(1).max(100)).default(10),
      payout: text.optional(),
      source: text.optional(),
      starting_after: text.optional(),
      type: text.optional(),
    }),
    async (
      work,
      { ids, limit, source, starting_after: after, created, type, payout },
      { account = PLATFORM },
    ) => {
      if (payout !== undefined) await refuseManual(work, payout)
      const found = ids
        ? await listByIds(work, account, ids)
        : await listObjects(work.db, {
            kind: 'balance_transaction',
            owner: account,
            where: { source },
            payout,
            type,
            created,
            after,
            limit,
          })
      const shown = found.map((transaction) => asOf(work, transaction))
      return listOf(shown, '/v1/balance_transactions', limit)
    },
  ),
  apiCall('GET /balance_transactions/:id', parameters({}), async (work, _given, { id }) => {
    const found = await findObject(work.db, 'balance_transaction', id)
    if (!found) throw noSuch('balance_transaction', id)
    return asOf(work, found)
  }),
]

async function refuseManual({ db }: Work, id: string): Promise<void> {
  const payout = await findObject(db, 'payout', id)
  if (!payout) throw noSuchIn('payout', 'payout', id)
  if (payout.automatic) return
  throw new StripeError(
    400,
    'Balance transaction history can only be filtered on automatic transfers, not manual.',
    { param: 'payout' },
  )
}

async function listByIds({ db }: Work, owner: string, ids: string[]): Promise<BalanceTransaction[]> {
  const found: BalanceTransaction[] = []
  for (const id of ids) {
    found.push(...(await listObjects(db, { kind: 'balance_transaction', owner, where: { id }, limit: 1 })))
  }
  return found
}

type Entry = {
  /** The connected account, or the platform. */
  readonly account?: string
  readonly type: BalanceTransaction['type']
  readonly category?: string
  readonly description?: string | null
  readonly amount: number
  readonly fee?: number
  readonly feeDescription?: string
  readonly source: string
  /** When the money is available; now if omitted. */
  readonly availableOn?: number
}

export async function enter({ db, now }: Work, entry: Entry): Promise<BalanceTransaction> {
  const { amount, fee = 0, type, source, description = null, availableOn = now } = entry
  const fees = [
    { amount: fee, currency: 'usd', description: entry.feeDescription ?? null, type: 'stripe_fee' },
  ]
  const transaction: BalanceTransaction = {
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: availableOn,
    balance_type: 'payments',
    created: now,
    currency: 'usd',
    description,
    exchange_rate: null,
    fee,
    fee_details: fee === 0 ? [] : fees,
    net: amount - fee,
    reporting_category: entry.category ?? type,
    source,
    status: availableOn <= now ? 'available' : 'pending',
    type,
  }
  await insertTransaction(db, transaction, entry.account ?? PLATFORM)
  return transaction
}

export type Money = { readonly available: number; readonly pending: number }

/** Keeps others from spending an account's balance until this transaction ends. */
export const lockBalance = ({ db }: Work, owner: string = PLATFORM) => lockKey(db, `balance of ${owner}`)

export async function platformBalance({ db, now, simulator }: Work): Promise<Money> {
  const { available, pending } = await sumTransactions(db, PLATFORM, now)
  return { available: simulator.behavior.setup.openingBalanceCents + available, pending }
}

/**
 * In cents: what transfers brought, and for the demo's account a plausible sum that is always the same, because the demo
 * begins with sales of before.
 */
export async function connectedBalance({ db, now }: Work, { id, metadata }: Account): Promise<Money> {
  const { available, pending } = await sumTransactions(db, id, now)
  if (metadata?.simulator !== 'verified') return { available, pending }
  return {
    available: available + between(`${id} available`, 48_000, 412_000),
    pending: pending + between(`${id} pending`, 9_000, 96_000),
  }
}

function between(seed: string, least: number, most: number): number {
  return Math.round(least + draw(seed) * (most - least))
}
