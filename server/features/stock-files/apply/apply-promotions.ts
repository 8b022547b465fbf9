import { sql } from 'kysely'
import { datasetOf, stagingRoots } from '#contract/admin/staging.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { findWordLexemes, loadSearchNames } from '#server/features/market/listings/search-row/search-rows.ts'
import { isSlugViolation } from '#server/features/market/listings/slugs.ts'
import { keptWithLookups, readLookupVersion } from '#server/features/market/lookups/lookup-changes.ts'
import { openLookupNames } from '#server/features/market/lookups/lookup-names.ts'
import { enqueuePictures } from '#server/features/market/pictures/store-picture.ts'
import { listWronglyFilled } from '#server/features/stock-files/identity/older-reading.ts'
import type { FirstImport } from '#server/features/stock-files/plan/decisions.ts'
import { makePlan, type PlanDeps } from '#server/features/stock-files/plan/make-plan.ts'
import { promoteAnsweredRows } from '#server/features/stock-files/plan/seller-answers.ts'
import { failPromotionOnError } from '#server/features/stock-files/promotion/failures.ts'
import {
  type ImportLetterhead,
  mailAboutImport,
} from '#server/features/stock-files/promotion/import-mails.ts'
import {
  findNextToApply,
  findPromotionRow,
  lockFileOf,
  lockPromotion,
  type PromotionRow,
} from '#server/features/stock-files/promotion/promotions.ts'
import type { ApplyPayload } from '#server/features/stock-files/stock-file-queues.ts'
import { StagedRowReader } from '#server/features/stock-files/store/read-contents.ts'
import { listSegments } from '#server/features/stock-files/store/staged-files.ts'
import { type Db, isWriteConflict } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'
import type { PageSums } from './actions.ts'
import { delayRest, endRest, limitFirstImport, mayApply } from './first-import.ts'
import {
  type ApplyRun,
  CreationBecameUpdate,
  LookupsChanged,
  type Page,
  preparePage,
} from './prepare-page.ts'
import { writePage } from './write-page.ts'

/* Applies approved promotions page by page: plans them again if needed, and retries pages that met a concurrent change. */

type ApplyDeps = {
  db: Db
  files: FileStore
  now: () => Date
  firstImport: FirstImport
  letterhead: ImportLetterhead
}

type Pages = {
  readonly perPage: number
  /** Pages the job wrote before, in earlier promotions and runs. */
  readonly written: number
  /** The job's maximum in all. */
  readonly max: number
}

type Applied = PageSums & { readonly pages: number }

/**
 * Applies a planned promotion page by page from where it stopped, preparing the next page while one is written. Each page
 * is a transaction that also moves the promotion forward, so that the next run can resume an interrupted one.
 */
async function applyPromotion(
  deps: ApplyDeps,
  run: JobRun<unknown>,
  { promotion, pages }: { promotion: PromotionRow; pages: Pages },
): Promise<Applied> {
  const applied = { pages: 0, actions: 0, created: 0, updated: 0, ended: 0 }
  const applyRun = await openApplyRun(deps, run, promotion)
  if (!applyRun) return applied
  const total = promotion.actions ?? 0
  let next = startPreparing(applyRun, promotion.appliedThrough, pages.perPage)
  for (;;) {
    run.signal.throwIfAborted()
    const page = await next
    if (!page) break
    if (pages.written + applied.pages >= pages.max) return applied
    next = startPreparing(applyRun, page.through, pages.perPage)
    const sums = await writeWithRetries(applyRun, page, pages.written + applied.pages + 1)
    if (!sums) return applied
    applied.pages += 1
    for (const sum of ['actions', 'created', 'updated', 'ended'] as const) applied[sum] += sums[sum]
    run.progress({ done: promotion.applied + applied.actions, total, note: 'going live' })
  }
  await run.withFence(async (trx) => {
    if (applyRun.liveThrough !== null) return delayRest(trx, promotion.id, deps)
    if (!(await endApplying(trx, promotion.id))) return
    await mailAboutImport(trx, promotion, { news: 'live', letterhead: deps.letterhead })
    // Last, so that pending pictures do not delay the rest.
    if (promotion.fields?.includes('imageUrl')) await enqueuePictures(trx, promotion.sellerId)
  })
  // In its own transaction, since it locks the staged file first.
  if (promotion.waiting > 0) await run.withFence((trx) => promoteAnsweredRows(trx, promotion))
  return applied
}

/** The error of a page that is no longer awaited must not end the process. */
function startPreparing(applyRun: ApplyRun, after: number, limit: number): Promise<Page | undefined> {
  const page = preparePage(applyRun, { after, limit })
  page.catch(() => undefined)
  return page
}

/** Undefined if the promotion changed in the meantime. */
async function openApplyRun(
  { db, files, now, ...deps }: ApplyDeps,
  run: JobRun<unknown>,
  promotion: PromotionRow,
): Promise<ApplyRun | undefined> {
  const begun = await run.withFence((trx) => begin(trx, run.jobId, { id: promotion.id, ...deps }))
  if (begun === undefined) return undefined
  const segments = await listSegments(db, promotion.fileId, promotion.version)
  return {
    db,
    files,
    now,
    run,
    promotion,
    ...begun,
    rows: new StagedRowReader(files, segments),
    madeUp: await listWronglyFilled(db, promotion.importId),
    ...(await loadNames(db)),
    slugTail: 6,
  }
}

/** Reads the version first, so that names changed while loading count as outdated. */
export async function loadNames(
  db: Db,
): Promise<Pick<ApplyRun, 'lookupVersion' | 'names' | 'searchNames' | 'withSureNames'>> {
  const lookupVersion = await readLookupVersion(db)
  const names = await openLookupNames(db)
  const searchNames = await openSearchNames(db)
  return { lookupVersion, names, searchNames, withSureNames: undefined }
}

/**
 * Also learns the words of all models with one query; otherwise the first pages would make one in every other batch. Most
 * imports are small, and reading all names took longer than their rows.
 */
const openSearchNames = keptWithLookups(async (db) => {
  const models = await db.selectFrom('car_model').select('name').where('merged_into', 'is', null).execute()
  await findWordLexemes(db, [models.map(({ name }) => name)])
  return loadSearchNames(db)
})

/** Opens one change set for all pages and runs, and decides how far a new seller's import may go. */
async function begin(
  trx: Db,
  jobId: string,
  { id, firstImport, letterhead }: Pick<ApplyDeps, 'firstImport' | 'letterhead'> & { id: string },
): Promise<Pick<ApplyRun, 'changeSetId' | 'liveThrough'> | undefined> {
  const promotion = await lockPromotion(trx, id)
  if (promotion?.state !== 'planned' && promotion?.state !== 'applying') return undefined
  if (!(await mayApply(trx, promotion, jobId))) return undefined
  const { changeSetId } = promotion
  if (changeSetId === null) {
    const liveThrough = await limitFirstImport(trx, promotion, firstImport)
    return { changeSetId: await openChangeSet(trx, jobId, promotion), liveThrough }
  }
  await beginApplying(trx, id, changeSetId)
  if (promotion.restAt) await endRest(trx, promotion, letterhead)
  return { changeSetId, liveThrough: promotion.restAt ? null : promotion.liveThrough }
}

function openChangeSet(trx: Db, jobId: string, promotion: PromotionRow): Promise<string> {
  const source = {
    actorKind: 'job' as const,
    onBehalfOf: promotion.sellerId,
    jobId,
    reason: 'import',
    ...(promotion.approvedBy && { actorUserId: promotion.approvedBy }),
    ...(promotion.importId && { importId: promotion.importId }),
  }
  return withChangeSet(trx, source, async (same, changeSetId) => {
    await beginApplying(same, promotion.id, changeSetId)
    return changeSetId
  })
}

// Each retry reads the current state; more conflicts than this are not a coincidence.
const MAX_TRIES = 5

/** Prepares the page again if someone changed a lookup, created the same listing or took the same slug. */
async function writeWithRetries(
  applyRun: ApplyRun,
  prepared: Page,
  pages: number,
): Promise<PageSums | undefined> {
  let page: Page | undefined = prepared
  for (let attempt = 1; page; attempt++) {
    try {
      return await writePage(applyRun, page, pages)
    } catch (error) {
      const canRetry =
        isWriteConflict(error) || error instanceof LookupsChanged || error instanceof CreationBecameUpdate
      if (attempt === MAX_TRIES || !canRetry) throw error
      if (isSlugViolation(error)) applyRun.slugTail = 12
      Object.assign(applyRun, await loadNames(applyRun.db))
      page = await prepareAgain(applyRun, page)
    }
  }
  return undefined
}

/** With a new reader, since the shared one is already past these rows. */
async function prepareAgain(applyRun: ApplyRun, page: Page): Promise<Page | undefined> {
  const { db, files, promotion } = applyRun
  const segments = await listSegments(db, promotion.fileId, promotion.version)
  const fresh = { ...applyRun, rows: new StagedRowReader(files, segments) }
  const again = await preparePage(fresh, { after: page.after, limit: page.rows.length, keepsAll: true })
  applyRun.searchNames = fresh.searchNames
  return again
}

// A transaction of about 150 ms: short enough for others that wait for its locks, long enough to be worth a commit.
const ROWS_PER_PAGE = 1_000

type Sums = Record<'promotions' | 'pages' | 'created' | 'updated' | 'ended', number>

/**
 * Applies approved promotions: the given one, or those of the dataset, oldest first, up to the maximum of pages. Promotions
 * without a current plan are planned first.
 */
export async function applyPromotions(deps: ApplyDeps & PlanDeps, run: JobRun<ApplyPayload>): Promise<Sums> {
  const { perPage = ROWS_PER_PAGE, maxPages = Number.POSITIVE_INFINITY, promotionId } = run.payload
  const written = pagesWritten(run.checkpoint)
  const sums: Sums = { promotions: 0, pages: 0, created: 0, updated: 0, ended: 0 }
  while (written + sums.pages < maxPages) {
    run.signal.throwIfAborted()
    const promotion = await findPlanned(deps, run)
    if (!promotion) break
    const pages = { perPage, written: written + sums.pages, max: maxPages }
    const applied = await failPromotionOnError({ run, promotionId: promotion.id }, () =>
      applyPromotion(deps, run, { promotion, pages }),
    )
    sums.promotions += 1
    for (const sum of ['pages', 'created', 'updated', 'ended'] as const) sums[sum] += applied[sum]
    if (promotionId) break
  }
  const didNothing = sums.promotions === 0 && written === 0
  if (didNothing && !promotionId) await run.log(nothingToApply(run.payload.dataset))
  return sums
}

const datasets = stagingRoots.map(datasetOf)

/** Lists the datasets if this one does not exist, since the job succeeds even if it was mistyped. */
function nothingToApply(dataset: string): string {
  const sentence = `There is nothing to apply in the dataset ${dataset}.`
  return datasets.includes(dataset) ? sentence : `${sentence} Datasets: ${datasets.join(', ')}.`
}

function pagesWritten(checkpoint: JobRun<unknown>['checkpoint']): number {
  const isObject = checkpoint !== null && typeof checkpoint === 'object' && 'pages' in checkpoint
  return isObject && typeof checkpoint.pages === 'number' ? checkpoint.pages : 0
}

/** The next promotion with a current plan; skips those whose new plan needs a review. */
async function findPlanned(
  deps: ApplyDeps & PlanDeps,
  run: JobRun<ApplyPayload>,
): Promise<PromotionRow | undefined> {
  for (;;) {
    const promotion = await findNext(deps, run.payload)
    if (!promotion || !needsPlan(promotion)) return promotion
    await failPromotionOnError({ run, promotionId: promotion.id }, () => makePlan(deps, run, promotion))
  }
}

async function findNext(
  { db }: ApplyDeps,
  { dataset, promotionId, datasetTag }: ApplyPayload,
): Promise<PromotionRow | undefined> {
  if (!promotionId) return findNextToApply(db, dataset, datasetTag)
  const promotion = await findPromotionRow(db, promotionId)
  const waits = promotion?.approvedAt && ['planning', 'planned', 'applying'].includes(promotion.state)
  return waits ? promotion : undefined
}

const needsPlan = ({ state, stale }: PromotionRow) => state === 'planning' || (state === 'planned' && stale)

/* The columns of the promotion that applying reads and writes. */

async function beginApplying(trx: Db, id: string, changeSetId: string): Promise<void> {
  await sql`update promotion set state = 'applying', change_set_id = ${changeSetId} where id = ${id}`.execute(
    trx,
  )
}

/** Marks its plan as fully applied; false if it is being undone. */
async function endApplying(trx: Db, id: string): Promise<boolean> {
  await lockFileOf(trx, id)
  const { rows } = await sql`
    update promotion set state = 'applied', applied_at = now(), touched_at = clock_timestamp()
    where id = ${id} and state = 'applying' returning id
  `.execute(trx)
  return rows.length > 0
}
