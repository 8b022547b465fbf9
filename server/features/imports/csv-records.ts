import { Parser } from 'csv-parse'
import { MOST_RECORD_BYTES } from '#contract/csv-records.ts'
import type { AppError } from '#server/platform/app-error.ts'
import { refuseFile } from './csv-refusal.ts'

/** About a millisecond's work, so that whoever reads can leave the event loop to others in between. */
const SLICE_BYTES = 16 * 1024
// The parser moves its buffer for every field with a stray quotation mark: with a buffer of 16 MB that is 8 ms each. So
// the buffer is made small again after a long field, and at the end of a very long one no write holds many quotes.
const LONG_FIELD_BYTES = 1_024
const VERY_LONG_FIELD_BYTES = 16 * 1024
const BYTES_TO_A_QUOTE = 32
const QUOTE = 0x22

const options = {
  relax_quotes: true,
  relax_column_count: true,
  // All three, since files that were put together from others mix them.
  record_delimiter: ['\r\n', '\n', '\r'],
  max_record_size: MOST_RECORD_BYTES,
}

/** The parser's buffer of the current field, which grows and by itself never shrinks. */
type FieldBuffer = { size: number; length: number; buf: Buffer }

/** Hands out records as they are found, without the queue of a stream, which costs half as much as the parsing. */
class RecordParser extends Parser {
  declare readonly state: { readonly field: FieldBuffer }
  #records: string[][] = []
  #count = 0

  constructor() {
    super(options)
    // Failures are taken from `errored` after each write.
    this.on('error', () => undefined)
  }

  override push(record: string[] | null): boolean {
    if (record === null) return super.push(null)
    this.#records.push(record)
    this.#count += 1
    // Each is as good as the first: for a record of another length than the first the parser would make an error with a
    // stack trace and a copy of the record, which takes 30 µs and goes nowhere.
    ;(this.info as { records: number }).records = 0
    return true
  }

  takeRecords(): string[][] {
    const records = this.#records
    this.#records = []
    return records
  }

  /** Parses what comes next, at once. */
  feed(bytes: Buffer): void {
    for (let from = 0; from < bytes.length && !this.errored; ) {
      this.#shrinkField()
      const isVeryLong = this.state.field.size > VERY_LONG_FIELD_BYTES
      const quote = isVeryLong ? bytes.indexOf(QUOTE, from) : -1
      const to = quote === -1 ? bytes.length : Math.max(quote + 1, from + BYTES_TO_A_QUOTE)
      this.write(bytes.subarray(from, to))
      from = to
    }
  }

  #shrinkField(): void {
    const { field } = this.state
    const size = Math.max(LONG_FIELD_BYTES, 2 * field.length)
    if (field.size <= 2 * size) return
    const buf = Buffer.allocUnsafe(size)
    field.buf.copy(buf, 0, 0, field.length)
    field.buf = buf
    field.size = size
  }

  /** @throws AppError where the parser gave up */
  check(): void {
    if (this.errored) throw refusal(this.errored, this.#count + 1)
  }
}

function refusal(error: Error, row: number): AppError | Error {
  const code = 'code' in error ? error.code : undefined
  if (code === 'CSV_MAX_RECORD_SIZE') {
    return refuseFile(
      `Row ${row} is longer than 16 MB: most likely a quotation mark opens in it and is never closed. Close or remove it and upload the file again.`,
    )
  }
  if (code === 'CSV_QUOTE_NOT_CLOSED') {
    return refuseFile(
      `A quotation mark opens in row ${row} and is never closed. Close or remove it and upload the file again.`,
    )
  }
  return error
}

/**
 * All records of a CSV (comma, double quotes; LF, CRLF or CR), blank lines among them, in small groups; a group may be
 * empty. Nothing is awaited within a group.
 * @throws AppError VALIDATION_FAILED at a quotation mark that is never closed
 */
export async function* csvRecords(bytes: AsyncIterable<Buffer>): AsyncGenerator<string[][]> {
  const parser = new RecordParser()
  try {
    for await (const piece of bytes) {
      for (let from = 0; from < piece.length; from += SLICE_BYTES) {
        parser.feed(piece.subarray(from, from + SLICE_BYTES))
        parser.check()
        yield parser.takeRecords()
      }
    }
    await new Promise<void>((ended) => parser.end(() => ended()))
    parser.check()
    yield parser.takeRecords()
  } finally {
    parser.destroy()
  }
}
