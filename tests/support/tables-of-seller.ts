import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { readSegmentLines } from '#server/features/stock-files/store/segments.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'

/**
 * What an import left behind, as lists of lines that are equal for two sellers who imported the same files: without ids,
 * times, and the letters of ids at the end of addresses.
 */
export type Tables = Readonly<Record<string, readonly string[]>>

export async function tablesOfSeller(db: Db, files: FileStore, sellerId: string): Promise<Tables> {
  return {
    imports: await listImports(db, sellerId),
    'staged rows': await listStagedRows(db, files, sellerId),
    'rejected rows': await listRejectedRows(db, files, sellerId),
    plans: await listPlans(db, sellerId),
    actions: await listActions(db, sellerId),
    'live listings': await listListings(db, sellerId),
    'listings without a source': await listStrays(db, sellerId),
    pictures: await listPictures(db, sellerId),
    changes: await listChanges(db, sellerId),
    counts: await listCounts(db, sellerId),
  }
}

/** One line for a table that differs: how many lines, and the first of each side. */
export function differences(expected: Tables, found: Tables): string[] {
  return Object.entries(expected).flatMap(([name, lines]) => {
    const other = found[name] ?? []
    if (digest(lines) === digest(other)) return []
    const [missing] = lines.filter((line) => !new Set(other).has(line))
    const [surplus] = other.filter((line) => !new Set(lines).has(line))
    return [`${name}: ${other.length} lines instead of ${lines.length}\n  - ${missing}\n  + ${surplus}`]
  })
}

const digest = (lines: readonly string[]) => createHash('sha256').update(lines.join('\n')).digest('hex')

// That there is a time counts, not which one.
const TIME = /"\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)"/g

async function lines(query: ReturnType<typeof sql<{ line: string }>>, db: Db): Promise<string[]> {
  const { rows } = await query.execute(db)
  return rows.map(({ line }) => line.replaceAll(TIME, '"(time)"'))
}

function listImports(db: Db, sellerId: string): Promise<string[]> {
  return lines(
    sql`
      select jsonb_build_array(i.state, i.mode, i.total, i.rejected, i.header, i.mapping,
        (select jsonb_agg(jsonb_build_array(c.chunk_index, c.content_sha256, c.rows, c.rejected, c.done_at is not null)
                          order by c.chunk_index)
         from import_chunk c where c.import_id = i.id))::text as line
      from import i where i.seller_id = ${sellerId} order by i.id`,
    db,
  )
}

async function listStagedRows(db: Db, files: FileStore, sellerId: string): Promise<string[]> {
  const { rows } = await sql<{ sha256: string }>`
    select s.sha256 from staging_file f
    join staging_segment s on s.file_id = f.id and s.version = f.version
    where f.seller_id = ${sellerId} order by f.id, s.position`.execute(db)
  return readAll(files, rows)
}

async function listRejectedRows(db: Db, files: FileStore, sellerId: string): Promise<string[]> {
  const { rows } = await sql<{ sha256: string }>`
    select s.sha256 from import i join import_segment s on s.import_id = i.id and s.kind = 'rejected'
    where i.seller_id = ${sellerId} order by i.id, s.chunk_index, s.position`.execute(db)
  return readAll(files, rows)
}

async function readAll(files: FileStore, segments: readonly { sha256: string }[]): Promise<string[]> {
  const all: string[] = []
  for (const { sha256 } of segments) all.push(...(await readSegmentLines(files, sha256)))
  return all
}

function listPlans(db: Db, sellerId: string): Promise<string[]> {
  return lines(
    sql`
      select jsonb_build_array(version, mode, state, review, error, to_create, to_update, unchanged, to_end, merged,
        refused, new_names, applied_through, created, updated, ended, undone, left_as_is)::text as line
      from promotion where seller_id = ${sellerId} order by id`,
    db,
  )
}

/** Listings that end follow the file's rows in the order of their ids, which are drawn. */
function listActions(db: Db, sellerId: string): Promise<string[]> {
  return lines(
    sql`
      select jsonb_build_array(case when a.action <> 'end' then a.row_no end, a.action, a.listing_id is not null, a.source_key, a.ordinal, a.content_hash,
        a.copies, a.prior_hash, a.prior_copies)::text as line
      from promotion p join promotion_action a on a.promotion_id = p.id
      where p.seller_id = ${sellerId}
      order by p.id, a.action = 'end', case when a.action <> 'end' then a.row_no end, a.source_key, a.ordinal`,
    db,
  )
}

function listListings(db: Db, sellerId: string): Promise<string[]> {
  return lines(
    sql`
      select jsonb_build_array(
        to_jsonb(s) - array['seller_id', 'listing_id', 'promotion_id', 'created_by_promotion', 'ended_by_promotion'],
        (select count(*) from promotion p where p.seller_id = s.seller_id and p.id <= s.promotion_id),
        s.ended_by_promotion is not null,
        to_jsonb(l) - array['id', 'seller_id', 'slug'],
        -- Ends in a piece of the id, and in a longer one where two parts of a title drew the same.
        left(l.slug, case when l.slug like '%' || right(l.id::text, 12) then -12 else -6 end),
        -- The marks of samples depend on the id.
        (to_jsonb(d) - array['listing_id', 'seller_id'])
          || jsonb_build_object('document', ts_delete(d.document, array['=8th', '=64th', '=512th'])))::text as line
      from listing_source s
      join listing l on l.id = s.listing_id
      left join listing_search d on d.listing_id = l.id
      where s.seller_id = ${sellerId} order by s.source_key, s.ordinal`,
    db,
  )
}

function listStrays(db: Db, sellerId: string): Promise<string[]> {
  return lines(
    sql`
      select l.name as line from listing l
      where l.seller_id = ${sellerId}
        and not exists (select from listing_source s where s.listing_id = l.id)`,
    db,
  )
}

function listPictures(db: Db, sellerId: string): Promise<string[]> {
  return lines(
    sql`
      select jsonb_build_array(s.source_key, s.ordinal, i.position, i.source_url, i.state)::text as line
      from listing_source s join listing_image i on i.listing_id = s.listing_id
      where s.seller_id = ${sellerId} order by s.source_key, s.ordinal, i.position`,
    db,
  )
}

function listChanges(db: Db, sellerId: string): Promise<string[]> {
  return lines(
    sql`
      select jsonb_build_array(s.source_key, s.ordinal, c.version, c.changes - array['source', 'pictures'])::text as line
      from listing_source s join listing_change c on c.listing_id = s.listing_id
      where s.seller_id = ${sellerId} order by s.source_key, s.ordinal, c.version, (c.changes - 'pictures')::text`,
    db,
  )
}

/** What is kept beside the listings, which must be what counting them gives. */
function listCounts(db: Db, sellerId: string): Promise<string[]> {
  return lines(
    sql`
      select jsonb_build_array(sum(live), sum(running), sum(ended))::text as line
      from (select live, running, ended from listing_tally where seller_id = ${sellerId}
            union all
            select live, running, ended from listing_tally_change where seller_id = ${sellerId}) as kept`,
    db,
  )
}
