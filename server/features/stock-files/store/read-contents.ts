import {
  MAX_CONTENTS_BYTES,
  type stagingDeskEndpoints,
  type stagingEndpoints,
} from '#contract/admin/staging.ts'
import { csvLine } from '#contract/csv/csv-cell.ts'
import type { Answer } from '#contract/endpoint.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { taskQueue } from '#server/platform/processes/concurrency.ts'
import { readSegmentLines, type Segment } from './segments.ts'
import { type FileRequest, listSegments, requireTypedFile, type StagingFile } from './staged-files.ts'
import {
  cellsOf,
  type Fields,
  fieldsOfLine,
  fromSegmentLine,
  inColumnOrder,
  type StagedRecord,
  toSegmentLine,
} from './staged-record.ts'
import { requireVersion } from './versions.ts'

/** Renders rows as text, piece by piece. */
type StagingView = {
  readonly contentType: string
  readonly begin: string
  /** `place`: counted from 0 within the text. */
  row(fields: Fields, place: number): string
  end(rows: number): string
}

/** The same text as `JSON.stringify(rows, null, 2)`. */
const jsonView: StagingView = {
  contentType: 'application/json',
  begin: '[',
  row: (fields, place) =>
    `${place === 0 ? '' : ','}\n  ${JSON.stringify(fields, null, 2).replaceAll('\n', '\n  ')}`,
  end: (rows) => (rows === 0 ? ']' : '\n]'),
}

/** A line of column names, then one per row; safe to open in a spreadsheet. */
const csvView = (columns: readonly string[]): StagingView => ({
  contentType: 'text/csv',
  begin: columns.length === 0 ? '' : csvLine(columns),
  row: (fields) => csvLine(cellsOf(fields, columns)),
  end: () => '',
})

/** A record and its row number in the version, counted from 0. */
export type NumberedRecord = { readonly rowNo: number; readonly record: StagedRecord }

/**
 * The records of a version from a row on (`rows` of them, or all), a segment at a time. Segments outside the range are
 * not read; no more than one is in memory.
 */
export async function* readRecords(
  files: FileStore,
  segments: readonly Segment[],
  { fromRow, rows = Number.POSITIVE_INFINITY }: { fromRow: number; rows?: number },
): AsyncGenerator<NumberedRecord[]> {
  const endRow = fromRow + rows
  let first = 0
  for (const segment of segments) {
    if (first >= endRow) return
    const start = Math.max(fromRow, first)
    if (start < first + segment.rows) {
      const lines = (await readSegmentLines(files, segment.sha256)).slice(start - first, endRow - first)
      yield lines.map((line, index) => ({ rowNo: start + index, record: fromSegmentLine(line) }))
    }
    first += segment.rows
  }
}

export type ContentsRequest = FileRequest & {
  /** The rows wanted; undefined for all of them. */
  readonly window: RowWindow | undefined
}

type RowWindow = { readonly fromRow: number; readonly rows: number }

const ALL: RowWindow = { fromRow: 0, rows: Number.POSITIVE_INFINITY }

// A text of 8 MB is in memory two or three times until it is sent.
const inTurn = taskQueue({ atOnce: 2, waiting: 20 })

/**
 * A staged file as text, or a window of its rows.
 * @throws AppError VALIDATION_FAILED, NOT_FOUND, TOO_LARGE if the text would exceed 8 MB, BUSY
 */
export async function readStagingFile(
  db: Db,
  files: FileStore,
  request: ContentsRequest,
): Promise<Answer<typeof stagingEndpoints.readStagingFile>> {
  const { root, window } = request
  const { file, format, shownPath } = await requireTypedFile(db, request)
  if (!window && file.bytes > MAX_CONTENTS_BYTES) throw tooLarge(file)
  const segments = await listSegments(db, file.id, file.version)
  const source = { files, segments, window: window ?? ALL }
  return inTurn(async () => {
    const view = format === 'json' ? jsonView : csvView(await columnsIn(source, file))
    const { version, rows } = file
    return {
      root,
      path: shownPath,
      contentType: view.contentType,
      contents: await render(source, view, file),
      version,
      rows,
      ...(window && { from: window.fromRow }),
    }
  })
}

type Source = { files: FileStore; segments: readonly Segment[]; window: RowWindow }

/** The version's columns, so that all windows share them, plus any others in these rows. */
async function columnsIn({ files, segments, window }: Source, file: StagingFile): Promise<string[]> {
  const names = new Set(file.columns)
  for await (const records of readRecords(files, segments, window)) {
    for (const { record } of records) for (const name of Object.keys(record.fields)) names.add(name)
  }
  return inColumnOrder(names)
}

async function render({ files, segments, window }: Source, view: StagingView, file: StagingFile) {
  const pieces = [view.begin]
  let bytes = 0
  let rows = 0
  for await (const records of readRecords(files, segments, window)) {
    const piece = records.map(({ record }, index) => view.row(record.fields, rows + index)).join('')
    rows += records.length
    bytes += Buffer.byteLength(piece)
    if (bytes > MAX_CONTENTS_BYTES) throw tooLarge(file)
    pieces.push(piece)
  }
  return [...pieces, view.end(rows)].join('')
}

const tooLarge = ({ rows }: StagingFile) =>
  new AppError(
    'TOO_LARGE',
    `This is more than the 8 MB shown at once. Request some of its ${rows} rows with from and limit, such as from=0&limit=100.`,
  )

export type WindowRequest = FileRequest & {
  /** Undefined for the newest. */
  readonly version: number | undefined
  readonly fromRow: number
  readonly rows: number
}

type Window = Answer<typeof stagingDeskEndpoints.readStagingWindow>

/**
 * Rows of a version with their hidden ids. Only the segments that contain them are read. Returns fewer than requested if
 * they would exceed 8 MB.
 * @throws AppError VALIDATION_FAILED, NOT_FOUND, BUSY
 */
export async function readStagingWindow(db: Db, files: FileStore, request: WindowRequest): Promise<Window> {
  const { file, shownPath } = await requireTypedFile(db, request)
  const version = request.version ?? file.version
  const { rows: total, columns } = await requireVersion(db, file, version)
  const segments = await listSegments(db, file.id, version)
  return inTurn(async () => {
    const rows: Window['rows'] = []
    const names = new Set(columns)
    let bytes = 0
    read: for await (const records of readRecords(files, segments, request)) {
      for (const { record } of records) {
        bytes += toSegmentLine(record).bytes
        if (bytes > MAX_CONTENTS_BYTES && rows.length > 0) break read
        for (const name of Object.keys(record.fields)) names.add(name)
        rows.push({ id: record.id, fields: record.fields })
      }
    }
    const columnsShown = inColumnOrder(names)
    const { root, fromRow: from } = request
    return { root, path: shownPath, version, total, from, columns: columnsShown, rows }
  })
}

/** Reads rows of a version forward, by number from 1: one segment is in memory, and only requested rows are parsed. */
export class StagedRowReader {
  readonly #files: FileStore
  readonly #segments: readonly Segment[]
  #segment = 0
  /** Rows before the open segment. */
  #before = 0
  #lines: readonly string[] | undefined

  constructor(files: FileStore, segments: readonly Segment[]) {
    this.#files = files
    this.#segments = segments
  }

  /** The fields of these rows, whose numbers must ascend across calls too. Original cells are not parsed, to save memory. */
  async read(rowNumbers: readonly number[]): Promise<Fields[]> {
    const rows: Fields[] = []
    for (const rowNo of rowNumbers) {
      const line = (await this.#linesWith(rowNo))[rowNo - this.#before - 1]
      if (line === undefined) throw new Error(`a staged file has no row ${rowNo}`)
      rows.push(fieldsOfLine(line))
    }
    return rows
  }

  async #linesWith(rowNo: number): Promise<readonly string[]> {
    for (;;) {
      const segment = this.#segments[this.#segment]
      if (!segment) throw new Error(`a staged file ends before row ${rowNo}`)
      if (rowNo <= this.#before + segment.rows) {
        this.#lines ??= await readSegmentLines(this.#files, segment.sha256)
        return this.#lines
      }
      this.#before += segment.rows
      this.#segment += 1
      this.#lines = undefined
    }
  }
}
