import { priceName } from '#contract/csv/price-headers.ts'

/* Which columns have amounts, and which of them a buyer pays. */

export type MoneyColumn = { readonly column: string; readonly first: readonly string[] }

const AMOUNT =
  /^(?:[A-Z]{0,3}\s?[$€£¥])?\s?\d{1,3}(?:,?\d{3})*(?:\.\d{1,6})?(?:\s?(?:[$€£¥]|[A-Z]{3}|pesos|dollars))?$/i
const MONEY = /[$€£¥]|\d\.\d\d$/
const YEAR = /^(?:19|20)\d\d$/
const FIRST = 3

/** The columns of amounts: with cents or a sign, or whole under a name of money. */
export function moneyColumns(header: readonly string[], rows: readonly (readonly string[])[]): MoneyColumn[] {
  return header.flatMap((column, at) => {
    const values = rows.map((cells) => (cells[at] ?? '').trim()).filter((value) => value !== '')
    const amounts = values.filter((value) => AMOUNT.test(value))
    const isNamed = buyerPriceRank(column) !== undefined
    const years = amounts.filter((value) => YEAR.test(value)).length
    if (amounts.length === 0 || amounts.length < 0.7 * values.length || years > 0.9 * amounts.length)
      return []
    const money = amounts.filter((value) => MONEY.test(value)).length
    if (!isNamed && money < 0.3 * values.length) return []
    return [{ column, first: [...new Set(amounts)].slice(0, FIRST) }]
  })
}

/** How likely a column is the buyer's price, by its header. */
const RANKS = { never: 1, list: 2, price: 3, paid: 5 } as const
// Of two prices, the one in US dollars.
const FOREIGN = 0.5

/** Undefined if the name says nothing of money. */
function buyerPriceRank(header: string): number | undefined {
  const name = priceName(header)
  return name && RANKS[name.kind] - (name.isForeign ? FOREIGN : 0)
}

/** Whether the column's header names the price. */
export const namesPrice = (header: string): boolean => {
  const kind = priceName(header)?.kind
  return kind !== undefined && kind !== 'never'
}

/** Columns that shops write next to each other: the price if it is filled, and the price otherwise. */
const SALE_PRICES: readonly (readonly [sale: string, regular: string])[] = [
  ['saleprice', 'regularprice'],
  ['onlinesaleprice', 'price'],
  ['specialprice', 'price'],
  // As in the feeds of ad networks.
  ['saleprice', 'price'],
]

/** The columns of one price, best first, if this is one of them: the first that has an amount counts. */
export function pricesInOrder(header: readonly string[], priceAt: number): readonly number[] | undefined {
  if (priceAt === -1) return undefined
  const names = header.map((name) => name.toLowerCase().replaceAll(/[^a-z]/g, ''))
  return SALE_PRICES.map((pair) => pair.map((name) => names.indexOf(name))).find(
    (columns) => columns.includes(priceAt) && !columns.includes(-1),
  )
}
