import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import Stripe from 'stripe'
import type { OrderAmount } from '#contract/order/order-quote.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type Random, seededRandom } from '#server/platform/seeded-random.ts'
import type { Caller, Links } from './order-crowd.ts'
import { SIMULATOR_KEY } from './simulator.ts'

/*
 * What happens to the money of many orders: released, refunded later, reversed, owed and deducted from later sales; parts
 * that come back or are claimed, cores, and disputes at banks.
 */

export type Seller = { readonly token: string; readonly sellerId: string }

function openProvider(url: string): Stripe {
  const { hostname, port } = new URL(url)
  return new Stripe(SIMULATOR_KEY, {
    host: hostname,
    port,
    protocol: 'http',
    maxNetworkRetries: 3,
    telemetry: false,
  })
}

async function control(url: string, path: string, body: object): Promise<boolean> {
  const reply = await fetch(`${url}/simulator${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => undefined)
  await reply?.body?.cancel()
  return reply?.ok === true
}

/** Gives a yard a payout account that can receive transfers. */
export async function openAccount(db: Db, url: string, sellerId: string): Promise<void> {
  const { id } = await openProvider(url).accounts.create({
    type: 'express',
    capabilities: { transfers: { requested: true }, card_payments: { requested: true } },
    metadata: { sellerId },
  })
  if (!(await control(url, '/accounts', { account: id, stage: 'verified' })))
    throw new Error(`${id} was not verified`)
  await sql`update seller set stripe_account_id = ${id}, can_transfer = true where id = ${sellerId}`.execute(
    db,
  )
}

/** The day of delivered orders has come (of all, or of a share), and whatever waits for another try is tried now. */
export async function ageReleases(db: Db, share = 1): Promise<void> {
  await sql`
    update part_order set release_at = least(release_at, now() - interval '1 second'),
      delivered_at = least(delivered_at, now() - interval '40 days'),
      return_until = least(return_until, now() - interval '1 second')
    where state = 'delivered' and abs(hashtext(id::text)) % 100 < ${share * 100}`.execute(db)
  await sql`
    update order_return set act_at = least(act_at, now() - interval '1 second')
    where act_at is not null and abs(hashtext(id::text)) % 100 < ${share * 100}`.execute(db)
  await sql`
    update part_order set core_by = least(core_by, now() - interval '1 second')
    where core_state = 'open' and abs(hashtext(id::text)) % 100 < ${share * 100}`.execute(db)
  await sql`
    update order_step set try_at = now(), created_at = created_at - interval '10 minutes'
    where state = 'wanted' and kind in ('transfer', 'reverse')`.execute(db)
}

/** Orders whose money has not come to rest. */
export async function countMoving(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from part_order where state = 'delivered' and held_at is null)::int
         + (select count(*) from part_order o where to_release and exists (
              select from order_transfer where order_id = o.id))::int
         + (select count(*) from order_step where state = 'wanted')::int
         + (select count(*) from order_return where act_at is not null)::int
         + (select count(*) from order_dispute where closed_at is null)::int
         + (select count(*) from order_refund where state in ('requested', 'pending'))::int as n`.execute(db)
  return rows[0]?.n ?? 0
}

type Playing = {
  db: Db
  simulatorUrl: string
  sellers: readonly Seller[]
  caller: Caller
  /** What the buyers know of their orders. */
  links: Links
  seed: string
  /** Disturbs: a process is killed, say. */
  disturb: (round: number) => Promise<void>
}

const ROUNDS = 4
const ROUND_MS = 6_000

/** Refunds a share of what was delivered while its money moves; in between, some yards' accounts are paid out. */
export async function playAfterSale(playing: Playing): Promise<void> {
  const { db, sellers, seed, disturb } = playing
  for (let round = 0; round < ROUNDS; round += 1) {
    // Later sales pay the debts of earlier ones.
    await ageReleases(db, (round + 1) / ROUNDS)
    const random = seededRandom(`after ${seed} ${round}`)
    await Promise.all([disturb(round), ...sellers.map((seller) => refundSome(playing, seller, random))])
    await Promise.all(sellers.map((seller) => sendSomeBack(playing, seller, random)))
    await disputeSome(playing, random)
    await sleep(ROUND_MS)
    await payOutSome(playing, random)
    await decideDisputes(playing.simulatorUrl, random)
  }
}

type Back = { id: string; orderId: string; kind: string; state: string }

/** Buyers ask for returns, claim, and send parts and cores; yards answer, decline or say nothing. */
async function sendSomeBack(
  { db, caller, links }: Playing,
  { token, sellerId }: Seller,
  random: Random,
): Promise<void> {
  const { rows: orders } = await sql<{ id: string; hasCore: boolean }>`
    select id, core_state = 'open' as "hasCore" from part_order
    where seller_id = ${sellerId} and state in ('delivered', 'closed') order by id`.execute(db)
  const asBuyer = (orderId: string, path: string, body: object) => {
    const link = links.get(orderId)
    return (
      link && caller.ask('POST', `/orders/${path}`, { ip: link.ip, body: { token: link.token, ...body } })
    )
  }
  for (const { id, hasCore } of orders) {
    if (hasCore === true && random.chance(0.5)) await asBuyer(id, 'return', { kind: 'core' })
    if (!random.chance(0.15)) continue
    const [kind, reason] = random.chance(0.5) ? ['claim', 'damaged'] : ['return', 'not-needed']
    await asBuyer(id, 'return', { kind, reason, text: 'See the crack' })
  }
  const { rows } = await sql<Back>`
    select r.id, r.order_id as "orderId", r.kind, r.state from order_return r join part_order o on o.id = r.order_id
    where o.seller_id = ${sellerId} and r.state in ('asked', 'approved', 'sent', 'declined') order by r.id`.execute(
    db,
  )
  for (const back of rows) {
    const { id, orderId } = back
    const deed = DEEDS[back.state]?.(back, random.next())
    if (deed && 'answer' in deed)
      await caller.ask('POST', `/seller/orders/${orderId}/returns/${id}`, { token, body: deed })
    else if (deed) await asBuyer(orderId, 'return/step', { returnId: id, ...deed })
  }
}

type ReturnDeed = { answer: string; reason?: string } | { step: string; carrier?: string }

/** What the yard answers, or the buyer does; undefined: nothing, until the time is over. */
const DEEDS: Readonly<Record<string, (back: Back, luck: number) => ReturnDeed | undefined>> = {
  asked: (_, luck) => {
    if (luck < 0.5) return { answer: 'approve' }
    return luck < 0.75 ? { answer: 'decline', reason: 'It was whole' } : undefined
  },
  approved: ({ kind }, luck) =>
    kind === 'return' && luck < 0.7 ? { step: 'send', carrier: 'ups' } : undefined,
  sent: (_, luck) => (luck < 0.7 ? { answer: 'received' } : undefined),
  declined: (_, luck) => (luck < 0.5 ? { step: 'appeal' } : undefined),
}

/** Banks dispute some payments, also of orders whose money is at the yard already. */
async function disputeSome({ db, simulatorUrl: url }: Playing, random: Random): Promise<void> {
  const { rows } = await sql<{ charge: string }>`
    select charge_id as charge from part_order o
    where state in ('shipped', 'delivered', 'closed') and charge_id is not null and not disputed
      and not exists (select from order_dispute d where d.order_id = o.id)
      -- What is refunded right now cannot be disputed.
      and not exists (select from order_refund r where r.order_id = o.id and r.state in ('requested', 'pending'))
    order by id`.execute(db)
  for (const { charge } of rows) if (random.chance(0.05)) await control(url, '/disputes', { charge })
}

/** Banks decide what is open. */
export async function decideDisputes(url: string, random: Random): Promise<void> {
  const { data } = await openProvider(url).disputes.list({ limit: 100 })
  for (const { id, status } of data) {
    if (status !== 'needs_response' && status !== 'under_review') continue
    await control(url, '/disputes/close', { dispute: id, outcome: random.chance(0.5) ? 'won' : 'lost' })
  }
}

async function refundSome(
  { db, caller }: Playing,
  { token, sellerId }: Seller,
  random: Random,
): Promise<void> {
  const { rows } = await sql<{ id: string; left: number }>`
    select id, (captured_cents - refunded_cents)::float8 as left from part_order
    where seller_id = ${sellerId} and state in ('delivered', 'closed') order by id`.execute(db)
  for (const { id, left } of rows) {
    if (!random.chance(0.15)) continue
    const amount = random.chance(0.5) ? 10 : Math.min(100, left / 100)
    const lines: OrderAmount[] = [{ kind: 'part', amount }]
    const body = { lines, reason: `Came back ${random.whole(1, 9)}` }
    await caller.ask('POST', `/seller/orders/${id}/refund`, { token, body })
  }
}

/** Days later: what was transferred is the bank's, so that a refund after it finds nothing to take back. */
async function payOutSome({ db, simulatorUrl: url, sellers }: Playing, random: Random): Promise<void> {
  await control(url, '/behavior', { clockAheadMs: 3 * 86_400_000 })
  for (const { sellerId } of sellers.filter(() => random.chance(0.5))) {
    const { rows } = await sql<{ id: string | null }>`
      select stripe_account_id as id from seller where id = ${sellerId}`.execute(db)
    const stripeAccount = rows[0]?.id
    if (!stripeAccount) continue
    const { available } = await openProvider(url).balance.retrieve({}, { stripeAccount })
    const amountCents = available[0]?.amount ?? 0
    if (amountCents > 0) await control(url, '/payouts', { account: stripeAccount, amountCents })
  }
}

/** What must hold of the money that moved, read from both databases. Returns a line for everything that is wrong. */
export async function findMoneyProblems(db: Db, provider: Db): Promise<string[]> {
  const { rows: transfers } = await sql<{ body: Stripe.Transfer }>`
    select body from stripe_simulator.object where kind = 'transfer'`.execute(provider)
  const { rows: orders } = await sql<{
    id: string
    number: string
    left: number
    debt: number
    ours: number
  }>`
    select o.id, o.number,
           (o.captured_cents - o.refunded_cents
             - coalesce((select sum(taken_cents) from order_dispute d where d.order_id = o.id), 0))::float8 as left,
           coalesce((select sum(amount_cents) from ledger_entry e
                     where e.order_id = o.id and account = 'seller-debt' and why = 'owed'), 0)::float8 as debt,
           coalesce((select sum(cents - reversed_cents) from order_transfer where order_id = o.id), 0)::float8 as ours
    from part_order o`.execute(db)
  const byOrder = Map.groupBy(transfers, ({ body }) => body.transfer_group ?? '')
  const steps = transfers.map(({ body }) => body.metadata.step)
  const twice = steps.filter((step, at) => steps.indexOf(step) !== at)
  const problems = twice.map((step) => `step ${step} made two transfers`)
  for (const { id, number, left, debt, ours } of orders) {
    const sent = (byOrder.get(id) ?? []).reduce(
      (sum, { body }) => sum + body.amount - body.amount_reversed,
      0,
    )
    if (sent !== ours) problems.push(`${number}: ${sent} was transferred, and we wrote ${ours}`)
    if (sent > left + debt) problems.push(`${number}: ${sent} was transferred of ${left}`)
  }
  return problems
}
