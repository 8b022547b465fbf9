import { gluedAmount, numberWords, plainNumber, units, vagueAmounts } from './quantity-words.ts'
import type { Support } from './support.ts'
import type { Token } from './text-tokens.ts'
import type { Problem } from './writer.ts'

/** A text while it is being checked. */
export type Reading = { readonly text: string; readonly tokens: readonly Token[]; readonly support: Support }

const unknown = (claim: string): Problem => ({ claim, why: 'is a number that is not in the record' })

const hasAmount = ({ amounts, notes }: Support, amount: string) =>
  amounts.has(amount) || notes().amounts.has(amount)

const keyAt = ({ tokens }: Reading, at: number) => tokens[at]?.key ?? ''
const MONEY = new Set('dollars dollar bucks usd cents'.split(' '))
const STOCK_WORDS = new Set('available left pieces piece pcs units sets matching listings parts'.split(' '))
const IN_STOCK = new Set('stock hand'.split(' '))
const ROUGHLY = new Set('about around roughly approximately some'.split(' '))
const UPWARD = new Set('up newer later onward onwards on after older earlier before down'.split(' '))

/** What is wrong with a number in digits, or undefined. */
export function wrongNumber(reading: Reading, at: number): Problem | undefined {
  const { text, tokens } = reading
  const token = tokens[at]
  if (token === undefined) return undefined
  const value = plainNumber(token.text)
  if (isMoney(reading, at)) return wrongPrice(reading, value, token)
  if (text.charAt(token.end) === '%') return wrongAmount(reading, value, 'percent', token)
  if (isCount(reading, at)) {
    return value === reading.support.count ? undefined : unknown(`${token.text} ${keyAt(reading, at + 1)}`)
  }
  const next = keyAt(reading, at + 1)
  const unit = units.get(next)
  // "in", "a", "on" and "l" are words as well; between two numbers and before a noun they are no units.
  if (unit !== undefined && next !== 'in' && next !== 'a') return wrongAmount(reading, value, unit, token)
  return wrongPlain(reading, at, value)
}

function isMoney(reading: Reading, at: number): boolean {
  const token = reading.tokens[at]
  if (token === undefined) return false
  const before = reading.text.slice(Math.max(0, token.start - 2), token.start)
  return /[$€£]\s?$/.test(before) || MONEY.has(keyAt(reading, at + 1)) || keyAt(reading, at - 1) === 'usd'
}

function wrongPrice({ text, support }: Reading, value: number, token: Token): Problem | undefined {
  const isDollars = !/[€£]/.test(text.charAt(token.start - 1))
  if (isDollars && support.cents.has(Math.round(value * 100))) return undefined
  return {
    claim: text.slice(Math.max(0, token.start - 1), token.end),
    why: 'is a price that is not in the record',
  }
}

function isCount(reading: Reading, at: number): boolean {
  const next = keyAt(reading, at + 1)
  if (STOCK_WORDS.has(next)) return true
  return next === 'in' || next === 'on' ? IN_STOCK.has(keyAt(reading, at + 2)) : false
}

function wrongAmount(
  { support, tokens }: Reading,
  value: number,
  unit: string,
  token: Token,
): Problem | undefined {
  if (unit === 'mile' && support.miles !== undefined) {
    const isRough = ROUGHLY.has(tokens[tokens.indexOf(token) - 1]?.key ?? '')
    const isRight =
      value === support.miles || (isRough && value === Math.round(support.miles / 1_000) * 1_000)
    if (isRight) return undefined
  }
  if (hasAmount(support, `${value}|${unit}`)) return undefined
  const claim = token.kind === 'mixed' ? token.text : `${token.text} ${unit}`
  return { claim, why: 'is an amount that is not in the record' }
}

function wrongPlain(reading: Reading, at: number, value: number): Problem | undefined {
  const { tokens, support } = reading
  const token = tokens[at]
  if (token === undefined) return undefined
  const year = yearOf(reading, at, value)
  if (isYear(year, support)) return openEnded(reading, at)
  if (support.numbers.has(value) && !looksLikeYear(value)) return undefined
  if (value === support.miles) return undefined
  if (support.words.has(token.key) && !looksLikeYear(value)) return undefined
  return looksLikeYear(value)
    ? { claim: token.text, why: 'is a year that is not in the record' }
    : unknown(token.text)
}

const looksLikeYear = (value: number) => value >= 1900 && value <= 2100
const isYear = (value: number, { yearFrom, yearTo }: Support) =>
  yearFrom !== undefined && value >= yearFrom && value <= (yearTo ?? yearFrom)

/** "2012–15" and "’15" are years of four digits. */
function yearOf({ text, tokens }: Reading, at: number, value: number): number {
  const token = tokens[at]
  if (token === undefined || token.text.length !== 2) return value
  const mark = text.charAt(token.start - 1)
  const before = tokens[at - 1]
  const follows = /[-–/]/.test(mark) && before?.end === token.start - 1 && /^(19|20)\d\d$/.test(before.text)
  if (follows) return Number(`${before.text.slice(0, 2)}${token.text}`)
  return /['’]/.test(mark) ? Number(`${value > 50 ? 19 : 20}${token.text}`) : value
}

/** "2012 and up", "2012+": years that nobody listed. */
function openEnded(reading: Reading, at: number): Problem | undefined {
  const { text, tokens } = reading
  const token = tokens[at]
  if (token === undefined) return undefined
  const next = keyAt(reading, at + 1)
  const isOpen =
    text.charAt(token.end) === '+' ||
    ((next === 'and' || next === 'or') && UPWARD.has(keyAt(reading, at + 2))) ||
    next === 'onward' ||
    next === 'onwards'
  return isOpen
    ? { claim: `${token.text} and others`, why: 'are years that are not in the record' }
    : undefined
}

/** "130A", "V6", "4WD", "84k": digits with letters. */
export function wrongMixed(reading: Reading, at: number): Problem | undefined {
  const { support, tokens } = reading
  const token = tokens[at]
  if (token === undefined || support.words.has(token.key)) return undefined
  const glued = gluedAmount(token.key, token.text)
  if (glued !== undefined) return wrongAmount(reading, glued.value, glued.unit, token)
  return unknown(token.text)
}

export const isNumberWord = (word: string): boolean => numberWords.has(word) || vagueAmounts.has(word)

/** Amounts in words. */
export function wrongNumberWord(reading: Reading, at: number, word: string): Problem | undefined {
  const { support } = reading
  if (vagueAmounts.has(word)) return support.words.has(word) ? undefined : unknown(word)
  const value = numberWords.get(word)
  if (value === undefined) return undefined
  if (value === 1 && !isCounted(reading, at)) return undefined
  const unit = units.get(keyAt(reading, at + 1))
  if (unit !== undefined && unit !== 'piece') {
    return hasAmount(support, `${value}|${unit}`) ? undefined : unknown(`${word} ${keyAt(reading, at + 1)}`)
  }
  const isKnown = support.count === value || support.words.has(word)
  return isKnown ? undefined : unknown(word)
}

const isCounted = (reading: Reading, at: number) => {
  const next = keyAt(reading, at + 1)
  return (
    units.has(next) && next !== 'a' && next !== 'in' && next !== 'l' && next !== 'piece' && next !== 'unit'
  )
}
