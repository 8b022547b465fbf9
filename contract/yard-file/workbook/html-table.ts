import { LINE_TAGS, plainEntities } from '#contract/yard-file/html-text.ts'
import {
  damagedWorkbook,
  largeWorkbook,
  MAX_WORKBOOK_COLUMNS,
  MAX_WORKBOOK_ROWS,
  wrongWorkbook,
} from './workbook-zip.ts'

/*
 * The tables of a web page, which many programs save as .xls. Cells that span rows count in each of them; between two
 * tables is a blank row.
 */

const TAG = /<!--[\s\S]*?-->|<(\/?)([a-z][\w:-]*)((?:"[^"]*"|'[^']*'|[^<>"'])*)>/gi
// A page's styles are its longest element.
const LONGEST_REST = 4 * 1024 * 1024
const ROWS_PER_BATCH = 200
const WITHOUT_TEXT: ReadonlySet<string> = new Set(['style', 'script', 'title'])

/** A value that spans rows, and how many more of them it is in. */
type Spanning = { left: number; text: string }

class HtmlTables {
  #rest = ''
  #rows: string[][] = []
  #found = 0
  #depth = 0
  #tables = 0
  /** An element whose content is not text, such as a style. */
  #skipped: string | undefined
  #cells: string[] | undefined
  #cell: { text: string; columns: number; rows: number; stored: string | undefined } | undefined
  #spanning = new Map<number, Spanning>()

  get tables(): number {
    return this.#tables
  }

  /** Adds a piece of the page, and returns the rows that are complete. */
  push(piece: string): string[][] {
    const text = this.#rest + piece
    let at = 0
    for (const tag of text.matchAll(TAG)) {
      this.#text(text.slice(at, tag.index))
      at = tag.index + tag[0].length
      if (tag[2] !== undefined) this.#tag(tag[2].toLowerCase(), tag[1] === '/', tag[3] ?? '')
    }
    const begun = text.indexOf('<', at)
    this.#text(text.slice(at, begun === -1 ? text.length : begun))
    this.#rest = begun === -1 ? '' : text.slice(begun)
    if (this.#rest.length > LONGEST_REST) throw damagedWorkbook('a tag of the page has no end')
    return this.#rows.splice(0)
  }

  finish(): string[][] {
    this.#endRow()
    return this.#rows.splice(0)
  }

  #text(text: string): void {
    if (this.#cell && this.#skipped === undefined) this.#cell.text += text
  }

  #tag(name: string, isEnd: boolean, attributes: string): void {
    if (this.#skipped !== undefined) {
      if (isEnd && name === this.#skipped) this.#skipped = undefined
      return
    }
    if (name === 'table') this.#table(isEnd)
    else if (WITHOUT_TEXT.has(name)) {
      if (!isEnd && !attributes.endsWith('/')) this.#skipped = name
    } else if (this.#depth === 1 && (name === 'tr' || name === 'td' || name === 'th')) {
      this.#ofTable(name, isEnd, attributes)
    } else if (LINE_TAGS.test(name)) this.#text(' ')
  }

  #ofTable(name: 'tr' | 'td' | 'th', isEnd: boolean, attributes: string): void {
    if (name === 'tr') {
      this.#endRow()
      if (!isEnd) this.#cells = []
      return
    }
    this.#endCell()
    if (!isEnd) this.#beginCell(attributes)
  }

  #table(isEnd: boolean): void {
    if (isEnd) {
      if (this.#depth === 1) this.#endRow()
      this.#depth = Math.max(0, this.#depth - 1)
      return
    }
    this.#depth += 1
    if (this.#depth > 1) return
    if (this.#tables > 0) this.#rows.push([])
    this.#tables += 1
    this.#spanning.clear()
  }

  #beginCell(attributes: string): void {
    this.#cells ??= []
    const span = (name: string) =>
      Number(new RegExp(`\\b${name}\\s*=\\s*["']?(\\d{1,6})`, 'i').exec(attributes)?.[1] ?? 1)
    // Excel writes the number itself next to what its cell shows, such as 8.79E+11.
    const stored = /\bx:num\s*=\s*["']?(\d{1,20})["'\s]?/i.exec(attributes)?.[1]
    this.#cell = {
      text: '',
      columns: Math.max(1, span('colspan')),
      rows: Math.max(1, span('rowspan')),
      stored,
    }
  }

  #endCell(): void {
    if (!this.#cell || !this.#cells) return
    const { text: html, columns, rows, stored } = this.#cell
    this.#cell = undefined
    const shown = plainEntities(html)
      .replaceAll(/[\s\u00a0]+/g, ' ')
      .trim()
    const text = stored !== undefined && /^\d([.,]\d+)?E\+\d+$/i.test(shown) ? stored : shown
    this.#takeSpanning(this.#cells)
    for (let column = 0; column < columns; column++) {
      const at = this.#cells.length
      if (at >= MAX_WORKBOOK_COLUMNS) throw tooManyColumns()
      if (rows > 1) this.#spanning.set(at, { left: rows - 1, text: column === 0 ? text : '' })
      this.#cells.push(column === 0 ? text : '')
    }
  }

  /** Puts values that span this row into their places. */
  #takeSpanning(cells: string[]): void {
    for (let found = this.#spanning.get(cells.length); found; found = this.#spanning.get(cells.length)) {
      if (found.left > 1) this.#spanning.set(cells.length, { ...found, left: found.left - 1 })
      else this.#spanning.delete(cells.length)
      cells.push(found.text)
    }
  }

  #endRow(): void {
    this.#endCell()
    const cells = this.#cells
    this.#cells = undefined
    if (!cells) return
    this.#takeSpanning(cells)
    while (cells.at(-1) === '') cells.pop()
    this.#found += 1
    if (this.#found > MAX_WORKBOOK_ROWS + 1) throw tooManyRows()
    this.#rows.push(cells)
  }
}

const tooManyRows = () =>
  largeWorkbook(
    `The page has more than ${MAX_WORKBOOK_ROWS.toLocaleString('en-US')} rows. Export it as CSV from the program that made it.`,
  )
const tooManyColumns = () =>
  largeWorkbook(
    `A row has more than ${MAX_WORKBOOK_COLUMNS.toLocaleString('en-US')} columns. Delete the columns you don’t need. Keep one part per row.`,
  )

/**
 * The rows of a page's tables in batches, blank ones as [].
 * @throws WorkbookProblem if there is no table
 */
export async function* htmlRows(blob: Blob): AsyncGenerator<string[][]> {
  const tables = new HtmlTables()
  const decoder = new TextDecoder(await encodingOf(blob))
  let batch: string[][] = []
  const pieces = blob.stream().getReader()
  try {
    for (let isLast = false; !isLast; ) {
      const { value, done } = await pieces.read()
      isLast = done
      batch.push(...tables.push(value ? decoder.decode(value, { stream: true }) : decoder.decode()))
      if (isLast) batch.push(...tables.finish())
      while (batch.length > ROWS_PER_BATCH || (isLast && batch.length > 0)) {
        yield batch.slice(0, ROWS_PER_BATCH)
        batch = batch.slice(ROWS_PER_BATCH)
      }
    }
  } finally {
    void pieces.cancel().catch(() => undefined)
  }
  if (tables.tables === 0) throw noTable()
}

const noTable = () =>
  wrongWorkbook(
    'This is a web page without a table in it. Open it in your spreadsheet program, save it as “CSV UTF-8” or .xlsx, and upload that.',
  )

/**
 * From its byte order mark, or else UTF-8 if all of it is; programs on Windows write Windows-1252 without saying so.
 */
async function encodingOf(blob: Blob): Promise<'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'> {
  const [first, second] = new Uint8Array(await blob.slice(0, 2).arrayBuffer())
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const pieces = blob.stream().getReader()
  try {
    for (let piece = await pieces.read(); !piece.done; piece = await pieces.read()) {
      decoder.decode(piece.value, { stream: true })
    }
    decoder.decode()
    return 'utf-8'
  } catch (error) {
    if (error instanceof TypeError) return 'windows-1252'
    throw error
  } finally {
    void pieces.cancel().catch(() => undefined)
  }
}
