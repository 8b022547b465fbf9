import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'
import { COMES_BACK } from './coming-back-queries.ts'
import { NAMED_MARK, TAKEN_MARK } from './expected-pair.ts'
import type { PromotionSummary } from './promotion-state.ts'

/* What others ask of promotions. */

async function readSummaries(db: Db, condition: RawBuilder<unknown>): Promise<PromotionSummary[]> {
  const { rows } = await sql<PromotionSummary>`
    select p.id, p.plan_id as "planId", p.file_id as "fileId", p.version, p.seller_id as "sellerId",
           p.import_id as "importId", p.dataset, p.mode, p.state, p.error, coalesce(p.review, '[]') as review,
           case when p.planned_at is not null then jsonb_build_object(
             'create', p.to_create, 'update', p.to_update, 'unchanged', p.unchanged, 'end', p.to_end,
             'merged', p.merged, 'refused', p.refused, 'newNames', p.new_names) end as plan,
           case when p.state in ('undoing', 'undone') then
             jsonb_build_object('done', p.undone + p.left_as_is, 'total', p.applied)
           when p.planned_at is not null then
             jsonb_build_object('done', p.applied, 'total', p.to_create + p.to_update + p.to_end) end as progress,
           p.created, p.updated, p.ended, p.undone, p.left_as_is as "leftAsIs", p.applied,
           p.approved_at as "approvedAt", u.name as "approvedByName", p.ingest_job_id as "ingestJobId",
           p.created_at as "createdAt", p.applied_at as "appliedAt", p.touched_at as "touchedAt", p.undone_at as "undoneAt"
    from promotion p left join app_user u on u.id = p.approved_by
    where ${condition}
    order by p.id desc
  `.execute(db)
  return rows
}

export async function findPromotion(db: Db, id: string): Promise<PromotionSummary | undefined> {
  return (await readSummaries(db, sql`p.id = ${id}`))[0]
}

/**
 * The one of an import that counts: the newest that was not taken back, since its file may be promoted again after an
 * undo, or a newer version of it; else the newest. A version of which nothing is live does not count beside a newer one
 * that went live: it cannot be promoted any more.
 */
export async function findPromotionOfImport(db: Db, importId: string): Promise<PromotionSummary | undefined> {
  return (await findPromotionsOfImports(db, [importId])).get(importId)
}

/**
 * The one of a staged file that counts: of its newest version, unless that was taken back; else the newest of which
 * something is live; else what was taken back last; else the newest. `withoutFailed` passes over one that failed before anything of it was live.
 */
export async function findPromotionOfFile(
  db: Db,
  fileId: string,
  { withoutFailed = false } = {},
): Promise<PromotionSummary | undefined> {
  const counting = sql`p.id = (
    select p.id from promotion p join staging_file f on f.id = p.file_id
    where p.file_id = ${fileId}
    order by case when p.state = 'failed' and p.applied = 0 and (${withoutFailed} or p.version < f.version) then 3
                  when p.state = 'undone' then case when p.applied > 0 then 2 else 3 end
                  when p.version = f.version then 0
                  when p.applied > 0 then 1
                  else 3 end,
             p.id desc
    limit 1
  )`
  return (await readSummaries(db, counting))[0]
}

/** The promotion that counts of each of these imports, by the import's id. */
export async function findPromotionsOfImports(
  db: Db,
  importIds: readonly string[],
): Promise<Map<string, PromotionSummary>> {
  const counting = sql`p.id in (
    select distinct on (import_id) id from promotion p where import_id = any(${importIds}::uuid[])
    order by import_id,
             state = 'undone' or (applied = 0 and exists (
               select from promotion n
               where n.import_id = p.import_id and n.version > p.version and n.applied > 0)),
             id desc
  )`
  const found = await readSummaries(db, counting)
  return new Map(found.flatMap((promotion) => (promotion.importId ? [[promotion.importId, promotion]] : [])))
}

export type LeftListing = { id: string; slug: string; title: string; reason: string }

/** Listings that an undo left as they are, the first `limit` in the order of the file, each with the reason. */
export async function listLeft(db: Db, promotionId: string, limit: number): Promise<LeftListing[]> {
  const { rows } = await sql<LeftListing>`
    select l.id, l.slug, concat_ws(' ', concat_ws('–', l.year_from, nullif(l.year_to, l.year_from)), l.manufacturer_name, l.model_name, l.name) as title,
           case a.kept when 'deleted' then 'It was deleted after the import.'
                       when 'ended' then 'It was ended after the import.'
                       when 'imported' then 'A later import changed it.'
                       else 'It was edited after the import.' end as reason
    from promotion_action a join listing l on l.id = a.listing_id
    where a.promotion_id = ${promotionId} and a.kept is not null
    order by a.row_no limit ${limit}
  `.execute(db)
  return rows
}

export type ExpectedChanges = { create: number; update: number; unchanged: number; merged: number }

/**
 * What these rows would do to the seller's listings as they stand now: the pairing of a plan, counted. Only what a plan
 * takes over under another sign (`adoption-queries.ts`) counts as new here: a part that was listed by hand under its stock
 * number, or imported before it had one. Each row is 32 bytes, its key and its hash as in `row-identity.ts`; all rows of
 * a key must be among them. Rows that name their listings stand there as in `expected-pair.ts`.
 */
export async function countExpectedChanges(db: Db, sellerId: string, rows: Buffer): Promise<ExpectedChanges> {
  const found = await sql<ExpectedChanges>`
    with pair as (
      select substr(sent.rows, at * 32 + 1, 16) as key, substr(sent.rows, at * 32 + 17, 16) as hash, count(*) as copies
      from (select ${rows}::bytea as rows) sent, generate_series(0, length(sent.rows) / 32 - 1) as at
      group by 1, 2
    ), named as (
      select key, bool_or(substr(hash, 16) = '\\x01') as changes from pair
      where substr(hash, 1, 12) = decode(${NAMED_MARK}, 'hex') group by key
    ), taken as (
      select key, substr(hash, 13) as ordinal, copies from pair
      where substr(hash, 1, 12) = decode(${TAKEN_MARK}, 'hex')
    ), part as (
      select * from pair
      where substr(hash, 1, 12) <> all (array[decode(${NAMED_MARK}, 'hex'), decode(${TAKEN_MARK}, 'hex')])
    ), source as (
      select s.source_key as key, s.content_hash as hash, s.copies, s.ordinal,
             ${COMES_BACK} as comes_back
      from listing_source s join listing l on l.id = s.listing_id
      where s.seller_id = ${sellerId} and l.deleted_at is null and s.source_key in (select key from part)
        and not exists (select from taken t where t.key = s.source_key and t.ordinal = int4send(s.ordinal))
    ), same as (
      select p.key, count(*) as paired,
             count(*) filter (where p.copies = s.copies and not s.comes_back) as unchanged
      from part p
      join (select distinct on (key, hash) * from source order by key, hash, ordinal) s using (key, hash)
      group by p.key
    ), by_key as (
      select p.parts, coalesce(s.sources, 0) as sources, coalesce(same.paired, 0) as paired,
             coalesce(same.unchanged, 0) as unchanged
      from (select key, count(*) as parts from part group by key) p
      left join (select key, count(*) as sources from source group by key) s using (key)
      left join same using (key)
    )
    select coalesce(sum(parts - least(parts, sources)), 0)::int as create,
           coalesce(sum(least(parts, sources) - unchanged), 0)::int + max(of_named.changed)::int as update,
           coalesce(sum(unchanged), 0)::int + max(of_named.rows - of_named.changed)::int as unchanged,
           ${rows.length / 32}::int - coalesce(sum(parts), 0)::int - max(of_named.rows + of_named.taken)::int as merged
    from (
      select count(*) as rows, count(*) filter (where changes) as changed,
             (select coalesce(sum(copies), 0) from taken) as taken
      from named
    ) of_named left join by_key on true
  `.execute(db)
  return found.rows[0] ?? { create: 0, update: 0, unchanged: 0, merged: 0 }
}
