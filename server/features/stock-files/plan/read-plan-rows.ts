import { setImmediate } from 'node:timers/promises'
import {
  type ImportField,
  importFieldLabels,
  importFields,
  requiredImportFields,
} from '#contract/csv/import-fields.ts'
import { cleanFields, type ListingField, type ListingKind } from '#contract/listing/listing-fields.ts'
import {
  checkListing,
  fieldLabels,
  type ListingProblem,
  type ListingText,
  LONGEST_LOOKUP_NAME,
} from '#contract/listing/listing-rules.ts'
import type { JsonValue } from '#db/schema.gen.ts'
import { findProfanity } from '#server/features/listings/text-check.ts'
import type { LookupNames } from '#server/features/lookups/lookup-names.ts'
import {
  changesListing,
  type FoundPart,
  findListedParts,
  isListed,
  type ListedPart,
  newsOfRow,
  type StagedText,
  textOfRow,
} from '#server/features/stock-files/identity/listed-part.ts'
import {
  contentHash,
  identityOf,
  namedListing,
  rowKey,
} from '#server/features/stock-files/identity/row-identity.ts'
import { readSegmentText, type Segment } from '#server/features/stock-files/store/segments.ts'
import { type Fields, fieldsOfLine, idOfLine } from '#server/features/stock-files/store/staged-record.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'
import { releaseBytes } from '#server/platform/processes/concurrency.ts'
import { firstLeftOut, type LeftOutRow } from './left-out.ts'
import { addPlanRows, type PlanNameBook, planRowLine } from './plan-rows.ts'

type SentRow = {
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

/**
 * Reads a staged record and checks it once more: a person or a script may have changed it since it was imported, and
 * rules and years move on. What is absent or empty is left out. Answers a sentence for what cannot go live.
 */
export function readStagedText(fields: Fields, year: number): StagedText | string {
  const text = readTexts(fields)
  if (typeof text === 'string') return text
  const missing = requiredImportFields.find((field) => text[field] === undefined)
  if (missing) return `${importFieldLabels[missing]} is missing`
  return findProblem(text, { kind: 'ecommerce', year }) ?? text
}

/**
 * As `readStagedText`, of a row that names its listing: only what the listing does not say itself is checked, as an edit
 * of it. What is empty in the row is ''.
 */
function readStagedNews(
  fields: Fields,
  part: ListedPart,
  { ofFile, year }: { ofFile: readonly ImportField[]; year: number },
): StagedText | string {
  const text = readTexts(fields)
  if (typeof text === 'string') return text
  const news = newsOfRow(textOfRow(text, ofFile), part)
  const missing = requiredImportFields.find((field) => news[field] === '')
  if (missing) return `${importFieldLabels[missing]} is missing`
  return findProblem(news, { kind: part.listing.kind as ListingKind, year }) ?? news
}

const known: ReadonlySet<string> = new Set(importFields)

/** Whether a record is as the importer wrote it: its fields alone, and texts that need nothing done to them. */
function isPlain(fields: Fields): fields is StagedText {
  return Object.keys(fields).every((field) => {
    const value = fields[field]
    return typeof value === 'string' && value !== '' && known.has(field) && plainText(value) === value
  })
}

function readTexts(fields: Fields): StagedText | string {
  // Nearly every row; a copy of it would be most of what this costs.
  if (isPlain(fields)) return fields
  const text: StagedText = {}
  for (const field of importFields) {
    const value = fields[field]
    if (value === undefined || value === null || value === '') continue
    const read = plainText(value)
    if (read === undefined) return `${importFieldLabels[field]} holds what cannot be stored as text`
    if (read !== '') text[field] = read
  }
  return text
}

/** In the words of a listing's rules, which pass over what they do not know: the picture's address, the listing's id. */
function listingText(text: StagedText): ListingText {
  const listing: ListingText = { ...text }
  if (text.partcategory !== undefined) listing.partcategoryId = text.partcategory
  if (text.partmanu !== undefined) listing.partmanuname = text.partmanu
  return listing
}

function plainText(value: JsonValue): string | undefined {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string' || !value.isWellFormed() || value.includes('\0')) return undefined
  return value.trim()
}

function findProblem(
  text: StagedText,
  { kind, year }: { kind: ListingKind; year: number },
): string | undefined {
  if ((text.partcategory?.length ?? 0) > LONGEST_LOOKUP_NAME)
    return `${importFieldLabels.partcategory} has at most ${LONGEST_LOOKUP_NAME} characters`
  const listing = listingText(text)
  const problem = checkListing(kind, listing, { mode: 'edit', year })
  if (problem) return inWords(problem, text)
  const word = cleanFields
    .map((field) => findProfanity(listing[field] ?? ''))
    .find((found) => found !== undefined)
  return word === undefined ? undefined : `Please remove inappropriate language (${word}).`
}

// Enough to find it in the file.
const MOST_QUOTED = 40

/** The first problem, with its field and what stands there, where the sentence has not named them. */
function inWords({ error, fields }: ListingProblem, text: ListingText): string {
  const [first] = Object.entries(fields) as [ListingField, string][]
  if (!first) return error
  const [field, sentence] = first
  const label = fieldLabels[field]
  if (sentence.startsWith(label)) return sentence
  return `${label} “${(text[field] ?? '').slice(0, MOST_QUOTED)}”: ${sentence}`
}

type Reading = {
  run: JobRun<unknown>
  sent: SentSegments
  /** How many the version has. */
  rows: number
  sellerId: string
  rules: RowRules
}

export type RowRules = {
  readonly year: number
  readonly names: LookupNames
  readonly book: PlanNameBook
  /** Fields that the version's records may have. */
  readonly ofFile: readonly ImportField[]
}

export type ReadPlanRows = {
  /** The fields that any row has. */
  fields: ImportField[]
  /** Some rows name the listing they are. */
  namesListings: boolean
  /** The first rows that cannot be taken as they are. */
  refused: LeftOutRow[]
}

/** Reads a version's rows into the plan's table. */
export async function readPlanRows(connection: Db, reading: Reading): Promise<ReadPlanRows> {
  const { run, sent, rows: total, sellerId, rules } = reading
  const seen = new Set<string>()
  let refused: LeftOutRow[] = []
  let namesListings = false
  let done = 0
  // While rows are being written the next ones are read.
  let writing: Promise<void> = Promise.resolve()
  for await (const segment of sent.read()) {
    run.signal.throwIfAborted()
    const { read, named } = await readNewRows(segment, seen, rules)
    const ids = named.flatMap((row) => listingIdOf(row.fields) ?? [])
    // On this connection statements stand in line, and none is asked within another one's transaction.
    await writing
    namesListings ||= ids.length > 0
    const listed = await findListedParts(connection, sellerId, ids)
    for (const row of named) read.push(toNamedRow(row, listed.get(listingIdOf(row.fields) ?? ''), rules))
    refused = firstLeftOut([...refused, ...read.flatMap((row) => row.leftOut ?? [])])
    const lines = read.map(({ line }) => line)
    writing = connection.transaction().execute((trx) => addPlanRows(trx, lines))
    writing.catch(() => undefined)
    done += lines.length
    run.progress({ done, total, note: 'planning' })
  }
  await writing
  return { fields: importFields.filter((field) => seen.has(field)), namesListings, refused }
}

/** `line` is the row as the plan's table takes it. */
type ReadRow = { line: string; leftOut: LeftOutRow | undefined }

// A few milliseconds of work at once, so that what was read is written meanwhile.
const ROWS_A_TURN = 250

/** The rows of a segment that name no listing; the others as they stand there. */
async function readNewRows(
  segment: Iterable<SentRow>,
  seen: Set<string>,
  rules: RowRules,
): Promise<{ read: ReadRow[]; named: SentRow[] }> {
  const read: ReadRow[] = []
  const named: SentRow[] = []
  for (const row of segment) {
    for (const field in row.fields) seen.add(field)
    if (row.fields.listingid) named.push(row)
    else read.push(toNewRow(row, rules))
    if (row.rowNo % ROWS_A_TURN === 0) await setImmediate()
  }
  return { read, named }
}

/** The id of the listing that a record names, as the database writes it. */
function listingIdOf(fields: Fields): string | undefined {
  return namedListing(fields)?.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** A row keeps the key it was first sent with: editing a make in a staged file makes no other part of it. */
const keyedBy = (fields: Fields, first: Fields) => (first.listingid ? fields : first)

function toNewRow({ rowNo, fields, first, recordId }: SentRow, { year, book }: RowRules): ReadRow {
  const text = readStagedText(fields, year)
  const said = typeof text === 'string' ? undefined : text
  const line = planRowLine({
    ...identityOf(fields, keyedBy(fields, first)),
    rowNo,
    recordId,
    stock: said?.stocknum,
    newNames: said && book.read(said),
    refused: said === undefined,
    listing: undefined,
  })
  return { line, leftOut: refusal(rowNo, text) }
}

function toNamedRow(
  { rowNo, fields, first, recordId }: SentRow,
  part: FoundPart | undefined,
  { year, names, book, ofFile }: RowRules,
): ReadRow {
  const news =
    part && isListed(part)
      ? readStagedNews(fields, part, { ofFile, year })
      : 'its listing is not there any more'
  const said = typeof news === 'string' ? undefined : news
  const line = planRowLine({
    // Where its listing is not there, it may be the part that it was.
    ...(part || keyedBy(fields, first) === fields
      ? { key: rowKey(fields), part: undefined }
      : identityOf(fields, first)),
    hash: contentHash(fields),
    rowNo,
    recordId,
    stock: undefined,
    newNames: said && book.read(said),
    refused: said === undefined,
    listing: part && {
      id: part.listing.id,
      changes: said !== undefined && changesListing(part, said, names),
    },
  })
  return { line, leftOut: refusal(rowNo, news) }
}

const refusal = (rowNo: number, read: StagedText | string): LeftOutRow | undefined =>
  typeof read === 'string' ? { rowNo, why: 'refused', problem: read } : undefined
