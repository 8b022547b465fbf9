/*
 * Prices as people write them: a buyer's limits (under $100, <60, $50-$80, around $80, max 800, budget of 150, 100 or less),
 * and the price in a line that a yard typed ("07 camry alternator $45", "hood red 150 obo").
 */

const DOLLARS = '(?:dollars|bucks|usd)\\b'
const AMOUNT = '(?:\\d{1,3}(?:,\\d{3})+|\\d{1,6})(?:\\.\\d{2})?'
const digits = (amount: string) => amount.replaceAll(',', '')

/* In a search. */

const MOST =
  "under|below|less than|cheaper than|(?:no|not) more than|up to|max(?:imum)?(?: of)?|at most|(?:my )?budget(?: (?:of|is|around|about)|'s)*|<=?"
const LEAST = 'over|above|more than|at least|>=?'
const ABOUT = 'around|about|approx(?:imately)?\\.?|roughly|~'
const BEHIND = 'or (?:less|under|below|cheaper)|max(?:imum)?|tops'
const NUMBER = `(${AMOUNT})`
/** An amount that says what it is, and a number that may be: no year, and nothing measured. */
const MONEY = `(?:\\$\\s*${NUMBER}(?:\\s*${DOLLARS})?|${NUMBER}\\s*${DOLLARS})`
const BARE =
  '(?!(?:19[4-9]|20[0-4])\\d\\b)(\\d{2,6})(?![\\w.,/"”]|-\\w|\\s*(?:k|mi|miles?|in|inch(?:es)?|amps?|a|l|lit\\w+|lbs?|cc|hp|mm|cyl\\w*|series)\\b)'
/** No two digits, which are years: "between 98 and 02". */
const BARE_RANGE = `between\\s*(?!\\d\\d\\b)${BARE}\\s*(?:and|to|-)\\s*(\\d{3,6})(?![\\w.,/-]|\\s*(?:k|mi|miles?)\\b)`
const START = '(?<![\\w$.-])'

// A price "around" another one is at most this much away.
const AROUND = 0.25

type Limits = (one: number, other: number) => { readonly min?: number; readonly max?: number }

const RULES: readonly (readonly [pattern: string, limits: Limits])[] = [
  [BARE_RANGE, (min, max) => ({ min, max })],
  [
    `(?:between |from )?\\$\\s*${NUMBER}\\s*(?:-|–|to|and)\\s*\\$?\\s*${NUMBER}`,
    (min, max) => ({ min, max }),
  ],
  [`(?:between |from )?${NUMBER}\\s*(?:-|–|to|and)\\s*${NUMBER}\\s*${DOLLARS}`, (min, max) => ({ min, max })],
  [
    `(?:${ABOUT})\\s*${MONEY}`,
    (price) => ({ min: Math.floor(price * (1 - AROUND)), max: Math.ceil(price * (1 + AROUND)) }),
  ],
  [`(?:${MOST})\\s*(?:${MONEY}|${BARE})`, (max) => ({ max })],
  [`(?:(?:${LEAST})\\s*(?:${MONEY}|${BARE})|from\\s*${MONEY})`, (min) => ({ min })],
  [`(?:${MONEY}|${BARE})\\s*(?:${BEHIND})(?!\\w)`, (max) => ({ max })],
]
const ALL = RULES.map(([pattern, limits]) => [new RegExp(`${START}${pattern}`, 'gi'), limits] as const)

/** The text with each price limit as one word. */
export const withPriceWords = (text: string): string =>
  ALL.reduce(
    (before, [pattern, limits]) =>
      before.replaceAll(pattern, (...found) => {
        const groups = found.slice(
          1,
          found.findIndex((one) => typeof one === 'number'),
        )
        const [one = 0, other = 0] = groups
          .filter((group) => group !== undefined)
          .map((group) => Number(digits(String(group))))
        const { min, max } = limits(one, other)
        return ` ${[min !== undefined && `>$${min}`, max !== undefined && `<$${max}`].filter(Boolean).join(' ')} `
      }),
    text,
  )

const PRICED = /^([<>])\$(\d+(?:\.\d+)?)$/

/** A word of `withPriceWords`, with its label for people. */
export function readPrice(word: string): { label: string; min?: number; max?: number } | undefined {
  const [, sign, dollars = ''] = PRICED.exec(word) ?? []
  if (sign === undefined) return undefined
  const price = Number(dollars)
  return sign === '<' ? { label: `Up to $${dollars}`, max: price } : { label: `From $${dollars}`, min: price }
}

/* In a typed line. A bare number counts only at its end, and only if it is no year or measure. */

/** The text without its price. `problem`: why the price is unclear. */
type PriceCut = { rest: string; price?: string; problem?: string }

const TERMS = '(?:obo|firm|or best offer|each|ea)'
const MARKED = new RegExp(
  `\\$\\s?(${AMOUNT})(?![\\d.,]*\\d)|(?<![\\d.,$/-])(${AMOUNT})(?:\\s?\\$|\\s?${DOLLARS}|(?=\\s+${TERMS}\\b))`,
  'gi',
)
const AFTER = new RegExp(`\\b${TERMS}\\b\\.?`, 'gi')
const LAST = /(?:^|\s)(\d{2,4})\s*$/
const YEAR = /^(?:19[5-9]\d|20[0-4]\d)$/
/** Numbers behind these may be amps, inches or liters. */
const MEASURED =
  /(?:\b(?:alternator|alt|battery|rims?|wheels?|tires?|size|motor|engine|row|bin|#|x)|[-/.:])\s*$/i
/** Cheaper parts are rare, and inches common. */
const LEAST_BARE = 25
const PHONE = /(?<!\d)\(?\d{3}\)?[-. ]\d{3}[-. ]\d{4}(?!\d)/

export function cutPrice(text: string): PriceCut {
  if (PHONE.test(text)) {
    return {
      rest: text,
      problem: 'The line has a phone number. Leave it out: buyers see the phone of your account',
    }
  }
  const marked = [...text.matchAll(MARKED)]
  const [first, ...others] = marked
  if (others.length > 0) {
    return {
      rest: text,
      problem: `“${text.slice(0, 80)}” has more than one price. Keep the one that is asked`,
    }
  }
  if (first) {
    const rest = text.slice(0, first.index) + text.slice(first.index + first[0].length)
    return { rest: rest.replace(AFTER, ' ').trim(), price: digits(first[1] ?? first[2] ?? '') }
  }
  const bare = LAST.exec(text)
  const [, number = ''] = bare ?? []
  if (!bare || YEAR.test(number) || Number(number) < LEAST_BARE) return { rest: text }
  const before = text.slice(0, bare.index).trimEnd()
  return MEASURED.test(before)
    ? { rest: text, problem: `Is ${number} the price in “${text.slice(0, 80)}”? Write $${number} if it is` }
    : { rest: before, price: number }
}
