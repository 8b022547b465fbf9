import { findColumn } from '#contract/csv/csv-header.ts'
import { type ImportMapping, importFieldLabels } from '#contract/csv/import-fields.ts'
import type { DecimalMark, Reading } from './reading.ts'

/* Whether 1.299 is a thousand or $1.30 depends on the other values of its column. If they leave it open, the user is asked. */

/** `none`: no value has a relevant mark. `undecided`: the values are ambiguous or contradict each other. */
export type DecimalDecision = DecimalMark | 'undecided' | 'none'

export type DecimalEvidence = {
  add(value: string): void
  decide(): DecimalDecision
  /** How many values have a decimal point, a comma, or an ambiguous mark as in 1,299. */
  counts(): { readonly point: number; readonly comma: number; readonly open: number }
}

const USUAL = /^\$?\d+\.\d{1,2}$/
// Digits with marks between or in front of them; currencies and words around them do not matter.
const AMOUNT = /(?:\d|[.,](?=\d))[\d.,' \u00a0\u2009\u202f’]*\d/
const GROUPS = /^[1-9]\d{0,2}(?:([.,])\d{3})(?:\1\d{3})*$/
const SPACES = /[' \u00a0\u2009\u202f’]/g

const LONGEST_AMOUNT = 60
/** So many times as often as the other mark. */
const MOST = 3

/** The decimal mark that one value shows; undefined if it has none. */
export function decimalMarkOf(value: string): DecimalMark | 'open' | undefined {
  if (value.length > LONGEST_AMOUNT || !(value.includes('.') || value.includes(','))) return undefined
  if (USUAL.test(value)) return 'point'
  const [found] = AMOUNT.exec(value) ?? []
  if (found === undefined) return undefined
  const amount = found.replace(SPACES, '')
  const points = occurrences(amount, '.')
  const commas = occurrences(amount, ',')
  if (points + commas === 0) return undefined
  if (points + commas > 1) return markOfSeveral(amount, points, commas)
  if (GROUPS.test(amount)) return 'open'
  return points === 1 ? 'point' : 'comma'
}

/**
 * If there are both kinds, the last is before the cents; several of one kind separate thousands; undefined for dates
 * and the like.
 */
function markOfSeveral(amount: string, points: number, commas: number): DecimalMark | undefined {
  if (points === 0 || commas === 0) {
    if (!GROUPS.test(amount)) return undefined
    return points === 0 ? 'point' : 'comma'
  }
  const last = Math.max(amount.lastIndexOf('.'), amount.lastIndexOf(','))
  if (!GROUPS.test(amount.slice(0, last))) return undefined
  return amount[last] === '.' ? 'point' : 'comma'
}

const occurrences = (text: string, mark: string): number => text.split(mark).length - 1

/** Of a currency that names itself, a value with the other mark is read by its own two digits. */
const NAMES_CURRENCY = /[€£¥]|(?:^|[^a-z])(?:EUR|GBP|CAD|AUD|MXN|CHF)(?:[^a-z]|$)/i

/** The mark of most values, if those with the other one name their currency; `named`: how many of each do. */
function ofMost(counts: Marked, named: Marked): DecimalDecision {
  if (counts.point >= MOST * counts.comma && named.comma === counts.comma) return 'point'
  return counts.comma >= MOST * counts.point && named.point === counts.point ? 'comma' : 'undecided'
}
type Marked = { point: number; comma: number }

export function decimalEvidence(): DecimalEvidence {
  const counts = { point: 0, comma: 0, open: 0 }
  const named = { point: 0, comma: 0 }
  const groups = thousandsEvidence()
  return {
    add(value) {
      const mark = decimalMarkOf(value)
      if (mark !== undefined) counts[mark] += 1
      if (mark !== undefined && mark !== 'open' && NAMES_CURRENCY.test(value)) named[mark] += 1
      if (mark === undefined || mark === 'open') groups.add(value)
    },
    decide() {
      const { point, comma, open } = counts
      if (point > 0 && comma > 0) return open === 0 ? ofMost(counts, named) : 'undecided'
      if (point > 0) return 'point'
      if (comma > 0) return 'comma'
      return counts.open > 0 ? (groups.decimalMark() ?? 'undecided') : 'none'
    },
    counts: () => ({ ...counts }),
  }
}

/** Fewer whole amounts may be below a thousand by chance. */
const FEWEST_WHOLE = 10
/** “85 obo”, without its spaces. */
const TERMS = String.raw`(?:obo|firm|ea\.?|each|neg\.?)?`
const WHOLE = new RegExp(String.raw`^\$?\d{1,9}${TERMS}$`, 'i')
/** $1,200 and $19,500; parts for more are rare, and 85.000 may have three decimals. */
const THOUSANDS = new RegExp(String.raw`^\$?1?\d([.,])\d{3}${TERMS}$`, 'i')

/**
 * A column that has $45, $980 and $1,200, and nothing like $1200, marks its thousands: the mark is where a whole amount
 * needs it, and nowhere else.
 */
function thousandsEvidence() {
  const marks = new Set<string | undefined>()
  let whole = 0
  let hasUnmarked = false
  return {
    add(value: string): void {
      const text = value.replace(SPACES, '')
      const mark = THOUSANDS.exec(text)?.[1]
      if (mark !== undefined) marks.add(mark)
      else if (decimalMarkOf(value) === 'open') marks.add(undefined)
      else if (WHOLE.test(text)) {
        whole += 1
        hasUnmarked ||= text.replaceAll(/\D/g, '').length > 3
      }
    },
    decimalMark(): DecimalMark | undefined {
      const [mark, ...others] = marks
      if (mark === undefined || others.length > 0 || whole < FEWEST_WHOLE) return undefined
      // “$1,100” beside “1200”: with a comma, nobody writes three decimals below whole amounts.
      if (hasUnmarked && mark !== ',') return undefined
      return mark === ',' ? 'point' : 'comma'
    },
  }
}

/** The decimal mark of a column if its values agree, else undefined. */
export function plainDecimals(values: Iterable<string>): DecimalMark | undefined {
  const evidence = decimalEvidence()
  for (const value of values) evidence.add(value)
  const decision = evidence.decide()
  return decision === 'point' || decision === 'comma' ? decision : undefined
}

const moneyFields = ['partprice', 'partshipping'] as const

/** The decimal marks of a file's money columns, from its first rows; `overrides` take precedence. */
export function sampledDecimals(
  { header, rows }: { header: readonly string[]; rows: readonly (readonly string[])[] },
  mapping: ImportMapping,
  overrides: Reading['decimals'] = {},
): Reading['decimals'] {
  const decimals: Reading['decimals'] = {}
  for (const field of moneyFields) {
    const at = findColumn(header, mapping[field] ?? '')
    const mark = overrides[field] ?? plainDecimals(rows.map((cells) => cells[at] ?? ''))
    if (mark) decimals[field] = mark
  }
  return decimals
}

/** Notes on decimal commas. */
export function decimalNotes(mapping: ImportMapping, decimals: Reading['decimals']): string[] {
  return moneyFields.flatMap((field) =>
    decimals[field] === 'comma'
      ? [
          `The values of “${mapping[field] ?? importFieldLabels[field]}” have decimal commas: 1.299,50 is read as 1,299 dollars and 50 cents.`,
        ]
      : [],
  )
}
