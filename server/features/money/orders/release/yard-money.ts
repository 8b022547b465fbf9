import { sql } from 'kysely'
import type { LedgerAccount } from '#contract/order/money/ledger.ts'
import { orderPayoutOf, type ReleaseFacts } from '#contract/order/money/release-path.ts'
import { releaseRule } from '#contract/order/money/release-rules.ts'
import type { OrderPayout, OwnPayouts, PayoutState } from '#contract/order/money/release-views.ts'
import { debtOf } from '#server/features/money/orders/money/ledger.ts'
import { type Order, readOrders } from '#server/features/money/orders/orders.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { listMoves, type Move } from './moves.ts'
import { readSalesRecord } from './release-day.ts'

/* A yard's money: of an order, and of all. */

export type YardMoney = { transferredCents: number; payout: OrderPayout }

/** The money of some orders as their yards see it, in a few statements for a whole page. */
export async function readYardMoney(
  db: Db,
  orders: readonly Order[],
  now = new Date(),
): Promise<Map<string, YardMoney>> {
  const ids = orders.map(({ id }) => id)
  const sellerIds = [...new Set(orders.map(({ sellerId }) => sellerId))]
  const [balances, netted, paid, moves, yards] = await Promise.all([
    readBalances(db, ids),
    readNetted(db, ids),
    readPaid(db, ids),
    listMoves(db, ids),
    Promise.all(
      sellerIds.map(async (id) => {
        const [record, debtCents] = await Promise.all([readSalesRecord(db, id, now), debtOf(db, id)])
        return [id, { rule: releaseRule(record), hasDebt: debtCents > 0 }] as const
      }),
    ).then((all) => new Map(all)),
  ])
  return new Map(
    orders.flatMap((order) => {
      const yard = yards.get(order.sellerId)
      if (!yard) return []
      const facts = factsOf(order, {
        balances: balances.get(order.id) ?? new Map(),
        nettedCents: netted.get(order.id) ?? 0,
        transfers: paid.get(order.id) ?? [],
        moves: moves.filter(({ orderId }) => orderId === order.id),
        ...yard,
      })
      const transferredCents = facts.transfers.reduce((sum, { cents }) => sum + cents, 0)
      return [[order.id, { transferredCents, payout: orderPayoutOf(facts, now) }] as const]
    }),
  )
}

type Around = {
  balances: ReadonlyMap<LedgerAccount, number>
  nettedCents: number
  transfers: ReleaseFacts['transfers']
  moves: readonly Move[]
  rule: ReleaseFacts['rule']
  hasDebt: boolean
}

function factsOf(
  order: Order,
  { balances, nettedCents, transfers, moves, rule, hasDebt }: Around,
): ReleaseFacts {
  const owed = (account: LedgerAccount) => -(balances.get(account) ?? 0)
  const waiting = moves.find(({ kind, state }) => kind === 'transfer' && state === 'wanted')
  return {
    state: order.state,
    capturedCents: order.capturedCents,
    royaltyCents: owed('royalty'),
    feeCents: order.feeCents,
    taxCents: owed('tax'),
    coreCents: owed('core'),
    refundedCents: order.refundedCents,
    refundDueCents: owed('refunds-due'),
    heldCents: owed('held'),
    nettedCents,
    owedCents: (balances.get('seller-debt') ?? 0) + nettedCents,
    hasDebt,
    transfers,
    releaseAt: order.releaseAt?.toISOString() ?? null,
    rule,
    stopped: stoppedBy(order),
    problem: waiting && waiting.tries > 0 ? waiting.problem : null,
    timeZone: order.timeZone,
  }
}

function stoppedBy({ heldAt, disputed, openReturns }: Order): ReleaseFacts['stopped'] {
  if (disputed) return 'dispute'
  if (heldAt !== null) return 'hold'
  return openReturns > 0 ? 'return' : null
}

async function readBalances(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, Map<LedgerAccount, number>>> {
  const { rows } = await sql<{ orderId: string; account: LedgerAccount; cents: number }>`
    select order_id as "orderId", account, sum(amount_cents)::float8 as cents from ledger_entry
    where order_id = any(${[...ids]}::uuid[]) group by 1, 2`.execute(db)
  const byOrder = Map.groupBy(rows, ({ orderId }) => orderId)
  return new Map(
    [...byOrder].map(([id, of]) => [id, new Map(of.map(({ account, cents }) => [account, cents]))]),
  )
}

/** What was kept of these orders for what their yards owed. */
async function readNetted(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ orderId: string; cents: number }>`
    select order_id as "orderId", sum(amount_cents)::float8 as cents from ledger_entry
    where order_id = any(${[...ids]}::uuid[]) and account = 'held' and why = 'netted' group by 1`.execute(db)
  return new Map(rows.map(({ orderId, cents }) => [orderId, cents]))
}

type Paid = {
  orderId: string
  cents: number
  madeAt: Date
  state: PayoutState | null
  arrivesAt: Date | null
}

async function readPaid(db: Db, ids: readonly string[]): Promise<Map<string, ReleaseFacts['transfers']>> {
  const { rows } = await sql<Paid>`
    select t.order_id as "orderId", (t.cents - t.reversed_cents)::float8 as cents, t.made_at as "madeAt", p.state,
           p.arrives_at as "arrivesAt"
    from order_transfer t left join seller_payout p on p.id = t.payout_id
    where t.order_id = any(${[...ids]}::uuid[]) order by t.made_at desc, t.id`.execute(db)
  const byOrder = Map.groupBy(rows, ({ orderId }) => orderId)
  const shown = ({ cents, madeAt, state, arrivesAt }: Paid) => ({
    cents,
    madeAt: madeAt.toISOString(),
    payout: state && arrivesAt && { state, arrivesAt: arrivesAt.toISOString() },
  })
  return new Map([...byOrder].map(([id, of]) => [id, of.map(shown)]))
}

/* All of a yard's. */

const MOST_WAITING = 100
const MOST_PAYOUTS = 24

export async function readOwnPayouts(db: Db, sellerId: string, now: Date): Promise<OwnPayouts> {
  const [record, debtCents, waiting, payouts, seller] = await Promise.all([
    readSalesRecord(db, sellerId, now),
    debtOf(db, sellerId),
    readWaiting(db, sellerId, now),
    readPayoutsOf(db, sellerId),
    readSeller(db, sellerId),
  ])
  const { days, because } = releaseRule(record)
  return {
    standing: { days, because, ...record },
    canTransfer: seller.canTransfer,
    debt: debtCents / 100,
    ...waiting,
    transferred: seller.unpaidCents / 100,
    payouts,
    timeZone: seller.timeZone,
  }
}

type Seller = { canTransfer: boolean; timeZone: string; unpaidCents: number }

async function readSeller(db: Db, sellerId: string): Promise<Seller> {
  const { rows } = await sql<Seller>`
    select can_transfer and stripe_account_id is not null as "canTransfer", time_zone as "timeZone",
           (select coalesce(sum(cents - reversed_cents), 0)::float8 from order_transfer
            where seller_id = s.id and payout_id is null) as "unpaidCents"
    from seller s where id = ${sellerId}`.execute(db)
  return onlyRow(rows)
}

async function readWaiting(
  db: Db,
  sellerId: string,
  now: Date,
): Promise<Pick<OwnPayouts, 'waiting' | 'waitingTotal'>> {
  const { rows } = await sql<{ id: string; cents: number }>`
    select o.id, -sum(e.amount_cents)::float8 as cents from part_order o join ledger_entry e on e.order_id = o.id
    where o.seller_id = ${sellerId} and e.account = 'held'
    group by o.id having sum(e.amount_cents) < 0 order by o.release_at nulls last, o.id`.execute(db)
  const cents = new Map(rows.map((row) => [row.id, row.cents]))
  const ids = rows.slice(0, MOST_WAITING).map(({ id }) => id)
  const orders = await readOrders(
    db,
    sql`o.id = any(${ids}::uuid[])`,
    sql`order by o.release_at nulls last, o.id`,
  )
  const money = await readYardMoney(db, orders, now)
  return {
    waiting: orders.map(({ id, number, lines }) => ({
      id,
      number,
      title: lines[0]?.facts.title ?? '',
      amount: (cents.get(id) ?? 0) / 100,
      sentence: money.get(id)?.payout.sentence ?? '',
    })),
    waitingTotal: rows.reduce((sum, row) => sum + row.cents, 0) / 100,
  }
}

type PayoutRow = {
  id: string
  cents: number
  state: PayoutState
  madeAt: Date
  arrivesAt: Date
  problem: string | null
  orders: { id: string; number: string; cents: number }[]
}

async function readPayoutsOf(db: Db, sellerId: string): Promise<OwnPayouts['payouts']> {
  const { rows } = await sql<PayoutRow>`
    select p.id, p.cents::float8 as cents, p.state, p.made_at as "madeAt", p.arrives_at as "arrivesAt", p.problem,
           coalesce((select jsonb_agg(jsonb_build_object('id', o.id, 'number', o.number, 'cents', t.cents)
                                      order by t.made_at)
                     from order_transfer t join part_order o on o.id = t.order_id where t.payout_id = p.id), '[]') as orders
    from seller_payout p where p.seller_id = ${sellerId} order by p.made_at desc, p.id limit ${MOST_PAYOUTS}`.execute(
    db,
  )
  return rows.map(({ cents, madeAt, arrivesAt, orders, ...payout }) => ({
    ...payout,
    amount: cents / 100,
    madeAt: madeAt.toISOString(),
    arrivesAt: arrivesAt.toISOString(),
    orders: orders.map(({ id, number, cents: of }) => ({ id, number, amount: of / 100 })),
  }))
}
