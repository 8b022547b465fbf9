import type { DecimalDecision } from '#contract/yard-file/decimals.ts'
import { columnNames, isBlank, isBlankRow } from '#contract/yard-file/detect-dialect.ts'
import { type Detection, otherTableNotes, skippedLinesNotes } from '#contract/yard-file/detect-reading.ts'
import {
  markBytesOf,
  singleByteEncoding,
  smallPieces,
  textReader,
  UndecodableText,
} from '#contract/yard-file/encoding.ts'
import { fileKind, isBomb, KIND_BYTES, MAX_UNPACKED_BYTES } from '#contract/yard-file/file-kind.ts'
import { columnsInFile, type RowFolder, rowFolder } from '#contract/yard-file/layouts.ts'
import { TableEnd } from '#contract/yard-file/other-table.ts'
import { type Dialect, type Encoding, type Reading, standardDialect } from '#contract/yard-file/reading.ts'
import {
  dialectLine,
  type FileRecord,
  type RecordProblem,
  RecordReader,
  standardLine,
} from '#contract/yard-file/records.ts'
import { HeaderWatch, movedNotes } from '#contract/yard-file/reports/header-again.ts'
import { breather } from '#contract/yard-file/workbook/workbook-zip.ts'

/** The facts from reading the chosen file once: everything but its rows. */
export type ImportFile = {
  file: File
  detection: Detection
  /** Includes the user's settings. Decimals only if chosen by the user or a template. */
  reading: Reading
  /** The workbook's sheets; empty for other files. */
  sheets: string[]
  /** Those that may be read as one list, since they have the same columns. */
  together?: readonly string[]
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
  /** How far it could be read, if other settings may help. */
  opened?: OpenedFile
}

/** A file in which no table was found. */
export type OpenedFile = Pick<ImportFile, 'reading' | 'sheets'> & {
  /** A delimiter would not help. */
  isReport: boolean
}

/** `headers`: needed for a file without a header of its own. */
type Source = Pick<ImportFile, 'file' | 'reading' | 'sheets'> & Partial<Pick<ImportFile, 'headers'>>

const ROWS_PER_BATCH = 500

/** The file's data rows in order, with spreadsheet row numbers. Each call reads the file again. */
export async function* fileRecords(
  source: Source,
  signal?: AbortSignal,
  onRead?: OnRead,
): AsyncGenerator<FileRow[], SkippedRows> {
  const numbering = rowNumbering(source.reading, source.headers)
  const pause = breather()
  const sheets: string[] = []
  for await (const records of source.sheets.length > 0
    ? sheetRows(source, sheets, onRead)
    : textRecords(source, onRead)) {
    signal?.throwIfAborted()
    const rows = numbering.push(records)
    if (rows.length > 0) yield rows
    await pause()
  }
  const rest = numbering.finish()
  if (rest.length > 0) yield rest
  return { ...numbering.skipped, sheets }
}

async function* textRecords(
  { file, reading }: Source,
  onRead?: OnRead,
): AsyncGenerator<readonly SourceRecord[]> {
  const reader = new RecordReader(reading)
  for await (const text of fileTexts(fileBytes(file, onRead), reading.encoding)) {
    reader.feed(text)
    yield* reader.batches(ROWS_PER_BATCH)
  }
  reader.end()
  yield* reader.batches(ROWS_PER_BATCH)
}

/** @param notes gets sentences about the sheets */
async function* sheetRows(
  { file, reading }: Source,
  notes: string[],
  onRead?: OnRead,
): AsyncGenerator<readonly SourceRecord[]> {
  // Loaded on demand, because few files are workbooks.
  const [{ openWorkbook }, { newSheetTrace, sheetNotes, stockRows }] = await Promise.all([
    import('#contract/yard-file/workbook/workbook.ts'),
    import('#contract/yard-file/workbook/stock-sheets.ts'),
  ])
  const workbook = await openWorkbook(file)
  const trace = newSheetTrace()
  for await (const rows of stockRows(workbook, reading, trace)) {
    yield rows.map((cells) => ({ cells }))
  }
  onRead?.(1)
  notes.push(...sheetNotes(workbook, reading, trace))
}

/** The share of the file (as stored on disk) that was read, from 0 to 1. */
export type OnRead = (share: number) => void

const damaged =
  'Failed to read CSV: the .gz file is damaged, incomplete or in several parts. Unzip it and choose the file inside.'
const tooLarge = 'This .gz file contains more than 2 GB. Split it into several files.'
const bomb =
  'This .gz file unzips to more than 200 times its size, which is too much for a parts list. Unzip it and choose the CSV.'

export const rawStart = async (file: Blob): Promise<Uint8Array> =>
  new Uint8Array(await file.slice(0, KIND_BYTES).arrayBuffer())

/** The file's bytes, decompressed if needed. Each call reads the file again. */
export async function* fileBytes(file: Blob, onRead?: OnRead): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const isPacked = fileKind(await rawStart(file)).kind === 'gzip'
  let taken = 0
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, way) {
      taken += piece.length
      onRead?.(taken / file.size)
      way.enqueue(piece)
    },
  })
  const raw = file.stream().pipeThrough(counted)
  const reader = (isPacked ? raw.pipeThrough(new DecompressionStream('gzip')) : raw).getReader()
  let bytes = 0
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      bytes += piece.value.length
      if (isPacked) requireSane(bytes, taken)
      yield piece.value
    }
  } catch (cause) {
    // Each browser has its own message for a failed decompression.
    throw isPacked && cause instanceof TypeError ? new FileProblem(damaged, { cause }) : cause
  } finally {
    // Not awaited: canceling a failed stream rejects.
    void reader.cancel().catch(() => undefined)
  }
}

function requireSane(bytes: number, taken: number): void {
  if (bytes > MAX_UNPACKED_BYTES) throw new FileProblem(tooLarge)
  if (isBomb(bytes, taken)) throw new FileProblem(bomb)
}

/** The start of the decompressed file, and whether that is all of it. */
export type FileStart = { bytes: Uint8Array<ArrayBuffer>; whole: boolean }

export async function fileStart(file: Blob, most: number): Promise<FileStart> {
  const start = new Uint8Array(most)
  let length = 0
  for await (const piece of fileBytes(file)) {
    const part = piece.subarray(0, most - length)
    start.set(part, length)
    length += part.length
    if (part.length < piece.length) return { bytes: start, whole: false }
  }
  return { bytes: start.slice(0, length), whole: true }
}

/** A file that looked like UTF-8 has invalid bytes later on; `encoding` is what they look like. */
export class NotUtf8 extends Error {
  override name = 'NotUtf8'
  readonly encoding: Encoding

  constructor(piece: Uint8Array) {
    super('The file is not UTF-8 throughout')
    this.encoding = singleByteEncoding(piece)
  }
}

type Bytes = AsyncIterable<Uint8Array<ArrayBuffer>>

/**
 * Bytes as text, without a byte order mark.
 * @throws NotUtf8 if later bytes are not UTF-8, FileProblem if it is not text
 */
async function* fileTexts(bytes: Bytes, encoding: Encoding): AsyncGenerator<string> {
  let reader: ReturnType<typeof textReader> | undefined
  for await (const piece of fromMark(bytes)) {
    const mark = reader ? 0 : markBytesOf(piece, encoding)
    reader ??= textReader(encoding, mark)
    for (const small of smallPieces(piece.subarray(mark))) yield decoded(reader.push, small, piece)
  }
  if (reader) yield decoded(reader.finish, new Uint8Array())
}

const MARK_BYTES = 3

/** Makes the first piece long enough to contain a byte order mark. */
async function* fromMark(bytes: Bytes): Bytes {
  let start: number[] | undefined = []
  for await (const piece of bytes) {
    if (!start) {
      yield piece
      continue
    }
    const lacking: number = Math.min(MARK_BYTES - start.length, piece.length)
    start.push(...piece.subarray(0, lacking))
    if (start.length < MARK_BYTES) continue
    yield Uint8Array.from(start)
    yield piece.subarray(lacking)
    start = undefined
  }
  if (start) yield Uint8Array.from(start)
}

/** `piece`: what the bytes were cut from. */
function decoded(decode: (bytes: Uint8Array) => string, bytes: Uint8Array, piece = bytes): string {
  try {
    return decode(bytes)
  } catch (error) {
    if (!(error instanceof UndecodableText)) throw error
    if (error.encoding === 'utf-8' && error.byte !== 0) throw new NotUtf8(piece)
    throw new FileProblem(`This file is not text: ${error.message}. Export the list as “CSV UTF-8”.`)
  }
}

/** A record of a text file, or a row of a workbook, which has no text. */
type SourceRecord = FileRecord | { readonly text?: undefined; readonly cells: string[] }

/** The lines skipped between the data rows, to report to the user. */
export type SkippedRows = {
  /** The first few rows that repeat the header. */
  repeats: number[]
  /** The first row that names the columns in another order. */
  moved?: number
  /** Sentences about rows that were folded or left out. */
  notes: string[]
  /** Sentences about a workbook's sheets. */
  sheets?: string[]
}

const MAX_REPEATS_SHOWN = 6

type NumberedReading = Pick<Reading, 'headerRow' | 'headerRows' | 'layout' | 'attributes'> & Partial<Dialect>

/**
 * Turns a file's records into data rows with spreadsheet row numbers. Rows above the header, blank rows and repeated
 * headers are dropped but counted.
 */
export function rowNumbering(reading: NumberedReading, headers: readonly string[] = []) {
  const { headerRow, headerRows = 1, layout } = reading
  let row = 0
  // “Column 1” and so on, where no row names the columns of a list of cars.
  let header: readonly string[] | undefined =
    headerRow === 0 && layout !== 'plain' ? columnsInFile(reading, headers) : undefined
  const names: string[][] = []
  const above: string[][] = []
  let end: TableEnd<FileRow> | undefined
  let watch: HeaderWatch | undefined
  let folder: RowFolder | undefined
  let foldedRow = headerRow
  const skipped: SkippedRows = { repeats: [], notes: [] }
  const remarks = remarkCounter()

  function number(record: SourceRecord): FileRow | undefined {
    row++
    if (row <= headerRow) {
      nameColumns(record.cells)
      return undefined
    }
    if (isBlankRecord(record)) {
      if (!remarks.takes(record, row)) end?.passBlank()
      return undefined
    }
    if (watch && namesColumns(record, watch)) return passHeader(skipped, watch, row)
    const placed = watch?.isMoved ? arranged(record, watch, reading) : record
    return new NumberedRow(row, padded(placed, header?.length ?? 0))
  }
  function nameColumns(cells: string[]): void {
    if (row > headerRow - headerRows) names.push(cells)
    else if (!isBlank(cells)) above.push(cells)
    if (row !== headerRow) return
    header = columnNames(names, above)
    watch = new HeaderWatch(header, names)
    end = new TableEnd(header)
  }
  /** The rows of the first table; one that may be a title of another waits for the next row. */
  function ofTable(record: SourceRecord): FileRow[] {
    const numbered = number(record)
    if (!numbered || !end?.isWatching) return numbered ? [numbered] : []
    return end.take(numbered)
  }
  function fold(record: SourceRecord): FileRow[] {
    const numbered = number(record)
    if (row <= headerRow || !header) return []
    folder ??= rowFolder(reading, header, { firstRow: headerRow + 1, above })
    return folder ? folded(folder.push([numbered?.cells ?? []])) : []
  }
  /** The folder returns a blank row for each row it merged, which keeps the row numbers right. */
  function folded(rows: string[][]): FileRow[] {
    return rows.flatMap((cells) => {
      foldedRow++
      return cells.length === 0 ? [] : [new NumberedRow(foldedRow, { cells })]
    })
  }
  return {
    skipped,
    push: (records: readonly SourceRecord[]): FileRow[] =>
      layout === 'plain' ? records.flatMap(ofTable) : records.flatMap(fold),
    finish(): FileRow[] {
      skipped.notes = [
        ...movedNotes(skipped.moved),
        ...remarks.notes(),
        ...(end?.found ? otherTableNotes(end.found.row, end.found.cells) : []),
      ]
      const rows = folder ? folded(folder.finish()) : end?.rest()
      skipped.notes.push(...(folder?.notes() ?? []))
      return rows ?? []
    },
  }
}

const namesColumns = (record: SourceRecord, watch: HeaderWatch): boolean =>
  watch.names(record.text === undefined ? { cells: record.cells, text: record.cells[0] ?? '' } : record)

/** Notes a header below the first one. */
function passHeader(skipped: SkippedRows, { isMoved }: HeaderWatch, row: number): undefined {
  if (isMoved) skipped.moved ??= row
  else if (skipped.repeats.length < MAX_REPEATS_SHOWN) skipped.repeats.push(row)
}

/** A record in the order of the first header, as a line of the same file. */
function arranged(record: SourceRecord, watch: HeaderWatch, dialect: Partial<Dialect>): SourceRecord {
  const cells = watch.arranged(record.cells)
  if (record.text === undefined) return { cells }
  return { ...record, cells, text: dialectLine(cells, { ...standardDialect, ...dialect }) }
}

/** A workbook's rows end at their last value. */
function padded(record: SourceRecord, width: number): SourceRecord {
  if (record.text !== undefined) return record
  const lacking = width - record.cells.length
  return lacking > 0 ? { cells: [...record.cells, ...Array<string>(lacking).fill('')] } : record
}

/** Counts the lines of a report that are not parts. */
function remarkCounter() {
  const rows: number[] = []
  let count = 0
  return {
    /** Whether a blank record is such a line. */
    takes(record: SourceRecord, row: number): boolean {
      if (record.text === undefined || record.remark === undefined) return false
      count++
      if (rows.length < MAX_REPEATS_SHOWN) rows.push(row)
      return true
    },
    notes: () => skippedLinesNotes(count, rows),
  }
}

/** Splits a row into cells only on demand, because most rows are sent unchanged. */
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
