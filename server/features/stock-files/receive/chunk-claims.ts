import type { CsvReply } from '#contract/imports.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { type ImportTerms, termsHash } from './import-order.ts'
import {
  type ChunkClaim,
  claimIdleChunk,
  countUnfinished,
  deleteOtherDryRuns,
  findChunk,
  holdImport,
  type ImportKey,
  insertImport,
  type LedgerImport,
  lockNewImports,
  renewClaim,
  sumStagedBytes,
} from './ledger.ts'

/* Reasons for refusing a chunk. */

// The other call finishes within seconds, or its claim expires.
const RETRY_SECONDS = 2

/** Another call is working on the chunk, perhaps one that took it over while this process was suspended. */
export const stillRunning = () =>
  new AppError('STILL_RUNNING', 'This chunk is still being processed. Send it again in a moment.', {
    retryAfterSeconds: RETRY_SECONDS,
  })

const otherChunkCount = (known: number, sent: number) =>
  keyReused(
    'chunkCount',
    `This import has ${known} chunks, but chunkCount is now ${sent}. Use a new idempotencyKey for another file.`,
  )

const otherTerms = () =>
  keyReused('idempotencyKey', 'This idempotencyKey belongs to another file or mapping. Use a new one.')

const otherContent = (chunkIndex: number, chunkCount: number) =>
  keyReused(
    'idempotencyKey',
    chunkCount === 1
      ? 'This idempotencyKey belongs to another file. Use a new one.'
      : `This idempotencyKey belongs to another file: its chunk ${chunkIndex} had other content. Use a new one.`,
  )

const givenUp = () =>
  keyReused(
    'idempotencyKey',
    'This import was abandoned because no chunk arrived for 7 days. Send the file again with a new idempotencyKey.',
  )

/** 410, since 409 means only missing onboarding for this endpoint. */
const withdrawn = () =>
  new AppError(
    'WITHDRAWN',
    'This import was withdrawn and accepts no more chunks. To import the file, send it again with a new idempotencyKey.',
  )

function keyReused(field: string, sentence: string): AppError {
  return new AppError('KEY_REUSED', sentence, { fields: { [field]: sentence } })
}

// A person has one or two at a time; a program that never finishes its imports must not fill the ledger.
const MAX_UNFINISHED = 20
// A million rows are 0.5 GB: twenty such files a month, or the nightly stock of a large yard.
const MAX_STAGED_BYTES = 10 * 1024 ** 3
const STAGED_WITHIN_MS = 30 * 86_400_000

// A chunk is a row of the ledger, an import can have 100,000 of them, and unfinished imports are kept for a week.
const MAX_UNFINISHED_IN_TOTAL = 2_000
const IMPORT_QUOTA_RETRY_SECONDS = 60

/** Unfinished dry runs of a seller; a new one replaces the oldest, since nothing depends on it. */
const MAX_UNFINISHED_DRY_RUNS = 20

const tooManyUnfinished = () =>
  new AppError(
    'QUOTA_REACHED',
    `At most ${MAX_UNFINISHED} imports may be unfinished at a time. Send the missing chunks of earlier ones, or withdraw them; unfinished imports are abandoned after 7 days.`,
  )

const tooManyOfAll = () =>
  new AppError('BUSY', 'Too many imports are running. Nothing was imported; please try again in a minute.', {
    retryAfterSeconds: IMPORT_QUOTA_RETRY_SECONDS,
  })

const tooManyBytes = () =>
  new AppError(
    'QUOTA_REACHED',
    'At most 10 GB of rows may be staged in 30 days. Wait until older imports no longer count.',
  )

export type SentChunk = ImportKey & {
  readonly terms: ImportTerms
  readonly chunkIndex: number
  readonly contentSha256: string
  readonly fileName: string
  readonly userId: string
  readonly now: Date
}

export type ClaimedChunk =
  | { readonly kind: 'work'; readonly ledger: LedgerImport; readonly claim: ChunkClaim }
  | { readonly kind: 'replay'; readonly reply: CsvReply }

/**
 * Claims a chunk, and creates its import with the first one; for a finished chunk returns its reply. Of any number of
 * concurrent calls exactly one works.
 * @throws AppError KEY_REUSED, WITHDRAWN, STILL_RUNNING, QUOTA_REACHED, BUSY
 */
export function claimChunk(db: Db, sent: SentChunk): Promise<ClaimedChunk> {
  return db.transaction().execute(async (trx) => {
    const ledger = (await holdImport(trx, sent)) ?? (await beginImport(trx, sent))
    requireSameTerms(ledger, sent.terms)
    const { id: importId, chunkCount } = ledger
    const { chunkIndex, contentSha256 } = sent
    const claim = await claimIdleChunk(trx, { importId, chunkIndex, contentSha256 })
    if (claim) {
      const since = new Date(sent.now.getTime() - STAGED_WITHIN_MS)
      const isFull = !sent.dryRun && (await sumStagedBytes(trx, sent.sellerId, since)) >= MAX_STAGED_BYTES
      if (isFull) throw tooManyBytes()
      return { kind: 'work', ledger, claim }
    }
    const known = await findChunk(trx, { importId, chunkIndex })
    if (!known?.reply) throw stillRunning()
    if (known.contentSha256 !== contentSha256) throw otherContent(chunkIndex, chunkCount)
    return { kind: 'replay', reply: known.reply as CsvReply }
  })
}

async function beginImport(trx: Db, sent: SentChunk): Promise<LedgerImport> {
  await lockNewImports(trx, sent.sellerId)
  const existing = await holdImport(trx, sent)
  if (existing) return existing
  // An import of one chunk is finished in the same call.
  if (sent.terms.chunkCount > 1) await makeRoom(trx, sent)
  const { terms, userId, ...rest } = sent
  return insertImport(trx, { ...rest, ...terms, requestHash: termsHash(terms), createdBy: userId })
}

async function makeRoom(trx: Db, { sellerId, dryRun }: SentChunk): Promise<void> {
  const { own, all } = await countUnfinished(trx, sellerId)
  if (all >= MAX_UNFINISHED_IN_TOTAL) throw tooManyOfAll()
  if (dryRun) await deleteOtherDryRuns(trx, sellerId, MAX_UNFINISHED_DRY_RUNS - 1)
  else if (own >= MAX_UNFINISHED) throw tooManyUnfinished()
}

function requireSameTerms(ledger: LedgerImport, terms: ImportTerms): void {
  if (ledger.chunkCount !== terms.chunkCount) throw otherChunkCount(ledger.chunkCount, terms.chunkCount)
  if (!ledger.requestHash.equals(termsHash(terms))) throw otherTerms()
  if (ledger.state === 'abandoned') throw givenUp()
  if (ledger.state === 'withdrawn') throw withdrawn()
}

const ALIVE_EVERY_MS = 2_000

/**
 * A chunk whose file yields neither a row nor a byte for this long is abandoned, which frees its place. Eight workbooks
 * of 50 MB that are read at once take two minutes to their first rows.
 */
const STANDSTILL_MS = 300_000

/** Not BUSY, since programs would send the same file again and again. */
function stalledReading(): AppError {
  const sentence =
    'Reading this file stalled, so nothing was imported. Save it as “CSV UTF-8” and upload that.'
  return new AppError('VALIDATION_FAILED', sentence, { fields: { file: sentence } })
}

export type ClaimLifetime = {
  /** Reports how many rows were read. */
  readonly rows: (read: number) => void
  /** Reports that bytes were read, which may be many before the first row. */
  readonly bytes: () => void
  /** Reports that all was read; what follows has its own deadlines. */
  readonly allRead: () => void
  /** Aborted when another call takes the claim over, or reading stalls. */
  readonly signal: AbortSignal
}

/**
 * Works on a claimed chunk, and renews the claim until it is done. Returns when the claim is lost or reading stalls,
 * even if the work goes on: without the claim, it cannot finish.
 * @throws AppError STILL_RUNNING if another call took it over, VALIDATION_FAILED if reading stalls
 */
export async function keepClaim<T>(
  db: Db,
  claim: ChunkClaim,
  work: (life: ClaimLifetime) => Promise<T>,
  standstillMs = STANDSTILL_MS,
): Promise<T> {
  const lost = new AbortController()
  let read = 0
  let movedAt = performance.now()
  const moved = () => {
    movedAt = performance.now()
  }
  const timer = setInterval(
    () => {
      if (performance.now() - movedAt > standstillMs) return lost.abort(stalledReading())
      // A short database outage decides nothing: finishing checks again.
      renewClaim(db, claim, read)
        .then((ours) => ours || lost.abort(stillRunning()))
        .catch(() => undefined)
    },
    Math.min(ALIVE_EVERY_MS, standstillMs),
  )
  const life: ClaimLifetime = {
    rows: (count) => {
      read = count
      moved()
    },
    bytes: moved,
    allRead: () => {
      movedAt = Number.POSITIVE_INFINITY
    },
    signal: lost.signal,
  }
  try {
    return await Promise.race([work(life), whenAborted(lost.signal)])
  } catch (error) {
    // The abort is the cause of any other error.
    throw lost.signal.aborted ? lost.signal.reason : error
  } finally {
    clearInterval(timer)
  }
}

const whenAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
