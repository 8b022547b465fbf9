import { type RawBuilder, sql } from 'kysely'
import type { ImportMode } from '#contract/imports.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { NewNames, PlanTotals, PromotionState, ReviewReason } from './promotions.ts'

/* Promotions as lists and pages show them: the plan, its progress and results, and what may still be done. */

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
  applyJobId: string | null
  createdAt: Date
  appliedAt: Date | null
  /** When it last changed a listing. */
  touchedAt: Date | null
  undoneAt: Date | null
}

/** How long an import can be undone. */
export const UNDO_DAYS = 30
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

/**
 * True as long as nothing is live or going live, so that there is nothing to revert. A failed one could still be promoted
 * again, unless it is withdrawn.
 */
export function canWithdraw({ state, applied }: Pick<PromotionSummary, 'state' | 'applied'>): boolean {
  const isWaiting = state === 'planning' || state === 'planned' || state === 'review'
  return isWaiting || (state === 'failed' && applied === 0)
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

async function readSummaries(db: Db, condition: RawBuilder<unknown>): Promise<PromotionSummary[]> {
  const { rows } = await sql<PromotionSummary>`
    select p.id, p.plan_id as "planId", p.file_id as "fileId", p.version, p.seller_id as "sellerId",
           p.import_id as "importId", p.dataset, p.mode, p.state, p.error, coalesce(p.review, '[]') as review,
           p.by_itself as "byItself", p.rest_at as "restAt", p.rest_held_at as "restHeldAt",
           case when p.planned_at is not null then jsonb_build_object(
             'create', p.to_create + p.created_before, 'update', p.to_update + p.updated_before,
             'unchanged', greatest(p.unchanged - p.created_before - p.updated_before, 0), 'end', p.to_end + p.ended_before,
             'merged', p.merged, 'refused', p.refused, 'newNames', p.new_names) end as plan,
           case when p.state in ('undoing', 'undone') then
             jsonb_build_object('done', p.undone + p.left_as_is, 'total', p.applied)
           when p.planned_at is not null then
             jsonb_build_object('done', p.applied, 'total', p.to_create + p.to_update + p.to_end) end as progress,
           p.waiting, p.created + p.created_before as created, p.updated + p.updated_before as updated,
           p.ended + p.ended_before as ended, p.undone, p.left_as_is as "leftAsIs", p.applied,
           p.approved_at as "approvedAt", u.name as "approvedByName", p.ingest_job_id as "applyJobId",
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
 * The current promotion of an import: the newest that was not undone, since its file may be promoted again after an undo;
 * otherwise the newest. A version of which nothing is live yields to a newer one that went live, since it can no longer be
 * promoted.
 */
export async function findPromotionOfImport(db: Db, importId: string): Promise<PromotionSummary | undefined> {
  return (await findPromotionsOfImports(db, [importId])).get(importId)
}

/**
 * The current promotion of a staged file: of its newest version, unless it was undone; otherwise the newest with anything
 * live; otherwise the last undone; otherwise the newest. `withoutFailed` skips one that failed before anything went live.
 */
export async function findPromotionOfFile(
  db: Db,
  fileId: string,
  { withoutFailed = false } = {},
): Promise<PromotionSummary | undefined> {
  const condition = sql`p.id = (
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
  return (await readSummaries(db, condition))[0]
}

/** The current promotion of each of these imports, by import id. */
export async function findPromotionsOfImports(
  db: Db,
  importIds: readonly string[],
): Promise<Map<string, PromotionSummary>> {
  const condition = sql`p.id in (
    select distinct on (import_id) id from promotion p where import_id = any(${importIds}::uuid[])
    order by import_id,
             state = 'undone' or (state = 'failed' and applied = 0 and continues is not null) or (applied = 0 and exists (
               select from promotion n
               where n.import_id = p.import_id and n.version > p.version and n.applied > 0)),
             id desc
  )`
  const found = await readSummaries(db, condition)
  return new Map(found.flatMap((promotion) => (promotion.importId ? [[promotion.importId, promotion]] : [])))
}
