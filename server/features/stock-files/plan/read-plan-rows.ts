import { setImmediate } from 'node:timers/promises'
import {
  type ImportField,
  importFieldLabels,
  importFields,
  requiredImportFields,
  vehicleImportFields,
} from '#contract/csv/import-fields.ts'
import { cleanFields, type ListingField, type ListingKind } from '#contract/listing/listing-fields.ts'
import {
  checkListing,
  fieldLabels,
  type ListingProblem,
  type ListingText,
  LONGEST_LOOKUP_NAME,
} from '#contract/listing/listing-rules.ts'
import { plainDescription } from '#contract/text/description.ts'
import type { JsonValue } from '#db/schema.gen.ts'
import { findProfanity } from '#server/features/listings/text-check.ts'
import type { LookupNames } from '#server/features/lookups/lookup-names.ts'
import {
  changesListing,
  editsOfRow,
  type FoundPart,
  findListedParts,
  isListed,
  type ListedPart,
  type StagedText,
  standardText,
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
import { addPlanRows, type IdentifiedRow, type PlanNameBook, planRowLine } from './plan-rows.ts'

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

/**
 * Reads and rechecks a staged record: a user or a script may have changed it since the import, and rules and years change.
 * Empty fields are left out. Returns an error message if it cannot go live.
 */
export function readStagedText(
  fields: Fields,
  year: number,
  names?: Pick<LookupNames, 'category'>,
): StagedText | string {
  const text = readTexts(fields)
  if (typeof text === 'string') return text
  const needsVehicle = !isUniversal(text.partcategory, names) && !waitsForCategory(fields)
  const missing = requiredImportFields.find(
    (field) => text[field] === undefined && (needsVehicle || !vehicleImportFields.has(field)),
  )
  if (missing) return `${importFieldLabels[missing]} is missing`
  return findProblem(text, { kind: 'ecommerce', year }) ?? text
}

const isUniversal = (
  category: string | null | undefined,
  names: Pick<LookupNames, 'category'> | undefined,
): boolean => Boolean(category && names?.category(category)?.universal)

/** Until its seller says what it is, a part may be one that needs no vehicle; the reader has let it pass as such. */
const waitsForCategory = ({ waitsfor }: Fields): boolean =>
  typeof waitsfor === 'string' && waitsfor.includes('category')

/**
 * Like `readStagedText`, for a row that names its listing: only what differs from the listing is checked, as an edit of
 * it. Fields that are empty in the row are ''.
 */
function readStagedEdits(
  fields: Fields,
  part: ListedPart,
  { ofFile, year, names }: Pick<RowRules, 'ofFile' | 'year' | 'names'>,
): StagedText | string {
  const text = readTexts(fields)
  if (typeof text === 'string') return text
  const edits = editsOfRow(textOfRow(text, ofFile), part)
  const needsVehicle = !isUniversal(edits.partcategory ?? part.categoryName, names)
  // A tire without a vehicle that becomes an alternator needs one.
  const checked = edits.partcategory === undefined ? edits : { ...standardText(part), ...edits }
  const missing = [...requiredImportFields, 'partcategory' as const].find(
    (field) => checked[field] === '' && (needsVehicle || !vehicleImportFields.has(field)),
  )
  if (missing) return `${importFieldLabels[missing]} is missing`
  return findProblem(edits, { kind: part.listing.kind as ListingKind, year }) ?? edits
}

const known: ReadonlySet<string> = new Set(importFields)

/** Whether a record is as the importer wrote it: only known fields, with non-empty, trimmed text. */
function isPlain(fields: Fields): fields is StagedText {
  return Object.keys(fields).every((field) => {
    const value = fields[field]
    if (typeof value !== 'string' || value === '' || !known.has(field) || plainText(value) !== value)
      return false
    return field !== 'partdescription' || plainDescription(value) === value
  })
}

function readTexts(fields: Fields): StagedText | string {
  // True for nearly every row; copying would be most of the cost.
  if (isPlain(fields)) return fields
  const text: StagedText = {}
  for (const field of importFields) {
    const value = fields[field]
    if (value === undefined || value === null || value === '') continue
    const read = plainText(value)
    if (read === undefined)
      return `${importFieldLabels[field]} contains a value that cannot be stored as text`
    const words = field === 'partdescription' ? plainDescription(read) : read
    if (words !== '') text[field] = words
  }
  return text
}

/** Under the names of the listing rules, which ignore fields they do not know, such as imageUrl and listingid. */
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
    return `${importFieldLabels.partcategory} can have at most ${LONGEST_LOOKUP_NAME} characters`
  const listing = listingText(text)
  const problem = checkListing(kind, listing, { mode: 'edit', year, fromFile: true })
  if (problem) return problemMessage(problem, text)
  const word = cleanFields
    .map((field) => findProfanity(listing[field] ?? ''))
    .find((found) => found !== undefined)
  return word === undefined ? undefined : `Please remove inappropriate language (${word}).`
}

// Enough to find it in the file.
const MAX_QUOTED = 40

/** The first problem, with its field and value unless the message names them. */
function problemMessage({ error, fields }: ListingProblem, text: ListingText): string {
  const [first] = Object.entries(fields) as [ListingField, string][]
  if (!first) return error
  const [field, message] = first
  const label = fieldLabels[field]
  if (message.startsWith(label)) return message
  return `${label} “${(text[field] ?? '').slice(0, MAX_QUOTED)}”: ${message}`
}

type RowsToRead = {
  run: JobRun<unknown>
  sent: SentSegments
  /** The version's row count. */
  rows: number
  sellerId: string
  rules: RowRules
}

type RowRules = {
  readonly year: number
  readonly names: LookupNames
  readonly book: PlanNameBook
  /** Fields that the version's records may have. */
  readonly ofFile: readonly ImportField[]
  /** What is missing to sell a restricted part; undefined if nothing is. */
  readonly restriction: (text: StagedText) => string | undefined
  /** Rows with an unsure or new name wait for the seller. */
  readonly holds: boolean
}

export type ReadPlanRows = {
  /** The fields that occur in any row. */
  fields: ImportField[]
  /** Whether some rows name their listings. */
  namesListings: boolean
  /** The first rows that are refused. */
  refused: LeftOutRow[]
  /** How many rows wait for the seller. */
  waiting: number
}

/** Reads a version's rows into the plan's table. */
export async function readPlanRows(connection: Db, reading: RowsToRead): Promise<ReadPlanRows> {
  const { run, sent, rows: total, sellerId, rules } = reading
  const seen = new Set<string>()
  let refused: LeftOutRow[] = []
  let namesListings = false
  let waiting = 0
  let done = 0
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
    const lines = read.map(({ line }) => line)
    writing = connection.transaction().execute((trx) => addPlanRows(trx, lines))
    writing.catch(() => undefined)
    done += lines.length
    run.progress({ done, total, note: 'planning' })
  }
  await writing
  return { fields: importFields.filter((field) => seen.has(field)), namesListings, refused, waiting }
}

/** `line` is the row for the plan's table. */
type ReadRow = { line: string; leftOut: LeftOutRow | undefined; waits: boolean }

// A few milliseconds of work, so that writing can go on in between.
const ROWS_PER_TURN = 250

/** Converts the rows that name no listing; returns the others unchanged. */
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

function toNewRow(row: SentRow, { year, names, book, holds, restriction }: RowRules): ReadRow {
  const { fields, first } = row
  const read = readStagedText(fields, year, names)
  const waits = holds && typeof read !== 'string' && (Boolean(fields.waitsfor) || !hasCategory(read, names))
  // Nobody would find a listing without a category.
  const isBare = !waits && typeof read !== 'string' && read.partcategory === undefined
  const missing = isBare ? `${importFieldLabels.partcategory} is missing` : undefined
  const text = missing ?? (typeof read === 'string' ? read : (restriction(read) ?? read))
  const stock = typeof text === 'string' ? undefined : text.stocknum
  const about = { ...identityOf(fields, keyedBy(fields, first)), stock, listing: undefined }
  return toReadRow(row, text, { book, about, waits })
}

const hasCategory = ({ partcategory }: StagedText, names: LookupNames): boolean =>
  partcategory !== undefined && names.category(partcategory) !== undefined

function toNamedRow(
  row: SentRow,
  part: FoundPart | undefined,
  { year, names, book, ofFile, holds }: RowRules,
): ReadRow {
  const { fields, first } = row
  const edits =
    part && isListed(part)
      ? readStagedEdits(fields, part, { ofFile, year, names })
      : 'its listing no longer exists'
  const changes = part !== undefined && typeof edits !== 'string' && changesListing(part, edits, names)
  // If the listing is gone, the row may still be its original part.
  const identity =
    part || keyedBy(fields, first) === fields
      ? { key: rowKey(fields), digest: undefined, part: undefined }
      : identityOf(fields, first)
  const listing = part && { id: part.listing.id, changes }
  const about = { ...identity, hash: contentHash(fields), stock: undefined, listing }
  const changesNames = typeof edits !== 'string' && NAMED_FIELDS.some((field) => edits[field] !== undefined)
  const waits = holds && changesNames && Boolean(fields.waitsfor)
  return toReadRow(row, edits, { book, about, waits })
}

const NAMED_FIELDS = ['partcategory', 'partmanu', 'partmodel'] as const

type AboutRow = { book: PlanNameBook; about: Omit<IdentifiedRow, 'rowNo'>; waits: boolean }

/** `read`: the row's text, or why it is refused. */
function toReadRow({ rowNo, recordId }: SentRow, read: StagedText | string, row: AboutRow): ReadRow {
  const { book, about, waits } = row
  if (typeof read === 'string' || waits) {
    const line = planRowLine({ ...about, rowNo, recordId, newNames: undefined, refused: true })
    const leftOut = typeof read === 'string' ? { rowNo, why: 'refused' as const, problem: read } : undefined
    return { line, leftOut, waits }
  }
  const line = planRowLine({ ...about, rowNo, recordId, newNames: book.read(read), refused: false })
  return { line, leftOut: undefined, waits }
}
