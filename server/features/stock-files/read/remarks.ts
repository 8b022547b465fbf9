import { type FoundIssue, shownValue } from './field-text.ts'

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
    message:
      'The row is a heading, a total or a remark, not a part, and is left out. You don’t need to do anything',
  }
}

const FEWEST_COLUMNS = 4

const isRule = (text: string) => /^[-=_*#~. ]{3,}$/.test(text)

/** Whether at least half of the required values are missing. */
export const lacksMost = (issues: readonly FoundIssue[], needed: number): boolean =>
  2 * issues.filter(({ code }) => code === 'REQUIRED').length >= Math.max(needed, 1)
