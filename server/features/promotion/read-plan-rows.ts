import { setImmediate } from 'node:timers/promises'
import { type ImportField, importFields } from '#contract/import-fields.ts'
import type { LookupNames } from '#server/features/lookups/lookup-names.ts'
import type { Fields } from '#server/features/staging/staged-fields.ts'
import type { Db } from '#server/platform/database.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'
import { firstLeftOut, type LeftOutRow } from './left-out-row.ts'
import { changesListing, isListed } from './listed-part.ts'
import { type FoundPart, findListedParts } from './listed-part-queries.ts'
import type { PlanNameBook } from './plan-name-book.ts'
import { addPlanRows, planRowLine } from './plan-row-queries.ts'
import { contentHash, identityOf, namedListing, rowKey } from './row-identity.ts'
import type { StagedText } from './row-text.ts'
import type { SentRow, SentSegments } from './sent-segments.ts'
import { readStagedNews, readStagedText } from './staged-text.ts'

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
