import { sharedNames } from '#contract/csv/csv-header.ts'
import { type HeaderMatch, headerName, matchHeader, STAND_IN } from '#contract/csv/field-headers.ts'
import {
  type ImportField,
  importFieldLabels,
  importFields,
  requiredImportFields,
} from '#contract/csv/import-fields.ts'
import { assignColumns, type Offer } from './assign-columns.ts'
import { evidenceOf, namedFields } from './column-evidence.ts'
import { type ColumnProfile, profileColumns } from './profile-columns.ts'
import type { Columns, Evidence } from './text-evidence.ts'
import type { Dictionary } from './value-shapes.ts'

export type SuggestedColumn = {
  header: string
  /** 0..1 */
  confidence: number
  /** Why, as a sentence for the user. */
  reason: string
  /** Needs no review: a confidence of 0.9 or more. */
  sure: boolean
}
export type SuggestedColumns = Partial<Record<ImportField, SuggestedColumn>>

/** At or above this, 99 of 100 suggestions are right (`certainty.test.ts`). */
export const MIN_CERTAINTY = 0.9

/** Anything below this is not suggested. */
const LEAST = 0.35
/**
 * The same for an optional field below an unknown header: of the suggestions below this, one in ten was right
 * (`certainty.test.ts`).
 */
const LEAST_OF_OPTIONAL = 0.7
/** If the header means the field only in some files, the values must support it. */
const LEAST_STAND_IN = 0.5
const HIGHEST = 0.995

/** The weight of the values if the header is unknown or names another field. */
const UNKNOWN_NAME = 0.78
const OTHER_FIELD = 0.6
/** Columns that share a header are never certain. */
const SHARED_NAME = 0.8
/** What a header alone shows about an empty column. */
const EMPTY = 0.7

/**
 * Suggests which column of a file is which field, by the columns' names and values. One column a
 * field and one field a column, the best choice as a whole; the same file always gives the same. People confirm it.
 *
 * `header` as `nameColumns` answers it; `rows` are the first few hundred data rows; the dictionary makes it surer.
 */
export function suggestColumns(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  dictionary?: Dictionary,
): SuggestedColumns {
  const columns = profileColumns(header, rows, dictionary)
  const hasValues = columns.some(({ count }) => count > 0)
  const shared = sharedNames(header)
  const offers = columns.flatMap((column) => {
    const offered = offersOf(column, columns, shared.get(column.header))
    // Another column, which has the values, may be the right one.
    return hasValues && column.count === 0 ? offered.map(withoutValues) : offered
  })
  const given = assignColumns(importFields.length, header.length, offers)
  const isTaken = new Set(given)
  const suggested: SuggestedColumns = {}
  importFields.forEach((name, field) => {
    const found =
      offers.find((offer) => offer.field === field && offer.column === given[field]) ??
      byNameAlone(
        name,
        columns.filter(({ at }) => !isTaken.has(at)),
      )
    if (!found) return
    const { column, confidence, reason } = found
    suggested[name] = { header: header[column] ?? '', confidence, reason, sure: confidence >= MIN_CERTAINTY }
  })
  return suggested
}

/** Years and prices as people write them: “MY13”, “2.5k”, “65, was 85”. */
const HAS_NUMBER = /\d/

/**
 * The only column that is called “Price” or “Year”, although few of its values look right: each row that can't be read gets its
 * own error, while a file without its price can't be imported at all.
 */
function byNameAlone(
  field: ImportField,
  columns: Columns,
): Pick<Suggestion, 'column' | 'confidence' | 'reason'> | undefined {
  if (!namedAtLeast.has(field)) return undefined
  const [only, ...others] = columns.filter(
    ({ name }) => (matchHeader(field, name)?.score ?? 0) >= NAMED_WHOLLY,
  )
  if (!only || others.length > 0) return undefined
  const { fit, share, words } = evidenceOf(field, only, columns)
  const numbers = only.values.filter((value) => HAS_NUMBER.test(value)).length
  if (fit <= NEVER || numbers < MOSTLY * only.count || only.count === 0) return undefined
  const reason = `The header says “${only.header.slice(0, 60)}”, but only ${percent(share)} of the values are ${words}`
  return { column: only.at, confidence: LEAST, reason }
}

const namedAtLeast: ReadonlySet<ImportField> = new Set(['partprice', 'partyear'])
const NAMED_WHOLLY = 0.9
/** What the evidence gives to codes below a price's name. */
const NEVER = 0.2
const MOSTLY = 0.8

type Suggestion = Offer & { confidence: number; reason: string }

function withoutValues(offer: Suggestion): Suggestion {
  const confidence = offer.confidence * EMPTY
  return { ...offer, confidence, merit: -Math.log(1 - confidence) - 1e-6 * offer.field }
}

/** @param shared the name that the column has in common with another */
function offersOf(column: ColumnProfile, columns: Columns, shared: string | undefined): Suggestion[] {
  const name = shared === undefined ? column.name : headerName(shared)
  return importFields.flatMap((field, place): Suggestion[] => {
    const match = matchHeader(field, name)
    // Values alone are no evidence for such a field, or in a column that is known to be another field.
    if (!match && (column.says === 'other' || namedFields.has(field))) return []
    const evidence = column.count === 0 ? undefined : evidenceOf(field, column, columns)
    const found = match ? named(match, evidence) : unnamed(column.says, evidence)
    const confidence = shared === undefined ? found : found * SHARED_NAME
    if (confidence < leastOf(field, column, match)) return []
    // A tie goes to the earlier field and column.
    const merit = -Math.log(1 - confidence) - 1e-6 * (place + column.at / 1_000)
    return [
      {
        field: place,
        column: column.at,
        merit,
        confidence,
        reason: reasonOf(column, match && { ...match, field }, evidence),
      },
    ]
  })
}

/** A field that a row can do without is not filled from a column that merely could be it. */
function leastOf(field: ImportField, { says }: ColumnProfile, match: HeaderMatch | undefined): number {
  // An interchange number is the part number of a file without another one.
  if (requiredImportFields.includes(field) || field === 'partnum') return LEAST
  if (match) return match.score === STAND_IN ? LEAST_STAND_IN : LEAST
  return says === 'nothing' ? LEAST : LEAST_OF_OPTIONAL
}

/** The header names the field: matching values raise the certainty, others refute it. */
function named({ score }: HeaderMatch, evidence: Evidence | undefined): number {
  if (!evidence || score < LEAST) return score
  if (evidence.fit < 0.5) return score * evidence.fit
  // If the header means the field only in some files, the values decide how certain it is.
  const weight = score <= STAND_IN ? 1 : 0.8
  return (evidence.weight ?? 1) * Math.min(HIGHEST, score + (1 - score) * evidence.strength * weight)
}

function unnamed(says: ColumnProfile['says'], evidence: Evidence | undefined): number {
  if (!evidence || evidence.fit < 0.5) return 0
  const weight = { nothing: 1, something: UNKNOWN_NAME, field: OTHER_FIELD, other: 0 }[says]
  return (evidence.weight ?? 1) * Math.min(HIGHEST, evidence.strength * weight)
}

const percent = (share: number) => `${Math.floor(share * 100)}%`

function reasonOf(
  { header }: ColumnProfile,
  match: (HeaderMatch & { field: ImportField }) | undefined,
  evidence: Evidence | undefined,
): string {
  const values =
    evidence && evidence.share >= 0.3 ? `${percent(evidence.share)} of the values are ${evidence.words}` : ''
  if (!match) return values
  const name = `The header says “${header.slice(0, 60)}”`
  if (evidence && evidence.fit < 0.5)
    return `${name}, but only ${percent(evidence.share)} of the values are ${evidence.words}`
  if (values !== '' && evidence && evidence.strength > 0) return `${name}, and ${values}`
  return match.how === 'partial'
    ? `${name}, which contains a word for ${importFieldLabels[match.field]}`
    : name
}
