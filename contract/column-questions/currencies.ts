/*
 * Currencies other than the US dollar, as yards write them: in a column's name, in a column of currencies, and in
 * cells, before or after the amount. A plain "$" is ambiguous: Canada and Mexico write it, too.
 */

/** What people call them, in the plural. */
const NAMES: Readonly<Record<string, string>> = {
  CAD: 'Canadian dollars',
  MXN: 'Mexican pesos',
  EUR: 'euros',
  GBP: 'British pounds',
  AUD: 'Australian dollars',
  NZD: 'New Zealand dollars',
  JPY: 'Japanese yen',
  CNY: 'Chinese yuan',
  CHF: 'Swiss francs',
  BRL: 'Brazilian reais',
  DOP: 'Dominican pesos',
  COP: 'Colombian pesos',
  CLP: 'Chilean pesos',
  ARS: 'Argentine pesos',
  GTQ: 'Guatemalan quetzales',
  HNL: 'Honduran lempiras',
  CRC: 'Costa Rican colones',
  PEN: 'Peruvian soles',
  PLN: 'Polish zloty',
  CZK: 'Czech koruna',
  SEK: 'Swedish kronor',
  NOK: 'Norwegian kroner',
  DKK: 'Danish kroner',
  HUF: 'Hungarian forints',
  RON: 'Romanian lei',
  INR: 'Indian rupees',
  KRW: 'Korean won',
  PHP: 'Philippine pesos',
  AED: 'UAE dirhams',
  ZAR: 'South African rand',
  ILS: 'Israeli shekels',
  RUB: 'Russian rubles',
  UAH: 'Ukrainian hryvnias',
}

export const currencyName = (code: string): string => NAMES[code] ?? code

/** Also matched in lower case; the others are ordinary words in some language. */
const USUAL = 'CAD|MXN|EUR|GBP|AUD|NZD|JPY|CHF|BRL'

/** Best first: "C$" before "$", "MX$" before "X$". The letters around a currency sign decide its meaning. */
const SIGNS: readonly (readonly [pattern: string, code: string])[] = [
  [
    'US\\$|U\\$S|\\$\\s?USD?(?![A-Z])|(?<![A-Z])USD?\\s?\\$?(?=[\\d\\s).,/-]|$)|US[ -]?dollars?|U\\.S\\. dollars?',
    'USD',
  ],
  [
    'MX\\$|Mex\\$|M\\$|\\$\\s?(?:MXN?|M\\.?N\\.?)(?![A-Z])|(?<![A-Z])MXP?(?![A-Z])|M\\.N\\.|mexican[oa]?s?|moneda nacional',
    'MXN',
  ],
  [
    'CA\\$|C\\$|CDN\\$?|CAN\\$|\\$\\s?CAN?(?![A-Z])|(?<![A-Z])CAN(?![A-Z])|canadian|canadien(?:ne)?s?|canadienses?',
    'CAD',
  ],
  ['AU\\$|A\\$|australian', 'AUD'],
  ['NZ\\$', 'NZD'],
  ['RD\\$', 'DOP'],
  ['R\\$', 'BRL'],
  ['€|(?<![A-Z])euros?(?![A-Z])', 'EUR'],
  ['£|sterling|(?<![A-Z])(?:british )?pounds?(?![A-Z])', 'GBP'],
  ['¥|￥|(?<![A-Z])yen(?![A-Z])', 'JPY'],
  ['₹', 'INR'],
  ['₩', 'KRW'],
  ['₱', 'PHP'],
  ['₽', 'RUB'],
  ['₴', 'UAH'],
  ['₪', 'ILS'],
  ['zł(?![A-Z])', 'PLN'],
  ['Kč', 'CZK'],
  ['(?<![A-Z])Fr\\.', 'CHF'],
  ['(?<![A-Z])kr\\.?(?![A-Z])', 'SEK'],
  ['(?<![A-Z])pesos?(?![A-Z])', 'MXN'],
]

const CODE = `(?<![A-Z])(?:${USUAL})(?![A-Z])`
const OTHER_CODE = `(?<![A-Za-z])(?:${Object.keys(NAMES).join('|')})(?![A-Za-z])`
const signs = SIGNS.map(([pattern, code]) => ({ pattern: new RegExp(pattern, 'iu'), code }))
const usualCode = new RegExp(CODE, 'iu')
const otherCode = new RegExp(OTHER_CODE, 'u')

// Almost every amount consists of these.
const PLAIN = /^[\s\d.,$'()+-]*$/

/** The code of the currency that a text names, including 'USD', or undefined. */
export function currencyIn(text: string): string | undefined {
  if (PLAIN.test(text) || text.length > LONGEST) return undefined
  const code = usualCode.exec(text)?.[0].toUpperCase() ?? otherCode.exec(text)?.[0]
  return code ?? signs.find(({ pattern }) => pattern.test(text))?.code
}

const LONGEST = 60

const allSigns = new RegExp(
  `${CODE}|${SIGNS.map(([pattern]) => pattern).join('|')}|(?:CA|dollars?)(?![A-Z])`,
  'giu',
)

const otherCodes = new RegExp(OTHER_CODE, 'gu')

/** The amount alone: "C$ 85.00 CAD" is "85.00". */
export const withoutCurrency = (text: string): string =>
  text
    .replaceAll(allSigns, ' ')
    .replaceAll(otherCodes, ' ')
    .replaceAll('$', ' ')
    .replaceAll(/\(\s*\)/g, ' ')
    .trim()

/** The currency in a column's name: "Price (CAD)", "Preis (€)", "USD price". A name is longer than a cell. */
export const currencyOfHeader = (header: string): string | undefined =>
  currencyIn(header.replaceAll(/[_[\]{}]/g, ' ').replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 '))

const CURRENCY_COLUMN =
  /^(?:(?:price|list|sale|item|listing)[ _-]?)?(?:currency|curr|cur|ccy|moneda|divisa|devise|monnaie|w[äa]e?hrung)(?:[ _-]?(?:code|iso|id|type))?$/iu

/** The index of the column with each row's currency, or -1. */
export const findCurrencyColumn = (header: readonly string[]): number =>
  header.findIndex((name) => CURRENCY_COLUMN.test(name.trim()))

const DOLLARS = /^(?:us|usa|u\.?s\.?d?\.?|us ?dollars?|dollars?|\$|us ?\$|840)$/i
const BY_PLACE: Readonly<Record<string, string>> = {
  can: 'CAD',
  ca: 'CAD',
  canada: 'CAD',
  mx: 'MXN',
  mex: 'MXN',
  mexico: 'MXN',
  eu: 'EUR',
  uk: 'GBP',
  gb: 'GBP',
}

/** The currency in a cell of a currency column. An unknown word is another currency, never US dollars. */
export function currencyOfCell(cell: string): string | undefined {
  const text = cell.trim()
  if (text === '' || /^(?:n\/?a|none|null|[-–.]+)$/i.test(text)) return undefined
  if (DOLLARS.test(text)) return 'USD'
  return BY_PLACE[text.toLowerCase()] ?? currencyIn(text) ?? text.toUpperCase().slice(0, 20)
}

/** An amount in dollars, to the cent. Cents are counted whole, since 1.005 × 100 is less than 100.5. */
export function inDollars(amount: string, rate: number): string {
  const cents = Math.round(Number((Number(amount) * 100 * rate).toPrecision(12)))
  return (cents / 100).toFixed(2)
}
