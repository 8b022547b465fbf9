import { type RawBuilder, sql } from 'kysely'
import type { StatementSums } from '#contract/order/money/book-calls.ts'
import type { PayoutState } from '#contract/order/money/release-views.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { monthOf, type Span, spanOfMonth, spanOfYear } from './months.ts'

/*
 * A yard's months, read from the ledger. Its balance is what we hold for it less what it owes us. Every step of the ledger adds
 * up to zero, so what changed the balance is what happened in the other accounts: that is what the columns say.
 */

/** What happened in the entries `e` of an order, in cents; what the yard lost is negative. */
type Amounts = {
  /** What buyers paid, with shipping, core charge and tax. */
  grossCents: number
  refundCents: number
  royaltyCents: number
  /** Core charges and sales tax are not the yard's; what of them was refunded is taken from here. */
  coreCents: number
  taxCents: number
  /** What banks took and gave back, and their fees that the yard owes. */
  disputeCents: number
  transferCents: number
  /** Cores that lapsed, and whatever else changed the balance: the rest, so that the columns add up to the change. */
  otherCents: number
  changeCents: number
  /** By how much more the yard owes us: part of the change. */
  debtCents: number
}

type Counted = Omit<Amounts, 'otherCents'>

const sum = (accounts: readonly string[], of: RawBuilder<unknown>) =>
  sql`coalesce(sum(e.amount_cents) filter (where e.account = any(${accounts}::text[]) and ${of}), 0)::float8`

const isSale = sql`e.why = 'captured'`
const isRefund = sql`e.why like 'refund%'`
const isDispute = sql`e.why like 'dispute%'`
const isTransfer = sql`e.why in ('transferred', 'reversed')`

/** What we hold for the yard, and what it owes us. */
const BALANCE = ['held', 'seller-debt']

const counted = sql`
  ${sum(['provider'], isSale)} as "grossCents",
  ${sum(['provider', 'refunds-due'], isRefund)} as "refundCents",
  ${sum(['royalty'], sql`(${isSale} or ${isRefund})`)} as "royaltyCents",
  ${sum(['core'], sql`(${isSale} or ${isRefund})`)} as "coreCents",
  ${sum(['tax'], sql`(${isSale} or ${isRefund})`)} as "taxCents",
  -${sum(BALANCE, isDispute)} as "disputeCents",
  -${sum(BALANCE, isTransfer)} as "transferCents",
  -${sum(BALANCE, sql`true`)} as "changeCents",
  ${sum(['seller-debt'], sql`true`)} as "debtCents"`

const withRest = <Row extends Counted>(row: Row): Row & Amounts => {
  const { grossCents, refundCents, royaltyCents, coreCents, taxCents, changeCents } = row
  // Adding 0 turns -0, which the database makes of nothing, into 0.
  const [disputeCents, transferCents] = [row.disputeCents + 0, row.transferCents + 0]
  const known = grossCents + refundCents + royaltyCents + coreCents + taxCents + disputeCents + transferCents
  return {
    ...row,
    disputeCents,
    transferCents,
    changeCents: changeCents + 0,
    otherCents: changeCents - known + 0,
  }
}

/** What the yard's account got of an order, or gave back (negative), and where it went from there. */
type StatementTransfer = {
  /** At the provider. */
  id: string
  at: Date
  cents: number
  payout: { id: string; state: PayoutState; arrivesAt: string } | null
}

export type StatementLine = Amounts & {
  number: string
  /** Of the first part. */
  title: string
  parts: number
  /** The yard's name when it was bought. */
  yard: string
  /** When the first of this month's entries was written; null for an order that is only open. */
  at: Date | null
  /** When the buyer's money was taken. */
  soldAt: Date | null
  /** Where the parts went; null if they were picked up. */
  state: string | null
  /** Of what the buyer paid in this month. */
  shippingCents: number
  soldCoreCents: number
  soldTaxCents: number
  /** What of the balance at the end is of this order. */
  openCents: number
  transfers: StatementTransfer[]
}

export type Statement = {
  month: string
  openingCents: number
  closingCents: number
  /** What the yard owes us at the end. */
  owedCents: number
  lines: StatementLine[]
  /** From the beginning of the year to the end of the month, as form 1099-K counts. */
  year: { grossCents: number; payments: number }
}

const isIn = ({ from, to }: Span) => sql`(e.at >= ${from} and e.at < ${to})`
const sold = (account: string) =>
  sql`-coalesce(sum(e.amount_cents) filter (where e.account = ${account} and ${isSale}), 0)::float8 + 0`

/** A month of a yard; undefined if it had neither money nor a balance then. */
export async function findStatement(db: Db, sellerId: string, month: string): Promise<Statement | undefined> {
  const span = spanOfMonth(month)
  const [lines, { rows: before }, year] = await Promise.all([
    listLines(db, sellerId, span),
    sql<Pick<Counted, 'changeCents' | 'debtCents'>>`
      select -${sum(BALANCE, sql`true`)} as "changeCents", ${sum(['seller-debt'], sql`true`)} as "debtCents"
      from ledger_entry e join part_order o on o.id = e.order_id
      where o.seller_id = ${sellerId} and e.at < ${span.from}`.execute(db),
    sumYear(db, sellerId, { from: spanOfYear(span.from.getUTCFullYear()).from, to: span.to }),
  ])
  const openingCents = (before[0]?.changeCents ?? 0) + 0
  if (lines.length === 0 && openingCents === 0) return undefined
  const full = lines.map(withRest)
  const closingCents = full.reduce((balance, { changeCents }) => balance + changeCents, openingCents)
  const owedCents = full.reduce((owed, { debtCents }) => owed + debtCents, before[0]?.debtCents ?? 0)
  return { month, openingCents, closingCents, owedCents, lines: full, year }
}

/** The orders with entries in the month, and those before them that still have a balance at its end. */
async function listLines(
  db: Db,
  sellerId: string,
  span: Span,
): Promise<(Counted & Omit<StatementLine, keyof Amounts>)[]> {
  const { rows } = await sql<Counted & Omit<StatementLine, keyof Amounts>>`
    with entry as (
      select e.* from ledger_entry e join part_order o on o.id = e.order_id
      where o.seller_id = ${sellerId} and e.at < ${span.to}
    ), balance as (
      select e.order_id, -${sum(BALANCE, sql`true`)} + 0 as cents, min(e.at) filter (where ${isSale}) as sold_at
      from entry e group by e.order_id
    ), month as (
      select e.order_id, min(e.at) as at, bool_or(${isSale}) as sold,
             ${sold('core')} as "soldCoreCents", ${sold('tax')} as "soldTaxCents", ${counted}
      from entry e where ${isIn(span)} group by e.order_id
    )
    select o.number, coalesce(line.title, '') as title, coalesce(line.parts, 0) as parts,
           coalesce(line.yard, s.name) as yard, m.at, b.sold_at as "soldAt", o.region as state,
           case when m.sold then coalesce(o.shipping_cents, 0)::float8 else 0 end as "shippingCents",
           b.cents as "openCents", coalesce(moved.transfers, '[]') as transfers,
           ${sql.join(COUNTED.map((name) => sql`coalesce(m.${sql.ref(name)}, 0) as ${sql.ref(name)}`))}
    from balance b join part_order o on o.id = b.order_id join seller s on s.id = o.seller_id
    left join month m on m.order_id = b.order_id
    left join lateral (
      select (array_agg(l.facts ->> 'title' order by l.id))[1] as title, count(*)::int as parts,
             (array_agg(l.facts ->> 'yard' order by l.id))[1] as yard
      from order_line l where l.order_id = o.id having count(*) > 0) line on true
    left join lateral (
      select jsonb_agg(jsonb_build_object('id', e.provider_id, 'at', e.at, 'cents', -e.amount_cents, 'payout',
               case when p.id is not null then jsonb_build_object('id', p.id, 'state', p.state, 'arrivesAt', p.arrives_at) end)
               order by e.at, e.id) as transfers
      from entry e left join order_transfer t on t.id = e.provider_id left join seller_payout p on p.id = t.payout_id
      where e.order_id = o.id and ${isIn(span)} and ${isTransfer} and e.account = 'provider') moved on true
    where m.order_id is not null or b.cents <> 0
    order by m.at nulls first, o.number`.execute(db)
  return rows.map((row) => ({
    ...row,
    transfers: row.transfers.map((transfer) => ({ ...transfer, at: new Date(transfer.at) })),
  }))
}

const COUNTED = [
  'grossCents',
  'refundCents',
  'royaltyCents',
  'coreCents',
  'taxCents',
  'disputeCents',
  'transferCents',
  'changeCents',
  'debtCents',
  'soldCoreCents',
  'soldTaxCents',
] as const

async function sumYear(db: Db, sellerId: string, span: Span): Promise<Statement['year']> {
  const { rows } = await sql<Statement['year']>`
    select ${sum(['provider'], isSale)} as "grossCents", count(*)::int as payments
    from ledger_entry e join part_order o on o.id = e.order_id
    where o.seller_id = ${sellerId} and ${isIn(span)} and ${isSale} and e.account = 'provider'`.execute(db)
  return onlyRow(rows)
}

/** The yard's months with entries, newest first. */
export async function listStatements(db: Db, sellerId: string, now: Date): Promise<StatementSums[]> {
  const { rows } = await sql<Counted & { month: string; orders: number }>`
    select to_char(e.at at time zone 'UTC', 'YYYY-MM') as month, count(distinct e.order_id)::int as orders, ${counted}
    from ledger_entry e join part_order o on o.id = e.order_id
    where o.seller_id = ${sellerId} group by 1 order by 1`.execute(db)
  let balance = 0
  const months = rows.map((row) => {
    const openingCents = balance
    balance += row.changeCents
    return {
      month: row.month,
      isOver: row.month < monthOf(now),
      orders: row.orders,
      gross: row.grossCents / 100,
      refunds: -row.refundCents / 100 + 0,
      royalty: -row.royaltyCents / 100 + 0,
      transferred: -row.transferCents / 100 + 0,
      opening: openingCents / 100,
      closing: balance / 100,
    }
  })
  return months.reverse()
}
