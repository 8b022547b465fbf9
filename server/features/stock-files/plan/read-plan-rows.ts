import { setImmediate } from 'node:timers/promises'
import { type ImportField, importFields } from '#contract/csv/import-fields.ts'
import { type FoundPart, findListedParts } from '#server/features/stock-files/identity/listed-part.ts'
import {
  contentHash,
  identityOf,
  namedListing,
  rowKey,
} from '#server/features/stock-files/identity/row-identity.ts'
import { readSegmentText, type Segment } from '#server/features/stock-files/store/segments.ts'
import { type Fields, fieldsOfLine, idOfLine } from '#server/features/stock-files/store/staged-record.ts'
import { contradictionsIn } from '#server/features/writing/part-text.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'
import { releaseBytes } from '#server/platform/processes/concurrency.ts'
import { firstLeftOut, type LeftOutRow, MAX_LEFT_OUT_SHOWN } from './left-out.ts'
import { addPlanRows, type IdentifiedRow, type PlanNameBook, planRowLine } from './plan-rows.ts'
import { outcomeOfNamedRow, outcomeOfNewRow, type RowOutcome, type RowRules } from './row-rules.ts'

/*
 * Reads and checks the rows of a staged version for its plan. Each row is read with its original in the file's first
 * version, which determines its key.
 */

type SentRow = {
  /** Its row number in the version, counted from 1. */
  readonly rowNo: number
  readonly recordId: string
  readonly fields: Fields
  /** The original fields; the same object if they are unchanged or if the row moved. */
  readonly first: Fields
}

type OpenSegment = {
  /** How many rows of the version precede it. */
  readonly before: number
  readonly text: Buffer
  /** The first version's segment at the same place, if it differs. */
  readonly first: { readonly segment: Segment; readonly text: Buffer } | undefined
}

/**
 * Reads the rows of a version, each with the row at the same place in the file's first version: most edits do not move
 * rows. The next segment is read ahead. Lines become strings one by one, and bytes are released: whole segments as strings
 * took a tenth of a plan's CPU time in garbage collection.
 */
export class SentSegments {
  readonly #files: FileStore
  readonly #segments: readonly Segment[]
  /** Segments of the first version, by place. */
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

  /** Segments of the first version whose rows moved or are gone: complete once everything is read. */
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
    // A rejection before it is awaited must not end the process.
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

type RowsToRead = {
  run: JobRun<unknown>
  sent: SentSegments
  /** The version's row count. */
  rows: number
  sellerId: string
  rules: PlanRules
}

type PlanRules = RowRules & { readonly book: PlanNameBook }

export type ReadPlanRows = {
  /** The fields that occur in any row. */
  fields: ImportField[]
  /** Whether some rows name their listings. */
  namesListings: boolean
  /** The first rows that are refused. */
  refused: LeftOutRow[]
  /** How many rows wait for the seller. */
  waiting: number
  /** How the texts of the first such rows contradict their facts. */
  contradictions: Contradiction[]
}

export type Contradiction = { readonly rowNo: number; readonly message: string }

/** Reads a version's rows into the plan's table. */
export async function readPlanRows(connection: Db, reading: RowsToRead): Promise<ReadPlanRows> {
  const { run, sent, rows: total, sellerId, rules } = reading
  const seen = new Set<string>()
  let refused: LeftOutRow[] = []
  let namesListings = false
  let waiting = 0
  let done = 0
  const contradictions: Contradiction[] = []
  // Rows are read while the previous ones are written.
  let writing: Promise<void> = Promise.resolve()
  for await (const segment of sent.read()) {
    run.signal.throwIfAborted()
    const { read, named } = await readNewRows(segment, seen, rules)
    const ids = named.flatMap((row) => listingIdOf(row.fields) ?? [])
    // The connection runs one statement at a time, and this one must not run in the writer's transaction.
    await writing
    namesListings ||= ids.length > 0
    const listed = await findListedParts(connection, sellerId, ids)
    for (const row of named) read.push(toNamedRow(row, listed.get(listingIdOf(row.fields) ?? ''), rules))
    refused = firstLeftOut([...refused, ...read.flatMap((row) => row.leftOut ?? [])])
    waiting += read.filter((row) => row.waits).length
    contradictions.push(
      ...read.flatMap((row) => row.contradictions).slice(0, MAX_LEFT_OUT_SHOWN - contradictions.length),
    )
    const lines = read.map(({ line }) => line)
    writing = connection.transaction().execute((trx) => addPlanRows(trx, lines))
    writing.catch(() => undefined)
    done += lines.length
    run.progress({ done, total, note: 'planning' })
  }
  await writing
  const fields = importFields.filter((field) => seen.has(field))
  return { fields, namesListings, refused, waiting, contradictions }
}

/** `line` is the row for the plan's table. */
type ReadRow = {
  line: string
  leftOut: LeftOutRow | undefined
  waits: boolean
  contradictions: Contradiction[]
}

// A few milliseconds of work, so that writing can go on in between.
const ROWS_PER_TURN = 250

/** Converts the rows that name no listing; returns the others unchanged. */
async function readNewRows(
  segment: Iterable<SentRow>,
  seen: Set<string>,
  rules: PlanRules,
): Promise<{ read: ReadRow[]; named: SentRow[] }> {
  const read: ReadRow[] = []
  const named: SentRow[] = []
  for (const row of segment) {
    for (const field in row.fields) seen.add(field)
    if (row.fields.listingid) named.push(row)
    else read.push(toNewRow(row, rules))
    if (row.rowNo % ROWS_PER_TURN === 0) await setImmediate()
  }
  return { read, named }
}

/** The id of the listing that a record names, in the database's format. */
function listingIdOf(fields: Fields): string | undefined {
  return namedListing(fields)?.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Rows keep their original keys: editing a make in a staged file does not turn it into another part. */
const keyedBy = (fields: Fields, first: Fields) => (first.listingid ? fields : first)

function toNewRow(row: SentRow, rules: PlanRules): ReadRow {
  const { fields, first } = row
  const found = outcomeOfNewRow(fields, rules)
  const stock = 'problem' in found ? undefined : found.text.stocknum
  const about = { ...identityOf(fields, keyedBy(fields, first)), stock, listing: undefined }
  return toReadRow(row, found, { book: rules.book, about })
}

function toNamedRow(row: SentRow, part: FoundPart | undefined, rules: PlanRules): ReadRow {
  const { fields, first } = row
  const found = outcomeOfNamedRow(fields, part, rules)
  // If the listing is gone, the row may still be its original part.
  const identity =
    part || keyedBy(fields, first) === fields
      ? { key: rowKey(fields), digest: undefined, part: undefined }
      : identityOf(fields, first)
  const listing = part && { id: part.listing.id, changes: found.changes }
  const about = { ...identity, hash: contentHash(fields), stock: undefined, listing }
  return toReadRow(row, found, { book: rules.book, about })
}

type AboutRow = { book: PlanNameBook; about: Omit<IdentifiedRow, 'rowNo'> }

function toReadRow(row: SentRow, found: RowOutcome, { book, about }: AboutRow): ReadRow {
  const { rowNo, recordId, fields } = row
  const contradictions = contradictionsIn(fields).map((message) => ({ rowNo, message }))
  if ('text' in found && !found.waits) {
    const line = planRowLine({ ...about, rowNo, recordId, newNames: book.read(found.text), refused: false })
    return { line, leftOut: undefined, waits: false, contradictions }
  }
  const line = planRowLine({ ...about, rowNo, recordId, newNames: undefined, refused: true })
  if ('text' in found) return { line, leftOut: undefined, waits: true, contradictions }
  return {
    line,
    leftOut: { rowNo, why: 'refused', problem: found.problem },
    waits: false,
    contradictions: [],
  }
}
