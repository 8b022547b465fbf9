/** Lines of a report that are not parts: totals, headings, record counts, print dates. */
const REMARK = new RegExp(
  [
    '^(?:grand |sub-?|report |page )?(?:total|count)s?\\b',
    '^(?:number|total|count|sum) of\\b',
    '^\\(?[\\d,.]+ (?:total |matching )?(?:record|row(?! .*(?:radiator|seat|core))|item|part|line|listing|result|vehicle|entr)',
    '^\\**\\s*end(?:s)? of\\b',
    '^page:? ?\\d+(?: (?:of|/) \\d+)?$',
    '^-+ ?(?:page )?\\d+ ?-+$',
    '^(?:report|run|print(?:ed)?|export(?:ed)?|generated|created|as of|prepared)\\b.{0,20}\\b(?:on|by|at|date|time|from)\\b',
    '^(?:records?|rows?|items?|sum|average|continued)\\s*:?$',
    '^(?:records|rows|items|parts|lines|total[^,]{0,30})\\s*[:=]',
    '^[-=_*#~. ]{3,}$',
  ].join('|'),
  'i',
)

/** Whether a line begins like a total, a count, a page number or the like. */
export const isRemarkLine = (text: string): boolean => REMARK.test(text)

const MIN_SHARE = 0.3

/** Whether lines come from a printed report: columns are separated by spaces, and pages have numbers and totals. */
export function isReport(lines: readonly string[]): boolean {
  const filled = lines.filter((line) => line.trim() !== '')
  const spaced = filled.filter((line) => /\S {3,}\S/.test(line) || isRemarkLine(line.trim())).length
  return filled.length > 1 && spaced >= MIN_SHARE * filled.length
}

const WORDS_OF_SENTENCE = 6

/** Whether lines are sentences, as in a letter. */
export function areSentences(lines: readonly string[]): boolean {
  const filled = lines.filter((line) => line.trim() !== '')
  const long = filled.filter((line) => line.trim().split(/\s+/).length >= WORDS_OF_SENTENCE).length
  return filled.length > 1 && long >= MIN_SHARE * filled.length
}
