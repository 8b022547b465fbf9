import { type Dialect, standardDialect } from './reading.ts'
import { type LineCutter, lineCutter } from './reports/cut-line.ts'

/** Finds the next position of a character, and caches it for repeated searches of the same stretch. */
class Finder {
  readonly #character: string
  readonly length: number
  #from = 0
  #at = -1

  constructor(character: string) {
    this.#character = character
    this.length = character.length
  }

  /** Infinity if there is none. */
  find(text: string, from: number): number {
    if (from >= this.#from && from <= this.#at) return this.#at
    const at = this.#character === '' ? -1 : text.indexOf(this.#character, from)
    this.#from = from
    this.#at = at === -1 ? Number.POSITIVE_INFINITY : at
    return this.#at
  }
}

/** A line without quotes. Most callers need only its cells or only its text, so each is cut on demand. */
class PlainLine {
  readonly problem = undefined
  readonly #source: string
  readonly #start: number
  readonly #end: number
  readonly #delimiters: Finder
  #cells: string[] | undefined

  constructor(source: string, start: number, end: number, delimiters: Finder) {
    this.#source = source
    this.#start = start
    this.#end = end
    this.#delimiters = delimiters
  }

  get text(): string {
    return this.#source.slice(this.#start, this.#end)
  }

  get cells(): string[] {
    this.#cells ??= this.#cut()
    return this.#cells
  }

  /** Like `split`, in two thirds of the time. */
  #cut(): string[] {
    const source = this.#source
    const end = this.#end
    const cells: string[] = []
    let from = this.#start
    for (let to = this.#delimiters.find(source, from); to < end; to = this.#delimiters.find(source, from)) {
      cells.push(source.slice(from, to))
      from = to + this.#delimiters.length
    }
    cells.push(source.slice(from, end))
    return cells
  }
}

/** A line of a report. A line without a part is a blank one, and its words are a remark. */
class RuledLine {
  readonly problem = undefined
  readonly #line: string
  readonly #cut: LineCutter
  #cells: string[] | undefined | false = false

  constructor(line: string, cut: LineCutter) {
    this.#line = line
    this.#cut = cut
  }

  get cells(): string[] {
    return this.#found() ?? ['']
  }

  /** Of its cells, since the names of columns may be in two lines. */
  get text(): string {
    return this.#found()?.join(' ') ?? ''
  }

  get remark(): string | undefined {
    return this.#found() ? undefined : this.#line.trim()
  }

  #found(): string[] | undefined {
    if (this.#cells === false) this.#cells = this.#cut(this.#line)
    return this.#cells
  }
}

/** In characters. Longer ones have an unclosed quotation mark or a missing line end. */
const LONGEST_RECORD = 16 * 1024 * 1024

export type RecordProblem = 'UNCLOSED_QUOTE' | 'RECORD_TOO_LONG'

/**
 * A record of a file; a blank line has a single empty cell. A cell is a slice that keeps the whole text in memory, so copy
 * cells that are kept.
 */
export type FileRecord = {
  /** As in the file, without its line end; only the beginning if it is too long. */
  readonly text: string
  readonly cells: string[]
  /** The cells are ambiguous; they are cut at every delimiter, for display. */
  readonly problem?: RecordProblem | undefined
  /** A line of a report that is not a part. */
  readonly remark?: string | undefined
}

const LF = 10
const CR = 13
const SPACE = 32
// Characters shown of a record that is too long.
const SHOWN = 1_000

const findersFor = ({ delimiter, quote }: Dialect) => ({
  lf: new Finder('\n'),
  cr: new Finder('\r'),
  quote: new Finder(quote),
  delimiter: new Finder(delimiter),
})

/** A cell and the position of the delimiter, line end or end of text after it. */
type FoundCell = { readonly cell: string; readonly end: number }
/** More text is needed; or the quotation mark at `unclosed` does not close. */
type NoCell = 'more' | { readonly unclosed: number }

/**
 * Reads records that end with LF, CRLF or CR, or a mix of them. A quotation mark opens only at the start of a cell or
 * after spaces there; elsewhere it is text. If it is never closed, or would close in the middle of text in a later
 * line, its line is a bad record, and reading continues with the next line. Call `feed` or `end`, then `take` until it
 * returns none.
 */
export class RecordReader {
  readonly #dialect: Dialect
  readonly #delimiterCode: number
  readonly #longest: number
  readonly #cut: LineCutter | undefined
  /** For `#text`; lines found in it keep theirs. */
  #finders: ReturnType<typeof findersFor>
  #text = ''
  #at = 0
  #waiting: string[] = []
  #waitingLength = 0
  /** Characters that must arrive before an unfinished record is tried again. */
  #wanted = 0
  #hasEnded = false
  /** The text ended with a CR; an LF after it belongs to it. */
  #mayStartWithLf = false
  /** Skipping the rest of a record that is too long. */
  #isSkipping = false

  constructor(dialect: Dialect, longest: number = LONGEST_RECORD) {
    this.#dialect = dialect
    this.#delimiterCode = dialect.delimiter.charCodeAt(0)
    this.#longest = longest
    this.#cut = dialect.ruler && lineCutter(dialect.ruler)
    this.#finders = findersFor(dialect)
  }

  feed(text: string): this {
    if (text !== '') this.#waiting.push(text)
    this.#waitingLength += text.length
    return this
  }

  end(): this {
    this.#hasEnded = true
    return this
  }

  take(most = Number.POSITIVE_INFINITY): FileRecord[] {
    const records: FileRecord[] = []
    if (!this.#hasEnded && this.#waitingLength < this.#wanted) return records
    this.#joinWaiting()
    while (records.length < most) {
      const record = this.#next()
      if (!record) {
        // Doubles each time, so that a record in many pieces is not joined again with each of them.
        const unfinished = this.#text.length - this.#at
        this.#wanted = Math.min(unfinished, this.#longest + 1 - unfinished)
        return records
      }
      records.push(record)
    }
    this.#wanted = 0
    return records
  }

  /** All records that are complete, a few at a time. */
  *batches(most: number): Generator<FileRecord[]> {
    for (let records = this.take(most); records.length > 0; records = this.take(most)) yield records
  }

  #joinWaiting(): void {
    if (this.#waitingLength === 0) return
    this.#text = this.#text.slice(this.#at) + this.#waiting.join('')
    this.#at = 0
    this.#waiting = []
    this.#waitingLength = 0
    this.#finders = findersFor(this.#dialect)
  }

  #next(): FileRecord | undefined {
    if (this.#isSkipping && !this.#skipLine()) return undefined
    if (this.#mayStartWithLf && this.#at < this.#text.length) {
      if (this.#text.charCodeAt(this.#at) === LF) this.#at += 1
      this.#mayStartWithLf = false
    }
    const start = this.#at
    if (start === this.#text.length) return undefined
    const lineEnd = this.#lineEnd(start)
    const end = Math.min(lineEnd, this.#text.length)
    if (this.#finders.quote.find(this.#text, start) < end) return this.#quotedRecord(start)
    if (end - start > this.#longest) return this.#tooLong(start, start)
    if (lineEnd > end && !this.#hasEnded) return undefined
    this.#passLineEnd(end)
    if (this.#cut) return new RuledLine(this.#text.slice(start, end), this.#cut)
    return new PlainLine(this.#text, start, end, this.#finders.delimiter)
  }

  /** Moves past the line end at `end`. */
  #record(start: number, end: number, cells: string[], problem?: RecordProblem): FileRecord {
    this.#passLineEnd(end)
    return { text: this.#text.slice(start, end), cells, problem }
  }

  #passLineEnd(end: number): void {
    this.#at = Math.min(end + 1, this.#text.length)
    if (this.#text.charCodeAt(end) !== CR) return
    if (this.#at === this.#text.length) this.#mayStartWithLf = true
    else if (this.#text.charCodeAt(this.#at) === LF) this.#at += 1
  }

  #lineEnd(from: number): number {
    const { lf, cr } = this.#finders
    return Math.min(lf.find(this.#text, from), cr.find(this.#text, from))
  }

  /** Walks from cell to cell: a line end inside quotes ends nothing. */
  #quotedRecord(start: number): FileRecord | undefined {
    const cells: string[] = []
    const limit = start + this.#longest
    for (let from = start; ; ) {
      const found = this.#cell(from, limit)
      if (found === 'more') return this.#text.length > limit ? this.#tooLong(start, from) : undefined
      if ('unclosed' in found) return this.#unclosed({ start, from, quote: found.unclosed }, cells)
      if (found.end > limit) return this.#tooLong(start, from)
      cells.push(found.cell)
      if (!this.#hasDelimiter(found.end)) return this.#record(start, found.end, cells)
      from = found.end + this.#dialect.delimiter.length
    }
  }

  #cell(from: number, limit: number): FoundCell | NoCell {
    const open = this.#skipSpaces(from)
    if (this.#text[open] !== this.#dialect.quote) return this.#plainCell(from, from)
    const close = this.#closingQuote(open, limit)
    if (typeof close !== 'number') return close
    const end = this.#skipSpaces(close + 1)
    // Already longer than a record may be.
    if (end > limit) return { cell: '', end }
    if (end === this.#text.length && !this.#hasEnded) return 'more'
    if (this.#endsCell(end)) return { cell: this.#unescaped(open + 1, close), end }
    // Text follows the quotation mark, so it closed nothing. In a later line it belongs to another cell.
    if (this.#lineEnd(open) < close) return { unclosed: open }
    const rest = this.#plainCell(from, close)
    if (rest === 'more' || open !== from) return rest
    const { quote } = this.#dialect
    return { ...rest, cell: quote + this.#unescaped(open + 1, close) + this.#text.slice(close, rest.end) }
  }

  /** A cell without quotes; its end is at or after `searchFrom`. */
  #plainCell(from: number, searchFrom: number): FoundCell | 'more' {
    const { length } = this.#text
    const found = Math.min(this.#lineEnd(searchFrom), this.#finders.delimiter.find(this.#text, searchFrom))
    if (found > length && !this.#hasEnded) return 'more'
    const end = Math.min(found, length)
    return { cell: this.#text.slice(from, end), end }
  }

  /** The quotation mark that closes the one at `open`; doubled ones are text. */
  #closingQuote(open: number, limit: number): number | NoCell {
    const { quote } = this.#dialect
    for (let from = open + 1; ; ) {
      const close = this.#text.indexOf(quote, from)
      if (close === -1 && this.#text.length <= limit && !this.#hasEnded) return 'more'
      if (close === -1 || close >= limit) return { unclosed: open }
      if (this.#text[close + 1] !== quote) return close
      from = close + 2
    }
  }

  #unescaped(from: number, to: number): string {
    const { quote } = this.#dialect
    const text = this.#text.slice(from, to)
    return text.includes(quote) ? text.replaceAll(quote + quote, quote) : text
  }

  #skipSpaces(from: number): number {
    let at = from
    if (this.#delimiterCode !== SPACE) while (this.#text.charCodeAt(at) === SPACE) at += 1
    return at
  }

  #endsCell(at: number): boolean {
    if (at === this.#text.length) return true
    const code = this.#text.charCodeAt(at)
    return code === LF || code === CR || this.#hasDelimiter(at)
  }

  #hasDelimiter(at: number): boolean {
    const { delimiter } = this.#dialect
    if (this.#text.charCodeAt(at) !== this.#delimiterCode) return false
    return delimiter.length === 1 || this.#text.startsWith(delimiter, at)
  }

  /** The line of the quotation mark becomes the record; reading continues with the next line. */
  #unclosed(
    { start, from, quote }: { start: number; from: number; quote: number },
    cells: readonly string[],
  ): FileRecord {
    const end = Math.min(this.#lineEnd(quote), this.#text.length)
    if (end - start > this.#longest) return this.#tooLong(start, from)
    const rest = this.#text.slice(from, end).split(this.#dialect.delimiter)
    return this.#record(start, end, [...cells, ...rest], 'UNCLOSED_QUOTE')
  }

  #tooLong(start: number, from: number): FileRecord {
    const text = this.#text.slice(start, start + Math.min(SHOWN, this.#longest))
    this.#at = from
    this.#isSkipping = true
    return { text, cells: [text], problem: 'RECORD_TOO_LONG' }
  }

  /** False if the line continues in the next text. */
  #skipLine(): boolean {
    const end = this.#lineEnd(this.#at)
    this.#isSkipping = end > this.#text.length
    if (this.#isSkipping) this.#at = this.#text.length
    else this.#passLineEnd(end)
    return !this.#isSkipping
  }
}

/**
 * A record in our own dialect, without its line end and without a formula guard: only we read it. Files that people open
 * use `csvLine` of `csv-cell.ts`.
 */
export const standardLine = (cells: readonly string[]): string => dialectLine(cells, standardDialect)

/** A record in a dialect; without quotes, delimiters and line ends become spaces. */
export function dialectLine(cells: readonly string[], dialect: Dialect): string {
  // An empty line would be read as a blank one.
  if (cells.length === 1 && cells[0] === '' && dialect.quote !== '') return dialect.quote + dialect.quote
  return cells.map((cell) => dialectCell(cell, dialect)).join(dialect.delimiter)
}

const LINE_END = /[\r\n]/

function dialectCell(cell: string, { delimiter, quote }: Dialect): string {
  if (quote === '') return cell.replaceAll(/[\r\n]+/g, ' ').replaceAll(delimiter, ' ')
  const isPlain = !cell.includes(quote) && !cell.includes(delimiter) && !LINE_END.test(cell)
  return isPlain ? cell : quote + cell.replaceAll(quote, quote + quote) + quote
}
