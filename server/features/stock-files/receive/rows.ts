import { headerWarnings } from '#contract/csv/csv-header.ts'
import { type ImportField, importFieldLabels } from '#contract/csv/import-fields.ts'
import { type CheckedRow, type DryRunReply, type ImportMode, MOST_ROWS_ANSWERED } from '#contract/imports.ts'
import {
  type DescriptionFinding,
  descriptionFindings,
  findingSentence,
  rowsWith,
} from '#contract/text/description.ts'
import {
  contentHash,
  identityOf,
  namedListing,
  type RowIdentity,
  rowKey,
} from '#server/features/stock-files/identity/row-identity.ts'
import { type FileNames, newNames } from '#server/features/stock-files/match/name-uses.ts'
import type { RowResolver } from '#server/features/stock-files/match/row-resolver.ts'
import { type KeptRow, keepRow } from '#server/features/stock-files/plan/left-out.ts'
import { type IdentifiedRow, NO_KEY, PackedRows } from '#server/features/stock-files/plan/plan-rows.ts'
import type { RowFields, UnreadValue } from '#server/features/stock-files/read/check-row.ts'
import type { CheckedSentRow } from '#server/features/stock-files/read/checked-rows.ts'
import type { FoundIssue } from '#server/features/stock-files/read/field-text.ts'
import { openSegmentWriter, type Segment } from '#server/features/stock-files/store/segments.ts'
import { importedRecordId, toSegmentLine } from '#server/features/stock-files/store/staged-record.ts'
import { type VinFinding, vinFindings } from '#server/features/vin/row-vins.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import type { WorkLife } from './chunk-claims.ts'
import { toRejectedLine } from './downloads.ts'

type SentRows = {
  rows: AsyncIterable<readonly CheckedSentRow[]>
  header: readonly string[]
  /** Set if names are resolved before the plan is made: rows are compared with their resolved names. */
  resolver: RowResolver | undefined
}

/**
 * Reports the issues of rows and packs the good ones; for a full stock also those with issues, so that their parts do
 * not end. Writes nothing.
 */
export async function checkRows(
  sent: SentRows & { mode: ImportMode },
  life: WorkLife,
): Promise<{ reply: DryRunReply; rows: PackedRows; names: FileNames }> {
  const { resolver } = sent
  const rows = new PackedRows()
  const failing: CheckedRow[] = []
  const byDefault = new Map<ImportField, number>()
  const filled = new Map<ImportField, number>()
  const found = new Map<DescriptionFinding, FoundRows>()
  const ofVin = new Map<VinFinding, FoundRows>()
  const unread: UnreadCounts = new Map()
  let total = 0
  let errors = 0
  let held = 0
  for await (const batch of sent.rows) {
    life.signal.throwIfAborted()
    for (const { sent: row, checked, named } of batch) {
      total += 1
      if ('fields' in checked) {
        countFields(byDefault, checked.byDefault)
        countFields(filled, checked.filled)
        addFindings(found, checked.findings, row.row)
        addFindings(ofVin, checked.ofVin, row.row)
        countUnread(unread, checked.unread, row.row)
        const identity = identified(checked.fields, { named, resolver })
        rows.add({ rowNo: row.row, ...identity })
        held += Number(identity.refused ?? false)
        continue
      }
      errors += 1
      for (const part of partOfFailing(sent.mode, row.row, checked)) rows.add(part)
      if (failing.length < MOST_ROWS_ANSWERED) failing.push(failingRow(total, row.row, checked.issues))
    }
    life.rows(total)
  }
  const warnings = [...headerWarnings(sent.header), ...vinWarnings(ofVin), ...unreadWarnings(unread)]
  const names = { held, ...namesOf(resolver) }
  const preview = {
    total,
    errors,
    rows: failing,
    ...(byDefault.size > 0 && { defaults: countsOf(byDefault) }),
    ...(filled.size > 0 && { filled: countsOf(filled) }),
    ...notesOf(found),
  }
  return { reply: { ok: true, warnings, preview }, rows, names }
}

const namesOf = (resolver: RowResolver | undefined) => ({
  questions: resolver?.questions ?? [],
  newNames: resolver ? newNames(resolver.uses) : [],
})

function failingRow(index: number, row: number, found: readonly FoundIssue[]): CheckedRow {
  const issues = found.map((issue) => ({ row, ...issue }))
  return { index, ok: false, errors: issues.map(({ message }) => message), issues }
}

function countFields(counts: Map<ImportField, number>, fields: readonly ImportField[] = []): void {
  for (const field of fields) counts.set(field, (counts.get(field) ?? 0) + 1)
}

const countsOf = (counts: ReadonlyMap<ImportField, number>) =>
  [...counts].map(([field, rows]) => ({ field, rows }))

type FoundRows = { rows: number; first: number[] }

// Enough to find them by eye; the sentence has the count.
const MAX_ROWS_NAMED = 20

function addFindings<Finding extends string>(
  found: Map<Finding, FoundRows>,
  findings: readonly Finding[] | undefined,
  row: number,
): void {
  for (const finding of findings ?? []) {
    const { rows, first } = found.get(finding) ?? { rows: 0, first: [] }
    found.set(finding, { rows: rows + 1, first: first.length < MAX_ROWS_NAMED ? [...first, row] : first })
  }
}

function notesOf(
  found: ReadonlyMap<DescriptionFinding, FoundRows>,
): Pick<DryRunReply['preview'], 'descriptions'> {
  const descriptions = descriptionFindings.flatMap((finding) => {
    const rows = found.get(finding)
    return rows ? { finding, ...rows, message: findingSentence(finding, rows) } : []
  })
  return descriptions.length > 0 ? { descriptions } : {}
}

const vinWarnings = (found: ReadonlyMap<VinFinding, FoundRows>): string[] =>
  vinFindings.flatMap((finding) => {
    const rows = found.get(finding)
    return rows ? `${rowsWith(rows)} ${vinSentences[finding]}` : []
  })

const vinSentences: Record<VinFinding, string> = {
  'vin year': 'a VIN from another model year. The year in the file is used.',
  'vin make': 'a VIN from another make. The make in the file is used.',
  'vin typo': 'a VIN with a typo: its check digit is wrong. Nothing was filled in from it.',
}

type UnreadCounts = Map<ImportField, { rows: number; examples: Map<string, number> }>

const MAX_EXAMPLES = 3

/** Counts optional values that could not be read, with the first few and the row of each. */
function countUnread(counts: UnreadCounts, values: readonly UnreadValue[] = [], row: number): void {
  for (const { field, value } of values) {
    const { rows, examples } = counts.get(field) ?? { rows: 0, examples: new Map<string, number>() }
    if (examples.size < MAX_EXAMPLES && !examples.has(value)) examples.set(value, row)
    counts.set(field, { rows: rows + 1, examples })
  }
}

const unreadWarnings = (counts: UnreadCounts): string[] =>
  [...counts].map(([field, { rows, examples }]) => {
    const shown = [...examples].map(([value, row]) => `“${value}” in row ${row}`)
    const more = examples.size < rows ? ', …' : ''
    const inRows = rows === 1 ? '1 row' : `${rows.toLocaleString('en-US')} rows`
    return `${importFieldLabels[field]} can’t be read in ${inRows} and is left empty: ${shown.join(', ')}${more}.`
  })

type RowContext = { named: CheckedSentRow['named']; resolver: RowResolver | undefined }

function identified(fields: RowFields, { named, resolver }: RowContext): Omit<IdentifiedRow, 'rowNo'> {
  if (!named) {
    const changes = resolver?.resolve((field) => (field === 'waitsfor' ? undefined : fields[field]))
    const resolved = resolver && identityOf({ ...fields, ...changes })
    const refused = Boolean(changes?.waitsfor)
    return { ...asSent(identityOf(fields), resolved), stock: fields.stocknum, listing: undefined, refused }
  }
  const listing = { id: named.part.listing.id, changes: named.changes }
  return {
    key: rowKey(fields),
    hash: contentHash(fields),
    digest: undefined,
    part: undefined,
    stock: undefined,
    listing,
  }
}

/**
 * What a row with issues does in a plan: in a full stock it keeps its part from ending; otherwise a quantity of 0 ends
 * it.
 */
const partOfFailing = (
  mode: ImportMode,
  rowNo: number,
  { sent, soldOut }: { sent: RowFields | undefined; soldOut?: RowFields },
): IdentifiedRow[] => (mode === 'replace' ? [refusedRow(rowNo, sent)] : soldOutParts(rowNo, soldOut))

/** The part of a row with quantity 0, if it has that. */
const soldOutParts = (rowNo: number, fields: RowFields | undefined): IdentifiedRow[] =>
  fields === undefined
    ? []
    : [{ rowNo, ...identityOf(fields), stock: fields.stocknum, listing: undefined, gone: true }]

/** A row with issues, identified by its part if that can be read. */
function refusedRow(rowNo: number, sent: RowFields | undefined): IdentifiedRow {
  const kept: KeptRow[] = []
  keepRow(kept, rowNo, sent)
  const [{ key = NO_KEY, partKey, digest } = {}] = kept
  const id = sent && namedListing(sent)
  const listing = id === undefined ? undefined : { id, changes: false }
  const part = partKey === undefined || listing ? undefined : { key: partKey, hash: NO_KEY }
  const stock = part && sent?.stocknum
  return { rowNo, key, hash: NO_KEY, digest, part, stock, listing, refused: true }
}

/** A row keeps the keys it was sent with, but its content is compared after resolving names. */
function asSent(sent: RowIdentity, resolved: RowIdentity | undefined): RowIdentity {
  if (!resolved) return sent
  const { key, digest, part } = sent
  return {
    key,
    hash: resolved.hash,
    digest,
    part: part && { key: part.key, hash: resolved.part?.hash ?? part.hash },
  }
}

export type StagedRows = {
  readonly rows: number
  readonly rejected: number
  readonly segments: { readonly staged: Segment[]; readonly rejected: Segment[] }
  /** The parts of rejected rows. */
  readonly kept: KeptRow[]
  /** Rows with quantity 0, in the order of the chunk. */
  readonly soldOut: IdentifiedRow[]
}

/**
 * Stores the checked rows of a chunk as segments, good and rejected ones separately; at most one segment of each is in
 * memory. The sweep removes the segments of chunks that are never finished.
 * @throws AppError STORAGE_FULL, BUSY
 */
export async function stageRows(
  files: FileStore,
  chunk: { rows: AsyncIterable<readonly CheckedSentRow[]>; chunkIndex: number },
  life: WorkLife,
): Promise<StagedRows> {
  const staged = openSegmentWriter(files)
  const rejected = openSegmentWriter(files)
  const counts = { rows: 0, rejected: 0 }
  const kept: KeptRow[] = []
  const soldOut: IdentifiedRow[] = []
  for await (const batch of chunk.rows) {
    life.signal.throwIfAborted()
    for (const { sent, checked } of batch) {
      const { row, cells } = sent
      counts.rows += 1
      if ('issues' in checked) {
        counts.rejected += 1
        const { line, bytes } = toRejectedLine({ row, issues: checked.issues, cells })
        await rejected.add(line, bytes)
        keepRow(kept, counts.rows, checked.sent)
        soldOut.push(...soldOutParts(counts.rows, checked.soldOut))
      } else {
        const id = importedRecordId(chunk.chunkIndex, row - 1)
        const { line, bytes } = toSegmentLine({ id, fields: checked.fields, original: cells })
        await staged.add(line, bytes)
      }
    }
    life.rows(counts.rows)
  }
  return {
    ...counts,
    kept,
    soldOut,
    segments: { staged: await staged.finish(), rejected: await rejected.finish() },
  }
}
