import { fitMapping } from '#contract/column-mapping/shipped-templates.ts'
import { headerWarnings } from '#contract/csv/csv-header.ts'
import type { ImportMapping } from '#contract/csv/import-fields.ts'
import type { CsvReply } from '#contract/imports.ts'
import { decimalNotes, sampledDecimals } from '#contract/yard-file/decimals.ts'
import type { Reading } from '#contract/yard-file/reading.ts'
import { openNameResolver } from '#server/features/stock-files/match/row-resolver.ts'
import { compileRowCheck, type RowCheck } from '#server/features/stock-files/read/check-row.ts'
import { readCheckedRows } from '#server/features/stock-files/read/checked-rows.ts'
import { type RowSource, requireSameHeader } from '#server/features/stock-files/read/open-table.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { waitingLine } from '#server/platform/processes/concurrency.ts'
import { type ClaimedChunk, claimChunk, keepClaim, type WorkLife } from './claims.ts'
import { finishChunk, type ToldReading } from './finish.ts'
import type { ImportTerms } from './import-order.ts'
import { dropClaim, type FixedTable, fixTable, isTrusted, type LedgerImport, lockImport } from './ledger.ts'
import { checkRows, stageRows } from './rows.ts'

type Chunk = {
  readonly ledger: LedgerImport
  readonly terms: ImportTerms
  readonly open: (known: FixedTable | undefined) => Promise<RowSource>
  readonly year: number
}

export type OpenChunk = {
  readonly source: RowSource
  readonly mapping: ImportMapping
  readonly check: RowCheck
}

/**
 * Opens a chunk as its import is read. The first one whose header the mapping fits decides that for all: header, reading,
 * and what its values tell of decimal marks where nothing was said. Of several at once one does, and the others are read as
 * that one is.
 * @throws AppError VALIDATION_FAILED, also where the chunk is of another file
 */
async function openChunk(db: Db, chunk: Chunk): Promise<OpenChunk> {
  const { ledger, open } = chunk
  if (ledger.header) return openAs(chunk, { header: ledger.header, reading: ledger.reading })
  const first = compiled(chunk, await open(undefined))
  const source = await withDecimals(first, chunk.terms)
  const fixed = await fixTable(db, ledger.id, source)
  if (!isReadAs(fixed.reading, source.reading)) return openAs(chunk, fixed)
  requireSameHeader(fixed.header, source.header)
  return source === first.source ? first : compiled(chunk, source)
}

async function openAs(chunk: Chunk, fixed: FixedTable): Promise<OpenChunk> {
  const source = await chunk.open(fixed)
  requireSameHeader(fixed.header, source.header)
  return compiled(chunk, source)
}

function compiled({ terms, year }: Chunk, source: RowSource): OpenChunk {
  const { header, reading } = source
  const mapping = fitMapping(header, terms.mapping, terms.defaults)
  const { defaults } = terms
  const check = compileRowCheck({ header, mapping, defaults, year, decimals: reading?.decimals })
  return { source, mapping, check }
}

/** The encoding may differ: a piece without a single letter beyond ASCII is of any. */
function isReadAs(fixed: Reading | null | undefined, found: Reading | undefined): boolean {
  if (!fixed || !found) return true
  return (
    fixed.delimiter === found.delimiter &&
    fixed.quote === found.quote &&
    fixed.layout === found.layout &&
    fixed.decimals.partprice === found.decimals.partprice &&
    fixed.decimals.partshipping === found.decimals.partshipping
  )
}

// Reading so many takes a twentieth of a second; a yard's prices have shown their cents by then.
const SAMPLE_ROWS = 20_000

/** The source, read with the decimal marks that its first rows tell, which people are told where they are commas. */
async function withDecimals({ source, mapping }: OpenChunk, terms: ImportTerms): Promise<RowSource> {
  const { reading, header } = source
  // Whoever says of one column, or of none, has looked at them.
  if (!reading || terms.reading.decimals !== undefined) return source
  const decimals = sampledDecimals({ header, rows: await sampleOf(source, mapping) }, mapping)
  if (Object.keys(decimals).length === 0) return source
  return {
    ...source,
    reading: { ...reading, decimals },
    notes: () => [...(source.notes?.() ?? []), ...decimalNotes(mapping, decimals)],
  }
}

async function sampleOf({ batches, header }: RowSource, { partprice, partshipping }: ImportMapping) {
  const sample: (readonly string[])[] = []
  if (partprice === undefined && partshipping === undefined) return sample
  for await (const batch of batches) {
    for (const { cells, problem } of batch) if (!problem && cells.length === header.length) sample.push(cells)
    if (sample.length >= SAMPLE_ROWS) break
  }
  return sample
}

/**
 * Chunks that one process reads at a time: each holds a segment of good rows and one of rejected ones, some megabytes. Those
 * that come meanwhile stand in line.
 */
export const chunksInTurn = waitingLine({ atOnce: 8, waiting: 60 })

export type ImportDeps = {
  readonly db: Db
  /** For statements that take longer than a request may: what a file does is counted by a plan of it. */
  readonly plans: Db
  readonly files: FileStore
  readonly now: () => Date
  /** Nobody reviews imports here. */
  readonly reviewsNothing: boolean
}

export type ImportChunk = {
  readonly actor: Actor
  readonly key: string
  readonly dryRun: boolean
  readonly terms: ImportTerms
  readonly chunkIndex: number
  readonly contentSha256: string
  readonly fileName: string
  /** Reads what was sent until `signal` says stop; as the import's other chunks are read, if that is fixed already. */
  readonly open: (known: FixedTable | undefined, signal: AbortSignal) => Promise<RowSource>
}

/**
 * Takes one chunk of an import, or the whole of it: checks its rows, and stages them unless it is a dry run. Sent again
 * it changes nothing and answers the same.
 * @throws AppError VALIDATION_FAILED, KEY_REUSED, WITHDRAWN, STILL_RUNNING, QUOTA_REACHED, STORAGE_FULL, BUSY
 */
export async function importChunk(
  deps: ImportDeps,
  sent: ImportChunk,
): Promise<{ reply: CsvReply; replayed: boolean }> {
  // Only who has a place claims: a claim that stands in line would be somebody's to wait for.
  return chunksInTurn(() => takeChunk(deps, sent))
}

async function takeChunk(
  deps: ImportDeps,
  sent: ImportChunk,
): Promise<{ reply: CsvReply; replayed: boolean }> {
  const { actor, open: _, ...chunk } = sent
  const { userId, sellerId } = actor
  const claimed = await claimChunk(deps.db, { ...chunk, userId, sellerId, now: deps.now() })
  if (claimed.kind === 'replay') return { reply: claimed.reply, replayed: true }
  try {
    const reply = await keepClaim(deps.db, claimed.claim, (life) => workOn(deps, { sent, claimed, life }))
    return { reply, replayed: false }
  } catch (error) {
    await giveBack(deps.db, claimed)
    throw error
  }
}

type Claimed = Extract<ClaimedChunk, { kind: 'work' }>
type Working = { sent: ImportChunk; claimed: Claimed; life: WorkLife }

async function workOn(deps: ImportDeps, { sent, claimed, life }: Working): Promise<CsvReply> {
  const { db, plans, files, now } = deps
  const { ledger, claim } = claimed
  const { userId, sellerId, sellerSlug } = sent.actor
  const { terms } = sent
  const open = (known: FixedTable | undefined) => sent.open(known, life.signal)
  const year = now().getUTCFullYear()
  const { source, mapping, check } = await openChunk(db, { ledger, terms, open, year })
  const { header } = source
  const { defaults } = terms
  const rows = readCheckedRows(db, { source, check, mapping, defaults, sellerId })
  const work = sent.dryRun
    ? {
        kind: 'checked' as const,
        ...(await checkRows({ rows, header, resolver: await resolverOf(deps, sellerId) }, life)),
      }
    : { kind: 'staged' as const, staged: await stageRows(files, { rows, chunkIndex: sent.chunkIndex }, life) }
  const lines = source.lastRow() - 1
  const of = { ledger, header, sellerSlug, userId, now: now(), told: tellReading(source, header) }
  return finishChunk({ db, plans }, claim, { work: { ...work, lines }, of, signal: life.signal })
}

/** Where an import goes on by itself its names are resolved before it is planned. */
const resolverOf = async ({ db, reviewsNothing }: ImportDeps, sellerId: string) =>
  reviewsNothing || (await isTrusted(db, sellerId)) ? openNameResolver(db) : undefined

/** When all rows are read: what was left out is known then. */
const tellReading = ({ reading, notes }: RowSource, header: readonly string[]): ToldReading => ({
  warnings: [...(notes?.() ?? []), ...headerWarnings(header)],
  ...(reading && { reading }),
})

/** So that it may be sent again at once, corrected. Where this fails too the claim goes silent, and is taken over. */
async function giveBack(db: Db, { claim }: Claimed): Promise<void> {
  const drop = db.transaction().execute(async (trx) => {
    await lockImport(trx, claim.importId)
    await dropClaim(trx, claim)
  })
  await drop.catch(() => undefined)
}
