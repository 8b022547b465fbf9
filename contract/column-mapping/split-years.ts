import { type YearSpan, yearSpanText } from '#contract/listing/year-span.ts'

/*
 * Model years as yards write them: 2012, '12, 2004-08, 08–10, "2008,2009,2010", 2017+ and "17 & up". An open range ends in
 * the current year. Two ranges with years between them are no span: a listing has one.
 */

/** The year or span, or why there is none, as a sentence. */
type YearsRead = { years: string; problem?: undefined } | { years?: undefined; problem: string }

const YEAR = '(?:19[5-9]\\d|20[0-4]\\d)'
const SHORT = '\\d{2}'
const TICK = "['’‘`´]"
const DASH = '\\s*(?:-|–|—|‐|‑|−|/|\\b(?:to|thru|through)\\b)\\s*'
const OPEN =
  '\\s*(?:\\+|(?:[-–&]|\\band\\b)?\\s*\\b(?:up|onwards?|newer|later)\\b|(?:[-–]|\\bto\\b)\\s*(?:present|current|on)\\b)'
const BETWEEN = '(?:\\s*[,;&|]\\s*|\\s+and\\s+|\\s+)'

/** A year in full or with a tick, alone or with the end of its range. Bare two digits count only as a range. */
const ITEM = `(?:(?:${YEAR}|${TICK}${SHORT})(?:${DASH}(?:${YEAR}|${TICK}?${SHORT})(?![\\w.]))?|${SHORT}\\s*[-–]\\s*${TICK}?${SHORT})(?:${OPEN})?`
const UNIT = '(?!\\s*(?:miles?|mi|lbs?|psi|rpm|cc|watts?|amps?|mm)\\b)'
const IN_TEXT = new RegExp(
  `(?<![\\w.#$])(?<!\\w[-/])${ITEM}(?:${BETWEEN}${ITEM})*(?!\\w|[.-]\\d|-[a-z]\\d)${UNIT}`,
  'gi',
)
/** "07 CAMRY": two digits first, and a word. */
const LEADING = new RegExp(`^\\s*(${SHORT})(?:${OPEN})?(?=[\\s-]+[a-z])`, 'i')

const LOOSE = `(?:${YEAR}|${TICK}?${SHORT})(?:\\.0+)?`
const LOOSE_ITEM = `${LOOSE}(?:${DASH}${LOOSE})?(?:${OPEN})?`
const COLUMN = new RegExp(`^${LOOSE_ITEM}(?:${BETWEEN}${LOOSE_ITEM})*$`, 'i')
const PIECE = new RegExp(
  `(${TICK}?\\d{2,4})(?:\\.0+)?(?:(${DASH})(${TICK}?\\d{2,4})(?:\\.0+)?)?(${OPEN})?`,
  'gi',
)

/** A plain value needs no split: the import reads it as it is. */
const PLAIN = /^\d{4}(?:\.0+)?(?:\s*[-–]\s*\d{4})?$/

export const isPlainYears = (text: string): boolean => PLAIN.test(text.trim())

// No car has been built for longer under one part.
const LONGEST_SPAN = 40

/** The years of a cell of a year column. Here two digits are a year: "05" is 2005, and "98" is 1998. */
export function readYears(text: string, current: number): YearsRead {
  const plain = text.trim()
  if (!COLUMN.test(plain)) return { problem: `“${shown(plain)}” is not a year, a range or a list of years` }
  return joined(spansIn(plain, current), plain)
}

/** Where a text names years: `at` to `end`. */
export type YearsInText = YearsRead & { at: number; end: number }

export function findYears(text: string, current: number): YearsInText[] {
  const found: YearsInText[] = []
  const leading = LEADING.exec(text)
  const start = leading?.[0].length ?? 0
  if (leading) {
    found.push({ at: 0, end: start, ...joined(spansIn(leading[0].trim(), current), leading[0].trim()) })
  }
  for (const { 0: part, index } of text.matchAll(IN_TEXT)) {
    if (index >= start) {
      found.push({ at: index, end: index + part.length, ...joined(spansIn(part, current), part) })
    }
  }
  return found
}

function spansIn(text: string, current: number): (YearSpan | undefined)[] {
  return [...text.matchAll(PIECE)].map(([, from = '', dash, to, open]) => {
    const first = inFull(from, current)
    const isShort = digitsOf(from).length === 2
    // 05/12 could be a month and a day, 05-2012 a month.
    if (to !== undefined && isShort && (dash?.includes('/') || digitsOf(to).length === 4)) return undefined
    const alone = open === undefined ? first : current
    const last = to === undefined ? alone : endOf(first, to)
    const isSpan = first <= last && last <= current + 1 && last - first <= LONGEST_SPAN
    return isSpan ? { from: first, to: last } : undefined
  })
}

const digitsOf = (year: string) => year.replace(/\D/g, '')

function inFull(year: string, current: number): number {
  const digits = digitsOf(year)
  if (digits.length === 4) return Number(digits)
  const full = current - (current % 100) + Number(digits)
  // No car is from a later year than the next.
  return full > current + 1 ? full - 100 : full
}

/** 1998-02 ends in 2002. */
function endOf(first: number, year: string): number {
  const digits = digitsOf(year)
  if (digits.length === 4) return Number(digits)
  const full = first - (first % 100) + Number(digits)
  return full < first ? full + 100 : full
}

function joined(spans: readonly (YearSpan | undefined)[], text: string): YearsRead {
  const known = spans.filter((span) => span !== undefined).toSorted((one, other) => one.from - other.from)
  const [first, ...others] = known
  if (!first || known.length < spans.length) {
    return {
      problem: `“${shown(text)}” can be read as years in more than one way. Use 4 digits for each year`,
    }
  }
  let all = first
  for (const span of others) {
    if (span.from > all.to + 1) {
      return {
        problem: `“${shown(text)}” leaves years out between ${all.to} and ${span.from}. Use one range, or one row for each`,
      }
    }
    all = { from: all.from, to: Math.max(all.to, span.to) }
  }
  return { years: yearSpanText(all) }
}

const shown = (text: string) => (text.length > 60 ? `${text.slice(0, 59)}…` : text)
