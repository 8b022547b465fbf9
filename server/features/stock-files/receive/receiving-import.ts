import { sql } from 'kysely'
import type { ColumnAnswer } from '#contract/column-questions/questions.ts'
import type { ImportDefaults, ImportMapping } from '#contract/csv/import-fields.ts'
import type { ImportMode, importStates } from '#contract/imports.ts'
import type { Reading } from '#contract/yard-file/reading.ts'
import type { FileNames } from '#server/features/stock-files/match/name-uses.ts'
import type { Segment } from '#server/features/stock-files/store/segments.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { type ImportTerms, type StagingPlace, termsHash } from './import-order.ts'

/*
 * An import while its chunks arrive: how it begins, what all its chunks share, what they add up to, and how it ends.
 * A single chunk is in `chunk-claims.ts`; what people see of an import, in `imports.ts`.
 */

type ImportKey = { readonly sellerId: string; readonly dryRun: boolean; readonly key: string }

export type ReceivingImport = ImportKey & {
  readonly id: string
  readonly requestHash: Buffer
  readonly chunkCount: number
  readonly mode: ImportMode
  readonly mapping: ImportMapping
  readonly defaults: ImportDefaults
  readonly place: StagingPlace
  readonly header: string[] | null
  readonly reading: Reading | null
  /** Sent or remembered; null until the header is known. */
  readonly answers: ColumnAnswer[] | null
  readonly state:
    | Extract<(typeof importStates)[number], 'receiving' | 'staged' | 'abandoned' | 'withdrawn'>
    | 'checked'
}

const IMPORT_COLUMNS = sql`
  id, seller_id as "sellerId", dry_run as "dryRun", key, request_hash as "requestHash", chunk_count as "chunkCount",
  mode, mapping, defaults, staging as place, header, reading, answers, state`

/* Reasons for refusing a chunk of it. */

const otherChunkCount = (known: number, sent: number) =>
  keyReused(
    'chunkCount',
    `This import has ${known} chunks, but chunkCount is now ${sent}. Use a new idempotencyKey for another file.`,
  )

const otherTerms = () =>
  keyReused('idempotencyKey', 'This idempotencyKey belongs to another file or mapping. Use a new one.')

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

export function keyReused(field: string, sentence: string): AppError {
  return new AppError('KEY_REUSED', sentence, { fields: { [field]: sentence } })
}

// A person has one or two at a time; a program that never finishes its imports must not fill the table.
const MAX_UNFINISHED = 20
// A million rows are 0.5 GB: twenty such files a month, or the nightly stock of a large yard.
const MAX_STAGED_BYTES = 10 * 1024 ** 3
const STAGED_WITHIN_MS = 30 * 86_400_000

// A chunk is a row, an import can have 100,000 of them, and unfinished imports are kept for a week.
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

/* Its begin. */

export type SentToImport = ImportKey & {
  readonly terms: ImportTerms
  readonly fileName: string
  readonly userId: string
  readonly now: Date
}

/**
 * The import that a chunk belongs to, which begins with its first one. It cannot be deleted until the transaction ends.
 * @throws AppError KEY_REUSED, WITHDRAWN, QUOTA_REACHED, BUSY
 */
export async function openImport(trx: Db, sent: SentToImport): Promise<ReceivingImport> {
  const receiving = (await holdImport(trx, sent)) ?? (await beginImport(trx, sent))
  requireSameTerms(receiving, sent.terms)
  return receiving
}

/** Keeps the import from being deleted until the transaction ends; chunks do not block each other. */
async function holdImport(trx: Db, by: ImportKey): Promise<ReceivingImport | undefined> {
  const { rows } = await sql<ReceivingImport>`
    select ${IMPORT_COLUMNS} from import
    where seller_id = ${by.sellerId} and dry_run = ${by.dryRun} and key = ${by.key}
    for key share
  `.execute(trx)
  return rows[0]
}

async function beginImport(trx: Db, sent: SentToImport): Promise<ReceivingImport> {
  const { sellerId, terms } = sent
  // Other new imports of the seller wait until the transaction ends.
  await sql`select from seller where id = ${sellerId} for no key update`.execute(trx)
  const existing = await holdImport(trx, sent)
  if (existing) return existing
  // An import of one chunk is finished in the same call.
  if (terms.chunkCount > 1) await makeRoom(trx, sent)
  const { rows } = await sql<ReceivingImport>`
    insert into import (seller_id, created_by, dry_run, key, request_hash, chunk_count, mode, mapping, defaults,
                        staging, file_name)
    values (${sellerId}, ${sent.userId}, ${sent.dryRun}, ${sent.key}, ${termsHash(terms)}, ${terms.chunkCount},
            ${terms.mode}, ${JSON.stringify(terms.mapping)}, ${JSON.stringify(terms.defaults)},
            ${JSON.stringify(terms.place)}, ${sent.fileName})
    returning ${IMPORT_COLUMNS}
  `.execute(trx)
  const [row] = rows
  if (!row) throw new Error('The inserted import was not returned')
  return row
}

async function makeRoom(trx: Db, { sellerId, dryRun }: SentToImport): Promise<void> {
  const { own, all } = await countUnfinished(trx, sellerId)
  if (all >= MAX_UNFINISHED_IN_TOTAL) throw tooManyOfAll()
  if (dryRun) await deleteOtherDryRuns(trx, sellerId, MAX_UNFINISHED_DRY_RUNS - 1)
  else if (own >= MAX_UNFINISHED) throw tooManyUnfinished()
}

/** Imports of the seller, and imports and dry runs of all sellers. */
async function countUnfinished(db: Db, sellerId: string): Promise<{ own: number; all: number }> {
  const { rows } = await sql<{ own: number; all: number }>`
    select count(*) filter (where seller_id = ${sellerId} and not dry_run) as own, count(*) as all
    from import where state = 'receiving'
  `.execute(db)
  return rows[0] ?? { own: 0, all: 0 }
}

/** Deletes the seller's unfinished dry runs except for the newest; skips those that a chunk is arriving for. */
async function deleteOtherDryRuns(trx: Db, sellerId: string, newest: number): Promise<void> {
  await sql`
    delete from import where id in (
      select id from import where id in (
        select id from import where seller_id = ${sellerId} and dry_run and state = 'receiving'
        order by id desc offset ${newest}
      ) for update skip locked
    )
  `.execute(trx)
}

function requireSameTerms(receiving: ReceivingImport, terms: ImportTerms): void {
  if (receiving.chunkCount !== terms.chunkCount) throw otherChunkCount(receiving.chunkCount, terms.chunkCount)
  if (!receiving.requestHash.equals(termsHash(terms))) throw otherTerms()
  if (receiving.state === 'abandoned') throw givenUp()
  if (receiving.state === 'withdrawn') throw withdrawn()
}

/**
 * Undone imports count too, since their staged files still exist, and withdrawn ones, whose rows are stored for another day.
 * @throws AppError QUOTA_REACHED if the seller staged too much lately
 */
export async function requireSpace(
  trx: Db,
  { sellerId, now }: Pick<SentToImport, 'sellerId' | 'now'>,
): Promise<void> {
  const since = new Date(now.getTime() - STAGED_WITHIN_MS)
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(bytes), 0)::bigint as bytes from import
    where seller_id = ${sellerId} and not dry_run and state <> 'abandoned' and created_at > ${since}
  `.execute(trx)
  if ((rows[0]?.bytes ?? 0) >= MAX_STAGED_BYTES) throw tooManyBytes()
}

/* What all its chunks share, and what they add up to. */

/** Facts about the file that all chunks of an import share. */
export type FixedTable = {
  readonly header: readonly string[]
  readonly reading?: Reading | null | undefined
  readonly answers: readonly ColumnAnswer[] | null
}

/** Fixes header, reading and answers unless they are fixed already; returns the fixed ones. */
export async function fixTable(db: Db, importId: string, table: FixedTable): Promise<FixedTable> {
  const { rows: fixed } = await sql<FixedTable>`
    update import set header = ${[...table.header]}::text[],
      reading = ${table.reading ? JSON.stringify(table.reading) : null}::jsonb,
      answers = ${JSON.stringify(table.answers)}::jsonb
    where id = ${importId} and header is null
    returning header, reading, answers
  `.execute(db)
  if (fixed[0]) return fixed[0]
  const { rows } = await sql<FixedTable>`
    select header, reading, answers from import where id = ${importId}
  `.execute(db)
  return rows[0] ?? table
}

export type ChunkSums = { rows: number; rejected: number; bytes: number }
export type ImportSums = { received: number; total: number; rejected: number }

/** Counts a chunk, or returns undefined if the import is closed. Locks the import until the transaction ends. */
export async function addToSums(
  trx: Db,
  importId: string,
  chunk: ChunkSums,
): Promise<ImportSums | undefined> {
  const { rows } = await sql<ImportSums>`
    update import
    set received = received + 1, total = total + ${chunk.rows}, rejected = rejected + ${chunk.rejected},
        bytes = bytes + ${chunk.bytes}
    where id = ${importId} and state = 'receiving'
    returning received, total, rejected
  `.execute(trx)
  return rows[0]
}

/** Of all chunks, in file order. */
export async function listImportSegments(
  db: Db,
  importId: string,
  kind: 'staged' | 'rejected',
): Promise<Segment[]> {
  const { rows } = await sql<Segment>`
    select sha256, rows, bytes from import_segment
    where import_id = ${importId} and kind = ${kind}
    order by chunk_index, position
  `.execute(db)
  return rows
}

/** Replaces an import's answers by what they turned out to be about. */
export async function nameAnswers(
  trx: Db,
  importId: string,
  answers: readonly ColumnAnswer[],
): Promise<void> {
  await sql`update import set answers = ${JSON.stringify(answers)}::jsonb where id = ${importId}`.execute(trx)
}

// Per query; a longer chunk is returned alone.
const BYTES_AT_ONCE = 4 * 1024 ** 2

export type PackedChunk = { chunkIndex: number; lines: number; rows: Buffer }

/** The good rows of a dry run's next chunks, in file order. */
export async function listPackedRows(db: Db, importId: string, after: number): Promise<PackedChunk[]> {
  const { rows } = await sql<PackedChunk>`
    select chunk_index as "chunkIndex", lines, row_pairs as rows
    from (
      select chunk_index, lines, row_pairs,
             sum(octet_length(row_pairs)) over (order by chunk_index) - octet_length(row_pairs) as before
      from import_chunk
      where import_id = ${importId} and chunk_index > ${after} and row_pairs is not null
      order by chunk_index limit 500
    ) next
    where before < ${BYTES_AT_ONCE} order by chunk_index
  `.execute(db)
  return rows
}

/** The names in a dry run's chunks, in file order. */
export async function listChunkNames(db: Db, importId: string): Promise<FileNames[]> {
  const { rows } = await sql<{ names: FileNames }>`
    select names from import_chunk where import_id = ${importId} and names is not null order by chunk_index
  `.execute(db)
  return rows.map(({ names }) => names)
}

export async function dropPackedRows(trx: Db, importId: string): Promise<void> {
  await sql`
    update import_chunk set row_pairs = null, names = null, facts = null
    where import_id = ${importId} and (row_pairs is not null or facts is not null)
  `.execute(trx)
}

/* Its end. */

/** Deletes an import that waits for answers, so that the file can be sent again with the same key. */
export async function deleteImport(trx: Db, importId: string): Promise<void> {
  await sql`delete from import where id = ${importId} and state = 'receiving'`.execute(trx)
}

export async function setStaged(
  trx: Db,
  importId: string,
  { fileId, at }: { fileId: string; at: Date },
): Promise<void> {
  await sql`
    update import set state = 'staged', staging_file_id = ${fileId}, staged_at = ${at} where id = ${importId}
  `.execute(trx)
}

export async function setChecked(trx: Db, importId: string): Promise<void> {
  await sql`update import set state = 'checked' where id = ${importId}`.execute(trx)
}

/** Withdraws an import with missing chunks and deletes its chunks, so that none can finish. False if it is complete or over. */
export async function withdrawUnfinishedImport(trx: Db, importId: string, at: Date): Promise<boolean> {
  // Waits for chunks that are being claimed or finished; the statements after it see them.
  const { rows } =
    await sql`select from import where id = ${importId} and state = 'receiving' for update`.execute(trx)
  if (rows.length === 0) return false
  await sql`update import set state = 'withdrawn', withdrawn_at = ${at} where id = ${importId}`.execute(trx)
  await sql`delete from import_chunk where import_id = ${importId}`.execute(trx)
  return true
}
