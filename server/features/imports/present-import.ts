import type { ImportRecord } from '#contract/imports.ts'
import {
  canConfirm,
  canUndo,
  canWithdraw,
  type PromotionSummary,
  wasWithdrawn,
} from '#server/features/promotion/promotion-state.ts'
import { importFiles } from './import-files.ts'
import type { ChunkRun, FoundImport } from './queries.ts'

type Around = { promotion: PromotionSummary | undefined; missing: readonly ChunkRun[]; now: Date }

/** An import with what became of its rows, as the API shows it. */
export function presentImport(found: FoundImport, { promotion, missing, now }: Around): ImportRecord {
  const { id, path, rejected } = found
  return {
    id,
    state: stateOf(found, promotion),
    mode: found.mode,
    fileName: found.fileName,
    createdAt: found.createdAt.toISOString(),
    stagedAt: found.stagedAt?.toISOString() ?? null,
    appliedAt: promotion?.appliedAt?.toISOString() ?? null,
    undoneAt: (promotion?.undoneAt ?? found.withdrawnAt)?.toISOString() ?? null,
    chunkCount: found.chunkCount,
    received: found.received,
    missingChunks: firstOf(missing),
    missing: [...missing],
    total: found.total + found.underWay,
    rejected,
    files: path === null ? null : importFiles({ importId: id, path, rejected }),
    plan: promotion ? presentPlan(promotion, rejected) : null,
    review: promotion?.review ?? [],
    error: promotion?.error ?? null,
    progress: promotion?.progress ?? null,
    canUndo: promotion !== undefined && canUndo(promotion, now),
    canWithdraw: found.state === 'receiving' || (promotion !== undefined && canWithdraw(promotion)),
    canConfirm: promotion !== undefined && canConfirm(promotion),
  }
}

const MISSING_SHOWN = 20

function firstOf(missing: readonly ChunkRun[]): number[] {
  const first: number[] = []
  for (const { from, to } of missing) {
    for (let chunk = from; chunk <= to && first.length < MISSING_SHOWN; chunk++) first.push(chunk)
  }
  return first
}

function stateOf(found: FoundImport, promotion: PromotionSummary | undefined): ImportRecord['state'] {
  if (!promotion) return found.state
  return wasWithdrawn(promotion) ? 'withdrawn' : promotion.state
}

function presentPlan(
  { planId, version, plan }: PromotionSummary,
  rejectedBefore: number,
): ImportRecord['plan'] {
  if (!plan) return null
  const { create, update, unchanged, merged, newNames } = plan
  const rejected = rejectedBefore + plan.refused
  return { id: planId, version, create, update, unchanged, ended: plan.end, merged, rejected, newNames }
}
