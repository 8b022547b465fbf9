import type { DecimalDecision } from '#contract/yard-file/decimals.ts'
import type { Detection } from '#contract/yard-file/detect-reading.ts'
import type { Reading } from '#contract/yard-file/reading.ts'
import type { RecordProblem } from '#contract/yard-file/records.ts'

/** The file that was chosen, read through once: everything but its rows. */
export type ImportFile = {
  file: File
  detection: Detection
  /** With what somebody said of it. Decimals only where somebody chose them or a template has them. */
  reading: Reading
  /** Of a workbook; else none. */
  sheets: string[]
  headers: string[]
  /** The first data rows, up to 200. */
  samples: string[][]
  /** Data rows: without the header, blank lines and headers that repeat. */
  records: number
  /** Of its rows as text, unpacked. */
  characters: number
  /** The most characters that a hundred rows in a row have: whether a chunk may grow too large. */
  densest: number
  /** What the whole column says of its decimal mark, by header; of columns that look like amounts. */
  decimals: Readonly<Record<string, DecimalDecision>>
  /** Headers of those that do not tell: ask. */
  undecided: string[]
  /** What was found on the way, in sentences. */
  notes: string[]
}

/** A row of the file. */
export type FileRow = {
  /** As Excel numbers it. */
  row: number
  cells: string[]
  /** As it stands in the file, without its line end; of a workbook as a standard line. */
  text: string
  /** The line has no cells to rely on. */
  problem?: RecordProblem | undefined
}

/** The file cannot be imported as it is; the message says why and what to do. */
export class FileProblem extends Error {
  override name = 'FileProblem'
}
