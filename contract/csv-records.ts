/**
 * Cuts the bytes of a CSV (UTF-8, commas, double quotes; LF, CRLF or CR) into chunks of whole records, never inside
 * quotes. Pure and streaming: it holds one chunk, however long the file is.
 */

/** Above this a record is taken for a quotation mark that was never closed. */
export const MOST_RECORD_BYTES = 16 * 1024 * 1024

export type CsvLimits = {
  /** Records of one chunk. */
  records: number
  /** A chunk ends after the record that reaches this, also with fewer records. */
  bytes: number
}

/** One piece of the file; the pieces follow one another without a gap. The first is the header, without records. */
export type CsvCut = {
  bytes: number
  records: number
  /** As a spreadsheet numbers its first line: the header is row 1, blank lines count. */
  firstRow: number
}

export type CsvPiece = CsvCut & { content: Uint8Array<ArrayBuffer> }

/** A quotation mark opens and never closes, so that no record after it can be told from another. */
export class UnclosedQuote extends Error {
  override name = 'UnclosedQuote'
  readonly row: number

  constructor(row: number) {
    super(`A quotation mark opens in row ${row} and is never closed`)
    this.row = row
  }
}

// Classes of bytes: 0 is text, which every byte of a longer UTF-8 sequence is too.
const CR = 3
const LF = 4
const classes = new Uint8Array(256)
for (const [place, character] of [',', '"', '\r', '\n'].entries()) {
  classes[character.charCodeAt(0)] = place + 1
}

// States. CLOSING stands after a quotation mark inside quotes: the end of the field, or the first of a pair.
const [RECORD_START, FIELD_START, PLAIN, QUOTED, CLOSING, AFTER_CR] = [0, 1, 2, 3, 4, 5]

// The next state, by state and class. A quotation mark opens at the start of a field only.
const next = new Uint8Array(
  [
    /* RECORD_START */ [PLAIN, FIELD_START, QUOTED, AFTER_CR, RECORD_START],
    /* FIELD_START  */ [PLAIN, FIELD_START, QUOTED, AFTER_CR, RECORD_START],
    /* PLAIN        */ [PLAIN, FIELD_START, PLAIN, AFTER_CR, RECORD_START],
    /* QUOTED       */ [QUOTED, QUOTED, CLOSING, QUOTED, QUOTED],
    /* CLOSING      */ [PLAIN, FIELD_START, QUOTED, AFTER_CR, RECORD_START],
    // A line feed still belongs to the record before; anything else begins the next one.
    /* AFTER_CR     */ [PLAIN, FIELD_START, QUOTED, AFTER_CR, RECORD_START],
  ].flat(),
)

/** Tells where each record begins and ends in the stream, blank lines among them. */
function recordScanner(seen: (begin: number, end: number, blank: boolean) => void) {
  let state = RECORD_START
  let offset = 0
  let begin = 0
  let blank = true

  function end(at: number): void {
    seen(begin, at, blank)
    begin = at
  }
  return {
    scan(piece: Uint8Array): void {
      for (let place = 0; place < piece.length; place++) {
        const kind = classes[piece[place] as number] as number
        const afterCr = state === AFTER_CR && kind !== LF
        if (afterCr) end(offset + place)
        // A line is blank where its end is the first thing in it.
        if (afterCr || state === RECORD_START) blank = kind === CR || kind === LF
        state = next[state * 5 + kind] as number
        if (state === RECORD_START) end(offset + place + 1)
      }
      offset += piece.length
    },
    /** Length of the record that has begun and not ended. */
    unfinished: () => offset - begin,
    isQuoted: () => state === QUOTED,
    /** The last record may come without a line end; answers the length of the whole. */
    finish(): number {
      if (begin < offset) end(offset)
      return offset
    },
  }
}

/** Finds where the pieces end; `push` and `finish` answer the cuts that became certain. */
function csvCutter(limits: CsvLimits) {
  let cuts: CsvCut[] = []
  let from = 0
  let rows = 0
  let firstRow = 1
  let records = 0
  let hasHeader = false
  let hasChunk = false

  function cut(at: number): void {
    cuts.push({ bytes: at - from, records, firstRow })
    from = at
    records = 0
  }
  function certain(): CsvCut[] {
    const found = cuts
    cuts = []
    return found
  }
  const scanner = recordScanner((begin, end, blank) => {
    rows++
    if (blank) return
    if (!hasHeader) {
      hasHeader = true
      rows = 1
      return cut(end)
    }
    // Not at the record that filled the chunk: blank lines behind it go with it, or they would be a chunk of their own.
    if (records >= limits.records || (records > 0 && begin - from >= limits.bytes)) cut(begin)
    // Blank lines right behind the header stand before the first record of the first chunk.
    if (records === 0) firstRow = hasChunk ? rows : 2
    hasChunk = true
    records++
  })
  return {
    push(piece: Uint8Array): CsvCut[] {
      scanner.scan(piece)
      if (scanner.unfinished() > MOST_RECORD_BYTES) throw new UnclosedQuote(rows + 1)
      return certain()
    },
    finish(): CsvCut[] {
      if (scanner.isQuoted()) throw new UnclosedQuote(rows + 1)
      const length = scanner.finish()
      if (records > 0) cut(length)
      return certain()
    },
  }
}

/** Bytes that came and were not taken yet. */
function byteQueue() {
  let waiting: Uint8Array[] = []
  return {
    add(piece: Uint8Array): void {
      waiting.push(piece)
    },
    take(count: number): Uint8Array<ArrayBuffer> {
      const taken = new Uint8Array(count)
      let filled = 0
      const rest: Uint8Array[] = []
      for (const piece of waiting) {
        const part = piece.subarray(0, count - filled)
        taken.set(part, filled)
        filled += part.length
        if (part.length < piece.length) rest.push(piece.subarray(part.length))
      }
      waiting = rest
      return taken
    },
  }
}

const byteOrderMark = [0xef, 0xbb, 0xbf]

async function* withoutByteOrderMark(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const start = byteQueue()
  let held = 0
  let begun = false
  for await (const piece of source) {
    if (begun) {
      yield piece
      continue
    }
    start.add(piece)
    held += piece.length
    begun = held >= byteOrderMark.length
    if (begun) yield afterMark(start.take(held))
  }
  if (!begun) yield afterMark(start.take(held))
}

function afterMark(start: Uint8Array): Uint8Array {
  return byteOrderMark.every((byte, place) => start[place] === byte) ? start.subarray(3) : start
}

/** The pieces of a file without their content: how many chunks it has, and how many records. */
export async function* csvCuts(source: AsyncIterable<Uint8Array>, limits: CsvLimits): AsyncGenerator<CsvCut> {
  const cutter = csvCutter(limits)
  for await (const piece of withoutByteOrderMark(source)) yield* cutter.push(piece)
  yield* cutter.finish()
}

/**
 * The pieces of a file in its order: the header, then chunks, each with its bytes as they stand in the file. Together
 * they are the file without its byte order mark. Throws UnclosedQuote.
 */
export async function* csvPieces(
  source: AsyncIterable<Uint8Array>,
  limits: CsvLimits,
): AsyncGenerator<CsvPiece> {
  const cutter = csvCutter(limits)
  const queue = byteQueue()
  const withContent = (cut: CsvCut): CsvPiece => ({ ...cut, content: queue.take(cut.bytes) })
  for await (const piece of withoutByteOrderMark(source)) {
    queue.add(piece)
    for (const cut of cutter.push(piece)) yield withContent(cut)
  }
  for (const cut of cutter.finish()) yield withContent(cut)
}

/** The records of a short text, cell by cell; for the header and a few rows to look at, blank lines left out. */
export function readRecords(text: string): string[][] {
  const records: string[][] = []
  const cell = /(?:"((?:[^"]|"")*)"([^,\r\n]*)|([^,\r\n]*))(,|\r\n|\n|\r|$)/y
  let cells: string[] = []
  while (cell.lastIndex < text.length) {
    const [, quoted, rest = '', plain = '', end] = cell.exec(text) ?? [text]
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"') + rest)
    // A comma at the very end opens one more cell, which the loop would not come to.
    if (end === ',' && cell.lastIndex === text.length) cells.push('')
    if (end === ',' && cell.lastIndex < text.length) continue
    if (cells.length > 1 || cells[0] !== '') records.push(cells)
    cells = []
    if (end === undefined) break
  }
  return records
}
