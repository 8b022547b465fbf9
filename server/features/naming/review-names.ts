import type { LookupActor } from '#server/features/lookups/lookup-change.ts'
import type { LookupKind } from '#server/features/lookups/lookup-kind.ts'
import { AppError } from '#server/platform/app-error.ts'
import type { Db } from '#server/platform/database.ts'
import { inOrder } from '#server/platform/scripts/in-order.ts'
import { applyNames, type Decided } from './apply-names.ts'
import { type Meaning, type NamedRecord, NamePlan } from './name-plan.ts'
import { loadReviewed } from './queries.ts'

export type NameReview = Decided & {
  /** Why it could not be done now: the name was taken or the lookup went meanwhile. */
  readonly problem: string | undefined
  /** It was looked at before. */
  readonly isSkipped: boolean
}

export type Reviewing = {
  readonly db: Db
  readonly by: LookupActor
  readonly dryRun: boolean
  /** Also names that were looked at. */
  readonly force: boolean
  /** All changes of a page in one transaction. */
  readonly inBatches: boolean
  /** Else so many at one time. */
  readonly concurrent: number
  readonly signal: AbortSignal
  readonly inOneTransaction: <T>(work: (trx: Db) => Promise<T>) => Promise<T>
  readonly saveCheckpoint: (last: NamedRecord, reviews: readonly NameReview[]) => Promise<void>
}

const NAMES_A_PAGE = 100

/**
 * Looks at the names of one kind and changes those that should be otherwise, page by page. `all` are what names can be
 * duplicates of, `chosen` those that are looked at.
 */
export async function* reviewNames(
  kind: LookupKind,
  names: { all: readonly NamedRecord[]; chosen: readonly NamedRecord[]; meaning: Meaning },
  reviewing: Reviewing,
): AsyncGenerator<readonly NameReview[]> {
  const plan = new NamePlan(kind, names.all, names.meaning)
  const reviewed = reviewing.force ? new Map<string, string>() : await loadReviewed(reviewing.db, kind)
  for (let from = 0; from < names.chosen.length; from += NAMES_A_PAGE) {
    reviewing.signal.throwIfAborted()
    const page = names.chosen.slice(from, from + NAMES_A_PAGE)
    const isSkipped = ({ id, name }: NamedRecord) => reviewed.get(id) === name
    const decided = page
      .filter((record) => !isSkipped(record))
      .map((record) => ({ record, decision: plan.decide(record) }))
    const problems = reviewing.dryRun ? new Map() : await apply(kind, decided, reviewing)
    const reviews = [
      ...page.filter(isSkipped).map((record) => ({
        record,
        decision: { kind: 'keep' } as const,
        problem: undefined,
        isSkipped: true,
      })),
      ...decided.map((each) => ({ ...each, problem: problems.get(each.record.id), isSkipped: false })),
    ]
    const last = page.at(-1)
    if (last && !reviewing.dryRun) await reviewing.saveCheckpoint(last, reviews)
    yield reviews
  }
}

/** Answers what could not be done. */
async function apply(
  kind: LookupKind,
  decided: readonly Decided[],
  reviewing: Reviewing,
): Promise<Map<string, string>> {
  const isChange = ({ decision }: Decided) => decision.kind === 'merge' || decision.kind === 'rename'
  const changes = decided.filter(isChange)
  const others = decided.filter((each) => !isChange(each))
  const problemOf = (some: readonly Decided[]) => tryAll(kind, some, reviewing)
  if (reviewing.inBatches && (await problemOf(decided)) === undefined) return new Map()
  if (others.length > 0) await problemOf(others)
  const problems = new Map<string, string>()
  const work = async (change: Decided) => ({ change, problem: await problemOf([change]) })
  for await (const { change, problem } of inOrder(changes, reviewing.concurrent, work)) {
    if (problem !== undefined) problems.set(change.record.id, problem)
  }
  return problems
}

async function tryAll(
  kind: LookupKind,
  decided: readonly Decided[],
  { by, inOneTransaction }: Reviewing,
): Promise<string | undefined> {
  try {
    await inOneTransaction((trx) => applyNames(trx, { kind, decided, by }))
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}
