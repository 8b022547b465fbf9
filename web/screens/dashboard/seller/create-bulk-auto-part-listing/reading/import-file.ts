import type { DecimalDecision } from '#contract/yard-file/decimals.ts'
import type { Detection } from '#contract/yard-file/detect-reading.ts'
import type { Reading } from '#contract/yard-file/reading.ts'
import type { RecordProblem } from '#contract/yard-file/records.ts'

/** What was learned by reading the chosen file once: everything but its rows. */
export type ImportFile = {
  file: File
  detection: Detection
  /** Includes the user's settings. Decimals only if chosen by the user or a template. */
  reading: Reading
  /** The workbook's sheets; empty for other files. */
  sheets: string[]
  headers: string[]
  /** The first data rows, up to 200. */
  samples: string[][]
  /** The number of data rows, without headers and blank lines. */
  records: number
  /** The length of all rows as decompressed text. */
  characters: number
  /** The most characters in a block of a hundred rows; shows whether a chunk may be too large. */
  densest: number
  /** The decimal mark of each column that looks like amounts, by header. */
  decimals: Readonly<Record<string, DecimalDecision>>
  /** Headers of columns whose decimal mark the user has to choose. */
  undecided: string[]
  /** Sentences about the file. */
  notes: string[]
}

export type FileRow = {
  /** The spreadsheet row number. */
  row: number
  cells: string[]
  /** The line in the file without its line end; for a workbook, a standard CSV line. */
  text: string
  /** Set if the line's cells are unreliable. */
  problem?: RecordProblem | undefined
}

/** The file cannot be imported. The message explains why and what to do. */
export class FileProblem extends Error {
  override name = 'FileProblem'
}
