/*
 * The price in a typed line: "07 camry alternator $45", "hood red 150 obo". A bare number counts only at the
 * end, and only if it is not a year or measure.
 */

/** The text without its price. `problem`: why the price is unclear. */
type PriceCut = { rest: string; price?: string; problem?: string }

const NUMBER = '(?:\\d{1,3}(?:,\\d{3})+|\\d{1,6})(?:\\.\\d{2})?'
const TERMS = '(?:obo|firm|or best offer|each|ea)'
const MARKED = new RegExp(
  `\\$\\s?(${NUMBER})(?![\\d.,]*\\d)|(?<![\\d.,$/-])(${NUMBER})(?:\\s?\\$|\\s?(?:bucks|dollars|usd)\\b|(?=\\s+${TERMS}\\b))`,
  'gi',
)
const AFTER = new RegExp(`\\b${TERMS}\\b\\.?`, 'gi')
const LAST = /(?:^|\s)(\d{2,4})\s*$/
const YEAR = /^(?:19[5-9]\d|20[0-4]\d)$/
/** Numbers after these may be amps, inches or liters. */
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
      problem: `“${text.slice(0, 80)}” has more than one price. Keep the asking price`,
    }
  }
  if (first) {
    const rest = text.slice(0, first.index) + text.slice(first.index + first[0].length)
    return { rest: rest.replace(AFTER, ' ').trim(), price: plain(first[1] ?? first[2] ?? '') }
  }
  const bare = LAST.exec(text)
  const [, number = ''] = bare ?? []
  if (!bare || YEAR.test(number) || Number(number) < LEAST_BARE) return { rest: text }
  const before = text.slice(0, bare.index).trimEnd()
  return MEASURED.test(before)
    ? { rest: text, problem: `Is ${number} the price in “${text.slice(0, 80)}”? Write $${number} if it is` }
    : { rest: before, price: number }
}

const plain = (amount: string) => amount.replaceAll(',', '')
