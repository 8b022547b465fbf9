import { sql } from 'kysely'
import type { ColumnAnswer } from '#contract/column-questions/questions.ts'
import type { ImportDefaults, ImportMapping } from '#contract/csv/import-fields.ts'
import type { ImportMode, importStates } from '#contract/imports.ts'
import type { Reading } from '#contract/yard-file/reading.ts'
import type { JsonValue } from '#db/schema.gen.ts'
import type { FileNames } from '#server/features/stock-files/match/name-uses.ts'
import type { Segment } from '#server/features/stock-files/store/segments.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { StagingPlace } from './import-order.ts'

/* The ledger of imports and their received chunks. */

export type ImportKey = { readonly sellerId: string; readonly dryRun: boolean; readonly key: string }

/** An import for receiving its chunks. */
export type LedgerImport = ImportKey & {
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

const LEDGER_COLUMNS = sql`
  id, seller_id as "sellerId", dry_run as "dryRun", key, request_hash as "requestHash", chunk_count as "chunkCount",
  mode, mapping, defaults, staging as place, header, reading, answers, state`

/** Keeps the import from being deleted until the transaction ends; chunks do not block each other. */
export async function holdImport(trx: Db, by: ImportKey): Promise<LedgerImport | undefined> {
  const { rows } = await sql<LedgerImport>`
    select ${LEDGER_COLUMNS} from import
    where seller_id = ${by.sellerId} and dry_run = ${by.dryRun} and key = ${by.key}
    for key share
  `.execute(trx)
  return rows[0]
}

/** Blocks other new imports of the seller until the transaction ends. */
export async function lockNewImports(trx: Db, sellerId: string): Promise<void> {
  await sql`select from seller where id = ${sellerId} for no key update`.execute(trx)
}

/** Imports of the seller, and imports and dry runs of all sellers. */
export async function countUnfinished(db: Db, sellerId: string): Promise<{ own: number; all: number }> {
  const { rows } = await sql<{ own: number; all: number }>`
    select count(*) filter (where seller_id = ${sellerId} and not dry_run) as own, count(*) as all
    from import where state = 'receiving'
  `.execute(db)
  return rows[0] ?? { own: 0, all: 0 }
}

/**
 * The length of the rows that the seller staged since then. Undone imports count too, since their staged files still
 * exist, and withdrawn ones, whose rows are stored for another day.
 */
export async function sumStagedBytes(db: Db, sellerId: string, since: Date): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(bytes), 0)::bigint as bytes from import
    where seller_id = ${sellerId} and not dry_run and state <> 'abandoned' and created_at > ${since}
  `.execute(db)
  return rows[0]?.bytes ?? 0
}

export type NewImport = ImportKey &
  Pick<LedgerImport, 'requestHash' | 'chunkCount' | 'mode' | 'mapping' | 'defaults' | 'place'> & {
    readonly createdBy: string
    readonly fileName: string
  }

export async function insertImport(trx: Db, made: NewImport): Promise<LedgerImport> {
  const { rows } = await sql<LedgerImport>`
    insert into import (seller_id, created_by, dry_run, key, request_hash, chunk_count, mode, mapping, defaults,
                        staging, file_name)
    values (${made.sellerId}, ${made.createdBy}, ${made.dryRun}, ${made.key}, ${made.requestHash}, ${made.chunkCount},
            ${made.mode}, ${JSON.stringify(made.mapping)}, ${JSON.stringify(made.defaults)},
            ${JSON.stringify(made.place)}, ${made.fileName})
    returning ${LEDGER_COLUMNS}
  `.execute(trx)
  const [row] = rows
  if (!row) throw new Error('The inserted import was not returned')
  return row
}

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

export type LedgerChunk = { contentSha256: string; reply: JsonValue }

export async function findChunk(
  db: Db,
  { importId, chunkIndex }: ChunkKey,
): Promise<LedgerChunk | undefined> {
  const { rows } = await sql<LedgerChunk>`
    select content_sha256 as "contentSha256", reply from import_chunk
    where import_id = ${importId} and chunk_index = ${chunkIndex}
  `.execute(db)
  return rows[0]
}

/** Renews the claim and reports the rows read; false if another call has it now. */
export async function renewClaim(db: Db, claim: ChunkClaim, readRows: number): Promise<boolean> {
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

export type SegmentKind = 'staged' | 'rejected'

export async function insertSegments(
  trx: Db,
  { importId, chunkIndex }: ChunkKey,
  segments: Readonly<Record<SegmentKind, readonly Segment[]>>,
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

/** Of all chunks, in file order. */
export async function listImportSegments(db: Db, importId: string, kind: SegmentKind): Promise<Segment[]> {
  const { rows } = await sql<Segment>`
    select sha256, rows, bytes from import_segment
    where import_id = ${importId} and kind = ${kind}
    order by chunk_index, position
  `.execute(db)
  return rows
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

/** Replaces an import's answers by what they turned out to be about. */
export async function nameAnswers(
  trx: Db,
  importId: string,
  answers: readonly ColumnAnswer[],
): Promise<void> {
  await sql`update import set answers = ${JSON.stringify(answers)}::jsonb where id = ${importId}`.execute(trx)
}

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

/* Rows of dry runs, kept until the whole file is checked. */

/** Deletes the seller's unfinished dry runs except for the newest; skips those that a chunk is arriving for. */
export async function deleteOtherDryRuns(trx: Db, sellerId: string, newest: number): Promise<void> {
  await sql`
    delete from import where id in (
      select id from import where id in (
        select id from import where seller_id = ${sellerId} and dry_run and state = 'receiving'
        order by id desc offset ${newest}
      ) for update skip locked
    )
  `.execute(trx)
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
