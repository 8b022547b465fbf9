import { headerWarnings } from '#contract/csv-header.ts'
import type { CsvReply } from '#contract/imports.ts'
import { openNameResolver } from '#server/features/taxonomy/open-name-resolver.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { Db } from '#server/platform/database.ts'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { checkRows } from './check-rows.ts'
import { chunksInTurn } from './chunk-line.ts'
import { type ClaimedChunk, claimChunk } from './claim-chunk.ts'
import type { ToldReading } from './finalise-import.ts'
import { finishChunk } from './finish-chunk.ts'
import type { ImportTerms } from './import-order.ts'
import { keepClaim, type WorkLife } from './keep-claim.ts'
import { dropClaim, type FixedTable, isTrusted, lockImport } from './ledger-queries.ts'
import { openChunk } from './open-chunk.ts'
import { readCheckedRows } from './read-checked-rows.ts'
import type { RowSource } from './row-source.ts'
import { stageRows } from './stage-rows.ts'

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
