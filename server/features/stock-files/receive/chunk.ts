import { isDeepStrictEqual } from 'node:util'
import { fitMapping } from '#contract/column-mapping/shipped-templates.ts'
import { countFacts, type FactCounter } from '#contract/column-questions/column-facts.ts'
import {
  currencyOfBare,
  isDriverOnRight,
  sampledCurrencyColumn,
} from '#contract/column-questions/currency-columns.ts'
import { answeredMapping, answeredStates, answeredUnit } from '#contract/column-questions/open-questions.ts'
import type { ColumnAnswer } from '#contract/column-questions/questions.ts'
import { findColumn, headerWarnings } from '#contract/csv/csv-header.ts'
import {
  type ImportDefaults,
  type ImportMapping,
  isMapped,
  mappedHeaders,
} from '#contract/csv/import-fields.ts'
import type { CsvReply, DryRunReply } from '#contract/imports.ts'
import type { Vocabulary } from '#contract/trade-language/vocabulary.ts'
import { mileNote, mileUnit } from '#contract/vehicle/mile-units.ts'
import { decimalNotes, sampledDecimals } from '#contract/yard-file/decimals.ts'
import type { Reading } from '#contract/yard-file/reading.ts'
import { cornersAmong } from '#server/features/finding/vocabulary/built-in.ts'
import { saleStates } from '#server/features/finding/vocabulary/sale-states.ts'
import { readVocabulary } from '#server/features/finding/vocabulary/vocabulary.ts'
import { openLookupNames } from '#server/features/market/lookups/lookup-names.ts'
import { openRowVins, type ReadVin, type Vehicles } from '#server/features/market/vin/vehicles.ts'
import { openNameResolver } from '#server/features/stock-files/match/row-resolver.ts'
import {
  findStanding,
  type ImportPolicy,
  needsNoReview,
} from '#server/features/stock-files/plan/decisions.ts'
import { openRowRules } from '#server/features/stock-files/plan/row-rules.ts'
import { compileRowCheck, type RowCheck } from '#server/features/stock-files/read/check-row.ts'
import { type CheckedSentRow, readCheckedRows } from '#server/features/stock-files/read/checked-rows.ts'
import { hasGradeWords } from '#server/features/stock-files/read/field-readers.ts'
import { type RowSource, requireSameHeader } from '#server/features/stock-files/table/open-table.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { taskQueue } from '#server/platform/processes/concurrency.ts'
import { type ClaimedChunk, type ClaimLifetime, claimChunk, dropClaim, keepClaim } from './chunk-claims.ts'
import { answersOf, type ChunkFacts } from './chunk-facts.ts'
import { exampleCounter } from './examples.ts'
import { type FileReport, fieldsOfFile, finishChunk } from './finish.ts'
import type { ImportTerms } from './import-order.ts'
import { type FixedTable, fixTable, type ReceivingImport } from './receiving-import.ts'
import { checkRows, stageRows } from './rows.ts'

type Chunk = {
  readonly sellerId: string
  readonly receiving: ReceivingImport
  readonly terms: ImportTerms
  readonly open: (known: FixedTable | undefined) => Promise<RowSource>
  readonly year: number
  readonly vocabulary: Vocabulary
  readonly readVin: ReadVin | undefined
}

type OpenChunk = {
  readonly source: RowSource
  /** As sent for this file, and as changed by the answers. */
  readonly asMapped: ImportMapping
  readonly mapping: ImportMapping
  readonly answers: readonly ColumnAnswer[]
  readonly check: RowCheck
}

/**
 * Opens a chunk with its import's settings. The first chunk whose header fits the mapping fixes them for all: header,
 * reading, and detected decimal marks. Of several concurrent chunks one wins, and the others are read like it.
 * @throws AppError VALIDATION_FAILED, also if the chunk is from another file
 */
async function openChunk(db: Db, chunk: Chunk): Promise<OpenChunk> {
  const { receiving, open, terms, sellerId } = chunk
  if (receiving.header) return openAs(chunk, { ...receiving, header: receiving.header })
  const opened = await open(undefined)
  const { templateId } = terms
  const answers = await answersOf(db, terms, { sellerId, header: opened.header, templateId })
  const first = compiled(chunk, opened, answers)
  const source = await withSampled(first, terms)
  const fixed = await fixTable(db, receiving.id, { ...source, answers })
  // From another chunk that was faster: an import that finished in between may have stored other answers.
  const isSame =
    isReadAs(fixed.reading, source.reading) && isDeepStrictEqual(fixed.answers ?? [], plainJson(answers))
  if (!isSame) return openAs(chunk, fixed)
  requireSameHeader(fixed.header, source.header)
  return source === first.source ? first : compiled(chunk, source, answers)
}

const plainJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

async function openAs(chunk: Chunk, fixed: FixedTable): Promise<OpenChunk> {
  const source = await chunk.open(fixed)
  requireSameHeader(fixed.header, source.header)
  return compiled(chunk, source, fixed.answers ?? [])
}

function compiled(
  { terms, year, vocabulary, readVin }: Chunk,
  source: RowSource,
  answers: readonly ColumnAnswer[],
): OpenChunk {
  const { header, reading } = source
  const asMapped = fitMapping(header, terms.mapping, terms.defaults)
  const mapping = answeredMapping(asMapped, answers)
  const { defaults } = terms
  const check = compileRowCheck({
    header,
    mapping,
    defaults,
    year,
    vocabulary,
    readVin,
    decimals: reading?.decimals,
    miles: answeredUnit(mapping, answers) ?? reading?.miles,
    grades: reading?.grades,
    corners: reading?.corners,
    amounts: reading?.amounts,
    isDriverOnRight: isDriverOnRight(mapping.partprice ?? ''),
    currency: reading?.currency,
    answers,
    states: answeredStates(answers, saleStates),
  })
  return { source, asMapped, mapping, answers, check }
}

/** The encoding may differ: a chunk of plain ASCII fits any. */
function isReadAs(fixed: Reading | null | undefined, found: Reading | undefined): boolean {
  if (!fixed || !found) return true
  return (
    fixed.delimiter === found.delimiter &&
    isDeepStrictEqual(fixed.ruler, found.ruler) &&
    fixed.quote === found.quote &&
    fixed.layout === found.layout &&
    fixed.decimals.partprice === found.decimals.partprice &&
    fixed.decimals.partshipping === found.decimals.partshipping &&
    fixed.miles === found.miles &&
    fixed.grades === found.grades &&
    isDeepStrictEqual(fixed.corners, found.corners) &&
    fixed.amounts === found.amounts &&
    fixed.currency === found.currency
  )
}

// Takes a twentieth of a second; by then a yard's prices have shown their decimal mark.
const SAMPLE_ROWS = 20_000

/** What the first rows show about columns: decimal marks, the unit of miles, words for grades. Notes report what is unusual. */
async function withSampled({ source, mapping }: OpenChunk, terms: ImportTerms): Promise<RowSource> {
  const { reading, header } = source
  if (!reading) return source
  const rows = await sampleOf(source, mapping)
  // The caller's choices take precedence.
  const decimals = terms.reading.decimals === undefined ? sampledDecimals({ header, rows }, mapping) : {}
  const valuesOf = (column: string) => {
    const at = findColumn(header, column)
    return rows.map((cells) => cells[at] ?? '')
  }
  const { partmiles, partgrade } = mapping
  const miles =
    reading.miles ?? (partmiles === undefined ? undefined : mileUnit(partmiles, valuesOf(partmiles)))
  const grades =
    reading.grades ?? (partgrade !== undefined && hasGradeWords(valuesOf(partgrade)) ? 'words' : undefined)
  const taken = new Set(mappedHeaders(mapping).map((name) => findColumn(header, name)))
  const currency = reading.currency ?? sampledCurrencyColumn(header, rows, taken)
  const found = {
    ...(miles && { miles }),
    ...(grades && { grades }),
    ...amongValues(mapping, valuesOf),
    ...(currency && { currency }),
  }
  if (Object.keys({ ...decimals, ...found }).length === 0) return source
  const notes = [...decimalNotes(mapping, decimals), mileNote(partmiles ?? '', miles) ?? []].flat()
  return {
    ...source,
    reading: { ...found, ...reading, decimals: { ...reading.decimals, ...decimals } },
    notes: () => [...(source.notes?.() ?? []), ...notes],
  }
}

/** What some cells of a column say of the others: FL of FR, and “114,00 €” of “90,50”. */
function amongValues(
  { partside, partprice }: ImportMapping,
  valuesOf: (column: string) => string[],
): Pick<Reading, 'corners' | 'amounts'> {
  const corners = partside === undefined ? [] : cornersAmong(valuesOf(partside))
  const amounts = partprice === undefined ? undefined : currencyOfBare(partprice, valuesOf(partprice))
  return { ...(corners.length > 0 && { corners }), ...(amounts && { amounts }) }
}

const sampledFields = ['partprice', 'partshipping', 'partmiles', 'partgrade', 'partside'] as const

async function sampleOf({ batches, header }: RowSource, mapping: ImportMapping) {
  const sample: (readonly string[])[] = []
  if (sampledFields.every((field) => mapping[field] === undefined)) return sample
  for await (const batch of batches) {
    for (const { cells, problem } of batch) if (!problem && cells.length === header.length) sample.push(cells)
    if (sample.length >= SAMPLE_ROWS) break
  }
  return sample
}

/** Each chunk keeps a segment of good rows and one of rejected rows in memory, a few megabytes; the others wait. */
export const chunksInTurn = taskQueue({ atOnce: 8, waiting: 60 })

export type ImportDeps = {
  readonly db: Db
  /** For statements longer than a request's timeout: a file's changes are counted by planning it. */
  readonly plans: Db
  readonly files: FileStore
  readonly now: () => Date
  readonly vehicles: Vehicles
  readonly policy: ImportPolicy
}

export type ImportChunk = {
  readonly actor: Actor
  readonly key: string
  readonly dryRun: boolean
  readonly terms: ImportTerms
  readonly chunkIndex: number
  readonly contentSha256: string
  readonly fileName: string
  /** Whether a run with an invalid row stages nothing. */
  readonly refusesInvalid?: boolean
  /** Reads the upload until `signal` aborts, with the settings of the import's other chunks if they are fixed. */
  readonly open: (
    known: FixedTable | undefined,
    life: Pick<ClaimLifetime, 'signal' | 'bytes'>,
  ) => Promise<RowSource>
}

/**
 * Imports one chunk: checks its rows, and stages them unless it is a dry run. Sending it again changes nothing and returns
 * the same reply.
 * @throws AppError VALIDATION_FAILED, ANSWER_NEEDED, KEY_REUSED, WITHDRAWN, STILL_RUNNING, QUOTA_REACHED, STORAGE_FULL,
 *   BUSY
 */
export function importChunk(
  deps: ImportDeps,
  sent: ImportChunk,
): Promise<{ reply: CsvReply; replayed: boolean }> {
  // Claim only when it is this chunk's turn: other calls would wait for a claim that is only queued.
  return chunksInTurn(async () => {
    const { actor, open: _, ...chunk } = sent
    const { userId, sellerId } = actor
    const claimed = await claimChunk(deps.db, { ...chunk, userId, sellerId, now: deps.now() })
    if (claimed.kind === 'replay') return { reply: claimed.reply, replayed: true }
    try {
      const reply = await keepClaim(deps.db, claimed.claim, (life) => workOn(deps, { sent, claimed, life }))
      return { reply, replayed: false }
    } catch (error) {
      await dropUnfinished(deps.db, claimed.claim)
      throw error
    }
  })
}

type Claimed = Extract<ClaimedChunk, { kind: 'work' }>
type ClaimedWork = { sent: ImportChunk; claimed: Claimed; life: ClaimLifetime }

async function workOn(deps: ImportDeps, { sent, claimed, life }: ClaimedWork): Promise<CsvReply> {
  const { db, plans, files, now } = deps
  const { receiving, claim } = claimed
  const { userId, sellerId, sellerSlug } = sent.actor
  const { terms } = sent
  const open = (known: FixedTable | undefined) => sent.open(known, life)
  const year = now().getUTCFullYear()
  const vocabulary = await readVocabulary(db)
  const readVin = isMapped(terms.mapping, 'vin') ? await openRowVins(db, deps.vehicles) : undefined
  const opened = await openChunk(db, { sellerId, receiving, terms, open, year, vocabulary, readVin })
  const { source, asMapped, mapping, answers, check } = opened
  const { header } = source
  const { defaults } = terms
  const facts = countFacts({
    ...{ header, mapping, asMapped, saleStates },
    currencyColumn: source.reading?.currency,
    isFirst: sent.chunkIndex === 0,
  })
  const rows = counted(readCheckedRows(db, { source, check, mapping, defaults, sellerId }), facts, header)
  const checking = async (checked: Batches) => {
    const examples = exampleCounter(sent.key, sent.chunkIndex)
    const rules = await rulesOf(deps, { sellerId, year, mapping, defaults })
    const sentRows = { rows: checked, header, mapping, mode: receiving.mode, examples, ...rules }
    return { ...(await checkRows(sentRows, life)), examples }
  }
  const valid = sent.refusesInvalid && !sent.dryRun ? await validRows(rows, checking) : rows
  const work = sent.dryRun
    ? { kind: 'checked' as const, ...(await checking(rows)) }
    : {
        kind: 'staged' as const,
        staged: await stageRows(files, { rows: valid, chunkIndex: sent.chunkIndex }, life),
      }
  life.allRead()
  const ofChunk: ChunkFacts = {
    columns: facts.facts(),
    ...(work.kind === 'checked' && { examples: work.examples.found(), has: work.has }),
  }
  const context = {
    ...{ receiving, header, sellerSlug, userId, now: now(), report: fileReport(source, header) },
    ...{
      mapping: asMapped,
      answers,
      terms,
      milesAs: answeredUnit(mapping, answers) ?? source.reading?.miles,
      currencyColumn: source.reading?.currency,
      amounts: source.reading?.amounts,
    },
  }
  return finishChunk({ db, plans, policy: deps.policy }, claim, {
    work: { ...work, lines: source.lastRow() - 1, facts: ofChunk },
    context,
    signal: life.signal,
  })
}

type Batches = AsyncIterable<readonly CheckedSentRow[]>

/** @throws AppError VALIDATION_FAILED if a dry run would refuse any of these few rows */
async function validRows(
  rows: Batches,
  check: (rows: Batches) => Promise<{ reply: DryRunReply }>,
): Promise<Batches> {
  const batches: (readonly CheckedSentRow[])[] = []
  for await (const batch of rows) batches.push(batch)
  const again = async function* () {
    yield* batches
  }
  const { reply } = await check(again())
  const [first] = reply.preview.rows
  if (!first) return again()
  const refused = reply.preview.rows.map(({ index, errors }) => ({ index, ok: false as const, errors }))
  const named = first.issues.filter(({ column }) => column !== '')
  const fields = Object.fromEntries(named.map(({ column, message }) => [column, message]))
  throw new AppError('VALIDATION_FAILED', first.errors.join(' '), { fields, rows: refused })
}

/** Counts facts about the columns from the rows' values; rows of another width have the values in other columns. */
async function* counted(
  batches: AsyncGenerator<CheckedSentRow[]>,
  facts: FactCounter,
  { length }: readonly string[],
): AsyncGenerator<CheckedSentRow[]> {
  for await (const batch of batches) {
    for (const { sent } of batch) if (!sent.problem && sent.cells.length === length) facts.add(sent.cells)
    yield batch
  }
}

type OfFile = { sellerId: string; year: number; mapping: ImportMapping; defaults: ImportDefaults }

/** As in the plan. Without a review, names are resolved before it is made, and unsure ones wait. */
async function rulesOf({ db, policy }: ImportDeps, { sellerId, year, mapping, defaults }: OfFile) {
  const holds = needsNoReview(await findStanding(db, sellerId), policy)
  const ofFile = fieldsOfFile(mapping, defaults)
  const namesListings = ofFile.includes('listingid')
  const resolver = holds ? await openNameResolver(db, { sellerId, namesListings }) : undefined
  const names = await openLookupNames(db)
  return { resolver, rules: await openRowRules(db, { sellerId, year, names, ofFile, holds }) }
}

/** Call when all rows are read: only then is it known what was left out. */
const fileReport = ({ reading, notes }: RowSource, header: readonly string[]): FileReport => ({
  warnings: [...(notes?.() ?? []), ...headerWarnings(header)],
  ...(reading && { reading }),
})

/** Frees the chunk, so that it can be corrected and sent again at once. If this fails, the claim expires. */
const dropUnfinished = (db: Db, claim: Claimed['claim']): Promise<void> =>
  db
    .transaction()
    .execute((trx) => dropClaim(trx, claim))
    .catch(() => undefined)
