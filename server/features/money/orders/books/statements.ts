import { type RawBuilder, sql } from 'kysely'
import type { StatementSums } from '#contract/order/money/book-calls.ts'
import type { Db } from '#server/platform/database/database.ts'
import { monthOf, type Span, spanOfMonth } from './months.ts'

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
  asideCents: number
  transferCents: number
  /** Disputes, cores that lapsed, and whatever else changed the balance: the rest, so that the columns add up to the change. */
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
const isTransfer = sql`e.why in ('transferred', 'reversed')`

/** What we hold for the yard, and what it owes us. */
const BALANCE = ['held', 'seller-debt']

const counted = sql`
  ${sum(['provider'], isSale)} as "grossCents",
  ${sum(['provider', 'refunds-due'], isRefund)} as "refundCents",
  ${sum(['royalty'], sql`(${isSale} or ${isRefund})`)} as "royaltyCents",
  ${sum(['core', 'tax'], sql`(${isSale} or ${isRefund})`)} as "asideCents",
  -${sum(BALANCE, isTransfer)} as "transferCents",
  -${sum(BALANCE, sql`true`)} as "changeCents",
  ${sum(['seller-debt'], sql`true`)} as "debtCents"`

const withRest = <Row extends Counted>(row: Row): Row & Amounts => {
  const { grossCents, refundCents, royaltyCents, asideCents, transferCents, changeCents } = row
  // Adding 0 turns -0, which the database makes of nothing, into 0.
  const known = grossCents + refundCents + royaltyCents + asideCents + transferCents
  return {
    ...row,
    transferCents: transferCents + 0,
    changeCents: changeCents + 0,
    otherCents: changeCents - known + 0,
  }
}

export type StatementLine = Amounts & {
  number: string
  /** Of the first part. */
  title: string
  /** The yard's name when it was bought. */
  yard: string
  /** When the first of these entries was written. */
  at: Date
  /** Of what the buyer paid in this month. */
  shippingCents: number
}

export type Statement = {
  month: string
  openingCents: number
  closingCents: number
  /** What the yard owes us at the end. */
  owedCents: number
  lines: StatementLine[]
}

const isIn = ({ from, to }: Span) => sql`e.at >= ${from} and e.at < ${to}`

/** A month of a yard; undefined if it had neither money nor a balance then. */
export async function findStatement(db: Db, sellerId: string, month: string): Promise<Statement | undefined> {
  const span = spanOfMonth(month)
  const [{ rows: lines }, { rows: before }] = await Promise.all([
    sql<Counted & Omit<StatementLine, keyof Amounts>>`
      select o.number, coalesce(line.title, '') as title, coalesce(line.yard, s.name) as yard, min(e.at) as at,
             case when bool_or(${isSale}) then coalesce(o.shipping_cents, 0)::float8 else 0 end as "shippingCents", ${counted}
      from ledger_entry e join part_order o on o.id = e.order_id join seller s on s.id = o.seller_id
      left join lateral (
        select l.facts ->> 'title' as title, l.facts ->> 'yard' as yard
        from order_line l where l.order_id = o.id order by l.id limit 1) line on true
      where o.seller_id = ${sellerId} and ${isIn(span)}
      group by o.id, o.number, o.shipping_cents, line.title, line.yard, s.name order by min(e.at), o.number`.execute(
      db,
    ),
    sql<Pick<Counted, 'changeCents' | 'debtCents'>>`
      select -${sum(BALANCE, sql`true`)} as "changeCents", ${sum(['seller-debt'], sql`true`)} as "debtCents"
      from ledger_entry e join part_order o on o.id = e.order_id
      where o.seller_id = ${sellerId} and e.at < ${span.from}`.execute(db),
  ])
  const openingCents = (before[0]?.changeCents ?? 0) + 0
  if (lines.length === 0 && openingCents === 0) return undefined
  const full = lines.map(withRest)
  const closingCents = full.reduce((balance, { changeCents }) => balance + changeCents, openingCents)
  const owedCents = full.reduce((owed, { debtCents }) => owed + debtCents, before[0]?.debtCents ?? 0)
  return { month, openingCents, closingCents, owedCents, lines: full }
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
