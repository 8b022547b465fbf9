import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { csvLine } from '#contract/csv/csv-cell.ts'
import { type LedgerAccount, ledgerAccounts } from '#contract/order/money/ledger.ts'
import { type Db, LOWEST_ID } from '#server/platform/database/database.ts'
import { plainAmount, type Span } from './months.ts'

/* The marketplace's books for its bookkeeper. Debits and credits of a journal are equal, as every step adds up to zero. */

// 300 kB of CSV.
const PAGE = 2_000

type Row = {
  id: string
  at: Date
  account: LedgerAccount
  cents: number
  memo: string
  order: string | null
  /** Whose order it is; debts and held money are owed by or to it. */
  sellerId: string | null
  yard: string | null
  providerId: string
}

async function* entriesOf(db: Db, { from, to }: Span): AsyncGenerator<Row[]> {
  for (let after = { at: from, id: LOWEST_ID }; ; ) {
    const { rows } = await sql<Row>`
      select e.id, e.at, e.account, e.amount_cents::float8 as cents, e.why as memo, o.number as order,
             o.seller_id as "sellerId", s.name as yard, e.provider_id as "providerId"
      from ledger_entry e left join part_order o on o.id = e.order_id left join seller s on s.id = o.seller_id
      where e.at >= ${from} and e.at < ${to} and (e.at, e.id) > (${after.at}, ${after.id}::uuid)
      order by e.at, e.id limit ${PAGE}`.execute(db)
    yield rows
    const last = rows.at(-1)
    if (rows.length < PAGE || !last) return
    after = { at: last.at, id: last.id }
  }
}

/** The ledger of a time as CSV. What we have or are owed is a debit, what we owe a credit. */
export function openJournal(db: Db, span: Span): Readable {
  async function* lines() {
    yield csvLine([
      ...['Date (UTC)', 'Account', 'Debit', 'Credit', 'Memo', 'Order', 'Reference'],
      ...['Yard', 'Seller id', 'Account meaning'],
    ])
    for await (const rows of entriesOf(db, span)) {
      yield rows
        .map(({ at, account, cents, memo, order, providerId, yard, sellerId }) =>
          csvLine([
            at.toISOString(),
            account,
            cents > 0 ? plainAmount(cents) : '',
            cents < 0 ? plainAmount(-cents) : '',
            memo,
            order ?? '',
            providerId,
            yard ?? '',
            sellerId ?? '',
            ledgerAccounts[account].meaning,
          ]),
        )
        .join('')
    }
  }
  return Readable.from(lines())
}

type YearlySales = {
  sellerId: string
  name: string
  account: string | null
  payments: number
  grossCents: number
  /** From January to December. */
  monthCents: number[]
  taxCents: number
  refundCents: number
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/**
 * What buyers paid each yard in a year, as CSV. Form 1099-K asks for the gross, and that of each month: nothing is taken off for
 * refunds, fees or our share; tax that we collect as the marketplace is in it and also beside it.
 */
export async function yearlySalesCsv(db: Db, { from, to }: Span): Promise<string> {
  const isGross = sql`e.why = 'captured' and e.account = 'provider'`
  const { rows } = await sql<YearlySales>`
    select s.id as "sellerId", s.name, s.stripe_account_id as account,
           (count(*) filter (where ${isGross}))::int as payments,
           coalesce(sum(e.amount_cents) filter (where ${isGross}), 0)::float8 as "grossCents",
           array[${sql.join(
             MONTHS.map(
               (_, at) =>
                 sql`coalesce(sum(e.amount_cents) filter (where ${isGross} and extract(month from e.at at time zone 'UTC') = ${at + 1}), 0)::float8`,
             ),
           )}] as "monthCents",
           -coalesce(sum(e.amount_cents) filter (where e.why = 'captured' and e.account = 'tax'), 0)::float8 as "taxCents",
           -coalesce(sum(e.amount_cents) filter (where e.why in ('refunded', 'refund failed') and e.account = 'provider'), 0)::float8 as "refundCents"
    from ledger_entry e join part_order o on o.id = e.order_id join seller s on s.id = o.seller_id
    where e.at >= ${from} and e.at < ${to}
    group by s.id order by 5 desc, s.id`.execute(db)
  const year = String(from.getUTCFullYear())
  const head = ['Seller id', 'Yard', 'Payout account', 'Year (UTC)', 'Payments', 'Gross', ...MONTHS]
  return [
    [...head, 'Sales tax in gross', 'Refunds (not taken off)'],
    ...rows.map((row) => [
      ...[row.sellerId, row.name, row.account ?? '', year, String(row.payments)],
      ...[row.grossCents, ...row.monthCents, row.taxCents, row.refundCents].map(plainAmount),
    ]),
  ]
    .map(csvLine)
    .join('')
}
