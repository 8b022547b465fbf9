import type { YearSpan } from '#contract/listing/year-span.ts'

/* Years and sizes as buyers write them: '02, 08-12, 5.3L, 17". */

/** A value and the number of words it was read from. */
type Read<T> = { readonly value: T; readonly words: number } | undefined

// The range of model years: from old classics to the year after next.
const FIRST_YEAR = 1940
const YEARS_AHEAD = 2

/** Reads years. `now` is this year; two digits are not read as a future year. */
export function readYears(words: readonly string[], now: number): Read<YearSpan> {
  const [first = '', joint = '', last = ''] = words
  if (/^(?:to|thru|through|until|-|–)$/.test(joint)) {
    const span = spanOf(first, last, now)
    if (span) return { value: span, words: 3 }
  }
  const [, from, to] = /^'?(\d{2}|\d{4})[-–]'?(\d{2}|\d{4})$/.exec(first) ?? []
  const span = from && to ? spanOf(from, to, now) : undefined
  if (span) return { value: span, words: 1 }
  const year = yearOf(first.replace(/(?:\+|up)$/, ''), now)
  return year === undefined ? undefined : { value: { from: year, to: year }, words: 1 }
}

function spanOf(first: string, last: string, now: number): YearSpan | undefined {
  const from = yearOf(first, now)
  const to = yearOf(last, now)
  return from !== undefined && to !== undefined && from < to ? { from, to } : undefined
}

function yearOf(word: string, now: number): number | undefined {
  const [, digits = ''] = /^['’]?(\d{2}|\d{4})$/.exec(word) ?? []
  if (digits === '') return undefined
  const latest = now + YEARS_AHEAD
  if (digits.length === 4)
    return Number(digits) >= FIRST_YEAR && Number(digits) <= latest ? Number(digits) : undefined
  const year = 2_000 + Number(digits)
  if (year <= latest) return year
  return year - 100 >= FIRST_YEAR + 10 ? year - 100 : undefined
}

/** Whether the word is clearly a year: four digits, an apostrophe or a range. */
export const isPlainYear = (word: string): boolean => !/^\d{2}$/.test(word)

/** A size: its chip's label, and its spellings in listings, each a word of their document. */
export type Size = { readonly label: string; readonly spellings: readonly string[] }

const UNITS: readonly {
  readonly number: RegExp
  readonly unit: RegExp
  readonly size: (number: string) => Size
}[] = [
  {
    number: /^\d\.\d$/,
    unit: /^(?:l|liters?|litres?|ltr)$/,
    size: (number) => {
      const digits = number.replace('.', '')
      return { label: `${number}L`, spellings: [`${digits}l`, digits] }
    },
  },
  {
    number: /^(?:1[2-9]|2[0-6])$/,
    unit: /^(?:in|inch|inches|inchs|"|”|'')$/,
    size: (number) => ({ label: `${number} inch`, spellings: [number, `${number}in`, `${number}inch`] }),
  },
  {
    number: /^\d{2,3}$/,
    unit: /^(?:a|amps?)$/,
    size: (number) => ({ label: `${number} amp`, spellings: [`${number}a`, `${number}amp`, number] }),
  },
]

/** "5.3", "5.3L", "5.3 liter", "17 inch", 17", "130a", "V8". `ofWheel`: the words name a wheel. */
export function readSize(words: readonly string[], { ofWheel }: { ofWheel: boolean }): Read<Size> {
  const [first = '', second = ''] = words
  const [, digits = '', behind = ''] = /^([\d.]+)(.*)$/.exec(first) ?? []
  for (const { unit, size } of UNITS.filter((one) => one.number.test(digits))) {
    if (behind === '' && unit.test(second)) return { value: size(digits), words: 2 }
    // Only an engine's or a wheel's size is written without its unit.
    const goesAlone = digits.includes('.') || (ofWheel && unit.test('in'))
    if (behind === '' ? goesAlone : unit.test(behind)) return { value: size(digits), words: 1 }
  }
  return readCylinders(first)
}

function readCylinders(word: string): Read<Size> {
  if (!/^[vli](?:3|4|5|6|8|10|12)$/.test(word)) return undefined
  return { value: { label: word.toUpperCase(), spellings: [word] }, words: 1 }
}
