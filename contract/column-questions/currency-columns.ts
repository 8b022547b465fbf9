import { findColumn } from '#contract/csv/csv-header.ts'
import { priceName } from '#contract/csv/price-headers.ts'
import { currencyIn, currencyOfCell, currencyOfHeader, isCurrency } from './currencies.ts'

/* The column that says each row's currency: by its name, or by its values whatever its name is. */

const NAMED =
  /(?<!\p{L})(?:currency|currencies|ccy|moneda|divisa|devise|monnaie|w[äa]e?hrung|valuta|moeda)(?!\p{L})/iu
/** “Current price” may be shortened in the same way. */
const SHORT = /^(?:curr?)\.?(?:[ _-]?(?:code|iso|id|type|symbol|sign))?\W*$/i
/** eBay writes the currency of a whole file into the name of its first column: “*Action(…|Currency=USD|…)”. */
const LONGEST_NAME = 40

/** “Price (local currency)” and “Price in currency” have the amounts. */
const OF_AMOUNTS =
  /(?:^|[\s_(])(?:in|local|own|home|base)\s+currency|\((?:\w+ )?currency\)|rate|factor|exchange|format|date/i

const spaced = (name: string) =>
  name
    .replaceAll('_', ' ')
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .trim()

const isNamed = (name: string): boolean => {
  const text = spaced(name)
  if (text.length > LONGEST_NAME || text.includes('=')) return false
  return SHORT.test(text) || (NAMED.test(text) && !OF_AMOUNTS.test(text))
}

/** Those of a cost count only where no other says what the price is in. */
const isOfCost = (name: string) => priceName(name)?.kind === 'never'

/** As the sampled values say, else by its name; -1 if there is none. */
export function findCurrencyColumn(header: readonly string[], sampled?: string): number {
  if (sampled !== undefined) return findColumn(header, sampled)
  const named = header.flatMap((name, at) => (isNamed(name) ? [at] : []))
  return named.find((at) => !isOfCost(header[at] ?? '')) ?? named[0] ?? -1
}

/** A sentence about what prices are in: “Prices in AUD inc GST”, “Alle Preise in Euro”, “Currency: CAD”. */
const OF_PRICES =
  /(?<!\p{L})(?:prices?|pricing|amounts?|currency|precios?|moneda|divisa|preise?|w[äa]hrung|prix|devise|prezz[io]|valuta)(?!\p{L})/iu
const SENTENCES = /(?<=\p{L})[.;!|]+(?:\s|$)|\s[-–—]\s/u

/** Behind the word: “Canadian Auto Parts, price list” is a yard's name. */
function currencyOfPrices(sentence: string): string | undefined {
  const word = OF_PRICES.exec(sentence)
  if (!word) return undefined
  const before = sentence.slice(0, word.index).trim().split(/\s+/).at(-1) ?? ''
  if (isCurrency(before)) return currencyOfCell(before)
  return currencyOfHeader(sentence.slice(word.index + word[0].length))
}

/**
 * Columns of money with the currency that a line above their names states of all prices: “Price inc GST (AUD)”. A file that
 * says so in one place must not have its amounts read as dollars.
 */
export function withCurrencySaid(header: string[], above: readonly (readonly string[])[]): string[] {
  const said = above
    .flat()
    .flatMap((cell) => cell.split(SENTENCES))
    .map(currencyOfPrices)
    .find((currency) => currency !== undefined)
  if (said === undefined || said === 'USD' || findCurrencyColumn(header) !== -1) return header
  return header.map((name) =>
    priceName(name) && currencyOfHeader(name) === undefined ? `${name} (${said})` : name,
  )
}

/** If this share of a column's amounts names one currency and none names dollars, the bare amounts are in that currency, too. */
const SHARE_OF_NAMED = 0.2
/** A decimal comma is no dollar's. */
const FEWEST_NAMED = 2
const DECIMAL_COMMA = /,\d\d(?!\d)/

/** The currency of a price column's bare amounts by the others: of “90,50” beside “114,00 €” it is the euro. */
export function currencyOfBare(header: string, values: readonly string[]): string | undefined {
  if (currencyOfHeader(header) !== undefined) return undefined
  const amounts = values.filter((value) => /\d/.test(value))
  if (amounts.some((value) => /(?<![\p{L}])\$/u.test(value))) return undefined
  const named = amounts.flatMap((value) => currencyIn(value) ?? [])
  const [only, ...others] = new Set(named)
  if (only === undefined || only === 'USD' || others.length > 0) return undefined
  const hasCommas = named.length >= FEWEST_NAMED && amounts.some((value) => DECIMAL_COMMA.test(value))
  return hasCommas || named.length >= SHARE_OF_NAMED * amounts.length ? only : undefined
}

/** Of countries where the driver sits on the right. */
const DRIVER_ON_RIGHT: ReadonlySet<string> = new Set(
  'AUD NZD GBP ZAR JPY INR PKR BDT LKR NPR MYR SGD THB IDR HKD KES UGX TZS ZMW BWP MUR NAD FJD JMD TTD BBD BSD GYD KYD'.split(
    ' ',
  ),
)

/** Whether a file's prices say that its driver's side is the right one. */
export const isDriverOnRight = (priceHeader: string): boolean =>
  DRIVER_ON_RIGHT.has(currencyOfHeader(priceHeader) ?? '')

/** The least share of its values that say a currency. */
const MOSTLY = 0.8

/**
 * The column of currencies of a file whose first rows are these, where its values show it and its name does not.
 * @param taken the columns of fields
 */
export function sampledCurrencyColumn(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  taken: ReadonlySet<number>,
): string | undefined {
  if (findCurrencyColumn(header) !== -1) return undefined
  return header.find((_, at) => {
    if (taken.has(at)) return false
    const values = rows.map((cells) => (cells[at] ?? '').trim()).filter((value) => value !== '')
    const said = values.filter(isCurrency)
    // A column of "$" alone says nothing.
    return said.length >= Math.max(1, MOSTLY * values.length) && said.some((cell) => currencyOfCell(cell))
  })
}
