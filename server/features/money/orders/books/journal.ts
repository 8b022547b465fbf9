import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { csvLine } from '#contract/csv/csv-cell.ts'
import { type Db, LOWEST_ID } from '#server/platform/database/database.ts'
import { plainAmount, type Span } from './months.ts'

/* The marketplace's books for its bookkeeper. Debits and credits of a journal are equal, as every step adds up to zero. */

// 300 kB of CSV.
const PAGE = 2_000

type Row = {
  id: string
  at: Date
  account: string
  cents: number
  memo: string
  order: string | null
  providerId: string
}

async function* entriesOf(db: Db, { from, to }: Span): AsyncGenerator<Row[]> {
  for (let after = { at: from, id: LOWEST_ID }; ; ) {
    const { rows } = await sql<Row>`
      select e.id, e.at, e.account, e.amount_cents::float8 as cents, e.why as memo, o.number as order,
             e.provider_id as "providerId"
      from ledger_entry e left join part_order o on o.id = e.order_id
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
    yield csvLine(['Date', 'Account', 'Debit', 'Credit', 'Memo', 'Order', 'Reference'])
    for await (const rows of entriesOf(db, span)) {
      yield rows
        .map(({ at, account, cents, memo, order, providerId }) =>
          csvLine([
            at.toISOString(),
            account,
            cents > 0 ? plainAmount(cents) : '',
            cents < 0 ? plainAmount(-cents) : '',
            memo,
            order ?? '',
            providerId,
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
  taxCents: number
  refundCents: number
}

/**
 * What buyers paid each yard in a year, as CSV. Form 1099-K asks for the gross: nothing is taken off for refunds, fees or our
 * share; tax that we collect as the marketplace is in it and also beside it.
 */
export async function yearlySalesCsv(db: Db, { from, to }: Span): Promise<string> {
  const { rows } = await sql<YearlySales>`
    select s.id as "sellerId", s.name, s.stripe_account_id as account,
           (count(*) filter (where e.why = 'captured' and e.account = 'provider'))::int as payments,
           coalesce(sum(e.amount_cents) filter (where e.why = 'captured' and e.account = 'provider'), 0)::float8 as "grossCents",
           -coalesce(sum(e.amount_cents) filter (where e.why = 'captured' and e.account = 'tax'), 0)::float8 as "taxCents",
           -coalesce(sum(e.amount_cents) filter (where e.why in ('refunded', 'refund failed') and e.account = 'provider'), 0)::float8 as "refundCents"
    from ledger_entry e join part_order o on o.id = e.order_id join seller s on s.id = o.seller_id
    where e.at >= ${from} and e.at < ${to}
    group by s.id order by 5 desc, s.id`.execute(db)
  const head = ['Seller id', 'Yard', 'Payout account', 'Payments', 'Gross', 'Sales tax in gross', 'Refunds']
  return [
    head,
    ...rows.map(({ sellerId, name, account, payments, grossCents, taxCents, refundCents }) => [
      sellerId,
      name,
      account ?? '',
      String(payments),
      ...[grossCents, taxCents, refundCents].map(plainAmount),
    ]),
  ]
    .map(csvLine)
    .join('')
}
