import { nameColumns } from '#contract/csv-header.ts'
import { isBlank, isBlankRow, isSameHeader, repeatsOf } from '#contract/yard-file/detect-dialect.ts'
import { ebayFolder } from '#contract/yard-file/ebay-layout.ts'
import type { Reading } from '#contract/yard-file/reading.ts'
import { type FileRecord, type RecordProblem, standardLine } from '#contract/yard-file/records.ts'
import type { FileRow } from './import-file.ts'

/** A record of a text, or a row of a workbook, which has no text of its own. */
export type SourceRecord = FileRecord | { readonly text?: undefined; readonly cells: string[] }

/** What was passed over on the way to the data rows, which people are told. */
export type Passed = {
  /** Where the header stands again, the first few. */
  repeats: number[]
  /** Of eBay's rows, in sentences. */
  notes: string[]
}

const MOST_REPEATS_KEPT = 6

/**
 * Makes records, given from the first one of the file on, its data rows with the numbers that Excel shows: what stands above
 * the header goes, and so do blank rows and headers that repeat, but all of them count.
 */
export function rowNumbering({ headerRow, layout }: Pick<Reading, 'headerRow' | 'layout'>) {
  let row = 0
  let header: string[] | undefined
  let isRepeated: (record: FileRecord) => boolean = () => false
  let folder: ReturnType<typeof ebayFolder> | undefined
  let foldedRow = headerRow
  const passed: Passed = { repeats: [], notes: [] }

  function number(record: SourceRecord): FileRow | undefined {
    row++
    if (row < headerRow) return undefined
    if (row === headerRow) {
      header = nameColumns(record.cells)
      isRepeated = repeatsOf(header)
      return undefined
    }
    if (isBlankRecord(record)) return undefined
    if (isHeader(record)) {
      if (passed.repeats.length < MOST_REPEATS_KEPT) passed.repeats.push(row)
      return undefined
    }
    return new NumberedRow(row, record.text === undefined ? padded(record.cells) : record)
  }
  const isHeader = (record: SourceRecord): boolean =>
    record.text === undefined ? isSameHeader(record.cells, header ?? []) : isRepeated(record)
  /** A workbook's rows end with their last value. */
  function padded(cells: string[]): SourceRecord {
    const lacking = (header?.length ?? 0) - cells.length
    return { cells: lacking > 0 ? [...cells, ...Array<string>(lacking).fill('')] : cells }
  }
  function fold(record: SourceRecord): FileRow[] {
    const numbered = number(record)
    if (row <= headerRow || !header) return []
    folder ??= ebayFolder(header, headerRow + 1)
    return folded(folder.push([numbered?.cells ?? []]))
  }
  /** As many rows come out as went in: blank ones keep the numbers of the others. */
  function folded(rows: string[][]): FileRow[] {
    return rows.flatMap((cells) => {
      foldedRow++
      return cells.length === 0 ? [] : [new NumberedRow(foldedRow, { cells })]
    })
  }
  return {
    passed,
    push: (records: readonly SourceRecord[]): FileRow[] =>
      layout === 'ebay' ? records.flatMap(fold) : records.flatMap((record) => number(record) ?? []),
    finish(): FileRow[] {
      if (!folder) return []
      const rows = folded(folder.finish())
      passed.notes = folder.notes()
      return rows
    },
  }
}

/** Most rows are only sent, as they stand: their cells are cut when somebody asks for them. */
class NumberedRow implements FileRow {
  readonly row: number
  readonly #record: SourceRecord

  constructor(row: number, record: SourceRecord) {
    this.row = row
    this.#record = record
  }
  get cells(): string[] {
    return this.#record.cells
  }
  get text(): string {
    return this.#record.text ?? standardLine(this.#record.cells)
  }
  get problem(): RecordProblem | undefined {
    return this.#record.text === undefined ? undefined : this.#record.problem
  }
}

const isBlankRecord = (record: SourceRecord): boolean =>
  record.text === undefined ? isBlank(record.cells) : isBlankRow(record)
