import type { CsvReply } from '#contract/imports.ts'
import type { Db } from '#server/platform/database.ts'
import {
  givenUp,
  otherChunkCount,
  otherContent,
  otherTerms,
  stillRunning,
  withdrawn,
} from './chunk-refusals.ts'
import { dropDryRunsBut } from './dry-run-queries.ts'
import { type ImportTerms, termsHash } from './import-order.ts'
import {
  MOST_UNFINISHED_DRY_RUNS,
  requireRoom,
  requireRoomForAll,
  requireSpace,
  stagedSince,
} from './import-quota.ts'
import {
  type ChunkClaim,
  claimIdleChunk,
  countUnfinished,
  countUnfinishedOfAll,
  findChunk,
  holdImport,
  type ImportKey,
  insertImport,
  type LedgerImport,
  lockBeginning,
  sumStagedBytes,
} from './ledger-queries.ts'

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
 * Takes a chunk into work, with its import if that begins with it; a chunk that is in already answers what it answered
 * then. Of any number of calls at once exactly one works.
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
      if (!sent.dryRun) requireSpace(await sumStagedBytes(trx, sent.sellerId, stagedSince(sent.now)))
      return { kind: 'work', ledger, claim }
    }
    const known = await findChunk(trx, { importId, chunkIndex })
    if (!known?.reply) throw stillRunning()
    if (known.contentSha256 !== contentSha256) throw otherContent(chunkIndex, chunkCount)
    return { kind: 'replay', reply: known.reply as CsvReply }
  })
}

async function beginImport(trx: Db, sent: SentChunk): Promise<LedgerImport> {
  await lockBeginning(trx, sent.sellerId)
  const meanwhile = await holdImport(trx, sent)
  if (meanwhile) return meanwhile
  // What comes in one call ends with it.
  if (sent.terms.chunkCount > 1) await makeRoom(trx, sent)
  const { terms, userId, ...rest } = sent
  return insertImport(trx, { ...rest, ...terms, requestHash: termsHash(terms), createdBy: userId })
}

async function makeRoom(trx: Db, { sellerId, dryRun }: SentChunk): Promise<void> {
  requireRoomForAll(await countUnfinishedOfAll(trx))
  if (dryRun) await dropDryRunsBut(trx, sellerId, MOST_UNFINISHED_DRY_RUNS - 1)
  else requireRoom(await countUnfinished(trx, sellerId))
}

function requireSameTerms(ledger: LedgerImport, terms: ImportTerms): void {
  if (ledger.chunkCount !== terms.chunkCount) throw otherChunkCount(ledger.chunkCount, terms.chunkCount)
  if (!ledger.requestHash.equals(termsHash(terms))) throw otherTerms()
  if (ledger.state === 'abandoned') throw givenUp()
  if (ledger.state === 'withdrawn') throw withdrawn()
}
