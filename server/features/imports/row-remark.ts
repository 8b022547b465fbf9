import { type FoundIssue, shownValue } from './row-issue.ts'

/*
 * Rows below and between the parts of a report: totals, how many records there are, when it was printed. Only a row that is
 * no good part is looked at, so that no part is taken for a remark.
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

/** What a row says where it is a remark and no part. `most`: as many cells may be filled, lines drawn below columns aside. */
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
  if (first.length > 200 || !REMARK.test(first)) return undefined
  return {
    column: '',
    code: 'NOT_A_PART',
    value: shownValue(first),
    message: 'The row is no part but a total or a remark, and is left out. Nothing needs to be done',
  }
}

const isRule = (text: string) => /^[-=_*#~. ]{3,}$/.test(text)
