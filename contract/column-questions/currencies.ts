import { currencyList, LETTER_SIGNS, ORDINARY_CODES, ORDINARY_WORDS } from './currency-list.ts'

/*
 * Currencies other than the US dollar, as yards write them: in a column's name, in a column of currencies, and in
 * cells, before or after the amount. A plain "$" is ambiguous: Canada and Mexico write it, too.
 */

/** What people call a currency, in the plural. */
export function currencyName(code: string): string {
  if (!codes.has(code)) return code
  const parts = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: code,
    currencyDisplay: 'name',
  }).formatToParts(2)
  return parts.find(({ type }) => type === 'currency')?.value ?? code
}

const codes: ReadonlySet<string> = new Set(currencyList.map(({ code }) => code))
const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
const isLetter = (text: string) => /^\p{L}$/u.test(text)

/** Not in the middle of a word. */
const NO_LETTER_BEFORE = '(?<!\\p{L})'
const NO_LETTER_AFTER = '(?!\\p{L})'
const endsInLetter = (text: string) => isLetter(text.at(-1) ?? '') || text.endsWith('/')

/**
 * One of these texts, the first that fits. What letters are is said once for all of them: said for each, the engine takes a third
 * of a second to compile it.
 */
function oneOf(texts: readonly string[]): string {
  const begun = Map.groupBy(texts, (text) => (isLetter(text.charAt(0)) ? NO_LETTER_BEFORE : ''))
  const groups = Array.from(begun, ([before, alike]) => {
    const after = alike.every(endsInLetter) ? NO_LETTER_AFTER : ''
    const ended = alike.map((text) => escaped(text) + (!after && endsInLetter(text) ? NO_LETTER_AFTER : ''))
    return `${before}(?:${ended.join('|')})${after}`
  })
  return groups.join('|')
}

/** The longest first: "HK$" before "K$", "pesos argentinos" before "pesos". */
function codesBy(listOf: (currency: (typeof currencyList)[number]) => readonly string[]) {
  const pairs = currencyList.flatMap((currency) =>
    listOf(currency).map((text) => [text.toLowerCase(), currency.code] as const),
  )
  const byText = new Map(pairs)
  const longestFirst = [...byText.keys()].toSorted((a, b) => b.length - a.length)
  return { byText, longestFirst, pattern: oneOf(longestFirst) }
}

const words = codesBy((currency) => currency.words)
const signs = codesBy((currency) => currency.signs)

/** Dollars and pesos around the sign that many countries share. The letters around it decide what it means. */
const SHARED_SIGN: readonly (readonly [pattern: string, code: string])[] = [
  ['\\$\\s?USD?(?!\\p{L})|(?<!\\p{L})USD?\\s?\\$?(?=[\\d\\s).,/-]|$)', 'USD'],
  ['\\$\\s?(?:MXN?|M\\.?N\\.?)(?!\\p{L})|(?<!\\p{L})MXP?(?!\\p{L})', 'MXN'],
  ['\\$\\s?CAN?(?!\\p{L})', 'CAD'],
]
const shared = SHARED_SIGN.map(([pattern, code]) => ({ pattern: new RegExp(pattern, 'iu'), code }))

const CODE = /(?<!\p{L})[A-Za-z]{3}(?!\p{L})/gu
const letterSigns = Object.keys(LETTER_SIGNS).join('|')
/** "Q450", "450 Q" */
const LETTER_SIGN = `(?<!\\p{L})(?:${letterSigns})\\.?(?=\\s?\\d)|(?<=\\d\\s?)(?:${letterSigns})(?![\\p{L}\\d])`

// Almost every amount consists of these.
const PLAIN = /^[\s\d.,$'()+-]*$/
const LONGEST = 60

/** The code of the currency that a text names, including 'USD', or undefined. */
export function currencyIn(text: string): string | undefined {
  if (PLAIN.test(text) || text.length > LONGEST) return undefined
  return currencySaid(text) ?? besideAmount(text)
}

/** What a word or sign says wherever it stands. */
function currencySaid(text: string): string | undefined {
  const dollars = shared[0]?.pattern.test(text) ? 'USD' : undefined
  return (
    codeIn(text) ??
    dollars ??
    signIn(text) ??
    shared.find(({ pattern }) => pattern.test(text))?.code ??
    wordIn(text)
  )
}

const upperOf = (text: string) => {
  const code = text.toUpperCase()
  return codes.has(code) ? code : undefined
}

/** A code, in small letters too unless it is also a word; not the one of a dollar, which other dollars' amounts may have. */
function codeIn(text: string): string | undefined {
  const found = [...text.matchAll(CODE)].flatMap(([code]) => {
    const isOrdinary = ORDINARY_CODES.has(code.toUpperCase())
    return isOrdinary ? [] : (upperOf(code) ?? [])
  })
  return found.find((code) => code !== 'USD') ?? found[0]
}

const signPattern = new RegExp(signs.pattern, 'iu')
const signIn = (text: string) => signs.byText.get(signPattern.exec(text)?.[0].toLowerCase() ?? '')

const LETTERS = /\p{L}+/gu
/** By the letters that they begin with: one pattern of all of them took a second for the first rows of a file. */
const wordsByStart = Map.groupBy(words.longestFirst, (word) => word.match(LETTERS)?.[0] ?? word)

function wordIn(text: string): string | undefined {
  let end = 0
  for (const { 0: letters, index } of text.matchAll(LETTERS)) {
    const begun = index < end ? undefined : wordsByStart.get(letters.toLowerCase())
    const word = begun?.find((one) => isAt(text, index, one))
    if (word === undefined) continue
    if (!ORDINARY_WORDS.has(word)) return words.byText.get(word)
    end = index + word.length
  }
  return undefined
}

const isAt = (text: string, at: number, word: string): boolean => {
  const end = at + word.length
  return text.slice(at, end).toLowerCase() === word && !/^\p{L}/u.test(text.slice(end, end + 2))
}

const letterSignPattern = new RegExp(LETTER_SIGN, 'u')

/** What counts only beside nothing but an amount: "Q450", "850 rand", "85 TRY". */
function besideAmount(text: string): string | undefined {
  if (!/\d/.test(text)) return undefined
  const rest = text.replaceAll(/[\d.,'\s$+()-]+/g, ' ').trim()
  const letter = letterSignPattern.exec(text)?.[0].replaceAll(/[\s.]/g, '')
  if (letter !== undefined && rest.replace('.', '') === letter) return LETTER_SIGNS[letter]
  return alone(rest)
}

/** What a text says that has nothing but a code or word for a currency. */
function alone(text: string): string | undefined {
  const code = /^[A-Z]{3}$/.test(text) && !NEVER_ALONE.has(text) ? upperOf(text) : undefined
  return code ?? words.byText.get(text.toLowerCase())
}

/** "85 all" and "top 85" */
const NEVER_ALONE: ReadonlySet<string> = new Set(['ALL', 'TOP'])

const allSigns = new RegExp(
  [
    ...SHARED_SIGN.map(([pattern]) => pattern),
    signs.pattern,
    words.pattern,
    LETTER_SIGN,
    '(?<!\\p{L})(?:CA|MN|dollars?)(?!\\p{L})',
  ].join('|'),
  'giu',
)

/** The amount alone: "C$ 85.00 CAD" is "85.00". */
export const withoutCurrency = (text: string): string =>
  text
    .replaceAll(CODE, (code) => (upperOf(code) === undefined ? code : ' '))
    .replaceAll(allSigns, ' ')
    .replaceAll('$', ' ')
    .replaceAll(/\(\s*(?:Q|Rs|Bs|Gs|Ft)?\.?\s*\)/g, ' ')
    .trim()

const spaced = (header: string) => header.replaceAll(/[_[\]{}]/g, ' ').replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')

/** What stands in brackets, behind a stroke or dash, or behind “in”. */
const SAID = /[([{]([^)\]}]+)[)\]}]|(?:\s[-–—/|:]\s*|[/|:]|\s(?:in|en)\s)([^()[\]{}]+)$/giu
/** Signs of a country whose language the name is in. */
const BY_LANGUAGE: readonly (readonly [name: RegExp, code: string])[] = [
  [/^(?:precio|costo|venta)\b.*\bM\.?N\b/iu, 'MXN'],
  [/^(?:precio|costo|venta)\b.*\bQ$/iu, 'GTQ'],
  [/^prix\b.*\b(?:CA|CAN)$/iu, 'CAD'],
  // Taxes that only prices of one currency include; a sign in the cell goes before them.
  [/^(?:prix|tarif)\b.*\b(?:TTC|HT|TVA)\b/iu, 'EUR'],
  [/^(?:vk|preis|verkaufspreis|bruttopreis)\b.*\b(?:brutto|netto|Mw ?St|U ?St)\b/iu, 'EUR'],
  [/^(?:price|asking|sale|selling|sell|our)\b.*\b(?:inc|incl|ex|excl|plus|with|without)\w*\W+VAT\b/iu, 'GBP'],
]

/** The currency that a column's name says: "Price (CAD)", "Preis (€)", "USD price". A name is longer than a cell. */
export function currencyOfHeader(header: string): string | undefined {
  const text = header.slice(0, LONGEST)
  for (const [, bracketed, behind = ''] of text.matchAll(SAID)) {
    const said = saidAlone(bracketed ?? behind)
    if (said !== undefined) return said
  }
  const name = spaced(text)
  return currencySaid(name) ?? codeBeside(name) ?? BY_LANGUAGE.find(([named]) => named.test(name))?.[1]
}

function saidAlone(text: string): string | undefined {
  const [first = ''] = text.trim().split(/\s*[,;]/)
  const sign = first.replace(/\.$/, '')
  return LETTERS_ALONE.has(sign) ? LETTER_SIGNS[sign] : (alone(first) ?? upperOf(first))
}

// "(L)" and "(R)" are sides.
const LETTERS_ALONE: ReadonlySet<string> = new Set(['Q', 'Rs', 'Bs', 'Gs', 'Ft'])

/** "Price TRY": a code that is also a word, where it is written as a code is. */
function codeBeside(name: string): string | undefined {
  const isPair = name.trim().split(/\s+/).length === 2
  const found = [...name.matchAll(CODE)].map(([code]) => (isPair ? code.toUpperCase() : code))
  const isCode = isPair || name !== name.toUpperCase()
  return isCode ? found.find((code) => codes.has(code) && !NEVER_BARE.has(code)) : undefined
}

const NEVER_BARE: ReadonlySet<string> = new Set(['ALL', 'AMD', 'BTN', 'MDL', 'SCR', 'SHP', 'STN', 'TOP'])

const DOLLARS = /^(?:us|usa|u\.?s\.?d?\.?|us ?dollars?|dollars?|d[oó]lares|us ?\$|840)$/i
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

/**
 * What a cell of a column of currencies says. A word that we don't know is another currency, never a dollar; a plain "$" says
 * nothing.
 */
export function currencyOfCell(cell: string): string | undefined {
  const text = cell.trim()
  if (text === '' || text === '$' || /^(?:n\/?a|none|null|[-–.]+)$/i.test(text)) return undefined
  if (DOLLARS.test(text)) return 'USD'
  return (
    BY_PLACE[text.toLowerCase()] ??
    upperOf(text) ??
    saidAlone(text) ??
    currencyIn(text) ??
    text.toUpperCase().slice(0, 20)
  )
}

/** Whether a cell has nothing but a currency: a code, a sign or a name that is not also something else. */
export function isCurrency(cell: string): boolean {
  const text = cell.trim()
  if (text === '' || text.length > 30) return false
  if (/^(?:[$€£¥]|US ?\$)$/i.test(text)) return true
  if (/^[A-Z]{3}$/i.test(text)) return upperOf(text) !== undefined && !ORDINARY_CODES.has(text.toUpperCase())
  const key = text.toLowerCase()
  if (signs.byText.has(key)) return true
  return (
    /^(?:dollars?|d[oó]lares)$/.test(key) ||
    (words.byText.has(key) && !ORDINARY_WORDS.has(key) && !NATIONS.test(key))
  )
}

/** "Canadian" may be said of a part. */
const NATIONS = /^(?:canad|mexic|austral|jamaican)\S*$/

/** Whether a column of money counts cents by its name: "Price (cents)", "price_cents", "priceInCents". */
export const isInCents = (header: string): boolean =>
  /(?<!\p{L})(?:cents|centavos|centimos|céntimos|pence)(?!\p{L})/iu.test(spaced(header))

/** An amount in dollars, to the cent. Cents are counted whole, since 1.005 × 100 is less than 100.5. */
export function inDollars(amount: string, rate: number): string {
  const cents = Math.round(Number((Number(amount) * 100 * rate).toPrecision(12)))
  return (cents / 100).toFixed(2)
}
