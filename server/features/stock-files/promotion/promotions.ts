import { sql } from 'kysely'
import type { ImportField } from '#contract/csv/import-fields.ts'
import type { ImportMode } from '#contract/imports.ts'
import type { Db } from '#server/platform/database/database.ts'

/*
 * The promotion of a staged file's version, as its jobs read and lock it. Planning, applying and undoing move it from state
 * to state, each in its own file.
 */

export type PromotionState =
  | 'planning'
  | 'planned'
  | 'review'
  | 'applying'
  | 'applied'
  | 'undoing'
  | 'undone'
  | 'failed'

/**
 * Why a plan needs a review. The seller confirms `endings`, and the others too unless an administrator reviews the
 * imports.
 */
export type ReviewReason = { code: 'new-names' | 'new-name-rows' | 'endings'; message: string }

export type NewNames = { category: string[]; manufacturer: string[]; model: string[] }

/** How a plan treats the rows of its file. */
export type PlanTotals = {
  create: number
  update: number
  unchanged: number
  end: number
  /** Rows equal to another one. */
  merged: number
  /** Rows that are left out. */
  refused: number
}

/** How long a plan can wait for approval before it is made again. */
const PLAN_DAYS = 30

/** A promotion for its jobs. */
export type PromotionRow = {
  id: string
  fileId: string
  version: number
  sellerId: string
  importId: string | null
  dataset: string
  mode: ImportMode
  state: PromotionState
  fields: ImportField[] | null
  /** Names of all fields that the version's records may have. */
  columns: string[]
  planId: string
  review: ReviewReason[]
  toEnd: number | null
  /** Actions of the plan; null until it is planned. */
  actions: number | null
  approvedBy: string | null
  approvedAt: Date | null
  /** An administrator asked to review its plan. */
  held: boolean
  /** Whether its seller's imports need no approval now, on any server. */
  trusted: boolean
  /** An administrator wants to review all imports of its seller. */
  reviewImports: boolean
  approvedByAdmin: boolean
  /** Rows that wait for their seller's answers. */
  waiting: number
  /** The promotion whose waiting rows it publishes. */
  continues: string | null
  /** Whether it needed no approval when it was planned. */
  byItself: boolean
  /** The last action that may go live before the rest of a new seller's import; null if nothing waits. */
  liveThrough: number | null
  restAt: Date | null
  restHeldAt: Date | null
  planJobId: string | null
  applyJobId: string | null
  changeSetId: string | null
  undoChangeSetId: string | null
  undoJobId: string | null
  appliedThrough: number
  applied: number
  undoneThrough: number
  undone: number
  leftAsIs: number
  appliedAt: Date | null
  touchedAt: Date | null
  /**
   * Another promotion changed this seller's listings since the plan was begun, or the plan is so old that its data may
   * have been swept: it must be planned again.
   */
  stale: boolean
}

const selectPromotions = sql`
  select p.id, p.file_id as "fileId", p.version, p.seller_id as "sellerId", p.import_id as "importId", p.dataset, p.mode,
  p.state, p.fields,
  (select v.columns from staging_version v where v.file_id = p.file_id and v.version = p.version) as columns,
  p.plan_id as "planId", coalesce(p.review, '[]') as review, p.to_end as "toEnd",
  p.to_create + p.to_update + p.to_end as actions, p.approved_by as "approvedBy", p.approved_at as "approvedAt",
  p.waiting, p.continues, exists (select from app_user u where u.id = p.approved_by and u.role = 1) as "approvedByAdmin",
  p.held, s.trusted, s.review_imports as "reviewImports", p.by_itself as "byItself",
  p.live_through as "liveThrough", p.rest_at as "restAt", p.rest_held_at as "restHeldAt", p.plan_job_id as "planJobId", p.ingest_job_id as "applyJobId", p.change_set_id as "changeSetId",
  p.undo_change_set_id as "undoChangeSetId",
  p.undo_job_id as "undoJobId", p.applied_through as "appliedThrough", p.applied,
  p.undone_through as "undoneThrough", p.undone, p.left_as_is as "leftAsIs",
  p.applied_at as "appliedAt", p.touched_at as "touchedAt",
  (p.planned_at < now() - make_interval(days => ${PLAN_DAYS})
    or exists (select from promotion o
               where o.seller_id = p.seller_id and o.id <> p.id
                 and o.touched_at >= p.planned_at)) as stale
  from promotion p join seller s on s.id = p.seller_id`

export async function findPromotionRow(db: Db, id: string): Promise<PromotionRow | undefined> {
  const { rows } = await sql<PromotionRow>`
    ${selectPromotions} where p.id = ${id}
  `.execute(db)
  return rows[0]
}

/**
 * Locks the staged file of a promotion until the transaction ends. Call it before anything that locks the promotion and
 * changes its state: the file's own state follows at the commit (`keep_staging_state`), and saving, resolving or
 * promoting the file locks the file first, so the other order could deadlock.
 */
export async function lockFileOf(trx: Db, promotionId: string): Promise<void> {
  await sql`
    select from staging_file where id = (select file_id from promotion where id = ${promotionId}) for no key update
  `.execute(trx)
}

/** The promotion, locked with its file until the transaction ends. */
export async function lockPromotion(trx: Db, id: string): Promise<PromotionRow | undefined> {
  await lockFileOf(trx, id)
  const { rows } = await sql<PromotionRow>`
    ${selectPromotions} where p.id = ${id} for update of p
  `.execute(trx)
  return rows[0]
}

/** The version's promotion that is neither undone nor failed. The caller has locked the file. */
export async function lockPromotionOfVersion(
  trx: Db,
  file: { fileId: string; version: number },
): Promise<PromotionRow | undefined> {
  const { rows } = await sql<PromotionRow>`
    ${selectPromotions}
    where p.file_id = ${file.fileId} and p.version = ${file.version} and p.state not in ('undone', 'failed')
    for update of p
  `.execute(trx)
  return rows[0]
}

export async function setApplyJob(trx: Db, promotionId: string, jobId: string): Promise<void> {
  await sql`update promotion set ingest_job_id = ${jobId} where id = ${promotionId}`.execute(trx)
}

/** Fails it with a message; what is live stays live and can be undone. */
export async function failPromotion(trx: Db, id: string, error: string): Promise<void> {
  await lockFileOf(trx, id)
  await sql`
    update promotion set state = 'failed', error = ${error}
    where id = ${id} and state in ('planning', 'planned', 'applying', 'undoing')
  `.execute(trx)
}

/** Queued, running or waiting. */
export async function isJobAlive(db: Db, jobId: string | null): Promise<boolean> {
  const { rows } = await sql`
    select from job where id = ${jobId} and status in ('queued', 'running', 'retrying', 'waiting-manual')
  `.execute(db)
  return rows.length > 0
}

/** The oldest approved promotion of a dataset that is not fully live yet, without those whose rest waits. */
export async function findNextToApply(
  db: Db,
  dataset: string,
  datasetTag: string | undefined,
): Promise<PromotionRow | undefined> {
  const { rows } = await sql<PromotionRow>`
    ${selectPromotions}
    where p.dataset = ${dataset} and p.state in ('planning', 'planned', 'applying') and p.approved_at is not null
      and p.rest_at is null and p.rest_held_at is null
      and (${datasetTag ?? null}::text is null or p.dataset_tag = ${datasetTag ?? null})
    order by p.id limit 1
  `.execute(db)
  return rows[0]
}
