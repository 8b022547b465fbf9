import { sql } from 'kysely'
import type Stripe from 'stripe'
import { isPaid, type OrderState } from '#contract/order/order-steps.ts'
import { findLedgerProblems } from '#server/features/money/orders/money/ledger.ts'
import type { Db } from '#server/platform/database/database.ts'
import { PLATFORM } from '#server/simulator/permissions.ts'
import type { CrowdPart } from './order-crowd.ts'

/* What must hold of all orders once everything has come to rest, read from both databases: ours and the provider's. */

type Row = {
  id: string
  number: string
  state: OrderState
  paymentId: string | null
  captured: number
  refunded: number
  /** By a bank. */
  taken: number
  due: boolean
}

async function readRows(db: Db): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select id, number, state, payment_id as "paymentId", captured_cents::float8 as captured,
           refunded_cents::float8 as refunded, act_at is not null as due,
           coalesce((select sum(taken_cents) from order_dispute d where d.order_id = o.id), 0)::float8 as taken
    from part_order o order by id`.execute(db)
  return rows
}

/** All objects of a kind at the simulated provider. */
async function objectsOf<T>(provider: Db, kind: string, owner?: string): Promise<T[]> {
  const { rows } = await sql<{ body: T }>`
    select body from stripe_simulator.object
    where kind = ${kind} and coalesce(owner = ${owner ?? null}, true) order by place`.execute(provider)
  return rows.map(({ body }) => body)
}

const idOf = (ref: string | { id: string } | null | undefined): string =>
  typeof ref === 'string' ? ref : (ref?.id ?? '')

/** Returns a line for everything that is wrong. */
export async function findOrderProblems(
  { db, provider }: { db: Db; provider: Db },
  parts: readonly CrowdPart[],
): Promise<string[]> {
  const rows = await readRows(db)
  const intents = await objectsOf<Stripe.PaymentIntent>(provider, 'payment_intent')
  const charges = await objectsOf<Stripe.Charge>(provider, 'charge')
  return [
    ...(await findOversold(db, parts)),
    ...checkPayments(rows, intents, charges),
    ...(await findLedgerProblems(db)).map(({ order, problem }) => `${order}: ${problem}`),
    ...(await compareBooks(db, provider)),
    ...(await findUnfinished(db)),
  ]
}

/** No piece has two buyers, and none is gone without one. */
async function findOversold(db: Db, parts: readonly CrowdPart[]): Promise<string[]> {
  const { rows } = await sql<{ id: string; sold: number; left: number; held: number }>`
    select l.id, case when l.ended_at is null then l.quantity else 0 end as left,
           coalesce((select sum(i.quantity) from order_line i join part_order o on o.id = i.order_id
                     where i.listing_id = l.id and i.state <> 'not-found' and o.state in ('confirmed', 'ready', 'shipped', 'delivered', 'closed')), 0)::int as sold,
           coalesce((select sum(quantity) from part_hold h where h.listing_id = l.id and h.ended_at is null), 0)::int as held
    from listing l where l.id = any(${parts.map(({ id }) => id)}::uuid[])`.execute(db)
  const quantities = new Map(parts.map(({ id, quantity }) => [id, quantity]))
  return rows.flatMap(({ id, sold, left, held }) => {
    const had = quantities.get(id) ?? 0
    if (sold + left > had) return [`part ${id} had ${had}: ${sold} are sold and ${left} for sale`]
    return held > left ? [`part ${id}: ${held} are held of ${left}`] : []
  })
}

function checkPayments(
  rows: readonly Row[],
  intents: readonly Stripe.PaymentIntent[],
  charges: readonly Stripe.Charge[],
): string[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const taken = Map.groupBy(
    charges.filter(({ captured }) => captured),
    ({ payment_intent: intent }) => idOf(intent),
  )
  const problems: string[] = []
  for (const { id, metadata, status, amount_received: received } of intents) {
    const row = byId.get(metadata.order ?? '')
    const of = taken.get(id) ?? []
    const captured = of.reduce((sum, charge) => sum + charge.amount_captured, 0)
    const refunded = of.reduce((sum, charge) => sum + charge.amount_refunded, 0)
    if (!row) problems.push(`payment ${id} belongs to no order`)
    else {
      const wrong = whatIsWrong(row, { id, status, received, captured, refunded })
      problems.push(...wrong.map((what) => `${row.number} (${row.state}): ${what}`))
    }
  }
  const known = new Set(intents.map(({ metadata }) => metadata.order))
  for (const row of rows) {
    if (row.captured > 0 && !known.has(row.id)) problems.push(`${row.number} was paid without a payment`)
  }
  return problems
}

type Seen = { id: string; status: string; received: number; captured: number; refunded: number }

function whatIsWrong(row: Row, { id, status, received, captured, refunded }: Seen): string[] {
  const wrong: string[] = []
  if (row.paymentId !== null && row.paymentId !== id) wrong.push(`payment ${id} is a second one`)
  if (captured !== received) wrong.push(`${received} was received and ${captured} captured`)
  if (captured !== row.captured) wrong.push(`${captured} was taken, and the order says ${row.captured}`)
  if (refunded !== row.refunded) wrong.push(`${refunded} went back, and the order says ${row.refunded}`)
  if (status === 'requires_capture') wrong.push('its money is still only authorized')
  if (isPaid(row.state) && status !== 'succeeded') wrong.push(`its payment is ${status}`)
  if (isPaid(row.state) && captured === refunded) wrong.push('all of its money went back')
  const left = captured - refunded - row.taken
  if (!isPaid(row.state) && left !== 0) wrong.push(`${left} belongs to nobody`)
  return wrong
}

/** Our provider account against the provider's own list, entry by entry. */
async function compareBooks(db: Db, provider: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string; why: string; cents: number }>`
    select provider_id as id, why, amount_cents::float8 as cents from ledger_entry where account = 'provider'`.execute(
    db,
  )
  const ours = new Map<string, number>()
  for (const { id, cents } of rows) ours.set(id, (ours.get(id) ?? 0) + cents)
  const problems: string[] = []
  // Not those of the yards' accounts.
  const kind = 'balance_transaction'
  const transactions = await objectsOf<Stripe.BalanceTransaction>(provider, kind, PLATFORM)
  let theirs = 0
  for (const { id, source, amount, fee, net, type } of transactions) {
    theirs += net
    const of = idOf(source)
    if (type === 'charge') {
      if (ours.get(of) !== amount) problems.push(`${of} brought ${amount}, and we wrote ${ours.get(of)}`)
      if (ours.get(id) !== -fee) problems.push(`${id} cost ${fee}, and we wrote ${ours.get(id)}`)
    } else if (type === 'refund' && ours.get(of) !== amount) {
      problems.push(`${of} took ${amount}, and we wrote ${ours.get(of)}`)
    }
  }
  const sum = [...ours.values()].reduce((total, cents) => total + cents, 0)
  if (sum !== theirs) problems.push(`the provider has ${theirs}, and our books ${sum}`)
  return problems
}

async function findUnfinished(db: Db): Promise<string[]> {
  const [steps, refunds, jobs] = await Promise.all([
    sql<{ what: string; n: number }>`
      select 'steps of ' || kind || ' ' || state as what, count(*)::int as n from order_step
      where state in ('wanted', 'failed') group by 1`.execute(db),
    sql<{ what: string; n: number }>`
      select 'refunds ' || state as what, count(*)::int as n from order_refund where state <> 'succeeded' group by 1
    `.execute(db),
    sql<{ what: string; n: number }>`
      select 'jobs of ' || queue || ' failed: ' || coalesce(error, '') as what, count(*)::int as n from job
      where status = 'failed' group by 1`.execute(db),
  ])
  return [steps, refunds, jobs].flatMap(({ rows }) => rows.map(({ what, n }) => `${n} ${what}`))
}

/** How many orders ended how. */
export async function countStates(db: Db): Promise<Record<string, number>> {
  const { rows } = await sql<{ state: string; n: number }>`
    select state, count(*)::int as n from part_order group by state order by n desc`.execute(db)
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]))
}

/** Moves every order past whatever it waits for. */
export async function ageOrders(db: Db): Promise<void> {
  await sql`
    update part_order set act_at = now() - interval '1 second' where act_at > now() and held_at is null`.execute(
    db,
  )
  await sql`
    update part_order set updated_at = updated_at - interval '10 minutes', shipped_at = shipped_at - interval '20 days',
      ready_at = ready_at - interval '20 days', ship_by = ship_by - interval '20 days'
    where state in ('authorized', 'capturing', 'confirmed', 'ready', 'shipped')
       or (captured_cents > 0 and fee_cents is null)`.execute(db)
  await sql`update order_step set created_at = created_at - interval '10 minutes' where state = 'wanted'`.execute(
    db,
  )
}

/** Orders that still wait for something: none, once everything has come to rest. */
export async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from part_order where act_at is not null and held_at is null
              or state in ('quoting', 'pending', 'authorized', 'capturing', 'confirmed', 'ready', 'shipped')
              or (captured_cents > 0 and fee_cents is null))::int
         + (select count(*) from order_step where state = 'wanted')::int
         + (select count(*) from order_refund where state in ('requested', 'pending'))::int
         + (select count(*) from job where status in ('queued', 'running', 'retrying')
              and queue in ('order-steps', 'read-provider'))::int as n`.execute(db)
  return rows[0]?.n ?? 0
}
