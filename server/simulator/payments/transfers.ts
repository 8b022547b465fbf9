import { z } from 'zod'
import { type ApiCall, apiCall, listOf } from '#server/simulator/api-call.ts'
import {
  cents,
  createdRange,
  integer,
  metadata,
  nestedParameters,
  noSuch,
  noSuchIn,
  parameters,
  StripeError,
  text,
  usd,
} from '#server/simulator/parameters.ts'
import { accountAt } from '#server/simulator/permissions.ts'
import type { Work } from '#server/simulator/simulator.ts'
import {
  changeObject,
  findObject,
  insertObject,
  listObjects,
  lockObject,
  recordEvent,
} from '#server/simulator/store.ts'
import { type Charge, newId, type Transfer, type TransferReversal } from '#server/simulator/stripe-objects.ts'
import { connectedBalance, enter, lockBalance, platformBalance } from './balance.ts'
import { availableOnOf } from './charges.ts'

/* Transfers from the platform to connected accounts, and their reversals. */

const limit = integer.pipe(z.number().min(1).max(100)).default(10)

export const transferCalls: readonly ApiCall[] = [
  apiCall(
    'POST /transfers',
    parameters({
      amount: cents,
      currency: usd,
      description: text.optional(),
      destination: text,
      metadata,
      source_transaction: text.optional(),
      transfer_group: text.optional(),
    }),
    transfer,
  ),
  apiCall('GET /transfers/:id', parameters({}), async ({ db }, _given, { id }) => {
    const found = await findObject(db, 'transfer', id)
    if (!found) throw noSuch('transfer', id)
    return found
  }),
  apiCall('POST /transfers/:id', parameters({ metadata }), async (work, { metadata }, { id }) => {
    const found = await lockTransfer(work, id)
    const fields = { metadata: { ...found.metadata, ...metadata } }
    return changeObject(work, found, { fields, type: 'transfer.updated' })
  }),
  apiCall(
    'GET /transfers',
    nestedParameters({
      created: createdRange,
      destination: text.optional(),
      limit,
      starting_after: text.optional(),
      transfer_group: text.optional(),
    }),
    async ({ db }, { created, limit, starting_after: after, ...where }) => {
      const found = await listObjects(db, { kind: 'transfer', where, created, after, limit })
      return listOf(found, '/v1/transfers', limit)
    },
  ),
  apiCall(
    'POST /transfers/:id/reversals',
    parameters({ amount: cents.optional(), description: text.optional(), metadata }),
    async (work, { amount, metadata }, { id }) =>
      reverse(work, await lockTransfer(work, id), { amount, metadata }),
  ),
  apiCall(
    'GET /transfers/:id/reversals',
    nestedParameters({ limit, starting_after: text.optional() }),
    async ({ db }, { limit, starting_after: after }, { id: owner }) => {
      const found = await listObjects(db, { kind: 'transfer_reversal', owner, after, limit })
      return listOf(found, `/v1/transfers/${owner}/reversals`, limit)
    },
  ),
]

type Wanted = {
  readonly amount: number
  readonly description?: string | undefined
  readonly destination: string
  readonly metadata: Record<string, string>
  readonly source_transaction?: string | undefined
  readonly transfer_group?: string | undefined
}

async function transfer(work: Work, wanted: Wanted): Promise<Transfer> {
  const { amount, destination } = wanted
  await refuseDestination(work, destination)
  const source = wanted.source_transaction
  const charge = source === undefined ? undefined : await lockSource(work, source, amount)
  if (charge?.transfer_group && wanted.transfer_group && charge.transfer_group !== wanted.transfer_group) {
    throw new StripeError(
      400,
      `The transfer_group of the transfer (${wanted.transfer_group}) does not match that of its source_transaction (${charge.transfer_group}).`,
      { param: 'transfer_group' },
    )
  }
  if (!charge) await refuseShortage(work, amount)
  const id = newId('tr')
  const payment = newId('py')
  const availableOn = charge ? await availableOnOf(work, charge) : work.now
  const left = await enter(work, { type: 'transfer', amount: -amount, source: id, availableOn })
  await enter(work, { account: destination, type: 'payment', amount, source: payment, availableOn })
  const made: Transfer = {
    id,
    object: 'transfer',
    amount,
    amount_reversed: 0,
    balance_transaction: left.id,
    created: work.now,
    currency: 'usd',
    description: wanted.description ?? null,
    destination,
    destination_payment: payment,
    livemode: false,
    metadata: wanted.metadata,
    reversals: { object: 'list', data: [], has_more: false, url: `/v1/transfers/${id}/reversals` },
    reversed: false,
    source_transaction: source ?? null,
    source_type: 'card',
    transfer_group: wanted.transfer_group ?? charge?.transfer_group ?? null,
  }
  await insertObject(work.db, made, source ?? null)
  await recordEvent(work, 'transfer.created', made)
  return made
}

async function refuseDestination({ db }: Work, id: string): Promise<void> {
  const account = await findObject(db, 'account', id)
  if (!account) throw noSuchIn('destination', 'destination', id)
  // An account of an earlier version has no list of capabilities.
  const isActive = account.capabilities
    ? account.capabilities.transfers === 'active'
    : account.payouts_enabled
  if (isActive) return
  throw new StripeError(
    400,
    'Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments',
    { code: 'insufficient_capabilities_for_transfer' },
  )
}

/** Locks the charge a transfer is taken from; all transfers of a charge together are at most what was captured. */
async function lockSource({ db }: Work, id: string, amount: number): Promise<Charge> {
  const charge = await lockObject(db, 'charge', id)
  if (!charge) throw noSuchIn('source_transaction', 'charge', id)
  if (!charge.captured) {
    throw new StripeError(400, `The source_transaction ${id} is not a captured charge.`, {
      param: 'source_transaction',
    })
  }
  const made = await listObjects(db, { kind: 'transfer', owner: id, limit: 100 })
  const sum = made.reduce((total, other) => total + other.amount - other.amount_reversed, 0)
  if (sum + amount <= charge.amount_captured) return charge
  throw new StripeError(
    400,
    `Transfers using this transaction as a source must not exceed the source amount of ${charge.amount_captured}. (There's already been a total of ${sum} transferred.)`,
    { param: 'amount' },
  )
}

async function refuseShortage(work: Work, amount: number): Promise<void> {
  await lockBalance(work)
  const { available } = await platformBalance(work)
  if (available >= amount) return
  throw new StripeError(400, 'You have insufficient available funds in your Stripe account.', {
    code: 'balance_insufficient',
  })
}

async function lockTransfer({ db }: Work, id: string): Promise<Transfer> {
  const found = await lockObject(db, 'transfer', id)
  if (!found) throw noSuch('transfer', id)
  return found
}

async function reverse(
  work: Work,
  transfer: Transfer,
  wanted: { readonly amount: number | undefined; readonly metadata: Record<string, string> },
): Promise<TransferReversal> {
  const rest = transfer.amount - transfer.amount_reversed
  const amount = wanted.amount ?? rest
  if (rest === 0) throw new StripeError(400, `Transfer ${transfer.id} is already fully reversed.`)
  if (amount > rest) {
    throw new StripeError(
      400,
      `Reversal amount (${amount}) is greater than the unreversed amount on the transfer (${rest}).`,
      { param: 'amount' },
    )
  }
  const account = transfer.destination
  await lockBalance(work, account)
  // Money of the transfer itself may still be pending; it goes back with it.
  const { available, pending } = await connectedBalance(work, await accountAt(work, account))
  if (available + pending < amount) {
    throw new StripeError(
      400,
      'Insufficient funds in the connected account: the balance does not cover the amount of the reversal.',
      { code: 'balance_insufficient' },
    )
  }
  const id = newId('trr')
  const common = { category: 'transfer_reversal', source: id }
  // If the available money does not cover it, it is pending as long as the transfer is: no balance is wrong in between.
  const leaving = await findObject(work.db, 'balance_transaction', transfer.balance_transaction)
  const availableOn = Math.max(work.now, available >= amount ? work.now : (leaving?.available_on ?? work.now))
  const back = await enter(work, { ...common, type: 'transfer_refund', amount, availableOn })
  await enter(work, { ...common, account, type: 'payment_refund', amount: -amount, availableOn })
  const made: TransferReversal = {
    id,
    object: 'transfer_reversal',
    amount,
    balance_transaction: back.id,
    created: work.now,
    currency: 'usd',
    metadata: wanted.metadata,
    transfer: transfer.id,
  }
  await insertObject(work.db, made, transfer.id)
  const reversed = transfer.amount_reversed + amount
  const { reversals } = transfer
  await changeObject(work, transfer, {
    fields: {
      amount_reversed: reversed,
      reversals: { ...reversals, data: [made, ...reversals.data] },
      reversed: reversed === transfer.amount,
    },
    type: 'transfer.reversed',
  })
  return made
}
