import { headerWarnings } from '#contract/csv/csv-header.ts'
import {
  type ImportField,
  type ImportMapping,
  importField,
  importFieldLabels,
  importFields,
} from '#contract/csv/import-fields.ts'
import type { WantedDefault } from '#contract/import-check.ts'
import { type CheckedRow, type DryRunReply, type ImportMode, MAX_ROWS_ANSWERED } from '#contract/imports.ts'
import {
  type DescriptionFinding,
  descriptionFindings,
  findingSentence,
  rowsWith,
} from '#contract/text/description.ts'
import { lookupKey } from '#contract/trade-language/names.ts'
import { type VinFinding, vinFindings } from '#server/features/market/vin/row-vins.ts'
import type { FoundPart } from '#server/features/stock-files/identity/listed-part.ts'
import {
  contentHash,
  identityOf,
  namedListing,
  type RowIdentity,
  rowKey,
} from '#server/features/stock-files/identity/row-identity.ts'
import { type FileNames, newNames } from '#server/features/stock-files/match/name-uses.ts'
import type { NameChanges, RowResolver } from '#server/features/stock-files/match/row-resolver.ts'
import { type KeptRow, keepRow } from '#server/features/stock-files/plan/left-out.ts'
import { type IdentifiedRow, NO_KEY, PackedRows } from '#server/features/stock-files/plan/plan-rows.ts'
import {
  outcomeOfNamedRow,
  outcomeOfNewRow,
  type RowOutcome,
  type RowRules,
} from '#server/features/stock-files/plan/row-rules.ts'
import type { RowFields } from '#server/features/stock-files/read/check-row.ts'
import type { CheckedSentRow } from '#server/features/stock-files/read/checked-rows.ts'
import { type FoundIssue, issueOf } from '#server/features/stock-files/read/field-text.ts'
import { openSegmentWriter, type Segment } from '#server/features/stock-files/store/segments.ts'
import { importedRecordId, toSegmentLine } from '#server/features/stock-files/store/staged-record.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import type { ClaimLifetime } from './chunk-claims.ts'
import { addPresentFields } from './chunk-facts.ts'
import { toRejectedLine } from './downloads.ts'
import type { ExampleCounter } from './examples.ts'

type SentRows = {
  rows: AsyncIterable<readonly CheckedSentRow[]>
  header: readonly string[]
  mapping: ImportMapping
  /** Set if names are resolved before the plan is made: rows are compared with their resolved names. */
  resolver: RowResolver | undefined
  /** Those of the plan. */
  rules: RowRules
}

type CheckedChunk = {
  reply: DryRunReply
  rows: PackedRows
  names: FileNames
  /** Fields worth asking for that at least one row has. */
  has: readonly WantedDefault[]
}

/**
 * Reports the issues of rows and packs all rows, so that parts of rows with issues do not count as missing. Writes
 * nothing.
 */
export async function checkRows(
  sent: SentRows & { mode: ImportMode; examples: ExampleCounter },
  life: ClaimLifetime,
): Promise<CheckedChunk> {
  const { resolver, examples, mapping } = sent
  const rows = new PackedRows()
  const notes = new RowNotes()
  const failing: CheckedRow[] = []
  let total = 0
  let errors = 0
  let held = 0
  const addFailing = (row: number, issues: readonly FoundIssue[], parts: readonly IdentifiedRow[] = []) => {
    errors += 1
    for (const part of parts) rows.add(part)
    if (failing.length < MAX_ROWS_ANSWERED) failing.push(failingRow(total, row, issues))
  }
  for await (const batch of sent.rows) {
    life.signal.throwIfAborted()
    for (const { sent: row, checked, named } of batch) {
      total += 1
      if ('issues' in checked) {
        addFailing(row.row, checked.issues, partOfFailing(sent.mode, row.row, checked))
        continue
      }
      const { identity, resolved, changes, outcome } = judged(checked.fields, named, sent)
      rows.add({ rowNo: row.row, ...identity })
      if ('problem' in outcome) {
        addFailing(row.row, [refusalIssue(outcome, resolved, mapping)])
        continue
      }
      held += Number(outcome.waits)
      notes.add(row.row, checked)
      addExample(examples, row.row, checked, changes)
    }
    life.rows(total)
  }
  const warnings = [...headerWarnings(sent.header), ...notes.warnings]
  const names = { held, ...namesOf(resolver) }
  const preview = { total, errors, rows: failing, ...notes.preview }
  return { reply: { ok: true, warnings, preview }, rows, names, has: [...notes.has] }
}

/** What a seller should know about good rows. */
class RowNotes {
  readonly has = new Set<WantedDefault>()
  readonly #byDefault = new Map<ImportField, number>()
  readonly #filled = new Map<ImportField, number>()
  readonly #found = new Map<DescriptionFinding, FoundRows>()
  readonly #ofVin = new Map<VinFinding, FoundRows>()
  readonly #unread: UnreadCounts<ImportField> = new Map()
  readonly #unknown: UnreadCounts<'fitment'> = new Map()

  add(row: number, checked: CheckedFields): void {
    countFields(this.#byDefault, checked.byDefault)
    countFields(this.#filled, checked.filled)
    addFindings(this.#found, checked.findings, row)
    addFindings(this.#ofVin, checked.ofVin, row)
    countUnread(this.#unread, checked.unread, row)
    countUnread(
      this.#unknown,
      checked.unknownFits?.map((value) => ({ field: 'fitment', value })),
      row,
    )
    addPresentFields(this.has, checked.fields)
  }

  get warnings(): string[] {
    return [...vinWarnings(this.#ofVin), ...unreadWarnings(this.#unread), ...unknownWarnings(this.#unknown)]
  }

  get preview(): Pick<DryRunReply['preview'], 'defaults' | 'filled' | 'descriptions'> {
    return {
      ...(this.#byDefault.size > 0 && { defaults: countsOf(this.#byDefault) }),
      ...(this.#filled.size > 0 && { filled: countsOf(this.#filled) }),
      ...notesOf(this.#found),
    }
  }
}

type CheckedFields = Extract<CheckedSentRow['checked'], { fields: RowFields }>

function addExample(
  examples: ExampleCounter,
  row: number,
  { fields, filled }: CheckedFields,
  changes: NameChanges | undefined,
): void {
  const isCorrected = filled !== undefined || isOtherName(fields, changes)
  examples.add(row, changes ? { ...fields, ...changes } : fields, isCorrected)
}

/** Whether a name means something else than what was typed, rather than another spelling of it. */
const isOtherName = (fields: RowFields, changes: NameChanges | undefined): boolean =>
  changes !== undefined &&
  nameFieldsShown.some((field) => {
    const [typed, meant] = [fields[field], changes[field]]
    return typed !== undefined && meant !== undefined && lookupKey(typed) !== lookupKey(meant)
  })
const nameFieldsShown = ['partcategory', 'partmanu', 'partmodel'] as const

const namesOf = (resolver: RowResolver | undefined) => ({
  questions: resolver?.questions ?? [],
  newNames: resolver ? newNames(resolver.uses) : [],
  leftOut: resolver?.leftOut ?? [],
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
  'vin typo': 'a VIN with a typo. Nothing was filled in from it.',
}

type UnreadCounts<Field extends string> = Map<Field, { rows: number; examples: Map<string, number> }>

const MAX_EXAMPLES = 3

/** Counts rows with such values, with the first few and the row of each. */
function countUnread<Field extends string>(
  counts: UnreadCounts<Field>,
  values: readonly { readonly field: Field; readonly value: string }[] = [],
  row: number,
): void {
  const counted = new Set<Field>()
  for (const { field, value } of values) {
    const { rows, examples } = counts.get(field) ?? { rows: 0, examples: new Map<string, number>() }
    if (examples.size < MAX_EXAMPLES && !examples.has(value)) examples.set(value, row)
    counts.set(field, { rows: rows + Number(!counted.has(field)), examples })
    counted.add(field)
  }
}

type Counted = { rows: number; examples: ReadonlyMap<string, number> }

const inRows = (rows: number) => (rows === 1 ? '1 row' : `${rows.toLocaleString('en-US')} rows`)

function shownExamples({ rows, examples }: Counted): string {
  const shown = [...examples].map(([value, row]) => `“${value}” in row ${row}`)
  return `${shown.join(', ')}${examples.size < rows ? ', …' : ''}`
}

const unreadWarnings = (counts: ReadonlyMap<ImportField, Counted>): string[] =>
  [...counts].map(
    ([field, found]) =>
      `${importFieldLabels[field]} can’t be read in ${inRows(found.rows)} and is left empty: ${shownExamples(found)}.`,
  )

const unknownWarnings = (counts: ReadonlyMap<'fitment', Counted>): string[] =>
  [...counts].map(
    ([field, found]) =>
      `${importFieldLabels[field]} names vehicles that we don’t know in ${inRows(found.rows)}: ${shownExamples(found)}. They are shown as written.`,
  )

type JudgedRow = {
  identity: Omit<IdentifiedRow, 'rowNo'>
  resolved: RowFields
  changes: NameChanges | undefined
  outcome: RowOutcome
}

/** A row with the names and by the rules of its plan. */
function judged(fields: RowFields, named: FoundPart | undefined, { resolver, rules }: SentRows): JudgedRow {
  const changes = resolver?.resolve((field) => (field === 'waitsfor' ? undefined : fields[field]))
  const resolved: RowFields = { ...fields, ...changes }
  if (named) {
    // A name may bring a trim that the file has no column for.
    const ofFile = importFields.filter((field) => rules.ofFile.includes(field) || changes?.[field])
    const outcome = outcomeOfNamedRow(resolved, named, { ...rules, ofFile })
    const [key, hash] = [rowKey(resolved), contentHash(resolved)]
    const listing = { id: named.listing.id, changes: outcome.changes }
    const identity = { key, hash, digest: undefined, part: undefined, stock: undefined, listing }
    return { identity: { ...identity, refused: isOut(outcome) }, resolved, changes, outcome }
  }
  const outcome = outcomeOfNewRow(resolved, rules)
  const identity = asSent(identityOf(fields), changes && identityOf(resolved))
  // With its number, since the packed form keeps a digest only with a number.
  const known = { ...identity, stock: resolved.stocknum, refused: isOut(outcome), listing: undefined }
  return { identity: known, resolved, changes, outcome }
}

const isOut = (outcome: RowOutcome): boolean => 'problem' in outcome || outcome.waits

function refusalIssue(
  { problem: message, field = '', isAnswered }: Extract<RowOutcome, { problem: string }>,
  row: RowFields,
  mapping: ImportMapping,
): FoundIssue {
  const name = importField(field)
  const column = name === undefined ? '' : (mapping[name] ?? name)
  return issueOf(column, (name && row[name]) ?? '', {
    code: isAnswered ? 'NOT_A_PART' : 'NOT_ALLOWED',
    message,
  })
}

/**
 * What a row with issues does in a plan: its part is in the file, so it is not missing; in an addition, a row that is
 * not for sale ends it.
 */
const partOfFailing = (
  mode: ImportMode,
  rowNo: number,
  { sent, soldOut }: { sent: RowFields | undefined; soldOut?: RowFields },
): IdentifiedRow[] => (mode === 'add' && soldOut ? soldOutParts(rowNo, soldOut) : refusedRows(rowNo, sent))

/** The part of a row with quantity 0, if it has that. */
const soldOutParts = (rowNo: number, fields: RowFields | undefined): IdentifiedRow[] =>
  fields === undefined
    ? []
    : [{ rowNo, ...identityOf(fields), stock: fields.stocknum, listing: undefined, gone: true }]

/** A row with issues, identified by its part if that can be read: as `insertKeptRows` keeps it. */
function refusedRows(rowNo: number, sent: RowFields | undefined): IdentifiedRow[] {
  const kept: KeptRow[] = []
  keepRow(kept, rowNo, sent)
  const [{ key = NO_KEY, partKey, digest } = {}] = kept
  const row = {
    rowNo,
    key,
    hash: NO_KEY,
    digest: undefined,
    part: undefined,
    stock: undefined,
    refused: true,
  }
  const id = sent && namedListing(sent)
  // It may be the listing that it names, or a part under its own key.
  if (id !== undefined) {
    const named: IdentifiedRow = { ...row, listing: { id, changes: false } }
    return partKey === undefined ? [named] : [named, { ...row, key: partKey, listing: undefined }]
  }
  const part = partKey === undefined ? undefined : { key: partKey, hash: NO_KEY }
  return [{ ...row, digest, part, stock: part && sent?.stocknum, listing: undefined }]
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
  life: ClaimLifetime,
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
