import { sql } from 'kysely'
import { csvLine } from '#contract/csv/csv-cell.ts'
import type { TrialBalance } from '#contract/order/money/book-calls.ts'
import { type LedgerAccount, ledgerAccountNames, ledgerAccounts } from '#contract/order/money/ledger.ts'
import type { Db } from '#server/platform/database/database.ts'
import { endOfDay, plainAmount } from './months.ts'

/* What each account of the ledger had at the end of a day: debits and credits are equal, or an entry is missing. */

export type AccountSum = { account: LedgerAccount; debitCents: number; creditCents: number }

/** Of all accounts, in the order of the table. */
export async function sumAccounts(db: Db, before: Date): Promise<AccountSum[]> {
  const { rows } = await sql<AccountSum>`
    select account, coalesce(sum(amount_cents) filter (where amount_cents > 0), 0)::float8 as "debitCents",
           coalesce(sum(-amount_cents) filter (where amount_cents < 0), 0)::float8 as "creditCents"
    from ledger_entry where at < ${before} group by account`.execute(db)
  const found = new Map(rows.map((row) => [row.account, row]))
  return ledgerAccountNames.map((account) => found.get(account) ?? { account, debitCents: 0, creditCents: 0 })
}

const dollars = (cents: number): number => cents / 100

export async function readTrialBalance(db: Db, day: string): Promise<TrialBalance> {
  const sums = await sumAccounts(db, endOfDay(day))
  const total = (of: (sum: AccountSum) => number) => dollars(sums.reduce((all, sum) => all + of(sum), 0))
  return {
    day,
    accounts: sums.map(({ account, debitCents, creditCents }) => ({
      account,
      meaning: ledgerAccounts[account].meaning,
      debit: dollars(debitCents),
      credit: dollars(creditCents),
      balance: dollars(debitCents - creditCents),
    })),
    debit: total(({ debitCents }) => debitCents),
    credit: total(({ creditCents }) => creditCents),
  }
}

/** The balance of an account is in one of the last two columns; both add up to the same. */
export async function trialBalanceCsv(db: Db, day: string): Promise<string> {
  const sums = await sumAccounts(db, endOfDay(day))
  const line = (name: string, cents: readonly number[], meaning: string) =>
    csvLine([name, ...cents.map(plainAmount), meaning, day])
  const columnsOf = ({ debitCents, creditCents }: Omit<AccountSum, 'account'>) => {
    const balance = debitCents - creditCents
    return [debitCents, creditCents, Math.max(0, balance), Math.max(0, -balance)]
  }
  const columns = sums.map(columnsOf)
  const totals = [0, 1, 2, 3].map((at) => columns.reduce((all, row) => all + (row[at] ?? 0), 0))
  return [
    csvLine([
      'Account',
      'Debits',
      'Credits',
      'Debit balance',
      'Credit balance',
      'Account meaning',
      'Until (UTC)',
    ]),
    ...sums.map(({ account }, at) => line(account, columns[at] ?? [], ledgerAccounts[account].meaning)),
    line('Total', totals, ''),
  ].join('')
}
