import { type PartYears, type YearSpan, yearSpanText } from '#contract/listing/year-span.ts'

/*
 * Model years as people write them, in a cell, a title or a search: 2012, '12, 07, 2004-08, 05-UP, "2008,2009,2010",
 * "03 04 05", 2017+ and "17 & up". An open range ends in the current year. Ranges with a gap between them are not a
 * span: a listing has one span.
 */

/** The span, or why there is none: `gap` names the years around the first hole. */
export type YearsRead =
  | { readonly years: YearSpan; readonly problem?: undefined }
  | {
      readonly years?: undefined
      readonly problem: 'none' | 'unclear' | 'backwards' | 'gap'
      readonly gap?: readonly [number, number]
    }

const YEAR = '(?:19[4-9]\\d|20[0-4]\\d)'
const SHORT = '\\d{2}'
const TICK = "['’‘`´]"
const DASH = '\\s*(?:-|–|—|‐|‑|−|/|\\b(?:to|thru|through|until)\\b)\\s*'
const UP = 'up|on|onwards?|newer|later|above|present|current|now|today'
const OPEN = `\\s*(?:\\+(?!\\s*\\d)|(?:[-–—&/,]|\\b(?:and|or|to|thru|through)\\b)?\\s*\\b(?:${UP})\\b|up\\b)`
const BETWEEN = `(?:\\s*[,;&|+]\\s*|\\s*/\\s*(?=${YEAR})|\\s+and\\s+|\\s+)`

/** A year in full or with a tick, alone or with the end of its range. Bare two digits count only as a range. */
const ITEM = `(?:(?:${YEAR}|${TICK}${SHORT})(?:${DASH}(?:${YEAR}|${TICK}?${SHORT})(?![\\w.]))?|${SHORT}\\s*[-–]\\s*${TICK}?${SHORT})(?:${OPEN})?`
const UNIT = '(?!\\s*(?:miles?|mi|lbs?|psi|rpm|cc|watts?|amps?|mm)\\b)'
const IN_TEXT = new RegExp(
  `(?<![\\w.#$])(?<!\\w[-/])${ITEM}(?:${BETWEEN}${ITEM})*(?!\\w|[.-]\\d|-[a-z]\\d)${UNIT}`,
  'gi',
)
/** "07 CAMRY" and "03 04 05 CIVIC": two digits first, and a word. */
const LEADING = new RegExp(`^\\s*${SHORT}(?:(?:,\\s*|\\s+)${SHORT}(?!\\d))*(?:${OPEN})?(?=[\\s-]+[a-z])`, 'i')

const LOOSE = `(?:${YEAR}|${TICK}?${SHORT})(?:\\.0+)?`
const LOOSE_ITEM = `${LOOSE}(?:${DASH}${LOOSE})?(?:${OPEN})?`
const WHOLE = new RegExp(`^${LOOSE_ITEM}(?:${BETWEEN}${LOOSE_ITEM})*$`, 'i')
/** A whole cell may end with an open dash, and begin with a word for it or the month that a car was built in. */
const OPEN_END = new RegExp(`^(${YEAR})\\s*[-–—]$`)
const LABEL = /^(?:m\/?y|model\s?years?|years?|yrs?)(?![a-z])[.:]?\s*/i
const MONTH = new RegExp(`^(?:0?[1-9]|1[0-2])\\s?[/.]\\s?(${YEAR})$`)
/** What was built for the second half of a model year. */
const HALF = new RegExp(`^(${YEAR})\\.5$`)
/** With the digits of its number plate. */
const WITH_PLATE = new RegExp(`^(${YEAR})\\s*\\(\\d\\d(?:\\s*(?:reg|plate))?\\)$`, 'i')
const PIECE = new RegExp(
  `(${TICK}?\\d{2,4})(?:\\.0+)?(?:(${DASH})(${TICK}?\\d{2,4})(?:\\.0+)?)?(${OPEN})?`,
  'gi',
)

/** Whether a text is a year or a range in the form that forms and files have. */
export const isPlainYears = (text: string): boolean =>
  /^\d{4}(?:\.0+)?(?:\s*[-–]\s*\d{4})?$/.test(text.trim())

// No car has been built for longer under one part; a longer span with two digits is something else.
const LONGEST_SPAN = 40
// More than a list of all years of a model.
const LONGEST_TEXT = 400

/**
 * The years in a text that contains nothing else. Two digits are a year here: "05" is 2005, and "98" is 1998.
 * `current` is this year.
 */
export function readYears(text: string, current: number): YearsRead {
  const plain = text
    .trim()
    .replace(LABEL, '')
    .replace(HALF, '$1')
    .replace(OPEN_END, '$1+')
    .replace(MONTH, '$1')
    .replace(WITH_PLATE, '$1')
  if (plain.length > LONGEST_TEXT || !WHOLE.test(plain)) return { problem: 'none' }
  return joined(spansIn(plain, current))
}

/** What British lists call the column of a car's number plate, whose two digits say when it was first registered. */
const OF_PLATES = /^(?:reg(?:istration)?|(?:number |reg )?plate)(?: (?:year|plate|letter))?$/i
const PLATE = /^(\d\d)(?:[\s-]*(?:reg(?:istration)?|plate))?$/i
const NAMED_PLATE = /[a-z]$/i
const FIRST_PLATE = 51
const PLATES_OF_HALF = 50

/** The year of a plate: 12 is from March 2012, and 62 from September of the same year. */
export function readPlateYear(text: string, header: string): YearSpan | undefined {
  const plain = text.trim().replace(/\.$/, '')
  const digits = Number(PLATE.exec(plain)?.[1] ?? Number.NaN)
  const isPlate = NAMED_PLATE.test(plain) || OF_PLATES.test(header.trim())
  // Before 2001, plates had letters instead.
  if (!isPlate || !(digits >= FIRST_PLATE || (digits >= 2 && digits < PLATES_OF_HALF))) return undefined
  const year = 2000 + (digits >= FIRST_PLATE ? digits - PLATES_OF_HALF : digits)
  return { from: year, to: year }
}

/** Columns of days whose year is the car's: when it was built, or first registered. */
const OF_BUILD_DATES =
  /\b(?:buil[dt]|prod(?:uction)?|manufactured?|mfg|mfr|compl(?:iance)?|assembl(?:y|ed)|(?:first|1st) reg\w*|ez|erstzulassung|zulassung|prima immatricolazione|(?:data )?immatricolazione|primera matriculacion)\b/i

export const isOfBuildDates = (header: string): boolean => OF_BUILD_DATES.test(header.replaceAll('_', ' '))

const DAY = new RegExp(
  `^(${YEAR})[-/.]\\d{1,2}(?:[-/.]\\d{1,2})?(?:[ T].*)?$|^\\d{1,2}[-/.]\\d{1,2}[-/.](${YEAR})$`,
)
/** “Mar-14”, “March 2014” and “03/14” */
const MONTH_OF_YEAR = new RegExp(
  `^(?:\\d{1,2}[-\\s])?(?:\\p{L}{3,9}\\.?|0?[1-9]|1[0-2])[-/.\\s]\\s?(${YEAR}|${TICK}?\\d\\d)$`,
  'u',
)

/** The year of a day or month in such a column, in full or with two digits; undefined for anything else. */
export function yearOfDate(text: string): string | undefined {
  const plain = text.trim()
  const [, first, last] = DAY.exec(plain) ?? []
  return first ?? last ?? MONTH_OF_YEAR.exec(plain)?.[1]
}

/** No part for sale is from an earlier year; the beginning of what was built "before 2009". */
const FIRST_YEAR = 1940

type SpanOf = (one: number, other: number, current: number) => YearSpan
/** How buyers write the beginning or end of a range, with Y for a year, and the years in it. */
const WAYS: readonly (readonly [text: string, spanOf: SpanOf])[] = [
  ['(?:after|past|newer than|later than|post) Y', (one, _, to) => ({ from: one + 1, to })],
  ['(?:since|from|starting(?: in)?|(?:no|not) (?:older|earlier) than) Y', (from, _, to) => ({ from, to })],
  ['(?:before|prior to|pre|older than|earlier than) Y', (one) => ({ from: FIRST_YEAR, to: one - 1 })],
  [
    '(?:up to|until|till|til|thru|through|(?:no|not) (?:newer|later) than) Y',
    (to) => ({ from: FIRST_YEAR, to }),
  ],
  ['Y (?:and|or) (?:older|earlier|before|below|down|prior)', (to) => ({ from: FIRST_YEAR, to })],
  ['(?:between|from) Y (?:and|to|thru|through) Y', (from, to) => ({ from, to })],
]
const ASKED = WAYS.map(([text, spanOf]) => {
  const pattern = text.replaceAll('Y', `(${YEAR}|${TICK}?${SHORT})`).replaceAll(' ', '[\\s-]+')
  return [new RegExp(`^${pattern}$`), spanOf] as const
})

/** "Late 90s", "the mid 2000s" */
const DECADE = /^(?:(early|mid|late)[\s-]+)?((?:19|20)?\d0)s$/
const PART_OF_DECADE: Readonly<Record<string, readonly [number, number]>> = {
  early: [0, 3],
  mid: [4, 6],
  late: [7, 9],
}

/**
 * Years in a search, in spellings that `readYears` does not know: "after 2015", "2009 and older", "early 2000s",
 * "2k8", and "2012.5" for the second half of a year.
 */
export function readSearchYears(text: string, current: number): YearSpan | undefined {
  const plain = text.replace(/^2k(\d{1,2})$/, (_, year: string) => `20${year.padStart(2, '0')}`)
  if (plain !== text || HALF.test(text)) return readYears(plain, current).years
  const [, part = '', decade] = DECADE.exec(text) ?? []
  if (decade !== undefined) {
    const [first, last] = PART_OF_DECADE[part] ?? [0, 9]
    const year = inFull(decade, current)
    return { from: year + first, to: Math.min(year + last, current) }
  }
  for (const [pattern, spanOf] of ASKED) {
    const [, one, other] = pattern.exec(text) ?? []
    if (one === undefined) continue
    const span = spanOf(inFull(one, current), other === undefined ? 0 : inFull(other, current), current)
    return span.from <= span.to ? span : undefined
  }
  return undefined
}

/** For people: "2008–2012", "2008 and older". */
export const yearsInWords = (years: YearSpan): string =>
  years.from === FIRST_YEAR ? `${years.to} and older` : yearSpanText(years).replace('-', '–')

/** Where a text names years: `at` to `end`. */
export type YearsInText = YearsRead & { readonly at: number; readonly end: number }

/** All years that a title names. */
export function findYears(text: string, current: number): YearsInText[] {
  const found: YearsInText[] = []
  const leading = LEADING.exec(text)
  const start = leading?.[0].length ?? 0
  if (leading) found.push({ at: 0, end: start, ...joined(spansIn(leading[0].trim(), current)) })
  for (const { 0: part, index } of text.matchAll(IN_TEXT)) {
    if (index >= start) {
      found.push({ at: index, end: index + part.length, ...joined(spansIn(part, current)) })
    }
  }
  return found
}

/** In words, for the person who can correct it. */
export function yearsProblem(
  text: string,
  { problem, gap }: YearsRead & { gap?: readonly [number, number] },
): string {
  const quoted = `“${text.length > 60 ? `${text.slice(0, 59)}…` : text}”`
  if (problem === 'gap') {
    return `${quoted} leaves years out between ${gap?.join(' and ')}. Use one range, or one row for each`
  }
  return problem === 'none'
    ? `${quoted} is not a year, a range or a list of years`
    : `${quoted} can be read as years in more than one way. Use 4 digits for each year`
}

type Span = YearSpan | 'unclear' | 'backwards'

function spansIn(text: string, current: number): Span[] {
  return [...text.matchAll(PIECE)].map(([, from = '', dash = '', to, open]): Span => {
    const first = inFull(from, current)
    const ends = [from, ...(to === undefined ? [] : [to])]
    if (isUnclear(ends, dash)) return 'unclear'
    const alone = open === undefined ? first : Math.max(first, current)
    const last = to === undefined ? alone : endOf(first, to)
    if (first > last) return 'backwards'
    const isLong = last - first > LONGEST_SPAN && ends.some(isShort)
    return last > current + 1 || isLong ? 'unclear' : { from: first, to: last }
  })
}

/** 05/12 could be a month and a day, 05-2012 a month. */
const isUnclear = ([from = '', to]: readonly string[], dash: string): boolean =>
  to !== undefined && isShort(from) && (dash.includes('/') || !isShort(to))

const isShort = (year: string) => digitsOf(year).length === 2

const digitsOf = (year: string) => year.replace(/\D/g, '')

/** '12 is 2012 and '98 is 1998: no car is from a later year than the next. */
function inFull(year: string, current: number): number {
  const digits = digitsOf(year)
  if (digits.length === 4) return Number(digits)
  const full = current - (current % 100) + Number(digits)
  return full > current + 1 ? full - 100 : full
}

/** 1998-02 ends in 2002. */
function endOf(first: number, year: string): number {
  const digits = digitsOf(year)
  if (digits.length === 4) return Number(digits)
  const full = first - (first % 100) + Number(digits)
  return full < first ? full + 100 : full
}

function joined(spans: readonly Span[]): YearsRead {
  const known = spans
    .filter((span) => typeof span !== 'string')
    .toSorted((one, other) => one.from - other.from)
  const [first, ...others] = known
  if (!first || known.length < spans.length) {
    return { problem: spans.includes('backwards') ? 'backwards' : 'unclear' }
  }
  let all = first
  for (const span of others) {
    if (span.from > all.to + 1) return { problem: 'gap', gap: [all.to, span.from] }
    all = { from: all.from, to: Math.max(all.to, span.to) }
  }
  return { years: all }
}

/** Runs of consecutive years, ascending: 2012, 2013 and 2015 are 2012-2013 and 2015. */
export function runsOf(years: Iterable<number>): YearSpan[] {
  const runs: { from: number; to: number }[] = []
  for (const year of [...new Set(years)].toSorted((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run?.to === year - 1) run.to = year
    else runs.push({ from: year, to: year })
  }
  return runs
}

export const eachYear = ({ from, to }: PartYears): number[] =>
  from === null || to === null ? [] : Array.from({ length: to - from + 1 }, (_, at) => from + at)
