import { type ImportField, importFields } from '#contract/import-fields.ts'
import type { LookupNames } from '#server/features/lookups/lookup-names.ts'
import { readRecords } from '#server/features/staging/read-records.ts'
import type { Segment } from '#server/features/staging/segment.ts'
import type { StagedRecord } from '#server/features/staging/staged-record.ts'
import type { Db } from '#server/platform/database.ts'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'
import { type LeftOutRow, MOST_LEFT_OUT_TOLD } from './left-out-row.ts'
import { changesListing, isListed } from './listed-part.ts'
import { type FoundPart, findListedParts } from './listed-part-queries.ts'
import type { NewNameBook } from './new-names.ts'
import { addPlanRows, type PlanRow } from './plan-row-queries.ts'
import { contentHash, identityOf, namedListing, rowKey } from './row-identity.ts'
import { readStagedNews, readStagedText } from './staged-text.ts'

type Reading = {
  files: FileStore
  run: JobRun<unknown>
  segments: readonly Segment[]
  sellerId: string
  rules: RowRules
}

export type RowRules = {
  readonly year: number
  readonly names: LookupNames
  readonly book: NewNameBook
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
  const { files, run, segments, sellerId, rules } = reading
  const total = segments.reduce((sum, { rows }) => sum + rows, 0)
  const seen = new Set<string>()
  const refused: LeftOutRow[] = []
  let namesListings = false
  // While rows are being written the next ones are read.
  let writing: Promise<void> = Promise.resolve()
  for await (const records of readRecords(files, segments, { fromRow: 0 })) {
    run.signal.throwIfAborted()
    const ids = records.flatMap(({ record }) => listingIdOf(record) ?? [])
    if (ids.length > 0) {
      // On this connection statements stand in line, and none is asked within another one's transaction.
      await writing
      namesListings = true
    }
    const listed = await findListedParts(connection, sellerId, ids)
    const read = records.map(({ rowNo, record }) => {
      for (const field of Object.keys(record.fields)) seen.add(field)
      const about = record.fields.listingid
        ? toNamedRow(record, listed.get(listingIdOf(record) ?? ''), rules)
        : toNewRow(record, rules)
      return { ...about, row: { ...about.row, rowNo: rowNo + 1, recordId: record.id } }
    })
    for (const { row, problem } of read) {
      if (problem === undefined || refused.length >= MOST_LEFT_OUT_TOLD) continue
      refused.push({ rowNo: row.rowNo, why: 'refused', problem })
    }
    await writing
    const planned = read.map(({ row }) => row)
    writing = connection.transaction().execute((trx) => addPlanRows(trx, planned))
    writing.catch(() => undefined)
    run.progress({ done: planned.at(-1)?.rowNo ?? 0, total, note: 'planning' })
  }
  await writing
  return { fields: importFields.filter((field) => seen.has(field)), namesListings, refused }
}

/** The id of the listing that a record names, as the database writes it. */
function listingIdOf({ fields }: StagedRecord): string | undefined {
  return namedListing(fields)?.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

type ReadRow = { row: Omit<PlanRow, 'rowNo' | 'recordId'>; problem: string | undefined }

function toNewRow({ fields }: StagedRecord, { year, book }: RowRules): ReadRow {
  const text = readStagedText(fields, year)
  const problem = typeof text === 'string' ? text : undefined
  const row = {
    ...identityOf(fields),
    stock: typeof text === 'string' ? undefined : text.stocknum,
    newNames: typeof text === 'string' ? undefined : book.read(text),
    refused: problem !== undefined,
    listing: undefined,
  }
  return { row, problem }
}

function toNamedRow(
  { fields }: StagedRecord,
  part: FoundPart | undefined,
  { year, names, book, ofFile }: RowRules,
): ReadRow {
  const news =
    part && isListed(part)
      ? readStagedNews(fields, part, { ofFile, year })
      : 'its listing is not there any more'
  const problem = typeof news === 'string' ? news : undefined
  const said = typeof news === 'string' ? undefined : news
  const row = {
    key: rowKey(fields),
    hash: contentHash(fields),
    stock: undefined,
    newNames: said && book.read(said),
    refused: problem !== undefined,
    part: undefined,
    listing: part && {
      id: part.listing.id,
      changes: said !== undefined && changesListing(part, said, names),
    },
  }
  return { row, problem }
}
