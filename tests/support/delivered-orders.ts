import { sql } from 'kysely'
import type Stripe from 'stripe'
import type { LedgerAccount } from '#contract/order/money/ledger.ts'
import { readLedger } from '#server/features/money/orders/money/ledger.ts'
import { performSteps } from '#server/features/money/orders/money/provider-steps.ts'
import type { openOrderClock } from './order-clock.ts'
import { openShop, type PlacedOrder, type Shop } from './shop.ts'
import type { TestSimulator } from './simulator.ts'
import type { SignedIn, TestApp } from './test-app.ts'

/* Yards with a payout account at the provider, and orders that were delivered. */

export type Delivered = PlacedOrder & {
  id: string
  seller: SignedIn
  by: ReturnType<ReturnType<typeof openShop>['buyer']>
}

type Parts = { app: TestApp; simulator: TestSimulator; clock: ReturnType<typeof openOrderClock> }

export function openDelivery({ app, simulator, clock }: Parts) {
  const shop = openShop(app)
  const sdk = simulator.sdk()

  /** Gives a yard an account at the provider, which can receive transfers. */
  async function giveAccount(seller: SignedIn, stage = 'verified'): Promise<string> {
    const sellerId = await shop.sellerIdOf(seller)
    const { id } = await sdk.accounts.create({
      type: 'express',
      capabilities: { transfers: { requested: true }, card_payments: { requested: true } },
      metadata: { sellerId },
    })
    await simulator.control('POST', '/accounts', { account: id, stage })
    await sql`
      update seller set stripe_account_id = ${id}, can_transfer = ${stage === 'verified'} where id = ${sellerId}
    `.execute(app.db)
    return id
  }

  async function yard(part: Record<string, unknown> = {}): Promise<Shop & { accountId: string }> {
    const made = await shop.yard(part)
    return { ...made, accountId: await giveAccount(made.seller) }
  }

  /** Somebody buys a part of $100 with $15 shipping, and it is received. */
  async function deliver(
    seller: SignedIn,
    part: Record<string, unknown> = {},
    total = 115,
  ): Promise<Delivered> {
    const listing = await shop.addPart(seller, part)
    const by = shop.buyer()
    const placed = await by.buys(listing.partslug, { expectedTotal: total })
    await shop.pay(placed, by)
    const { id } = placed.order
    await shop.act(seller, id, 'confirm')
    await shop.act(seller, id, 'ship', { carrier: 'ups', tracking: '1Z4' })
    const { body } = await by.act('received', placed.token)
    if (body.state !== 'delivered') throw new Error(`the order is ${body.state}: ${body.error}`)
    return { ...placed, id, by, seller }
  }

  /** Its day has come. */
  const comeDue = ({ id }: { id: string }) =>
    sql`update part_order set release_at = now() - interval '1 second' where id = ${id}`.execute(app.db)

  /** Delivered, its day come, and the sweep done. */
  async function deliverAndRelease(seller: SignedIn, part: Record<string, unknown> = {}): Promise<Delivered> {
    const order = await deliver(seller, part)
    await comeDue(order)
    await clock.release()
    return order
  }

  const refund = (order: Delivered, lines: readonly { kind: string; amount: number }[]) =>
    shop.act(order.seller, order.id, 'refund', { lines, reason: 'Wrong part' })

  /** What is wanted of the provider is done, as by its job. */
  const perform = (order: Delivered) => performSteps(clock.deps, order.id, clock.deps.calls())

  async function balances({ id }: { id: string }): Promise<Partial<Record<LedgerAccount, number>>> {
    const sums: Partial<Record<LedgerAccount, number>> = {}
    for (const { account, cents } of await readLedger(app.db, id))
      sums[account] = (sums[account] ?? 0) + cents
    return Object.fromEntries(Object.entries(sums).filter(([, cents]) => cents !== 0))
  }

  const transfersOf = async ({ id }: { id: string }): Promise<Stripe.Transfer[]> =>
    (await sdk.transfers.list({ transfer_group: id, limit: 100 })).data

  /** Pays out what the yard's account has, so that nothing can be taken back of it. */
  const empty = async (accountId: string): Promise<void> => {
    const behind = 3 * 86_400_000
    await simulator.behave({ clockAheadMs: behind })
    const { available } = await sdk.balance.retrieve({}, { stripeAccount: accountId })
    const amountCents = available[0]?.amount ?? 0
    if (amountCents > 0) await simulator.control('POST', '/payouts', { account: accountId, amountCents })
  }

  return {
    shop,
    yard,
    giveAccount,
    deliver,
    comeDue,
    deliverAndRelease,
    refund,
    perform,
    balances,
    transfersOf,
    empty,
  }
}
