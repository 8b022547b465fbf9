import { sql } from 'kysely'
import type { ImportField } from '#contract/csv/import-fields.ts'
import type { ImportMode, ImportQuestion } from '#contract/imports.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import type { KeptLeftOut } from './left-out.ts'

/*
 * The promotion of a staged file's version: its states, what may be done in each, and the queries on its table. Planning,
 * applying and undoing move it from state to state.
 */

type PromotionState =
  | 'planning'
  | 'planned'
  | 'review'
  | 'applying'
  | 'applied'
  | 'undoing'
  | 'undone'
  | 'failed'

export type NewPromotion = {
  fileId: string
  version: number
  sellerId: string
  importId?: string
  mode: ImportMode
  dataset: string
  datasetTag?: string
  /** Who approved it in advance. */
  approvedBy?: string
  createdBy?: string
  /** It waits for an administrator even if its seller is trusted. */
  held?: boolean
  /** The promotion whose waiting rows it publishes. */
  continues?: string
}

/**
 * Why a plan needs a review. The seller confirms `endings`, and the others too unless an administrator reviews the
 * imports.
 */
export type ReviewReason = { code: 'new-names' | 'new-name-rows' | 'endings'; message: string }

export type NewNames = { category: string[]; manufacturer: string[]; model: string[] }

/** What a plan does with the rows of its file. */
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

/** A promotion for display: its plan, progress and results. */
export type PromotionSummary = {
  id: string
  /** Changes with each plan, which makes confirmations of the old plan stale. */
  planId: string
  fileId: string
  version: number
  sellerId: string
  importId: string | null
  dataset: string
  mode: ImportMode
  state: PromotionState
  error: string | null
  review: ReviewReason[]
  /** Its seller decides about the plan, not an administrator. */
  byItself: boolean
  /** When the rest of a new seller's import goes live; null if nothing waits. */
  restAt: Date | null
  /** When a report stopped that. */
  restHeldAt: Date | null
  /** Null until it is planned. Includes what the promotions that it continues did. */
  plan: (PlanTotals & { newNames: NewNames }) | null
  /** Rows that wait for the seller's answers. */
  waiting: number
  /** Actions applied out of all, or while undoing, undone out of those applied. */
  progress: { done: number; total: number } | null
  created: number
  updated: number
  ended: number
  undone: number
  leftAsIs: number
  applied: number
  approvedAt: Date | null
  approvedByName: string | null
  ingestJobId: string | null
  createdAt: Date
  appliedAt: Date | null
  /** When it last changed a listing. */
  touchedAt: Date | null
  undoneAt: Date | null
}

/** How long an import can be undone. */
export const UNDO_DAYS = 30
/** How long a plan can wait for approval before it is made again. */
const PLAN_DAYS = 30
const DAY_MS = 86_400_000

type UndoFacts = Pick<PromotionSummary, 'state' | 'applied' | 'appliedAt' | 'touchedAt'>

/** True while it goes live and for some days after, no matter how long it waited before. */
export function canUndo(promotion: UndoFacts, now: Date): boolean {
  const { state, applied, appliedAt, touchedAt } = promotion
  if (state === 'applying') return true
  const hasEffect = state === 'applied' || (state === 'failed' && applied > 0)
  const since = state === 'applied' ? appliedAt : touchedAt
  return hasEffect && now.getTime() - (since ?? now).getTime() < UNDO_DAYS * DAY_MS
}

/** True as long as nothing is live or going live, so that there is nothing to revert. */
export function canWithdraw({ state }: Pick<PromotionSummary, 'state'>): boolean {
  return state === 'planning' || state === 'planned' || state === 'review'
}

/** Withdrawn before it began to go live. */
export function wasWithdrawn({ state, applied, appliedAt }: Omit<UndoFacts, 'touchedAt'>): boolean {
  return state === 'undone' && applied === 0 && appliedAt === null
}

/** Whether the seller may approve it: if their imports are reviewed, an administrator judges new names. */
export function canConfirm({
  state,
  review,
  byItself,
}: Pick<PromotionSummary, 'state' | 'review' | 'byItself'>): boolean {
  return state === 'review' && (byItself || review.every(({ code }) => code === 'endings'))
}

/** Returns undefined if the version already has a promotion that is neither undone nor failed. */
export async function insertPromotion(trx: Db, started: NewPromotion): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into promotion (file_id, version, seller_id, import_id, dataset, dataset_tag, mode, held, approved_by, approved_at,
                           continues, created_before, updated_before, ended_before)
    select ${started.fileId}::uuid, ${started.version}::integer, ${started.sellerId}::uuid, ${started.importId ?? null}::uuid,
           ${started.dataset}, ${started.datasetTag ?? null}, ${started.mode}, ${started.held ?? false}::boolean,
           ${started.approvedBy ?? null}::uuid, case when ${started.approvedBy !== undefined}::boolean then now() end,
           c.id, coalesce(c.created + c.created_before, 0), coalesce(c.updated + c.updated_before, 0),
           coalesce(c.ended + c.ended_before, 0)
    from (select ${started.continues ?? null}::uuid as id) asked left join promotion c using (id)
    on conflict (file_id, version) where state not in ('undone', 'failed') do nothing
    returning id
  `.execute(trx)
  return rows[0]?.id
}

export async function findStartedPromotion(
  db: Db,
  file: { fileId: string; version: number },
): Promise<{ promotionId: string; jobId: string }> {
  const { rows } = await sql<{ promotionId: string; jobId: string }>`
    select id as "promotionId", plan_job_id as "jobId" from promotion
    where file_id = ${file.fileId} and version = ${file.version} and state not in ('undone', 'failed')
  `.execute(db)
  const [found] = rows
  if (!found) throw new Error(`version ${file.version} of file ${file.fileId} has no promotion`)
  return found
}

export async function setPlanJob(trx: Db, promotionId: string, jobId: string): Promise<void> {
  await sql`update promotion set plan_job_id = ${jobId} where id = ${promotionId}`.execute(trx)
}

/** Makes the plan wait for the administrator who requested it. */
export async function holdPlan(trx: Db, id: string): Promise<void> {
  await sql`update promotion set held = true where id = ${id} and not held`.execute(trx)
}

/** Starts planning an unapproved promotion again, with a new plan id if it had a plan. */
export async function beginPlanning(trx: Db, id: string): Promise<void> {
  await sql`
    update promotion
    set state = 'planning', review = '[]', error = null, to_end = null, planned_at = null,
        plan_id = case when planned_at is null then plan_id else uuidv7() end
    where id = ${id} and state in ('planning', 'planned', 'review') and approved_at is null
  `.execute(trx)
}

/** Moves an unplanned promotion to a later version of its file. */
export async function moveToVersion(
  trx: Db,
  id: string,
  to: { from: number; version: number },
): Promise<void> {
  await sql`
    update promotion set version = ${to.version} where id = ${id} and version = ${to.from} and state = 'planning'
  `.execute(trx)
}

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
  ingestJobId: string | null
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
  p.live_through as "liveThrough", p.rest_at as "restAt", p.rest_held_at as "restHeldAt", p.plan_job_id as "planJobId", p.ingest_job_id as "ingestJobId", p.change_set_id as "changeSetId",
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

/** Whether the file's last promotion was undone, or withdrawn before it was live. */
export async function wasUndone(db: Db, fileId: string): Promise<boolean> {
  const { rows } = await sql<{ undone: boolean }>`
    select state = 'undone' as undone from promotion
    where file_id = ${fileId} and state <> 'failed' order by id desc limit 1
  `.execute(db)
  return rows[0]?.undone ?? false
}

/** The mode and import of a file's first version, which its later versions share. */
export async function findFirstPromotion(
  db: Db,
  fileId: string,
): Promise<{ mode: ImportMode; importId: string | null } | undefined> {
  const { rows } = await sql<{ mode: ImportMode; importId: string | null }>`
    select mode, import_id as "importId" from promotion where file_id = ${fileId} order by id limit 1
  `.execute(db)
  return rows[0]
}

export type StoredPlan = {
  promotionId: string
  state: 'planned' | 'review'
  approved: boolean
  byItself: boolean
  fields: readonly ImportField[]
  review: readonly ReviewReason[]
  newNames: NewNames
  counts: PlanTotals
  /** The first rows that it leaves out. */
  leftOut: readonly KeptLeftOut[]
  /** Rows that wait for the seller's answers. */
  waiting: number
  /** When the listings were first read. */
  begunAt: Date
}

/** The plan gets a new id, unless `beginPlanning` gave it one. */
export async function storePlan(trx: Db, plan: StoredPlan): Promise<void> {
  const { counts } = plan
  await sql`
    update promotion
    set state = ${plan.state}, by_itself = ${plan.byItself}, fields = ${[...plan.fields]}::text[],
        review = ${JSON.stringify(plan.review)}::jsonb, new_names = ${JSON.stringify(plan.newNames)}::jsonb,
        to_create = ${counts.create}, to_update = ${counts.update}, unchanged = ${counts.unchanged},
        to_end = ${counts.end}, merged = ${counts.merged}, refused = ${counts.refused},
        left_out = ${JSON.stringify(plan.leftOut)}::jsonb, waiting = ${plan.waiting},
        plan_id = case when planned_at is null then plan_id else uuidv7() end,
        planned_at = ${plan.begunAt},
        approved_at = case when ${plan.approved} then coalesce(approved_at, now()) end,
        approved_by = case when ${plan.approved} then approved_by end,
        error = null
    where id = ${plan.promotionId}
  `.execute(trx)
}

/** The questions that the seller must answer before the waiting rows go live. */
export async function setQuestions(
  trx: Db,
  promotionId: string,
  questions: readonly ImportQuestion[],
): Promise<void> {
  await sql`
    update promotion set questions = ${JSON.stringify(questions)}::jsonb where id = ${promotionId}
  `.execute(trx)
}

export async function setIngestJob(trx: Db, promotionId: string, jobId: string): Promise<void> {
  await sql`update promotion set ingest_job_id = ${jobId} where id = ${promotionId}`.execute(trx)
}

/**
 * A time by the database's clock such that all earlier writes of the seller's promotions (by `touched_at`) are visible
 * afterwards. It reads the clock first, then waits for pages in progress, which may have an earlier time and not be
 * committed yet.
 */
export function settledMoment(db: Db, sellerId: string): Promise<Date> {
  return inTransaction(db, async (trx) => {
    const { rows } = await sql<{ now: Date }>`select clock_timestamp()::timestamptz(3) as now`.execute(trx)
    await sql`
      select from promotion where seller_id = ${sellerId} and state in ('applying', 'undoing') for share
    `.execute(trx)
    const [row] = rows
    if (!row) throw new Error('The database did not return the time')
    return row.now
  })
}

/** Fails it with a message; what is live stays live and can be undone. */
export async function failPromotion(trx: Db, id: string, error: string): Promise<void> {
  await lockFileOf(trx, id)
  await sql`
    update promotion set state = 'failed', error = ${error}
    where id = ${id} and state in ('planning', 'planned', 'applying', 'undoing')
  `.execute(trx)
}

/** Approves a plan, or one in progress as soon as it is ready. */
export async function approvePlan(trx: Db, id: string, approvedBy: string): Promise<void> {
  await sql`
    update promotion set state = case when state = 'planning' then state else 'planned' end, review = '[]',
                         approved_by = ${approvedBy}, approved_at = now()
    where id = ${id}
  `.execute(trx)
}

/** Clears the confirmed endings of a plan that still needs an administrator. */
export async function clearReview(trx: Db, id: string): Promise<void> {
  await sql`update promotion set state = 'planned', review = '[]' where id = ${id}`.execute(trx)
}

export async function setDatasetTag(trx: Db, id: string, tag: string): Promise<void> {
  await sql`update promotion set dataset_tag = ${tag} where id = ${id}`.execute(trx)
}

/** Queued, running or waiting. */
export async function isJobAlive(db: Db, jobId: string | null): Promise<boolean> {
  const { rows } = await sql`
    select from job where id = ${jobId} and status in ('queued', 'running', 'retrying', 'waiting-manual')
  `.execute(db)
  return rows.length > 0
}

export async function beginApplying(trx: Db, id: string, changeSetId: string): Promise<void> {
  await sql`update promotion set state = 'applying', change_set_id = ${changeSetId} where id = ${id}`.execute(
    trx,
  )
}

/** Marks its plan as fully applied; false if it is being undone. */
export async function endApplying(trx: Db, id: string): Promise<boolean> {
  await lockFileOf(trx, id)
  const { rows } = await sql`
    update promotion set state = 'applied', applied_at = now(), touched_at = clock_timestamp()
    where id = ${id} and state = 'applying' returning id
  `.execute(trx)
  return rows.length > 0
}
