import { nameColumns } from '#contract/csv-header.ts'
import { isBlankRow, repeatsOf } from './data-rows.ts'
import type { Dialect, Reading } from './reading.ts'
import { type FileRecord, recordReader } from './records.ts'

export type ChunkLimits = {
  /** Records of one chunk. */
  records: number
  /** A chunk ends after the record that reaches this; counted in characters. */
  bytes: number
}

/** So many data rows of a file as follow one another, in the file's own dialect. */
export type TextChunk = {
  /** From 0. */
  index: number
  /** Data rows: without blank lines, of which the text has as many as the file. */
  records: number
  /** The number that a spreadsheet gives to the chunk's first line. */
  firstRow: number
  /** Every line with `\n` at its end; the line of a header that repeats, or of empty cells, is blank. */
  text: string
  /** The data rows, by the numbers that a spreadsheet gives them. */
  rows: { row: number; text: string; problem?: FileRecord['problem'] }[]
}

/**
 * Cuts a file's text into chunks of whole records, in its order, without its header and what stands above it. Lines are not
 * lost: the chunks' lines count up to the row numbers of the file. Holds one chunk, however long the file is.
 */
export async function* cutChunks(
  texts: AsyncIterable<string>,
  how: { dialect: Dialect; headerRow: Reading['headerRow'] },
  limits: ChunkLimits,
): AsyncGenerator<TextChunk> {
  const reader = recordReader(how.dialect)
  const cutter = chunkCutter(how, limits)
  for await (const text of texts) {
    for (const record of reader.push(text)) {
      const chunk = cutter.add(record)
      if (chunk) yield chunk
    }
  }
  for (const record of reader.finish()) {
    const chunk = cutter.add(record)
    if (chunk) yield chunk
  }
  const last = cutter.finish()
  if (last) yield last
}

type Cutter = { add(record: FileRecord): TextChunk | undefined; finish(): TextChunk | undefined }

function chunkCutter(
  { dialect, headerRow }: { dialect: Dialect; headerRow: number },
  limits: ChunkLimits,
): Cutter {
  let isHeaderAgain: ReturnType<typeof repeatsOf> = () => false
  let row = 0
  let index = 0
  let chunk = { firstRow: headerRow + 1, lines: [] as string[], rows: [] as TextChunk['rows'], length: 0 }

  const close = (): TextChunk | undefined => {
    const { firstRow, lines, rows } = chunk
    if (rows.length === 0) return undefined
    chunk = { firstRow: row, lines: [], rows: [], length: 0 }
    return { index: index++, records: rows.length, firstRow, text: `${lines.join('\n')}\n`, rows }
  }
  return {
    add(record) {
      row += 1
      if (row <= headerRow) {
        if (row === headerRow) isHeaderAgain = repeatsOf(nameColumns(record.cells))
        return undefined
      }
      if (isBlankRow(record) || isHeaderAgain(record)) {
        chunk.lines.push('')
        return undefined
      }
      // Not at the record that filled the chunk: blank lines behind it go with it, or they would be a chunk of their own.
      const isFull = chunk.rows.length >= limits.records || chunk.length >= limits.bytes
      const full = isFull ? close() : undefined
      const text = sentText(record, dialect)
      chunk.lines.push(text)
      chunk.length += text.length
      chunk.rows.push({ row, text, ...(record.problem && { problem: record.problem }) })
      return full
    },
    finish: close,
  }
}

/** What there is of a record that is too long stays one cell of one line, so that nobody takes it for a row of a part. */
function sentText({ text, problem }: FileRecord, { delimiter, quote }: Dialect): string {
  if (problem !== 'RECORD_TOO_LONG') return text
  return [delimiter, quote, '\r', '\n'].reduce(
    (cut, sign) => (sign === '' ? cut : cut.replaceAll(sign, ' ')),
    text,
  )
}
