import type { ImportField } from '#contract/csv/import-fields.ts'
import { type FoundIssue, shownValue, type ValueProblem } from './field-text.ts'

/* Rows that are not listed: remarks, and parts that are sold. */

/*
 * Rows below and between the parts of a report: totals, headings, record counts, print dates. Only rows with problems
 * are checked, so that no good part is taken for a remark.
 */

const REMARK = new RegExp(
  [
    '^(?:grand |sub-?|report |page )?(?:total|count)s?\\b',
    '^(?:number|total|count|sum) of\\b',
    '^\\(?[\\d,.]+ (?:total |matching )?(?:record|row|item|part|line|listing|result|vehicle|entr)',
    '^\\**\\s*end(?:s)? of\\b',
    '^page \\d+(?: of \\d+)?$',
    '^(?:report|run|print(?:ed)?|export(?:ed)?|generated|created|as of|prepared)\\b.{0,20}\\b(?:on|by|at|date|time|from)\\b',
    '^(?:records?|rows?|items?|sum|average|continued)\\s*:?$',
    '^(?:records|rows|items|parts|lines|total[^,]{0,30})\\s*[:=]',
    '^[-=_*#~. ]{3,}$',
  ].join('|'),
  'i',
)

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
  if (first.length > 200 || !(isNote || isHeading || REMARK.test(first))) return undefined
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
 * Whether at least half of the required values are missing. A vehicle column in which a heading stands gives neither
 * make nor model.
 */
export const lacksMost = (issues: readonly FoundIssue[], needed: number): boolean => {
  const missing = issues.map(({ code }) => (code === 'UNSURE_SPLIT' ? 2 : Number(code === 'REQUIRED')))
  return 2 * missing.reduce((sum, count) => sum + count, 0) >= Math.max(needed, 1)
}

/*
 * Rows whose part is sold: quantity 0, or a cell that says so. Yards leave sold parts in their files, with a mark in a column
 * that no field is mapped to.
 */

const SOLD_WORD = '(?:sold(?: out)?|vendue?s?|vendid[oa]s?|verkauft)'
/** Only if it is the whole cell, with or without a date: "Sold as is" means something else. */
const SOLD = new RegExp(`^\\W*${SOLD_WORD}(?: (?:on |le |el |am )?[\\d/.-]+)?\\W*$`, 'i')
/** Nearly all cells are no candidates, and comparing a letter is faster than a pattern. */
const mayBeSold = (cell: string): boolean => cell.length < 40 && /[sv]/i.test(cell)

/** A column of states, in which S is sold. */
const STATUS_COLUMN =
  /^(?:(?:part|item|stock|inventory|inv)[ _-]?)?(?:status|stat|sts)(?:[ _-]?code)?$|^estatus$|^disponibilit[eé]$|^disponibilidad$/i
/** A column of marks: "Sold: Y". */
const SOLD_COLUMN = new RegExp(`^(?:is )?${SOLD_WORD}\\??$`, 'i')
const YES = /^(?:y|yes|x|true|oui|s[ií]|ja)$/i

type Row = {
  readonly unmapped: readonly { readonly at: number; readonly column: string }[]
  readonly cells: readonly string[]
}
type Sold = { readonly column: string; readonly text: string; readonly problem: ValueProblem }

/** "Trunk lid SOLD", as a typed line ends. */
const SOLD_NAME = /[\s(*–-]sold\W*$/i
const NOT_SOLD = /\b(?:not|be|as|is|if|until|often) sold\W*$/i

const saidFields = ['partdescription', 'partprice', 'partquantity'] as const

/** Where a row says that its part is sold; undefined if it does not. */
export function findSold(
  fields: Partial<Record<ImportField, string>>,
  columnOf: (field: ImportField) => string,
  { unmapped, cells }: Row,
): Sold | undefined {
  for (const field of saidFields) {
    const text = fields[field] ?? ''
    if (mayBeSold(text) && SOLD.test(text)) return soldBy(columnOf(field), text)
  }
  const { partname = '' } = fields
  if (SOLD_NAME.test(partname) && !NOT_SOLD.test(partname)) return soldBy(columnOf('partname'), partname)
  const marked = unmapped.find(({ at, column }) => saysSold(cells[at]?.trim() ?? '', column))
  if (marked) return soldBy(marked.column, cells[marked.at] ?? '')
  return fields.partquantity === '0'
    ? { column: columnOf('partquantity'), text: '0', problem: OUT_OF_STOCK }
    : undefined
}

function saysSold(cell: string, column: string): boolean {
  if (cell === '' || cell.length >= 40) return false
  if (mayBeSold(cell) && SOLD.test(cell)) return true
  if (cell.length > 4) return false
  return (/^s$/i.test(cell) && STATUS_COLUMN.test(column)) || (YES.test(cell) && SOLD_COLUMN.test(column))
}

const OUT_OF_STOCK: ValueProblem = {
  code: 'OUT_OF_STOCK',
  message: 'None left, so we don’t list it',
}

const soldBy = (column: string, text: string): Sold => ({
  column,
  text,
  problem: { code: 'OUT_OF_STOCK', message: 'This says that the part is sold, so we don’t list it' },
})
