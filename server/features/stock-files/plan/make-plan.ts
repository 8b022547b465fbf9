import { importFields } from '#contract/csv/import-fields.ts'
import { loadLookupNames, lookupNames } from '#server/features/lookups/lookup-names.ts'
import { partKey, sourceKey } from '#server/features/stock-files/identity/row-identity.ts'
import { NamesChanging, resolveTaxonomy } from '#server/features/stock-files/match/resolve-taxonomy.ts'
import { ingestQueue } from '#server/features/stock-files/queues.ts'
import { readSegmentLines, type Segment } from '#server/features/stock-files/store/segments.ts'
import { findStagingName, listSegments } from '#server/features/stock-files/store/staged-files.ts'
import { fieldsOfLine, idOfLine } from '#server/features/stock-files/store/staged-record.ts'
import type { Db } from '#server/platform/database/database.ts'
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
import { afterPlanning, reviewReasons } from './decisions.ts'
import { orFailPromotion } from './failures.ts'
import {
  countUnreadRows,
  firstLeftOut,
  type KeptLeftOut,
  keptLeftOut,
  type LeftOutRow,
  leftOutInWords,
  numbersOf,
} from './left-out.ts'
import {
  addFirstKeys,
  closePlanRows,
  findRowsOfFile,
  keepFirstKeys,
  openPlanRows,
  PlanNameBook,
} from './plan-rows.ts'
import {
  findPromotionRow,
  lockPromotion,
  moveToVersion,
  type NewNames,
  type PromotionRow,
  setIngestJob,
  settledMoment,
  storePlan,
} from './promotions.ts'
import { type ReadPlanRows, readPlanRows, SentSegments } from './read-plan-rows.ts'

/**
 * Resolves the names of a file that goes live without an administrator: the promotion goes on with the version that this
 * makes, together with it or not at all. What somebody saved or resolved meanwhile is left as it is. Where lookups change
 * all the while the job tries again; its last attempt goes on with the names as they were sent, and says so.
 */
export async function resolveNames(
  { db, files, reviewsNothing }: PlanDeps & { db: Db },
  run: JobRun<unknown>,
  promotion: PromotionRow,
): Promise<PromotionRow | undefined> {
  const { id, fileId, version } = promotion
  if (!(promotion.trusted || reviewsNothing) || version !== 1) return promotion
  const name = await findStagingName(db, fileId)
  if (!name) return promotion
  const onRows = (done: number, total: number) => run.progress({ done, total, note: 'resolving names' })
  const deps = { db, files, inOneTransaction: run.withFence, signal: run.signal, onRows }
  const alongside = (trx: Db, to: number) => moveToVersion(trx, id, { from: version, version: to })
  const by = { jobId: run.jobId }
  try {
    const asked = { ...name, version, by, leavesNewNames: true, alongside }
    const { message, files: made } = await resolveTaxonomy(deps, asked)
    if (made.some((file) => file.version !== version)) await run.log(message)
  } catch (error) {
    if (error instanceof NamesChanging && run.lastAttempt)
      await run.log(`The names stay as they were sent. ${error.message}`)
    else if (!(error instanceof AppError && error.code === 'STALE')) throw error
  }
  return findPromotionRow(db, id)
}

export type PlanDeps = {
  /** For statements that take longer than a request may: a plan sorts and joins a million rows. */
  plans: Db
  files: FileStore
  /** Nobody reviews imports here. */
  reviewsNothing: boolean
  now: () => Date
}

type PlanOutcome = 'apply' | 'wait' | 'review'

/**
 * Makes the plan of a promotion out of its version's rows and the seller's listings as they stand, in place of an older
 * plan of which nothing was applied yet. `alongside` joins the transaction that stores it. Answers what comes next;
 * undefined where the promotion moved on meanwhile. Stopped anywhere it leaves nothing behind, and begins anew.
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
      // A connection that broke has dropped them already.
      await closePlanRows(connection).catch(() => undefined)
    }
  })
}

type Planning = {
  deps: PlanDeps
  run: JobRun<unknown>
  promotion: PromotionRow
  alongside: ((trx: Db, outcome: PlanOutcome) => Promise<void>) | undefined
}

async function planOn(
  connection: Db,
  { deps, run, promotion, alongside }: Planning,
): Promise<PlanOutcome | undefined> {
  const { fileId, version } = promotion
  const segments = await listSegments(connection, fileId, version)
  const rows = segments.reduce((sum, segment) => sum + segment.rows, 0)
  const first = version > 1 ? await listSegments(connection, fileId, 1) : segments
  const sent = new SentSegments(deps.files, segments, first)
  await openPlanRows(connection)
  // Rows that name their listings are compared with them while they are read, all others afterwards.
  const readsListings = promotion.columns.includes('listingid')
  const beforeReading = readsListings ? await settledMoment(connection, promotion.sellerId) : undefined
  const read = await readRows(connection, { deps, run, promotion, sent, rows })
  await readFirstKeys(connection, deps.files, sent.moved)
  const begunAt = beforeReading ?? (await settledMoment(connection, promotion.sellerId))
  let leftOut: KeptLeftOut[] = []
  const outcome = await connection.transaction().execute(async (trx) => {
    run.signal.throwIfAborted()
    const unclear = await classifyPlanRows(trx, { ...promotion, rows, namesListings: read.namesListings })
    leftOut = await withRowsOfFile(trx, promotion, firstLeftOut([...read.refused, ...unclear]))
    run.signal.throwIfAborted()
    await run.fence(trx)
    return store(trx, { deps, promotion, rows, read, leftOut, begunAt, alongside })
  })
  const lines = leftOut.map((row) => leftOutInWords(row, 'record'))
  if (lines.length > 0) await run.log(lines)
  return outcome
}

async function withRowsOfFile(
  trx: Db,
  { importId }: PromotionRow,
  rows: readonly LeftOutRow[],
): Promise<KeptLeftOut[]> {
  const rowsOfFile = await findRowsOfFile(trx, importId, rows.flatMap(numbersOf))
  return rows.map((row) => keptLeftOut(row, rowsOfFile))
}

/**
 * Statements of many seconds end with the run, instead of holding the worker after a cancel or a stop. What it answers
 * also waits for a cancel that was sent: it must not hit whoever gets the connection next.
 */
async function cancelWithRun(
  connection: Db,
  { plans, run }: { plans: Db; run: JobRun<unknown> },
): Promise<() => Promise<void>> {
  const backend = await findBackend(connection)
  let cancelled = Promise.resolve()
  const cancel = () => {
    cancelled = cancelBackend(plans, backend).catch(() => undefined)
  }
  run.signal.addEventListener('abort', cancel, { once: true })
  return () => {
    run.signal.removeEventListener('abort', cancel)
    return cancelled
  }
}

type Reading = Omit<Planning, 'alongside'> & { sent: SentSegments; rows: number }
type Read = ReadPlanRows & { book: PlanNameBook }

async function readRows(connection: Db, reading: Reading): Promise<Read> {
  const { deps, run, promotion, sent, rows } = reading
  const names = lookupNames(await loadLookupNames(connection))
  const book = new PlanNameBook(names)
  const ofFile = importFields.filter((field) => promotion.columns.includes(field))
  const rules = { year: deps.now().getUTCFullYear(), names, book, ofFile }
  const read = await readPlanRows(connection, { run, sent, rows, sellerId: promotion.sellerId, rules })
  return { ...read, book }
}

/** Gives rows that were moved the keys that they were first sent with. */
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

type Storing = Omit<Planning, 'run'> & {
  rows: number
  read: Read
  leftOut: readonly KeptLeftOut[]
  begunAt: Date
}

async function store(trx: Db, storing: Storing): Promise<PlanOutcome | undefined> {
  const { deps, rows, read, leftOut, begunAt, alongside } = storing
  const promotion = await lockPromotion(trx, storing.promotion.id)
  if (!promotion || !isSame(promotion, storing.promotion)) return undefined
  const counts = await countPlan(trx)
  const reasons = reviewReasons({
    ...counts,
    rows,
    newNames: newNameCount(counts),
    toEnd: counts.end,
    unreadRows: await countUnreadRows(trx, promotion.importId),
  })
  const byItself = !promotion.held && (promotion.trusted || deps.reviewsNothing)
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
    newNames: namesOf(read.book, counts),
    counts,
    leftOut,
    begunAt,
  })
  await alongside?.(trx, outcome)
  return outcome
}

/** Nobody planned it meanwhile, and nothing of it is applied. */
function isSame(now: PromotionRow, before: PromotionRow): boolean {
  return now.state === before.state && now.planId === before.planId && now.appliedThrough === 0
}

const newNameCount = ({ newNames }: PlanCounts) =>
  newNames.category.length + newNames.manufacturer.length + newNames.model.length

// A plan that is stopped for its names shows enough of them to judge by.
const MOST_NAMES_SHOWN = 200

function namesOf(book: PlanNameBook, { newNames }: PlanCounts): NewNames {
  const names = (kind: keyof NewNames) =>
    newNames[kind].slice(0, MOST_NAMES_SHOWN).map((place) => book.name(kind, place))
  return { category: names('category'), manufacturer: names('manufacturer'), model: names('model') }
}

/**
 * Plans a promotion that was started. A trusted seller's goes on by itself where the plan needs nobody to look: its ingest
 * job comes with the plan or not at all.
 */
export async function planPromotion(
  deps: PlanDeps & { db: Db },
  run: JobRun<{ promotionId: string }>,
): Promise<{ outcome: string }> {
  const promotion = await findPromotionRow(deps.db, run.payload.promotionId)
  if (promotion?.state !== 'planning') return { outcome: 'planned before' }
  const outcome = await orFailPromotion({ run, promotionId: promotion.id }, async () => {
    const resolved = await resolveNames(deps, run, promotion)
    if (resolved?.state !== 'planning') return undefined
    return makePlan(deps, run, resolved, (trx, next) => goOn(trx, promotion.id, next))
  })
  return { outcome: outcome ?? 'planned before' }
}

async function goOn(trx: Db, promotionId: string, next: PlanOutcome): Promise<void> {
  const promotion = await lockPromotion(trx, promotionId)
  // Whoever approved it while it was planned has enqueued the job already.
  if (next !== 'apply' || !promotion || promotion.ingestJobId) return
  const jobId = await enqueueJob(trx, {
    queue: ingestQueue,
    payload: { dataset: promotion.dataset, promotionId },
    sellerId: promotion.sellerId,
  })
  await setIngestJob(trx, promotionId, jobId)
}
