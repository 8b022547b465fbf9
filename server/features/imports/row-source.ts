import { describeDelimiter } from '#contract/yard-file/describe-reading.ts'
import type { Reading } from '#contract/yard-file/reading.ts'
import type { RecordProblem } from '#contract/yard-file/records.ts'
import { wrongField } from './import-order.ts'

/** A row as it was sent. */
export type SentRow = {
  /** As a spreadsheet numbers it within what was sent: the header is row 1, and blank lines count; and `rowOffset` higher. */
  readonly row: number
  readonly cells: readonly string[]
  /** Its cells cannot be told apart. */
  readonly problem?: RecordProblem | undefined
}

/** The rows of one call, however they came. */
export type RowSource = {
  /** How the file was read; of rows that came in no file nothing. */
  readonly reading?: Reading
  /** How the file was read where that was detected, and what was left out so far; in sentences. */
  readonly notes?: () => string[]
  /** The column names: those in front of these rows, or those of the import where these come without. */
  readonly header: readonly string[]
  /** In their order, a few hundred at a time; from the first one each time they are asked for. */
  readonly batches: AsyncIterable<readonly SentRow[]>
  /** The number of the last row that was read within what was sent, blank lines counted. */
  readonly lastRow: () => number
}

/** The refusal of a chunk that was cut from another file. */
export const otherColumns = () =>
  wrongField(
    'file',
    'The columns of this chunk are not those of the import’s other chunks. Cut all chunks from one file.',
  )

/** The refusal of a chunk whose cells are separated otherwise than those of the import's other chunks. */
export const otherDelimiter = (found: string, fixed: string) =>
  wrongField(
    'file',
    `The cells of this chunk are separated by ${describeDelimiter(found)}, those of the import’s other chunks by ${describeDelimiter(fixed)}. Cut all chunks from one file.`,
  )

const isSameHeader = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, column) => name === b[column])

/**
 * All chunks of an import have the columns of the one that was taken first.
 * @throws AppError VALIDATION_FAILED
 */
export function requireSameHeader(fixed: readonly string[], sent: readonly string[]): void {
  if (!isSameHeader(fixed, sent)) throw otherColumns()
}
