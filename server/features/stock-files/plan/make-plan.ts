import { sql } from 'kysely'
import { type ImportField, importFields } from '#contract/csv/import-fields.ts'
import type { ImportQuestion } from '#contract/imports.ts'
import { readVocabulary } from '#server/features/finding/vocabulary/vocabulary.ts'
import { openLookupNames } from '#server/features/market/lookups/lookup-names.ts'
import { loadNameAnswers } from '#server/features/market/lookups/name-answers.ts'
import { partKey, sourceKey } from '#server/features/stock-files/identity/row-identity.ts'
import {
  LookupsChangedTooOften,
  resolveTaxonomy,
} from '#server/features/stock-files/match/resolve-taxonomy.ts'
import { failPromotionOnError } from '#server/features/stock-files/promotion/failures.ts'
import {
  type ImportLetterhead,
  mailAboutImport,
} from '#server/features/stock-files/promotion/import-mails.ts'
import {
  findPromotionRow,
  lockPromotion,
  type NewNames,
  type PlanTotals,
  type PromotionRow,
  type ReviewReason,
  setApplyJob,
} from '#server/features/stock-files/promotion/promotions.ts'
import { canConfirm } from '#server/features/stock-files/promotion/summaries.ts'
import { applyQueue } from '#server/features/stock-files/stock-file-queues.ts'
import { readSegmentLines, type Segment } from '#server/features/stock-files/store/segments.ts'
import { findStagingName, listSegments } from '#server/features/stock-files/store/staged-files.ts'
import { fieldsOfLine, idOfLine } from '#server/features/stock-files/store/staged-record.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'
import {
  cancelBackend,
  classifyPlanRows,
  countPlan,
  findBackend,
  type PlanCounts,
  storePlanActions,
} from './classify-rows.ts'
import { openContradictions } from './contradictions.ts'
import { afterPlanning, holdsRows, type ImportPolicy, needsNoReview, reviewReasons } from './decisions.ts'
import {
  countUnreadRows,
  firstLeftOut,
  type KeptLeftOut,
  keepLaterChanges,
  keptLeftOut,
  leftOutMessage,
  numbersOf,
} from './left-out.ts'
import {
  addFirstKeys,
  addSoldOutRows,
  closePlanRows,
  findRowsOfFile,
  keepFirstKeys,
  openPlanRows,
  PlanNameBook,
} from './plan-rows.ts'
import { type Contradiction, type ReadPlanRows, readPlanRows, SentSegments } from './read-plan-rows.ts'
import { openRowRules } from './row-rules.ts'

/*
 * The job that plans a promotion: resolves names, reads the rows, classifies them, and stores the plan. If the plan needs
 * no approval, it starts the job that applies it.
 */

/**
 * Resolves the names of a file that goes live without an administrator. The promotion moves to the new version in the
 * same transaction. If someone saved or resolved the file in the meantime, their version wins. If the lookups keep
 * changing, the job retries; its last attempt logs this and continues with the original names.
 */
export async function resolveNames(
  { db, files, reviewsNothing }: PlanDeps & { db: Db },
  run: JobRun<unknown>,
  promotion: PromotionRow,
): Promise<PromotionRow | undefined> {
  const { id, fileId, version, sellerId, continues, columns } = promotion
  if (!needsNoReview(promotion, { reviewsNothing }) || (version !== 1 && continues === null)) return promotion
  const name = await findStagingName(db, fileId)
  if (!name) return promotion
  const onRows = (done: number, total: number) => run.progress({ done, total, note: 'resolving names' })
  const deps = { db, files, inOneTransaction: run.withFence, signal: run.signal, onRows }
  const alongside = (trx: Db, to: number) => moveToVersion(trx, id, { from: version, version: to })
  const by = { jobId: run.jobId }
  const seller = holdsRows(promotion, { reviewsNothing }) && {
    answers: await loadNameAnswers(db, sellerId),
    isAgain: continues !== null,
    namesListings: columns.includes('listingid'),
  }
  const onQuestions = (trx: Db, questions: readonly ImportQuestion[]) => setQuestions(trx, id, questions)
  try {
    const taxonomyRun = {
      ...name,
      version,
      by,
      leavesNewNames: true,
      alongside,
      ...(seller && { seller, onQuestions }),
    }
    const { message, files: made } = await resolveTaxonomy(deps, taxonomyRun)
    if (made.some((file) => file.version !== version)) await run.log(message)
  } catch (error) {
    if (error instanceof LookupsChangedTooOften && run.lastAttempt)
      await run.log(`The names were left unchanged. ${error.message}`)
    else if (!(error instanceof AppError && error.code === 'STALE')) throw error
  }
  return findPromotionRow(db, id)
}

export type PlanDeps = Pick<ImportPolicy, 'reviewsNothing'> & {
  /** For statements longer than a request's timeout: a plan sorts and joins a million rows. */
  plans: Db
  files: FileStore
  now: () => Date
  letterhead: ImportLetterhead
}

type PlanOutcome = 'apply' | 'wait' | 'review'

/**
 * Plans a promotion from its version's rows and the seller's current listings, replacing an older plan of which nothing
 * was applied yet. `alongside` joins the transaction that stores it. Returns what comes next, or undefined if the
 * promotion changed in the meantime. If interrupted, it leaves nothing behind.
 */
export async function makePlan(
  deps: PlanDeps,
  run: JobRun<unknown>,
  promotion: PromotionRow,
  alongside?: (trx: Db, outcome: PlanOutcome) => Promise<void>,
): Promise<PlanOutcome | undefined> {
  return deps.plans.connection().execute(async (connection) => {
    const stopCancelling = await cancelWithRun(connection, { plans: deps.plans, run })
    try {
      return await planOn(connection, { deps, run, promotion, alongside })
    } finally {
      await stopCancelling()
      // A broken connection has dropped them already.
      await closePlanRows(connection).catch(() => undefined)
    }
  })
}

type PlanContext = {
  deps: PlanDeps
  run: JobRun<unknown>
  promotion: PromotionRow
  alongside: ((trx: Db, outcome: PlanOutcome) => Promise<void>) | undefined
}

async function planOn(
  connection: Db,
  { deps, run, promotion, alongside }: PlanContext,
): Promise<PlanOutcome | undefined> {
  const { fileId, version, sellerId } = promotion
  const segments = await listSegments(connection, fileId, version)
  const rows = segments.reduce((sum, segment) => sum + segment.rows, 0)
  const first = version > 1 ? await listSegments(connection, fileId, 1) : segments
  const sent = new SentSegments(deps.files, segments, first)
  await openPlanRows(connection)
  // Rows that name their listings are compared with them while they are read, the others afterwards.
  const readsListings = promotion.columns.includes('listingid')
  const beforeReading = readsListings ? await settledMoment(connection, sellerId) : undefined
  const names = await openLookupNames(deps.plans, connection)
  const book = new PlanNameBook(names)
  const ofFile = importFields.filter((field) => promotion.columns.includes(field))
  const holds = holdsRows(promotion, deps)
  const year = deps.now().getUTCFullYear()
  const rules = {
    ...(await openRowRules(connection, { sellerId, year, names, ofFile, holds })),
    book,
    contradictionsIn: openContradictions(await readVocabulary(deps.plans, connection), year),
  }
  const read = await readPlanRows(connection, { run, sent, rows, sellerId, rules })
  await readFirstKeys(connection, deps.files, sent.moved)
  // In a promotion that continues another, that one has already ended their parts.
  if (!promotion.continues) {
    await connection.transaction().execute((trx) => addSoldOutRows(trx, { ...promotion, rows }))
  }
  const begunAt = beforeReading ?? (await settledMoment(connection, sellerId))
  let leftOut: KeptLeftOut[] = []
  const outcome = await connection.transaction().execute(async (trx) => {
    run.signal.throwIfAborted()
    const unclear = await classifyPlanRows(trx, {
      ...promotion,
      rows,
      namesListings: read.namesListings,
      hasIds: readsListings,
    })
    if (promotion.continues) await keepLaterChanges(trx, promotion.continues)
    const first = firstLeftOut([...read.refused, ...unclear])
    const rowsOfFile = await findRowsOfFile(trx, promotion.importId, first.flatMap(numbersOf))
    leftOut = first.map((row) => keptLeftOut(row, rowsOfFile))
    run.signal.throwIfAborted()
    await run.fence(trx)
    return store(trx, { deps, promotion, rows, read, book, leftOut, begunAt, alongside })
  })
  const lines = leftOut.map((row) => leftOutMessage(row, 'record'))
  if (lines.length > 0) await run.log(lines)
  return outcome
}

/**
 * Cancels long statements with the run, so that they do not block the worker. The returned function also waits for a
 * cancel that was sent, which must not hit the connection's next user.
 */
async function cancelWithRun(
  connection: Db,
  { plans, run }: { plans: Db; run: JobRun<unknown> },
): Promise<() => Promise<void>> {
  const backend = await findBackend(connection)
  let canceled = Promise.resolve()
  const cancel = () => {
    canceled = cancelBackend(plans, backend).catch(() => undefined)
  }
  run.signal.addEventListener('abort', cancel, { once: true })
  return () => {
    run.signal.removeEventListener('abort', cancel)
    return canceled
  }
}

/** Gives moved rows their original keys. */
async function readFirstKeys(connection: Db, files: FileStore, moved: readonly Segment[]): Promise<void> {
  if (moved.length === 0) return
  for (const { sha256 } of moved) {
    const keys = (await readSegmentLines(files, sha256)).flatMap((line) => {
      const fields = fieldsOfLine(line)
      return fields.listingid
        ? []
        : { recordId: idOfLine(line), key: sourceKey(fields), partKey: partKey(fields) }
    })
    await connection.transaction().execute((trx) => addFirstKeys(trx, keys))
  }
  await connection.transaction().execute(keepFirstKeys)
}

type PlanToStore = Omit<PlanContext, 'run'> & {
  rows: number
  read: ReadPlanRows
  book: PlanNameBook
  leftOut: readonly KeptLeftOut[]
  begunAt: Date
}

async function store(trx: Db, plan: PlanToStore): Promise<PlanOutcome | undefined> {
  const { deps, rows, read, book, leftOut, begunAt, alongside } = plan
  const promotion = await lockPromotion(trx, plan.promotion.id)
  // Another run has planned or applied it since.
  if (promotion?.state !== plan.promotion.state || promotion.planId !== plan.promotion.planId)
    return undefined
  if (promotion.appliedThrough > 0) return undefined
  const counted = await countPlan(trx, promotion)
  const counts = { ...counted, refused: counted.refused - read.waiting }
  const byItself = !promotion.held && needsNoReview(promotion, deps)
  const figures = {
    ...counts,
    rows,
    mode: promotion.mode,
    // If rows with new names wait on their own, the seller asked for all other new names.
    newNames: holdsRows(promotion, deps) ? 0 : Object.values(counts.newNames).flat().length,
    toEnd: counts.end,
    unreadRows: await countUnreadRows(trx, promotion.importId),
  }
  const reasons = reviewReasons(figures, byItself)
  const outcome = afterPlanning(reasons, counts.end, {
    approved: promotion.approvedAt !== null,
    endingsSeen: promotion.toEnd ?? 0,
    byItself,
  })
  await storePlanActions(trx, promotion.id)
  await storePlan(trx, {
    promotionId: promotion.id,
    state: outcome === 'review' ? 'review' : 'planned',
    approved: outcome === 'apply',
    byItself,
    fields: read.fields,
    review: outcome === 'review' ? reasons : [],
    newNames: namesOf(book, counts),
    counts,
    leftOut,
    waiting: read.waiting,
    contradictions: read.contradictions,
    begunAt,
  })
  await alongside?.(trx, outcome)
  const asksSeller = outcome === 'review' && canConfirm({ state: 'review', review: reasons, byItself })
  if (asksSeller && !promotion.held) {
    await mailAboutImport(trx, promotion, { news: 'question', letterhead: deps.letterhead })
  }
  return outcome
}

// Enough to judge a plan that was stopped for its names.
const MAX_NAMES_SHOWN = 200

function namesOf(book: PlanNameBook, { newNames }: PlanCounts): NewNames {
  const names = (kind: keyof NewNames) =>
    newNames[kind].slice(0, MAX_NAMES_SHOWN).map((place) => book.name(kind, place))
  return { category: names('category'), manufacturer: names('manufacturer'), model: names('model') }
}

/**
 * Plans a promotion. If a trusted seller's plan needs no review, the job that applies it is enqueued in the same transaction.
 */
export async function planPromotion(
  deps: PlanDeps & { db: Db },
  run: JobRun<{ promotionId: string }>,
): Promise<{ outcome: string }> {
  const promotion = await findPromotionRow(deps.db, run.payload.promotionId)
  if (promotion?.state !== 'planning') return { outcome: 'planned before' }
  const outcome = await failPromotionOnError({ run, promotionId: promotion.id }, async () => {
    const resolved = await resolveNames(deps, run, promotion)
    if (resolved?.state !== 'planning') return undefined
    return makePlan(deps, run, resolved, (trx, next) => enqueueIngest(trx, promotion.id, next))
  })
  return { outcome: outcome ?? 'planned before' }
}

async function enqueueIngest(trx: Db, promotionId: string, next: PlanOutcome): Promise<void> {
  const promotion = await lockPromotion(trx, promotionId)
  // An approval during planning has enqueued the job already.
  if (next !== 'apply' || !promotion || promotion.applyJobId) return
  const jobId = await enqueueJob(trx, {
    queue: applyQueue,
    payload: { dataset: promotion.dataset, promotionId },
    sellerId: promotion.sellerId,
  })
  await setApplyJob(trx, promotionId, jobId)
}

/* The columns of the promotion that planning writes. */

type StoredPlan = {
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
  contradictions: readonly Contradiction[]
  /** When the listings were first read. */
  begunAt: Date
}

/** The plan gets a new id, unless `beginPlanning` gave it one. */
async function storePlan(trx: Db, plan: StoredPlan): Promise<void> {
  const { counts } = plan
  await sql`
    update promotion
    set state = ${plan.state}, by_itself = ${plan.byItself}, fields = ${[...plan.fields]}::text[],
        review = ${JSON.stringify(plan.review)}::jsonb, new_names = ${JSON.stringify(plan.newNames)}::jsonb,
        to_create = ${counts.create}, to_update = ${counts.update}, unchanged = ${counts.unchanged},
        to_end = ${counts.end}, merged = ${counts.merged}, refused = ${counts.refused},
        left_out = ${JSON.stringify(plan.leftOut)}::jsonb, waiting = ${plan.waiting},
        contradictions = ${JSON.stringify(plan.contradictions)}::jsonb,
        plan_id = case when planned_at is null then plan_id else uuidv7() end,
        planned_at = ${plan.begunAt},
        approved_at = case when ${plan.approved} then coalesce(approved_at, now()) end,
        approved_by = case when ${plan.approved} then approved_by end,
        error = null
    where id = ${plan.promotionId}
  `.execute(trx)
}

/** The questions that the seller must answer before the waiting rows go live. */
async function setQuestions(
  trx: Db,
  promotionId: string,
  questions: readonly ImportQuestion[],
): Promise<void> {
  await sql`
    update promotion set questions = ${JSON.stringify(questions)}::jsonb where id = ${promotionId}
  `.execute(trx)
}

/** Moves an unplanned promotion to a later version of its file. */
async function moveToVersion(trx: Db, id: string, to: { from: number; version: number }): Promise<void> {
  await sql`
    update promotion set version = ${to.version} where id = ${id} and version = ${to.from} and state = 'planning'
  `.execute(trx)
}

/**
 * A time by the database's clock such that all earlier writes of the seller's promotions (by `touched_at`) are visible
 * afterwards. It reads the clock first, then waits for pages in progress, which may have an earlier time and not be
 * committed yet.
 */
function settledMoment(db: Db, sellerId: string): Promise<Date> {
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
