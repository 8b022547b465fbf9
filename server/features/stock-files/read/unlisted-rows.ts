import type { SaleState } from '#contract/column-questions/sale-states.ts'
import type { ImportField } from '#contract/csv/import-fields.ts'
import { isRemarkLine } from '#contract/yard-file/reports/remark-lines.ts'
import { saleStates } from '#server/features/finding/vocabulary/sale-states.ts'
import { remembering } from '#server/platform/recent-values.ts'
import { type FoundIssue, shownValue, type ValueProblem } from './field-text.ts'

/* Rows that are not listed: remarks, and parts that are not for sale. */

/*
 * Rows below and between the parts of a report: totals, headings, record counts, print dates. Only rows with problems
 * are checked, so that no good part is treated as a remark.
 */

/** The only cell of a row: a yard's name, or a note to its customers. A part would have a number somewhere. */
const SENTENCE = /^(?:[^\s\d,;|]+\s+){3,}[^\s\d,;|]+$/

/** The issue of a row that is a remark. `most`: how many cells may be filled, not counting ruled lines. */
export function remarkIn(cells: readonly string[], most: number): FoundIssue | undefined {
  let first = ''
  let filled = 0
  for (const cell of cells) {
    const text = cell.length > 1_000 ? cell : cell.trim()
    if (text === '') continue
    if (filled === 0) first = text
    filled += 1
    if (filled > most && !isRule(text)) return undefined
  }
  const isNote = cells.length === 1 && SENTENCE.test(first)
  // "ENGINES" alone in a row of eight columns.
  const isHeading = filled === 1 && cells.length >= FEWEST_COLUMNS && !/\d/.test(first)
  if (first.length > 200 || !(isNote || isHeading || isRemarkLine(first))) return undefined
  return {
    column: '',
    code: 'NOT_A_PART',
    value: shownValue(first),
    message: 'This line is a heading, a total or a remark, not a part. We skip it',
  }
}

const FEWEST_COLUMNS = 4

const isRule = (text: string) => /^[-=_*#~. ]{3,}$/.test(text)

/**
 * Whether at least half of the required values are missing. A heading in a vehicle column gives neither make nor model.
 */
export const lacksMostFields = (issues: readonly FoundIssue[], needed: number): boolean => {
  const missing = issues.map(({ code }) => (code === 'UNSURE_SPLIT' ? 2 : Number(code === 'REQUIRED')))
  return 2 * missing.reduce((sum, count) => sum + count, 0) >= Math.max(needed, 1)
}

/*
 * Rows whose part is not for sale: quantity 0, or a cell with such a word. Yards leave sold and reserved parts in
 * their files, with a mark in a column that no field is mapped to.
 */

const { columnOf: stateColumnOf, isWithdrawn, readerOf, withoutSoldMark } = saleStates

/** A seller's answers about sale states, by column; undefined for cells without a question. */
export type AnsweredStates = ReadonlyMap<string, (cell: string) => SaleState | undefined>

/** A column that may show whether its parts are for sale. */
export type StatedColumn = {
  readonly at: number
  readonly column: string
  readonly read: (cell: string) => SaleState | undefined
}

/** State columns, mapped or not, and unmapped columns, since any of them may contain a word for it. */
export function statedColumns(
  header: readonly string[],
  mapped: ReadonlyMap<number, ImportField>,
  answered: AnsweredStates = new Map(),
): StatedColumn[] {
  return header.flatMap((column, at): StatedColumn[] => {
    const field = mapped.get(at)
    // Its reader knows such words, too.
    if (field === 'partquantity' || (field !== undefined && !stateColumnOf(column))) return []
    const answer = answered.get(column)
    const read = stateColumnOf(column) ? rememberingState(readerOf(column)) : readerOf(column)
    return [
      {
        at,
        column,
        read: answer ? (cell) => answer(cell.trim()) ?? read(cell) : read,
      },
    ]
  })
}

type Row = {
  readonly stated: readonly StatedColumn[]
  readonly cells: readonly string[]
  /** The columns of names and titles, which typed lists end with "SOLD". */
  readonly lines: readonly { readonly at: number; readonly column: string }[]
}
type NotForSale = { readonly column: string; readonly text: string; readonly problem: ValueProblem }

/** A column of states has a few words. */
function rememberingState(read: (cell: string) => SaleState | undefined) {
  const known = remembering((cell) => read(cell) ?? null, 500)
  return (cell: string) => known(cell) ?? undefined
}

const saidFields = ['partdescription', 'partprice', 'partquantity'] as const
const inAnyColumn = readerOf('')

const saysGone = (field: (typeof saidFields)[number], text: string): boolean =>
  field === 'partprice' ? isWithdrawn(text) : inAnyColumn(text) === 'not for sale'

/** Where a row says that its part is not for sale; undefined if it does not. */
export function findNotForSale(
  fields: Partial<Record<ImportField, string>>,
  columnOf: (field: ImportField) => string,
  { stated, cells, lines }: Row,
): NotForSale | undefined {
  for (const field of saidFields) {
    const text = fields[field] ?? ''
    if (text !== '' && saysGone(field, text)) return notForSale(columnOf(field), text)
  }
  for (const { at, column } of lines) {
    const text = cells[at] ?? ''
    if (withoutSoldMark(text) !== undefined) return notForSale(column, text)
  }
  for (const { at, column, read } of stated) {
    const cell = cells[at] ?? ''
    if (cell !== '' && read(cell) === 'not for sale') return notForSale(column, cell)
  }
  return fields.partquantity === '0'
    ? { column: columnOf('partquantity'), text: '0', problem: OUT_OF_STOCK }
    : undefined
}

/** A line whose only extra cell marks the part as sold: "K-12,Hood,75,SOLD". */
export function soldSuffix(cells: readonly string[], width: number): string | undefined {
  const extra = cells.slice(width).filter((cell) => cell.trim() !== '')
  const [only, ...others] = extra
  return only !== undefined && others.length === 0 && inAnyColumn(only) === 'not for sale' ? only : undefined
}

/** A sold part's name is the one that it was listed with. */
export const nameWithoutSoldMark = (name: string): string => withoutSoldMark(name) ?? name

const OUT_OF_STOCK: ValueProblem = {
  code: 'OUT_OF_STOCK',
  message: 'None left, so we don’t list it',
}

/** The same for every value, so that rows are counted together. */
export const notForSale = (column: string, text: string): NotForSale => ({
  column,
  text,
  problem: {
    code: 'OUT_OF_STOCK',
    message: 'This says that the part is not for sale, so we don’t list it',
  },
})
