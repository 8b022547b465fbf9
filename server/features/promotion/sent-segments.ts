import { readSegmentText } from '#server/features/staging/read-segment-text.ts'
import type { Segment } from '#server/features/staging/segment.ts'
import type { Fields } from '#server/features/staging/staged-fields.ts'
import { fieldsOfLine, idOfLine } from '#server/features/staging/staged-record.ts'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { releaseBytes } from '#server/platform/release-bytes.ts'

export type SentRow = {
  /** Its place in the version, counted from 1. */
  readonly rowNo: number
  readonly recordId: string
  readonly fields: Fields
  /** What it said when it was first sent: the same object where it says so still, or where it stood elsewhere then. */
  readonly first: Fields
}

type OpenSegment = {
  /** So many rows of the version stand before its own. */
  readonly before: number
  readonly text: Buffer
  /** What stood in its place in the first version, where that is not the same. */
  readonly first: { readonly segment: Segment; readonly text: Buffer } | undefined
}

/**
 * Reads the rows of a version, each beside the one that stood in its place in the file's first version: most edits leave
 * rows in their places. The next segment is read while one is worked on. Lines become strings one by one and bytes are
 * given back: segments as strings kept the garbage collector busy for a tenth of a plan's processor time.
 */
export class SentSegments {
  readonly #files: FileStore
  readonly #segments: readonly Segment[]
  /** Segments of the first version by place. */
  readonly #beside = new Map<number, Segment>()
  readonly #moved = new Set<Segment>()

  constructor(files: FileStore, segments: readonly Segment[], first: readonly Segment[]) {
    this.#files = files
    this.#segments = segments
    const [now, then] = [hashesOf(segments), hashesOf(first)]
    for (const [place, sent] of first.entries()) {
      if (now.has(sent.sha256)) continue
      const segment = segments[place]
      const isBeside = segment?.rows === sent.rows && !then.has(segment.sha256)
      if (isBeside) this.#beside.set(place, sent)
      else this.#moved.add(sent)
    }
  }

  /** Segments of the first version whose rows stand in other places by now, or are gone: complete once all is read. */
  get moved(): readonly Segment[] {
    return [...this.#moved]
  }

  /** A segment at a time. */
  async *read(): AsyncGenerator<Iterable<SentRow>> {
    let before = 0
    let next = this.#open(0, before)
    for (const [place, { rows }] of this.#segments.entries()) {
      const segment = await next
      before += rows
      next = this.#open(place + 1, before)
      if (segment) yield this.#rowsOf(segment)
      if (segment) releaseBytes(segment.text)
      if (segment?.first) releaseBytes(segment.first.text)
    }
  }

  #open(place: number, before: number): Promise<OpenSegment | undefined> {
    const opened = this.#textsAt(place, before)
    // Waited for later; an error in between must not end the process.
    opened.catch(() => undefined)
    return opened
  }

  async #textsAt(place: number, before: number): Promise<OpenSegment | undefined> {
    const [segment, beside] = [this.#segments[place], this.#beside.get(place)]
    if (!segment) return undefined
    const text = await readSegmentText(this.#files, segment.sha256)
    const first = beside && { segment: beside, text: await readSegmentText(this.#files, beside.sha256) }
    return { before, text, first }
  }

  *#rowsOf({ before, text, first }: OpenSegment): Generator<SentRow> {
    let rowNo = before
    let firstFrom = 0
    for (let from = 0; from < text.length; ) {
      const end = endOfLine(text, from)
      const line = text.toString('utf8', from, end)
      const [recordId, fields] = [idOfLine(line), fieldsOfLine(line)]
      rowNo += 1
      const row = { rowNo, recordId, fields, first: fields }
      if (first) {
        const firstEnd = endOfLine(first.text, firstFrom)
        const isSame = first.text.compare(text, from, end, firstFrom, firstEnd) === 0
        if (!isSame) row.first = this.#firstOf(row, first, first.text.toString('utf8', firstFrom, firstEnd))
        firstFrom = firstEnd
      }
      yield row
      from = end
    }
  }

  #firstOf(row: SentRow, { segment }: { segment: Segment }, line: string): Fields {
    if (idOfLine(line) === row.recordId) return fieldsOfLine(line)
    this.#moved.add(segment)
    return row.fields
  }
}

const hashesOf = (segments: readonly Segment[]) => new Set(segments.map(({ sha256 }) => sha256))

const LINE_END = 10
const endOfLine = (text: Buffer, from: number) => text.indexOf(LINE_END, from) + 1 || text.length
