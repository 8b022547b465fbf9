import { readSegmentLines, type Segment } from '#server/features/stock-files/store/segments.ts'
import { type Fields, fieldsOfLine } from '#server/features/stock-files/store/staged-record.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'

/** Reads rows of a version forward, by number from 1: one segment is in memory, and only requested rows are parsed. */
export class StagedRows {
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
