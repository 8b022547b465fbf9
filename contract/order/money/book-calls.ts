import { z } from 'zod'
import { analyticsPeriods } from '#contract/analytics.ts'
import { adminErrors, count, endpoints } from '#contract/endpoint.ts'
import { ledgerAccountNames } from '#contract/order/money/ledger.ts'
import { money } from '#contract/order/order-quote.ts'

/* Statements of yards, and the marketplace's books. Months and years are those of UTC, so that all of them add up. */

const month = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'A month looks like 2026-11')
const year = z.coerce
  .number('A year looks like 2026')
  .int('A year looks like 2026')
  .min(2000, 'A year looks like 2026')
  .max(2099, 'A year looks like 2026')

const ofMonth = z.object({ month })

const statement = z.object({
  month: z.string(),
  /** Whether the month is over: until then more can come. */
  isOver: z.boolean(),
  orders: count,
  /** What buyers paid. */
  gross: money,
  /** Given back to buyers. */
  refunds: money,
  /** Our share, less what went back of it. */
  royalty: money,
  transferred: money,
  opening: money,
  closing: money,
})
export type StatementSums = z.infer<typeof statement>

const day = z.iso.date('A day looks like 2026-11-30')

const trialBalance = z.object({
  day: z.string(),
  /** All accounts of the ledger. */
  accounts: z.array(
    z.object({
      account: z.enum(ledgerAccountNames),
      meaning: z.string(),
      debit: money,
      credit: money,
      /** Debits less credits: positive is what we have or are owed, negative what we owe. */
      balance: money,
    }),
  ),
  debit: money,
  credit: money,
})
export type TrialBalance = z.infer<typeof trialBalance>

const sales = z.object({ orders: count, /** What buyers paid. */ gross: money })

export const bookEndpoints = endpoints({
  readSales: {
    summary: 'What the yard sold here in the last days, and in as many before',
    query: z.object({
      days: z.coerce
        .number()
        .pipe(z.union(analyticsPeriods.map((days) => z.literal(days))))
        .default(30),
    }),
    reply: z.object({
      /** Whether the yard sells online now. */
      enabled: z.boolean(),
      days: count,
      totals: sales,
      previous: sales,
    }),
    errors: ['SIGNED_OUT'],
  },
  listStatements: {
    summary:
      'The yard’s months with money, newest first: what buyers paid, what was transferred, and the balance',
    reply: z.object({ items: z.array(statement) }),
    errors: ['SIGNED_OUT'],
  },
  readStatementPdf: {
    summary: 'The statement of a month as PDF',
    params: ofMonth,
    reply: 'binary',
    errors: ['SIGNED_OUT', 'NOT_FOUND', 'VALIDATION_FAILED'],
  },
  readStatementCsv: {
    summary: 'The statement of a month as CSV: a row for each order with money in it',
    params: ofMonth,
    reply: 'binary',
    errors: ['SIGNED_OUT', 'NOT_FOUND', 'VALIDATION_FAILED'],
  },
  exportJournal: {
    summary: 'All entries of the ledger in a month as CSV: date, account, debit, credit, memo, order',
    query: z.object({ month }),
    reply: 'binary',
    errors: [...adminErrors, 'VALIDATION_FAILED'],
  },
  readTrialBalance: {
    summary: 'What each account of the ledger had at the end of a day (UTC): debits equal credits',
    query: z.object({ day }),
    reply: trialBalance,
    errors: [...adminErrors, 'VALIDATION_FAILED'],
  },
  exportTrialBalance: {
    summary: 'The same as CSV, with the balance of each account as debit or credit',
    query: z.object({ day }),
    reply: 'binary',
    errors: [...adminErrors, 'VALIDATION_FAILED'],
  },
  exportYearlySales: {
    summary:
      'What buyers paid each yard in a year as CSV, before refunds, fees and our share: for form 1099-K',
    query: z.object({ year }),
    reply: 'binary',
    errors: [...adminErrors, 'VALIDATION_FAILED'],
  },
})
