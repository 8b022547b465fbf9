import { type RawBuilder, sql } from 'kysely'
import type { ImportMode } from '#contract/imports.ts'
import type { Db } from '#server/platform/database.ts'

/* Imports as their sellers see them. */

export type FoundImport = {
  id: string
  sellerId: string
  state: 'receiving' | 'staged' | 'abandoned' | 'withdrawn'
  mode: ImportMode
  fileName: string
  header: string[] | null
  chunkCount: number
  received: number
  /** Of the chunks that are in. */
  total: number
  rejected: number
  /** Rows of chunks that are being read. */
  underWay: number
  createdAt: Date
  stagedAt: Date | null
  withdrawnAt: Date | null
  /** Of the staged file. */
  path: string | null
}

/** `which` is the rest of the statement's condition, with its order where there are several. */
async function readImports(db: Db, which: RawBuilder<unknown>): Promise<FoundImport[]> {
  const { rows } = await sql<FoundImport>`
    select i.id, i.seller_id as "sellerId", i.state, i.mode, i.file_name as "fileName", i.header,
           i.chunk_count as "chunkCount", i.received, i.total, i.rejected,
           case when i.state = 'receiving' then (
             select coalesce(sum(c.rows), 0) from import_chunk c where c.import_id = i.id and c.done_at is null
           ) else 0 end as "underWay",
           i.created_at as "createdAt", i.staged_at as "stagedAt", i.withdrawn_at as "withdrawnAt", f.path
    from import i left join staging_file f on f.id = i.staging_file_id
    where not i.dry_run and ${which}
  `.execute(db)
  return rows
}

export async function findImport(db: Db, id: string): Promise<FoundImport | undefined> {
  return (await readImports(db, sql`i.id = ${id}`))[0]
}

/** Newest first. */
export async function listImportsOfSeller(
  db: Db,
  sellerId: string,
  { page, perPage }: { page: number; perPage: number },
): Promise<{ items: FoundImport[]; total: number }> {
  const of = sql`i.seller_id = ${sellerId}`
  const [items, counted] = await Promise.all([
    readImports(db, sql`${of} order by i.id desc limit ${perPage} offset ${(page - 1) * perPage}`),
    sql<{ total: number }>`select count(*) as total from import i where not dry_run and ${of}`.execute(db),
  ])
  return { items, total: counted.rows[0]?.total ?? 0 }
}

/** Chunks, both ends in. */
export type ChunkRun = { from: number; to: number }

/**
 * The chunks that are not in of each of these imports, as runs in their order, by the import's id. They are the gaps
 * between those that are in: the work follows what was sent, not the count that a caller may choose.
 */
export async function listMissingChunks(
  db: Db,
  importIds: readonly string[],
): Promise<Map<string, ChunkRun[]>> {
  const { rows } = await sql<ChunkRun & { id: string }>`
    select id, "from", "to"
    from (
      select i.id, n + 1 as "from", lead(n, 1, i.chunk_count) over (partition by i.id order by n) - 1 as "to"
      from import i cross join lateral (
        select -1 as n
        union all
        select chunk_index from import_chunk c where c.import_id = i.id and c.done_at is not null
      ) before
      where i.id = any(${importIds}::uuid[])
    ) gap
    where "from" <= "to" order by id, "from"
  `.execute(db)
  const runs = new Map<string, ChunkRun[]>(importIds.map((id) => [id, []]))
  for (const { id, from, to } of rows) runs.get(id)?.push({ from, to })
  return runs
}

export type RejectedSegment = {
  sha256: string
  /** Lines of the file before this segment's chunk, blank ones counted, the header not. */
  linesBefore: number
}

/** Where the rejected rows lie, in the order of the file. */
export async function listRejectedSegments(db: Db, importId: string): Promise<RejectedSegment[]> {
  const { rows } = await sql<RejectedSegment>`
    select s.sha256, c.before as "linesBefore"
    from import_segment s
    join (
      select chunk_index, sum(lines) over (order by chunk_index) - lines as before
      from import_chunk where import_id = ${importId} and done_at is not null
    ) c using (chunk_index)
    where s.import_id = ${importId} and s.kind = 'rejected'
    order by s.chunk_index, s.position
  `.execute(db)
  return rows
}
