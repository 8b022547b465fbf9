import { findColumn } from '#contract/csv/csv-header.ts'
import { type ImportMapping, importFieldLabels } from '#contract/csv/import-fields.ts'
import type { DecimalMark, Reading } from './reading.ts'

/*
 * Whether 1.299 is a good thousand or a dollar thirty no value says by itself; the others of its column do. Nothing is ever
 * guessed: a column that does not tell is asked about.
 */

/** `none`: no value has a mark that matters. `undecided`: some have, and they do not tell, or contradict each other. */
export type DecimalDecision = DecimalMark | 'undecided' | 'none'

export type DecimalEvidence = {
  add(value: string): void
  decide(): DecimalDecision
  /** How many values tell a point, a comma, and how many have a mark that tells nothing, such as 1,299. */
  counts(): { readonly point: number; readonly comma: number; readonly open: number }
}

const USUAL = /^\$?\d+\.\d{1,2}$/
// Digits with marks between or in front of them; what stands around them (currencies, words) is no matter.
const AMOUNT = /(?:\d|[.,](?=\d))[\d.,' \u00a0\u2009\u202f’]*\d/
const GROUPS = /^[1-9]\d{0,2}(?:([.,])\d{3})(?:\1\d{3})*$/
const SPACES = /[' \u00a0\u2009\u202f’]/g

const LONGEST_AMOUNT = 60

/** What one value says of its column's decimal mark; nothing where it has none. */
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

/** The last of two kinds stands before cents, the only kind of several before thousands; dates and such tell nothing. */
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

/** Collects what the values of one column say. */
export function decimalEvidence(): DecimalEvidence {
  const counts = { point: 0, comma: 0, open: 0 }
  return {
    add(value) {
      const mark = decimalMarkOf(value)
      if (mark !== undefined) counts[mark] += 1
    },
    decide() {
      if (counts.point > 0 && counts.comma > 0) return 'undecided'
      if (counts.point > 0) return 'point'
      if (counts.comma > 0) return 'comma'
      return counts.open > 0 ? 'undecided' : 'none'
    },
    counts: () => ({ ...counts }),
  }
}

/** The mark of a column where its values tell one and none tells the other, as a reading has it; else nothing is said. */
export function plainDecimals(values: Iterable<string>): DecimalMark | undefined {
  const evidence = decimalEvidence()
  for (const value of values) evidence.add(value)
  const decision = evidence.decide()
  return decision === 'point' || decision === 'comma' ? decision : undefined
}

const moneyFields = ['partprice', 'partshipping'] as const

/**
 * The decimal marks of a file's columns of money as far as its first rows tell them: for whoever cannot look at the whole file
 * first. What was said goes before it.
 */
export function sampledDecimals(
  { header, rows }: { header: readonly string[]; rows: readonly (readonly string[])[] },
  mapping: ImportMapping,
  said: Reading['decimals'] = {},
): Reading['decimals'] {
  const decimals: Reading['decimals'] = {}
  for (const field of moneyFields) {
    const at = findColumn(header, mapping[field] ?? '')
    const mark = said[field] ?? plainDecimals(rows.map((cells) => cells[at] ?? ''))
    if (mark) decimals[field] = mark
  }
  return decimals
}

/** What was decided by values, in sentences, where it is not as in most files. */
export function decimalNotes(mapping: ImportMapping, decimals: Reading['decimals']): string[] {
  return moneyFields.flatMap((field) =>
    decimals[field] === 'comma'
      ? [
          `The values of “${mapping[field] ?? importFieldLabels[field]}” have decimal commas, and are read so: 1.299,50 is 1,299 dollars and 50 cents.`,
        ]
      : [],
  )
}
