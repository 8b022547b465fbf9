import type { ImportMode } from '#contract/imports.ts'

export type PromotionState =
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
  /** Who lets it go live as soon as its plan is made. */
  approvedBy?: string
  createdBy?: string
  /** It waits for an administrator, whoever its seller is. */
  held?: boolean
}

/** Why a plan waits for somebody. `endings` asks for a second look, the others for an administrator's. */
export type ReviewReason = { code: 'new-names' | 'new-name-rows' | 'endings'; message: string }

export type NewNames = { category: string[]; manufacturer: string[]; model: string[] }

/** A promotion as others see it: what its plan says, how far it is, what it did. */
export type PromotionSummary = {
  id: string
  /** Of the plan as it stands; another one makes confirmations of the old one stale. */
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
  /** Null until it is made. */
  plan: {
    create: number
    update: number
    unchanged: number
    end: number
    merged: number
    refused: number
    newNames: NewNames
  } | null
  /** Actions of the plan: applied of all, or while it is undone taken back of those that were applied. */
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

/** How long an import can be taken back. */
export const UNDO_DAYS = 30
/** How long a plan waits to be let through before it is made anew. */
export const PLAN_DAYS = 30
const DAY_MS = 86_400_000

/** While it goes live, and then for some days: however long it had waited before. */
export function canUndo(
  {
    state,
    applied,
    appliedAt,
    touchedAt,
  }: Pick<PromotionSummary, 'state' | 'applied' | 'appliedAt' | 'touchedAt'>,
  now: Date,
): boolean {
  if (state === 'applying') return true
  const hasEffect = state === 'applied' || (state === 'failed' && applied > 0)
  const since = state === 'applied' ? appliedAt : touchedAt
  return hasEffect && now.getTime() - (since ?? now).getTime() < UNDO_DAYS * DAY_MS
}

/** While nothing of it is live or on its way there: it is over at once, with nothing to return. */
export function canWithdraw({ state }: Pick<PromotionSummary, 'state'>): boolean {
  return state === 'planning' || state === 'planned' || state === 'review'
}

/** Taken back before it began to go live. */
export function wasWithdrawn({
  state,
  applied,
  appliedAt,
}: Pick<PromotionSummary, 'state' | 'applied' | 'appliedAt'>): boolean {
  return state === 'undone' && applied === 0 && appliedAt === null
}

/** Whether the seller may let it go on: what names are new is for an administrator to judge. */
export function canConfirm({ state, review }: Pick<PromotionSummary, 'state' | 'review'>): boolean {
  return state === 'review' && review.every(({ code }) => code === 'endings')
}
