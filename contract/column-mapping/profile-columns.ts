import { plainCell } from '#contract/csv/csv-cell.ts'
import { type HeaderName, headerName, nameSays } from '#contract/csv/field-headers.ts'
import { inFull, legendOf } from '#contract/csv/header-legend.ts'
import {
  type Dictionary,
  type NameShape,
  nameReader,
  nameShapes,
  numberOf,
  shapesOf,
  type ValueShape,
  valueShapes,
} from './value-shapes.ts'

export type ColumnShape = ValueShape | NameShape

/** What a column contains, in the sampled rows. */
export type ColumnProfile = {
  header: string
  at: number
  /** What the header does not decide. */
  says: ReturnType<typeof nameSays>
  name: HeaderName
  /** Values that are not blank, and how many of all rows that is (0..1). */
  count: number
  filled: number
  /** Different ones, and how many of the values that is (0..1). */
  kinds: number
  distinct: number
  /** The share of values with this shape (0..1). */
  share: Readonly<Record<ColumnShape, number>>
  /** Of the numeric values; NaN if there are none. */
  lowest: number
  median: number
  highest: number
  /** The most frequent value, and its share (0..1). */
  usual: string
  usualShare: number
  /** Each number is higher than the one before it, as in a running number. */
  running: boolean
  /** All values have the same length. */
  even: boolean
  /** Values that only name a part's position. */
  positions: ReadonlySet<string>
  /** The values in file order, trimmed and cut to the examined length. */
  values: readonly string[]
  /** The same as numbers; NaN for others. */
  numbers: readonly number[]
}

const MOST_ROWS = 500
/** Fewer rows are sampled in a wide file, so that it takes no longer. */
const MOST_CELLS = 30_000
const FEWEST_ROWS = 50
const JUDGED_CHARACTERS = 2_000
/** What people write instead of leaving a cell empty. */
const NOTHING = /^(?:-+|–|—|n\/?a|none|null|nil|\.+|\?+)$/i
const MAY_BE_POSITION = /^[^\d$].{0,60}$/

/** Looks at up to 500 rows; `rows` as in the file. */
export function profileColumns(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  dictionary?: Dictionary,
): ColumnProfile[] {
  const namesIn = nameReader(dictionary)
  const most = Math.max(
    FEWEST_ROWS,
    Math.min(MOST_ROWS, Math.floor(MOST_CELLS / Math.max(1, headers.length))),
  )
  const looked = evenRows(rows, headers.length).slice(0, most)
  return headers.map((header, at) => {
    const values = looked.map((row) => judgedText(row[at]))
    // Most values of a file begin with a digit, or are texts.
    const legend = legendOf(header)
    const isPosition = (value: string) =>
      (MAY_BE_POSITION.test(value) || legend.has(value.toLowerCase())) &&
      dictionary?.positionsOf?.(inFull(value, header), header) !== undefined
    const positions = new Set([...new Set(values)].filter(isPosition))
    const prepared = headerName(header)
    const says = nameSays(prepared)
    return { header, at, says, name: prepared, positions, ...profileValues(values, namesIn) }
  })
}

function judgedText(cell = ''): string {
  const text = plainCell(cell.slice(0, JUDGED_CHARACTERS))
  return text.length < 6 && NOTHING.test(text) ? '' : text
}

/** Rows with anything in them; ragged ones, whose cells may be in other columns, only where most rows are. */
function evenRows(rows: readonly (readonly string[])[], width: number) {
  const filled = rows.filter((row) => row.some((cell) => cell.trim() !== ''))
  const even = filled.filter((row) => row.length === width)
  return 2 * even.length >= filled.length ? even : filled
}

function profileValues(values: string[], namesIn: (text: string) => NameShape[]) {
  const present = values.filter((value) => value !== '')
  const times = new Map<string, number>()
  for (const value of present) times.set(value, (times.get(value) ?? 0) + 1)
  const [usual, usualTimes] = [...times].reduce((most, one) => (one[1] > most[1] ? one : most), ['', 0])
  const count = present.length
  const of = (part: number) => (count === 0 ? 0 : part / count)
  const numbers = values.map(readNumber)
  const sorted = numbers.filter(Number.isFinite).sort((one, other) => one - other)
  return {
    count,
    filled: values.length === 0 ? 0 : count / values.length,
    kinds: times.size,
    distinct: of(times.size),
    share: sharesOf(times, of, namesIn),
    lowest: sorted[0] ?? Number.NaN,
    median: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
    highest: sorted.at(-1) ?? Number.NaN,
    usual,
    usualShare: of(usualTimes),
    running: isRunning(present),
    even: new Set(present.map(({ length }) => length)).size === 1,
    values,
    numbers,
  }
}

const readNumber = (value: string) =>
  /^(?:[$€£\d]|(?:usd|us|c|ca|eur|mx)\b)/i.test(value) && !/[a-z]{4}/i.test(value)
    ? numberOf(value)
    : Number.NaN

/** Each distinct value is examined once. */
function sharesOf(
  times: ReadonlyMap<string, number>,
  of: (part: number) => number,
  namesIn: (text: string) => NameShape[],
): Record<ColumnShape, number> {
  const counts = Object.fromEntries(
    [...valueShapes, ...nameShapes].map((shape): [ColumnShape, number] => [shape, 0]),
  ) as Record<ColumnShape, number>
  for (const [value, often] of times) {
    for (const shape of [...shapesOf(value), ...namesIn(value)]) counts[shape] += often
  }
  return Object.fromEntries(Object.entries(counts).map(([shape, often]) => [shape, of(often)])) as Record<
    ColumnShape,
    number
  >
}

/** The digits of each value grow, as a counter does, for nearly all of three or more. */
function isRunning(values: readonly string[]): boolean {
  const numbers = values.map((value) => Number(value.replace(/\D/g, '').slice(0, 15) || Number.NaN))
  if (numbers.length < 3 || numbers.some(Number.isNaN)) return false
  const grows = numbers.filter((number, at) => at > 0 && number > (numbers[at - 1] ?? Number.NaN)).length
  return grows >= 0.9 * (numbers.length - 1)
}
