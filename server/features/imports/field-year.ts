import { readYearSpan, type YearSpan, yearSpanText } from '#contract/year-span.ts'
import type { ReadValue } from './field-text.ts'
import type { ValueProblem } from './row-issue.ts'

const TICK = "['’‘`]"
const ONE = new RegExp(`^(?:(\\d{4})(?:\\.0+)?|${TICK}(\\d{2}))$`)
const SPAN = new RegExp(
  `^${TICK}?(\\d{4}|\\d{2})\\s*(-|–|—|‐|‑|−|/|to|thru|through)\\s*${TICK}?(\\d{4}|\\d{2})$`,
  'i',
)

/** A year or a span of years: "2012", "2012.0", "'12", "2012-2015", "2012–15", "2012/2015", "12-15". */
export function yearReader(first: number, current: number): ReadValue {
  const rule = `Year is a year from ${first} to ${current}, or two such as 2012-2015`
  const of = (hint?: string): ValueProblem => ({
    code: 'INVALID_YEAR',
    message: hint === undefined ? rule : `${rule}; ${hint}`,
  })
  const wrong = of()
  const backwards = of('the earlier one comes first')
  const hints: [pattern: RegExp, problem: ValueProblem][] = [
    [/^\d{2}$/, of('it is written in four figures')],
    [/^[\dOolI]{4}$/, of('a letter such as O stands where a figure should')],
    [DATE, of('a spreadsheet may have made a date of it')],
  ]
  return (text) => {
    const span = readYearSpan(text) ?? readSpan(text, current)
    if (span === undefined) return hints.find(([pattern]) => pattern.test(text))?.[1] ?? wrong
    if (span.from > span.to) return backwards
    return span.from >= first && span.to <= current ? yearSpanText(span) : wrong
  }
}

const DATE = /^\d{1,2}[-/ ][a-z]{3}|^[a-z]{3}[-/ ]\d|^\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?/i

function readSpan(text: string, current: number): YearSpan | undefined {
  const [, year, short] = ONE.exec(text) ?? []
  if (year !== undefined) return { from: Number(year), to: Number(year) }
  if (short !== undefined) return { from: inFull(short, current), to: inFull(short, current) }
  const [, from = '', dash, to = ''] = SPAN.exec(text) ?? []
  if (dash === undefined) return undefined
  // 05/2012 is a month and 12/15 a day, as likely as years.
  if (from.length === 2 && (to.length === 4 || dash === '/')) return undefined
  const start = from.length === 4 ? Number(from) : inFull(from, current)
  return { from: start, to: to.length === 4 ? Number(to) : notBefore(start, Number(to)) }
}

/** '12 is 2012 and '98 is 1998: no car is of a year to come. */
function inFull(short: string, current: number): number {
  const year = current - (current % 100) + Number(short)
  return year > current ? year - 100 : year
}

/** The first year that ends in these two figures, from another year on: 1998-02 ends in 2002. */
function notBefore(start: number, short: number): number {
  const year = start - (start % 100) + short
  return year < start ? year + 100 : year
}
