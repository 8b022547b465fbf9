import { sql } from 'kysely'
import type { CsvReply } from '#contract/imports.ts'
import type { JsonValue } from '#db/schema.gen.ts'
import type { FileNames } from '#server/features/stock-files/match/name-uses.ts'
import type { Segment } from '#server/features/stock-files/store/segments.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import {
  keyReused,
  openImport,
  type ReceivingImport,
  requireSpace,
  type SentToImport,
} from './receiving-import.ts'

/*
 * A chunk of an import: of any number of calls that send it, one has its claim and works on it. A claim is taken, kept while
 * its rows are read, and ends with the chunk complete or the claim dropped.
 */

// The other call finishes within seconds, or its claim expires.
const RETRY_SECONDS = 2

/** Another call is working on the chunk, perhaps one that took it over while this process was suspended. */
export const stillRunning = () =>
  new AppError('STILL_RUNNING', 'This chunk is still being processed. Send it again in a moment.', {
    retryAfterSeconds: RETRY_SECONDS,
  })

const otherContent = (chunkIndex: number, chunkCount: number) =>
  keyReused(
    'idempotencyKey',
    chunkCount === 1
      ? 'This idempotencyKey belongs to another file. Use a new one.'
      : `This idempotencyKey belongs to another file: its chunk ${chunkIndex} had other content. Use a new one.`,
  )

export type SentChunk = SentToImport & { readonly chunkIndex: number; readonly contentSha256: string }

export type ClaimedChunk =
  | { readonly kind: 'work'; readonly receiving: ReceivingImport; readonly claim: ChunkClaim }
  | { readonly kind: 'replay'; readonly reply: CsvReply }

/**
 * Claims a chunk, and creates its import with the first one; for a finished chunk returns its reply. Of any number of
 * concurrent calls exactly one works.
 * @throws AppError KEY_REUSED, WITHDRAWN, STILL_RUNNING, QUOTA_REACHED, BUSY
 */
export function claimChunk(db: Db, sent: SentChunk): Promise<ClaimedChunk> {
  return db.transaction().execute(async (trx) => {
    const receiving = await openImport(trx, sent)
    const { id: importId, chunkCount } = receiving
    const { chunkIndex, contentSha256 } = sent
    const claim = await claimIdleChunk(trx, { importId, chunkIndex, contentSha256 })
    if (claim) {
      if (!sent.dryRun) await requireSpace(trx, sent)
      return { kind: 'work', receiving, claim }
    }
    const known = await findChunk(trx, { importId, chunkIndex })
    if (!known?.reply) throw stillRunning()
    if (known.contentSha256 !== contentSha256) throw otherContent(chunkIndex, chunkCount)
    return { kind: 'replay', reply: known.reply as CsvReply }
  })
}

/** The right to write a chunk, as long as its row has this claim. */
export type ChunkClaim = ChunkKey & { readonly claim: string }
type ChunkKey = { readonly importId: string; readonly chunkIndex: number }

// Claims are renewed every 2 s; five times that means a dead process even on a busy machine.
const SILENT_SECONDS = 10

/** Claims a chunk that is free or whose claim expired; undefined if it is done or in progress. */
export async function claimIdleChunk(
  trx: Db,
  chunk: ChunkKey & { contentSha256: string },
): Promise<ChunkClaim | undefined> {
  const { importId, chunkIndex } = chunk
  const { rows } = await sql<{ claim: string }>`
    insert into import_chunk as c (import_id, chunk_index, claim, claimed_at, content_sha256)
    values (${importId}, ${chunkIndex}, uuidv7(), now(), ${chunk.contentSha256})
    on conflict (import_id, chunk_index) do update
      set claim = excluded.claim, claimed_at = excluded.claimed_at, content_sha256 = excluded.content_sha256, rows = 0
      where c.done_at is null and c.claimed_at < now() - make_interval(secs => ${SILENT_SECONDS})
    returning claim
  `.execute(trx)
  return rows[0] && { importId, chunkIndex, claim: rows[0].claim }
}

type SentBefore = { contentSha256: string; reply: JsonValue }

async function findChunk(db: Db, { importId, chunkIndex }: ChunkKey): Promise<SentBefore | undefined> {
  const { rows } = await sql<SentBefore>`
    select content_sha256 as "contentSha256", reply from import_chunk
    where import_id = ${importId} and chunk_index = ${chunkIndex}
  `.execute(db)
  return rows[0]
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

/** Renews the claim and reports the rows read; false if another call has it now. */
async function renewClaim(db: Db, claim: ChunkClaim, readRows: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update import_chunk set claimed_at = now(), rows = ${readRows}
    where import_id = ${claim.importId} and chunk_index = ${claim.chunkIndex} and claim = ${claim.claim}
      and done_at is null
  `.execute(db)
  return numAffectedRows === 1n
}

/** Locks a chunk until the transaction ends; false if another call has its claim. */
export async function lockClaim(trx: Db, claim: ChunkClaim): Promise<boolean> {
  const { rows } = await sql`
    select from import_chunk
    where import_id = ${claim.importId} and chunk_index = ${claim.chunkIndex} and claim = ${claim.claim}
      and done_at is null
    for update
  `.execute(trx)
  return rows.length === 1
}

export async function insertSegments(
  trx: Db,
  { importId, chunkIndex }: ChunkKey,
  segments: Readonly<Record<'staged' | 'rejected', readonly Segment[]>>,
): Promise<void> {
  const rows = Object.entries(segments).flatMap(([kind, list]) =>
    list.map((segment, position) => ({ kind, position, ...segment })),
  )
  if (rows.length === 0) return
  await sql`
    insert into import_segment (import_id, chunk_index, kind, position, sha256, rows, bytes)
    select ${importId}, ${chunkIndex}, kind, position, sha256, rows, bytes
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as segment(
      kind text, position integer, sha256 text, rows integer, bytes bigint)
  `.execute(trx)
}

export async function completeChunk(
  trx: Db,
  { importId, chunkIndex }: ChunkKey,
  done: {
    rows: number
    lines: number
    rejected: number
    reply: object
    /** Which part each row of a dry run is, and what its names are, until the whole file is checked. */
    packedRows?: Buffer | undefined
    names?: FileNames | undefined
    /** Facts from its values about the columns, until the whole file is in. */
    facts?: object | undefined
  },
): Promise<void> {
  await sql`
    update import_chunk
    set rows = ${done.rows}, lines = ${done.lines}, rejected = ${done.rejected},
        reply = ${JSON.stringify(done.reply)}, row_pairs = ${done.packedRows ?? null},
        names = ${done.names ? JSON.stringify(done.names) : null}::jsonb,
        facts = ${done.facts ? JSON.stringify(done.facts) : null}::jsonb, done_at = now()
    where import_id = ${importId} and chunk_index = ${chunkIndex}
  `.execute(trx)
}

/** Deletes a claim, and its import if that has no other chunks, so that a corrected file can be sent. */
export async function dropClaim(trx: Db, claim: ChunkClaim): Promise<void> {
  const { importId } = claim
  // Keeps other chunks from finishing, and the import from being abandoned, until the transaction ends.
  await sql`select from import where id = ${importId} for update`.execute(trx)
  await sql`
    delete from import_chunk
    where import_id = ${importId} and chunk_index = ${claim.chunkIndex} and claim = ${claim.claim} and done_at is null
  `.execute(trx)
  // A separate statement, after the lock, to see chunks claimed in the meantime.
  await sql`
    delete from import
    where id = ${importId} and state = 'receiving'
      and not exists (select from import_chunk c where c.import_id = ${importId})
  `.execute(trx)
}
