/* Prices as buyers write them: under $100, <60, $50-$80, around $80, max 800, budget of 150, 100 or less. */

const MOST =
  "under|below|less than|cheaper than|(?:no|not) more than|up to|max(?:imum)?(?: of)?|at most|(?:my )?budget(?: (?:of|is|around|about)|'s)*|<=?"
const LEAST = 'over|above|more than|at least|>=?'
const ABOUT = 'around|about|approx(?:imately)?\\.?|roughly|~'
const BEHIND = 'or (?:less|under|below|cheaper)|max(?:imum)?|tops'
const DOLLARS = '(?:dollars|bucks|usd)\\b'
const NUMBER = '(\\d[\\d,]*(?:\\.\\d{2})?)'
/** A clear amount, and a number that may be one: neither a year nor a measure. */
const MONEY = `(?:\\$\\s*${NUMBER}(?:\\s*${DOLLARS})?|${NUMBER}\\s*${DOLLARS})`
const BARE =
  '(?!(?:19[4-9]|20[0-4])\\d\\b)(\\d{2,6})(?![\\w.,/"”]|-\\w|\\s*(?:k|mi|miles?|in|inch(?:es)?|amps?|a|l|lit\\w+|lbs?|cc|hp|mm|cyl\\w*|series)\\b)'
const START = '(?<![\\w$.-])'

// A price "around" another one is at most this much away.
const AROUND = 0.25

type Limits = (one: number, other: number) => { readonly min?: number; readonly max?: number }

const RULES: readonly (readonly [pattern: string, limits: Limits])[] = [
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
          .map((group) => Number(String(group).replaceAll(',', '')))
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
