import type Stripe from 'stripe'
import { afterEach, describe, expect, test } from 'vitest'
import { sell, takeMoney } from '#tests/support/simulated-sales.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'

/* Money that goes to sellers at the simulator: accounts, transfers, reversals and payouts. */

const simulator = await startTestSimulator()
const stripe = simulator.sdk()

afterEach(() => simulator.behave({}))

const DAY_MS = 24 * 3_600_000
const CONTROLLER = {
  fees: { payer: 'application' },
  losses: { payments: 'application' },
  requirement_collection: 'stripe',
  stripe_dashboard: { type: 'express' },
} as const
const BOTH = { transfers: { requested: true }, card_payments: { requested: true } }

/** An account that has been onboarded; its balance is empty, unlike that of the demo's. */
async function openYard(stage = 'verified'): Promise<string> {
  const { id } = await stripe.accounts.create({ controller: CONTROLLER, capabilities: BOTH, country: 'US' })
  await simulator.control('POST', '/accounts', { account: id, stage })
  return id
}

async function balanceOf(account?: string): Promise<{ available: number; pending: number }> {
  const balance = await stripe.balance.retrieve({}, account ? { stripeAccount: account } : {})
  return { available: balance.available[0]?.amount ?? 0, pending: balance.pending[0]?.amount ?? 0 }
}

async function eventsOf(id: string): Promise<Stripe.Event[]> {
  const { data } = await stripe.events.list({ limit: 100 })
  return data.filter(({ data: { object } }) => 'id' in object && object.id === id).reverse()
}

const typesOf = async (id: string) => (await eventsOf(id)).map(({ type }) => type)

describe('accounts', () => {
  test('are made with a controller, and their capabilities follow the stages', async () => {
    const made = await stripe.accounts.create({ controller: CONTROLLER, capabilities: BOTH })
    expect(made).toMatchObject({
      type: 'none',
      controller: { ...CONTROLLER, type: 'application', is_controller: true },
      capabilities: { transfers: 'inactive', card_payments: 'inactive' },
    })
    for (const [stage, status] of [
      ['under review', 'pending'],
      ['verified', 'active'],
      ['in need of a document', 'active'],
      ['paused', 'inactive'],
      ['rejected', 'inactive'],
    ]) {
      await simulator.control('POST', '/accounts', { account: made.id, stage })
      expect((await stripe.accounts.retrieve(made.id)).capabilities).toEqual({
        transfers: status,
        card_payments: status,
      })
    }
  })

  test('have what was asked for; more can be asked later', async () => {
    const made = await stripe.accounts.create({
      type: 'express',
      capabilities: { transfers: { requested: true } },
    })
    expect(made.capabilities).toEqual({ transfers: 'inactive' })
    expect(made).toMatchObject({ type: 'express', controller: { losses: { payments: 'application' } } })
    const asked = await stripe.accounts.update(made.id, { capabilities: BOTH, metadata: { seller: '7' } })
    expect(asked).toMatchObject({
      capabilities: { transfers: 'inactive', card_payments: 'inactive' },
      metadata: { seller: '7' },
    })
    await expect(stripe.accounts.create({ type: 'express', controller: CONTROLLER })).rejects.toThrow(
      'type, controller',
    )
    await expect(
      stripe.accounts.create({ controller: { fees: { payer: 'nobody' } } as object }),
    ).rejects.toMatchObject({ param: 'controller[fees][payer]' })
  })

  test('the platform’s own account names its payout schedule and statement prefix', async () => {
    expect((await stripe.accounts.retrieveCurrent()).settings).toMatchObject({
      card_payments: { statement_descriptor_prefix: 'PARTHARBOR' },
      payouts: { schedule: { interval: 'manual' } },
    })
    await simulator.behave({ setup: { payoutSchedule: 'daily', statementPrefix: 'PARTS' } })
    expect((await stripe.accounts.retrieveCurrent()).settings).toMatchObject({
      card_payments: { statement_descriptor_prefix: 'PARTS' },
      payouts: { schedule: { interval: 'daily' } },
    })
  })

  test('tax registrations are those that are set up', async () => {
    expect((await stripe.tax.registrations.list({ status: 'active' })).data).toEqual([])
    await simulator.behave({ setup: { taxStates: ['OK', 'TX'] } })
    const { data } = await stripe.tax.registrations.list({ status: 'active' })
    expect(data.map(({ country_options: { us } }) => us?.state)).toEqual(['OK', 'TX'])
    expect((await stripe.tax.registrations.list({ status: 'expired' })).data).toEqual([])
  })
})

describe('transfers', () => {
  test('bring pending money that is available when the charge’s is', async () => {
    const destination = await openYard()
    const { charge } = await takeMoney(simulator, stripe)
    const before = await balanceOf()
    const transfer = await stripe.transfers.create({
      amount: 9_000,
      currency: 'usd',
      destination,
      source_transaction: charge.id,
      metadata: { order: '7' },
    })
    expect(transfer).toMatchObject({
      amount: 9_000,
      amount_reversed: 0,
      destination,
      reversed: false,
      source_transaction: charge.id,
      // The charge's.
      transfer_group: 'order_7',
    })
    expect(await balanceOf(destination)).toEqual({ available: 0, pending: 9_000 })
    expect(await balanceOf()).toEqual({ ...before, pending: before.pending - 9_000 })
    const own = await stripe.balanceTransactions.list({}, { stripeAccount: destination })
    expect(own.data).toMatchObject([{ type: 'payment', amount: 9_000, source: transfer.destination_payment }])
    expect(await typesOf(transfer.id)).toEqual(['transfer.created'])
    expect((await stripe.transfers.list({ transfer_group: 'order_7' })).data).toMatchObject([
      { id: transfer.id },
    ])
    expect((await stripe.transfers.list({ destination })).data).toHaveLength(1)
    await simulator.behave({ clockAheadMs: 2 * DAY_MS + 5_000 })
    expect(await balanceOf(destination)).toEqual({ available: 9_000, pending: 0 })
  })

  test('of a charge together never exceed it', async () => {
    const destination = await openYard()
    const { intent, charge } = await sell(stripe)
    await stripe.paymentIntents.capture(intent.id, { amount_to_capture: 5_000 })
    const send = (amount: number) =>
      stripe.transfers.create({ amount, currency: 'usd', destination, source_transaction: charge.id })
    await expect(send(5_001)).rejects.toMatchObject({ statusCode: 400, param: 'amount' })
    const results = await Promise.allSettled([send(3_000), send(3_000)])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(send(2_001)).rejects.toThrow("There's already been a total of 3000 transferred.")
    expect((await send(2_000)).amount).toBe(2_000)
  })

  test('need a captured charge, a matching group and a destination with transfers', async () => {
    const destination = await openYard()
    const authorized = await sell(stripe)
    const send = (more: Partial<Stripe.TransferCreateParams>) =>
      stripe.transfers.create({ amount: 100, currency: 'usd', destination, ...more })
    await expect(send({ source_transaction: authorized.charge.id })).rejects.toThrow('not a captured charge')
    await expect(send({ source_transaction: 'ch_nothing' })).rejects.toMatchObject({
      code: 'resource_missing',
      param: 'source_transaction',
    })
    await expect(send({ destination: 'acct_nothing' })).rejects.toMatchObject({
      code: 'resource_missing',
      param: 'destination',
    })
    const { charge } = await takeMoney(simulator, stripe)
    await expect(send({ source_transaction: charge.id, transfer_group: 'order_8' })).rejects.toMatchObject({
      param: 'transfer_group',
    })
    for (const stage of ['under review', 'paused', 'unfinished']) {
      await expect(send({ destination: await openYard(stage) })).rejects.toMatchObject({
        statusCode: 400,
        code: 'insufficient_capabilities_for_transfer',
      })
    }
  })

  test('without a charge take the available balance', async () => {
    const destination = await openYard()
    const { available } = await balanceOf()
    const send = (amount: number) => stripe.transfers.create({ amount, currency: 'usd', destination })
    await expect(send(available + 1)).rejects.toMatchObject({ code: 'balance_insufficient' })
    await send(1_000)
    expect(await balanceOf(destination)).toEqual({ available: 1_000, pending: 0 })
    expect((await balanceOf()).available).toBe(available - 1_000)
  })
})

describe('reversals', () => {
  async function transferred(amount: number): Promise<Stripe.Transfer> {
    const destination = await openYard()
    return stripe.transfers.create({ amount, currency: 'usd', destination })
  }

  test('take the money back, in part and the rest', async () => {
    const { id, destination } = await transferred(5_000)
    const before = await balanceOf()
    const part = await stripe.transfers.createReversal(id, { amount: 2_000, metadata: { refund: '1' } })
    expect(part).toMatchObject({ amount: 2_000, transfer: id, metadata: { refund: '1' } })
    expect(await balanceOf(String(destination))).toEqual({ available: 3_000, pending: 0 })
    expect(await balanceOf()).toEqual({ ...before, available: before.available + 2_000 })
    await expect(stripe.transfers.createReversal(id, { amount: 3_001 })).rejects.toMatchObject({
      param: 'amount',
    })
    await stripe.transfers.createReversal(id)
    const reversed = await stripe.transfers.retrieve(id)
    expect(reversed).toMatchObject({ amount_reversed: 5_000, reversed: true })
    expect(reversed.reversals.data).toHaveLength(2)
    expect((await stripe.transfers.listReversals(id)).data.map(({ amount }) => amount)).toEqual([
      3_000, 2_000,
    ])
    await expect(stripe.transfers.createReversal(id)).rejects.toThrow('already fully reversed')
    expect(await typesOf(id)).toEqual(['transfer.created', 'transfer.reversed', 'transfer.reversed'])
  })

  test('of money that is still pending leave both balances as they were', async () => {
    const destination = await openYard()
    const { charge } = await takeMoney(simulator, stripe)
    const before = await balanceOf()
    const { id } = await stripe.transfers.create({
      amount: 4_000,
      currency: 'usd',
      destination,
      source_transaction: charge.id,
    })
    await stripe.transfers.createReversal(id)
    expect(await balanceOf(destination)).toEqual({ available: 0, pending: 0 })
    expect(await balanceOf()).toEqual(before)
  })

  test('beyond the seller’s balance are 400', async () => {
    const { id, destination } = await transferred(5_000)
    const account = String(destination)
    await stripe.payouts.create({ amount: 4_000, currency: 'usd' }, { stripeAccount: account })
    await expect(stripe.transfers.createReversal(id)).rejects.toMatchObject({
      statusCode: 400,
      code: 'balance_insufficient',
    })
    expect(await balanceOf(account)).toEqual({ available: 1_000, pending: 0 })
    expect((await stripe.transfers.createReversal(id, { amount: 1_000 })).amount).toBe(1_000)
    await expect(stripe.transfers.createReversal('tr_nothing')).rejects.toMatchObject({ statusCode: 404 })
  })
})

describe('payouts', () => {
  async function funded(): Promise<string> {
    const destination = await openYard()
    await stripe.transfers.create({ amount: 5_000, currency: 'usd', destination })
    return destination
  }

  test('of a schedule are paid, with events of the account', async () => {
    const account = await funded()
    const { id } = (await simulator.control('POST', '/payouts', {
      account,
      amountCents: 5_000,
    })) as Stripe.Payout
    const options = { stripeAccount: account }
    await expect.poll(() => typesOf(id)).toEqual(['payout.created', 'payout.paid'])
    expect((await eventsOf(id)).map((event) => event.account)).toEqual([account, account])
    expect((await stripe.payouts.list({}, options)).data).toMatchObject([
      { id, amount: 5_000, automatic: true, status: 'paid' },
    ])
    expect(await balanceOf(account)).toEqual({ available: 0, pending: 0 })
    expect((await stripe.payouts.list()).data).toEqual([])
    await expect(stripe.payouts.retrieve(id)).rejects.toMatchObject({ statusCode: 404 })
    await expect(simulator.control('POST', '/payouts', { account, amountCents: 1 })).rejects.toThrow(
      'insufficient funds',
    )
  })

  test('set to fail are paid first, then the money comes back', async () => {
    const account = await funded()
    await simulator.behave({ payouts: 'fail', balanceDelayMs: 0, failureDelayMs: 60_000 })
    const options = { stripeAccount: account }
    const { id } = await stripe.payouts.create({ amount: 2_000, currency: 'usd' }, options)
    expect(await stripe.payouts.retrieve(id, {}, options)).toMatchObject({ status: 'paid' })
    await simulator.behave({ clockAheadMs: 61_000 })
    expect(await stripe.payouts.retrieve(id, {}, options)).toMatchObject({
      status: 'failed',
      failure_code: 'account_closed',
    })
    expect(await balanceOf(account)).toEqual({ available: 5_000, pending: 0 })
    expect(await typesOf(id)).toEqual(['payout.created', 'payout.paid', 'payout.failed'])
  })
})

test('the platform’s balance is the sum of its transactions', async () => {
  await simulator.behave({ setup: { openingBalanceCents: 0 } })
  let sum = 0
  for await (const { net } of stripe.balanceTransactions.list({ limit: 100 })) sum += net
  const { available, pending } = await balanceOf()
  expect(available + pending).toBe(sum)
})
