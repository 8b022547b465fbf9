import type { Fields } from '#server/features/stock-files/store/staged-record.ts'
import { listingsOf, sourcesOf } from './promotions.ts'
import type { SignedIn, TestApp } from './test-app.ts'

/** The rows with stock numbers S-1, S-2 … */
export const numbered = (rows: readonly Fields[], prefix = 'S'): Fields[] =>
  rows.map((row, at) => ({ ...row, stocknum: `${prefix}-${at + 1}` }))

/** Reads what sellers have in stock, deleted listings left out. */
export function stockReader(app: Pick<TestApp, 'db'>) {
  const living = async (seller: SignedIn) =>
    (await listingsOf(app, seller)).filter(({ deleted_at }) => deleted_at === null)
  const stocks = async (seller: SignedIn) =>
    (await living(seller)).map(({ stock_number, price_cents }) => [stock_number, price_cents])
  /** Everything but how often and when it was written. */
  const stateOf = async (seller: SignedIn) => {
    const listings = (await living(seller)).map(({ version: _, updated_at: __, ...content }) => content)
    const sources = (await sourcesOf(app, seller)).map(({ promotion_id: _, row_no: __, ...source }) => source)
    return { listings, sources }
  }
  return { living, stocks, stateOf }
}
