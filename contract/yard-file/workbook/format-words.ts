import { currencyIn } from '#contract/column-questions/currencies.ts'
import { plainNumber, type ShowNumber } from './plain-number.ts'

/*
 * Words in a number's format that change what the value means: a currency that is not the
 * US dollar, and kilometers. The cell holds 1299.5 and shows "€ 1,299.50".
 */

/** The dollar and peso sign by the language of its format, as Excel writes it: [$$-1009] is Canada's. */
const DOLLARS: Readonly<Record<string, string>> = {
  '1009': 'CAD',
  c0c: 'CAD',
  'en-ca': 'CAD',
  'fr-ca': 'CAD',
  '80a': 'MXN',
  'es-mx': 'MXN',
  c09: 'AUD',
  'en-au': 'AUD',
  '1409': 'NZD',
  'en-nz': 'NZD',
  c04: 'HKD',
  'zh-hk': 'HKD',
  '404': 'TWD',
  'zh-tw': 'TWD',
  '4804': 'SGD',
  'en-sg': 'SGD',
  '2c0a': 'ARS',
  'es-ar': 'ARS',
  '340a': 'CLP',
  'es-cl': 'CLP',
  '240a': 'COP',
  'es-co': 'COP',
}

/** A format of amounts: with groups, cents or an open number of digits. A part number's has only places. */
const OF_AMOUNTS = /[#,.]/
const KILOMETERS = /^\s*(?:kms?|kilomet(?:er|re)s?)\.?\s*$/i

/** A piece of a format: quoted, escaped, in brackets, spacing, a digit's place, or a bare character. */
const PIECE = /"([^"]*)"|\\(.)|\[\$([^\]]*)\]|\[[^\]]*\]|[_*].|([0#?.,]+)|(.)/g

type Written = {
  before: string
  after: string
  digits: string /** What its currency's brackets say. */
  named: string
}

function wordsOf(code: string): Written {
  const written: Written = { before: '', after: '', digits: '', named: '' }
  for (const [, quoted, escaped, currency, places, bare] of (code.split(';')[0] ?? '').matchAll(PIECE)) {
    if (places !== undefined) written.digits += places
    const sign = currency === undefined ? '' : signOf(currency)
    written.named += sign
    const text = quoted ?? escaped ?? (sign || (bare ?? ''))
    written[written.digits === '' ? 'before' : 'after'] += text
  }
  return { ...written, before: written.before.trim(), after: written.after.trim() }
}

/** How numbers are shown with the words of their format; undefined if it has none that matter. */
export function showWithWords(code: string): ShowNumber | undefined {
  const { before, after, digits, named } = wordsOf(code)
  if (digits === '') return undefined
  const isSaid = OF_AMOUNTS.test(digits) && isForeign(`${before} 1 ${after}`)
  if (isSaid || (named !== '' && !DOLLAR.test(named))) {
    const cents = /\.([0?]+)/.exec(digits)?.[1]?.length ?? 0
    return (stored) => [before, withCents(plainNumber(stored), cents), after].filter(Boolean).join(' ')
  }
  return KILOMETERS.test(after) ? (stored) => `${plainNumber(stored)} ${after}` : undefined
}

const DOLLAR = /^(?:\$|US ?\$|USD)$/i

function isForeign(shown: string): boolean {
  const currency = currencyIn(shown)
  return currency !== undefined && currency !== 'USD'
}

/** "€-407" is the euro sign as Germans place it; "-409" is no sign; "$-1009" is Canada's. */
function signOf(written: string): string {
  const at = written.indexOf('-')
  const sign = at === -1 ? written : written.slice(0, at)
  const language =
    at === -1
      ? ''
      : written
          .slice(at + 1)
          .toLowerCase()
          .replace(/^0+/, '')
  return sign === '$' ? (DOLLARS[language] ?? sign) : sign
}

/** Without digit groups: a comma in a single value could be read as a decimal one. */
function withCents(number: string, cents: number): string {
  const [whole = '', fraction = ''] = number.split('.')
  const padded = fraction.padEnd(cents, '0')
  return padded === '' ? whole : `${whole}.${padded}`
}
