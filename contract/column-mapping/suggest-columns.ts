import { sharedNames } from '#contract/csv/csv-header.ts'
import { type HeaderMatch, matchHeader } from '#contract/csv/field-headers.ts'
import { type ImportField, importFieldLabels, importFields } from '#contract/csv/import-fields.ts'
import { evidenceOf } from './column-evidence.ts'
import { type ColumnProfile, profileColumns } from './profile-columns.ts'
import type { Columns, Evidence } from './text-evidence.ts'
import type { Dictionary } from './value-shapes.ts'

/** How well a column answers a field; both counted from 0, more merit is better and 0 or less is none. */
export type Offer = { field: number; column: number; merit: number }

/**
 * Gives each field at most one column and each column at most one field so that the merits together are as high as they
 * can be: the best column of one field may be left to another that needs it more. The same offers give the same answer,
 * whatever their order. Answers the column of each field, or -1.
 *
 * The Hungarian method, by shortest augmenting paths, with a column of no merit for each field.
 */
export function assignColumns(fields: number, columns: number, offers: readonly Offer[]): number[] {
  const width = columns + fields
  // Costs are what is missing to the highest merit; a column that is not offered costs more than having none.
  const highest = Math.max(1, ...offers.map(({ merit }) => merit))
  const costs = Array.from({ length: fields }, () => new Float64Array(width).fill(highest))
  for (const row of costs) row.fill(2 * highest, 0, columns)
  for (const { field, column, merit } of offers) {
    const row = costs[field]
    if (row && merit > 0) row[column] = Math.min(row[column] ?? Number.POSITIVE_INFINITY, highest - merit)
  }
  const owners = matchAll(costs, width)
  const given = new Array<number>(fields).fill(-1)
  for (let column = 0; column < columns; column++) {
    const field = owners[column + 1] ?? 0
    if (field > 0) given[field - 1] = column
  }
  return given
}

/** The row that has each column, both counted from 1; 0 for none. */
function matchAll(costs: readonly Float64Array[], width: number): Int32Array {
  const owners = new Int32Array(width + 1)
  const state = {
    costs,
    width,
    owners,
    rowPrices: new Float64Array(costs.length + 1),
    columnPrices: new Float64Array(width + 1),
  }
  for (let row = 1; row <= costs.length; row++) addRow(row, state)
  return owners
}

type State = {
  costs: readonly Float64Array[]
  width: number
  owners: Int32Array
  rowPrices: Float64Array
  columnPrices: Float64Array
}

function addRow(row: number, state: State): void {
  const { width, owners } = state
  const slack = new Float64Array(width + 1).fill(Number.POSITIVE_INFINITY)
  const cameFrom = new Int32Array(width + 1)
  const visited = new Uint8Array(width + 1)
  owners[0] = row
  let at = 0
  do {
    visited[at] = 1
    at = nearest(at, { ...state, slack, cameFrom, visited })
  } while (owners[at] !== 0)
  // Every column on the way goes to the row that reached it.
  while (at !== 0) {
    const before = cameFrom[at] ?? 0
    owners[at] = owners[before] ?? 0
    at = before
  }
}

type Search = State & { slack: Float64Array; cameFrom: Int32Array; visited: Uint8Array }

/** The column that is cheapest to reach next; prices are moved so that reaching it costs nothing. */
function nearest(at: number, search: Search): number {
  const { owners, rowPrices, columnPrices, slack, visited } = search
  reachFrom(at, search)
  const { step, next } = cheapest(search)
  visited.forEach((isVisited, column) => {
    if (isVisited) {
      const owner = owners[column] ?? 0
      rowPrices[owner] = (rowPrices[owner] ?? 0) + step
      columnPrices[column] = (columnPrices[column] ?? 0) - step
    } else {
      slack[column] = (slack[column] ?? 0) - step
    }
  })
  return next
}

function reachFrom(at: number, { costs, owners, rowPrices, columnPrices, slack, cameFrom, visited }: Search) {
  const row = owners[at] ?? 0
  const cost = costs[row - 1] ?? new Float64Array()
  for (let column = 1; column <= cost.length; column++) {
    const extra = (cost[column - 1] ?? 0) - (rowPrices[row] ?? 0) - (columnPrices[column] ?? 0)
    if (visited[column] || extra >= (slack[column] ?? 0)) continue
    slack[column] = extra
    cameFrom[column] = at
  }
}

function cheapest({ width, slack, visited }: Search): { step: number; next: number } {
  let step = Number.POSITIVE_INFINITY
  let next = 0
  for (let column = 1; column <= width; column++) {
    const reached = slack[column] ?? 0
    if (visited[column] || reached >= step) continue
    step = reached
    next = column
  }
  return { step, next }
}

export type SuggestedColumn = {
  header: string
  /** 0..1 */
  confidence: number
  /** Why, as a sentence for the user. */
  reason: string
  /** Needs no review: a confidence of 0.8 or more. */
  sure: boolean
}
export type SuggestedColumns = Partial<Record<ImportField, SuggestedColumn>>

export const SURE_FROM = 0.8

/** What is less likely than this is not suggested. */
const LEAST = 0.35
const HIGHEST = 0.995

/** How much the values count where the column's name is of something that we do not know, or of another field. */
const UNKNOWN_NAME = 0.78
const OTHER_FIELD = 0.6
/** Several columns with one name are never sure. */
const SHARED_NAME = 0.8
/** What a name says of a column without a value. */
const EMPTY = 0.7

/**
 * Suggests which column of a file is which field, by what the columns are called and by what stands in them. One column a
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
    // Another column may be meant, which has the values.
    return hasValues && column.count === 0 ? offered.map(withoutValues) : offered
  })
  const given = assignColumns(importFields.length, header.length, offers)
  const suggested: SuggestedColumns = {}
  importFields.forEach((name, field) => {
    const found = offers.find((offer) => offer.field === field && offer.column === given[field])
    if (!found) return
    const { column, confidence, reason } = found
    suggested[name] = { header: header[column] ?? '', confidence, reason, sure: confidence >= SURE_FROM }
  })
  return suggested
}

type Suggestion = Offer & { confidence: number; reason: string }

function withoutValues(offer: Suggestion): Suggestion {
  const confidence = offer.confidence * EMPTY
  return { ...offer, confidence, merit: -Math.log(1 - confidence) - 1e-6 * offer.field }
}

/** @param shared the name that the column has in common with another */
function offersOf(column: ColumnProfile, columns: Columns, shared: string | undefined): Suggestion[] {
  return importFields.flatMap((field, place): Suggestion[] => {
    const match = matchHeader(field, shared ?? column.header)
    const evidence = column.count === 0 ? undefined : evidenceOf(field, column, columns)
    const found = match ? named(match, evidence) : unnamed(column.says, evidence)
    const confidence = shared === undefined ? found : found * SHARED_NAME
    if (confidence < LEAST) return []
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

/** The name says it: values that can be so make it surer, others refute it. */
function named({ score }: HeaderMatch, evidence: Evidence | undefined): number {
  if (!evidence || score < LEAST) return score
  if (evidence.fit < 0.5) return score * evidence.fit
  return Math.min(HIGHEST, score + (1 - score) * evidence.strength * 0.8)
}

function unnamed(says: ColumnProfile['says'], evidence: Evidence | undefined): number {
  if (!evidence || evidence.fit < 0.5) return 0
  const weight = { nothing: 1, something: UNKNOWN_NAME, field: OTHER_FIELD, other: 0 }[says]
  return Math.min(HIGHEST, evidence.strength * weight)
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
