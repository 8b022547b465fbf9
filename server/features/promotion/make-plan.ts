import { importFields } from '#contract/import-fields.ts'
import { lookupNames } from '#server/features/lookups/lookup-names.ts'
import { loadLookupNames } from '#server/features/lookups/name-queries.ts'
import { listSegments } from '#server/features/staging/queries.ts'
import { readRecords } from '#server/features/staging/read-records.ts'
import type { Segment } from '#server/features/staging/segment.ts'
import type { Db } from '#server/platform/database.ts'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'
import { countUnreadRows } from './kept-row-queries.ts'
import {
  firstLeftOut,
  type KeptLeftOut,
  keptLeftOut,
  type LeftOutRow,
  leftOutInWords,
  numbersOf,
} from './left-out-row.ts'
import { NewNameBook } from './new-names.ts'
import { afterPlanning, reviewReasons } from './plan-decision.ts'
import {
  cancelBackend,
  classifyPlanRows,
  countPlan,
  findBackend,
  type PlanCounts,
  storePlanActions,
} from './plan-queries.ts'
import {
  addFirstKeys,
  closePlanRows,
  findRowsOfFile,
  keepFirstKeys,
  openPlanRows,
} from './plan-row-queries.ts'
import { lockPromotion, type PromotionRow, settledMoment, storePlan } from './promotion-queries.ts'
import type { NewNames } from './promotion-state.ts'
import { type ReadPlanRows, readPlanRows } from './read-plan-rows.ts'
import { partKey, sourceKey } from './row-identity.ts'

export type PlanDeps = {
  /** For statements that take longer than a request may: a plan sorts and joins a million rows. */
  plans: Db
  files: FileStore
  /** Nobody reviews imports here. */
  reviewsNothing: boolean
  now: () => Date
}

export type PlanOutcome = 'apply' | 'wait' | 'review'

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
  const segments = await listSegments(connection, promotion.fileId, promotion.version)
  const rows = segments.reduce((sum, segment) => sum + segment.rows, 0)
  await openPlanRows(connection)
  const read = await readRows(connection, { deps, run, promotion, segments })
  if (promotion.version > 1) {
    await readFirstKeys(connection, { files: deps.files, promotion, segments })
  }
  const begunAt = await settledMoment(connection, promotion.sellerId)
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

type Reading = Omit<Planning, 'alongside'> & { segments: readonly Segment[] }
type Read = ReadPlanRows & { book: NewNameBook }

async function readRows(connection: Db, reading: Reading): Promise<Read> {
  const { deps, run, promotion, segments } = reading
  const names = lookupNames(await loadLookupNames(connection))
  const book = new NewNameBook(names)
  const ofFile = importFields.filter((field) => promotion.columns.includes(field))
  const rules = { year: deps.now().getUTCFullYear(), names, book, ofFile }
  const read = await readPlanRows(connection, {
    files: deps.files,
    run,
    segments,
    sellerId: promotion.sellerId,
    rules,
  })
  return { ...read, book }
}

/** Only segments that an edit replaced hold rows that may have had another key. */
async function readFirstKeys(
  connection: Db,
  { files, promotion, segments }: { files: FileStore; promotion: PromotionRow; segments: readonly Segment[] },
): Promise<void> {
  const kept = new Set(segments.map(({ sha256 }) => sha256))
  const first = await listSegments(connection, promotion.fileId, 1)
  const replaced = first.filter(({ sha256 }) => !kept.has(sha256))
  for await (const records of readRecords(files, replaced, { fromRow: 0 })) {
    const keys = records.flatMap(({ record: { id: recordId, fields } }) =>
      fields.listingid ? [] : { recordId, key: sourceKey(fields), partKey: partKey(fields) },
    )
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

function namesOf(book: NewNameBook, { newNames }: PlanCounts): NewNames {
  const names = (kind: keyof NewNames) =>
    newNames[kind].slice(0, MOST_NAMES_SHOWN).map((place) => book.name(kind, place))
  return { category: names('category'), manufacturer: names('manufacturer'), model: names('model') }
}
