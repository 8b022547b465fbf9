import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'
import type { KeptLeftOut } from './left-out-row.ts'
import { type WhyKept, whyKept } from './page-queries.ts'
import { reasonKept } from './planned-row.ts'
import type { PromotionSummary } from './promotion-state.ts'

/* Promotions as people are told of them: how far each is, and what was left out or left as it is. */

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
 * something is live; else what was taken back last; else the newest. `withoutFailed` passes over one that failed before
 * anything of it was live.
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

/** The first rows that a promotion's plan left out, in the order of the file. */
export async function listLeftOut(db: Db, promotionId: string): Promise<KeptLeftOut[]> {
  const { rows } = await sql<{ leftOut: KeptLeftOut[] }>`
    select left_out as "leftOut" from promotion where id = ${promotionId}
  `.execute(db)
  return rows[0]?.leftOut ?? []
}

export type LeftListing = { id: string; slug: string; title: string; reason: string }

/** Listings that an undo left as they are, the first `limit` in the order of the file, each with the reason. */
export async function listLeft(db: Db, promotionId: string, limit: number): Promise<LeftListing[]> {
  const { rows } = await sql<Omit<LeftListing, 'reason'> & { kept: WhyKept }>`
    select l.id, l.slug, concat_ws(' ', concat_ws('–', l.year_from, nullif(l.year_to, l.year_from)), l.manufacturer_name, l.model_name, l.name) as title,
           ${whyKept} as kept
    from promotion_action a join listing l on l.id = a.listing_id
    where a.promotion_id = ${promotionId} and a.kept is not null
    order by a.row_no limit ${limit}
  `.execute(db)
  return rows.map(({ kept, ...listing }) => ({ ...listing, reason: reasonKept(kept) }))
}
