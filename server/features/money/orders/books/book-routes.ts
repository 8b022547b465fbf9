import type { Readable } from 'node:stream'
import type { bookEndpoints } from '#contract/order/money/book-calls.ts'
import { readSellingYard } from '#server/features/money/orders/quotes.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { openJournal, yearlySalesCsv } from './journal.ts'
import { spanOfMonth, spanOfYear } from './months.ts'
import { readSales } from './sales-figures.ts'
import { statementCsv, statementPdf } from './statement-papers.ts'
import { findStatement, listStatements } from './statements.ts'
import { readTrialBalance, trialBalanceCsv } from './trial-balance.ts'

type Deps = { now: () => Date; site: { productName: string; publicUrl: string } }

const file = (stream: Readable | Buffer, type: string, name: string) => ({
  stream,
  headers: {
    'content-type': type,
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
  },
})
const csv = (text: string, name: string) => file(Buffer.from(text), 'text/csv; charset=utf-8', name)

export function bookRoutes({ now, site }: Deps): Handlers<typeof bookEndpoints> {
  const getStatement = async (...given: Parameters<typeof findStatement>) => {
    const found = await findStatement(...given)
    if (found) return found
    throw new AppError('NOT_FOUND', 'You had no orders with money in this month.')
  }
  return {
    readSales: ({ db, actor, query: { days } }) =>
      readSales(db, { sellerId: actor.sellerId, days, now: now() }),

    listStatements: async ({ db, actor }) => ({ items: await listStatements(db, actor.sellerId, now()) }),

    async readStatementPdf({ db, actor, params: { month } }) {
      const statement = await getStatement(db, actor.sellerId, month)
      const { name: yard } = await readSellingYard(db, actor.sellerId)
      const bytes = await statementPdf(statement, { yard, site, now: now() })
      return file(Buffer.from(bytes), 'application/pdf', `statement-${month}.pdf`)
    },

    async readStatementCsv({ db, actor, params: { month } }) {
      return csv(statementCsv(await getStatement(db, actor.sellerId, month)), `statement-${month}.csv`)
    },

    exportJournal: async ({ db, query: { month } }) =>
      file(openJournal(db, spanOfMonth(month)), 'text/csv; charset=utf-8', `journal-${month}.csv`),

    readTrialBalance: ({ db, query: { day } }) => readTrialBalance(db, day),

    exportTrialBalance: async ({ db, query: { day } }) =>
      csv(await trialBalanceCsv(db, day), `trial-balance-${day}.csv`),

    exportYearlySales: async ({ db, query: { year } }) =>
      csv(await yearlySalesCsv(db, spanOfYear(year)), `yearly-sales-${year}.csv`),
  }
}
