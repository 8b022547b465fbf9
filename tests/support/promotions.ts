import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, expect } from 'vitest'
import type { ImportMode, ImportRecord } from '#contract/imports.ts'
import { requestUndo } from '#server/features/stock-files/apply/undo.ts'
import { promotionJobs } from '#server/features/stock-files/jobs.ts'
import type { ImportPolicy } from '#server/features/stock-files/plan/decisions.ts'
import { startPromotion } from '#server/features/stock-files/plan/promote.ts'
import { findPromotion, type PromotionSummary } from '#server/features/stock-files/promotion/summaries.ts'
import type { Fields } from '#server/features/stock-files/store/staged-record.ts'
import type { Caller } from '#server/features/stock-files/store/staging-path.ts'
import type { Actor } from '#server/platform/actor.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { type EngineTimes, type JobEngineOptions, startJobEngine } from '#server/platform/jobs/job-engine.ts'
import type { ApiClient } from './api-client.ts'
import { atLength } from './at-length.ts'
import { QUICK } from './job-bench.ts'
import { stageFile } from './stage-file.ts'
import type { SignedIn, TestApp } from './test-app.ts'

/** A row as an import stages it: it passes every rule, and no two numbers give the same part. */
export function partFields(number: number, changes: Fields = {}): Fields {
  return {
    partname: `Alternator ${number}`,
    partcategory: 'Alternator',
    partmanu: 'Ford',
    partmodel: 'Crown Victoria',
    partyear: '2014',
    partnum: `DL3Z-${number}`,
    partprice: '95.50',
    ...changes,
  }
}

export const partsFields = (count: number, changes: Fields = {}): Fields[] =>
  Array.from({ length: count }, (_, index) => partFields(index + 1, changes))

/** For tests of what both modes do alike: whatever else they do is shown by tests of each. */
export const MODES = atLength<readonly ImportMode[]>({ full: ['add', 'replace'], brief: ['replace'] })

/** As with IMPORT_REVIEW=manual: only a trusted seller's import goes live by itself. */
export const reviewed: ImportPolicy = { reviewsNothing: false, firstImport: { live: 500, waitMinutes: 0 } }

// Half of what a small import asked of the database was whether there was work, or anything to repair.
const SELDOM: EngineTimes = { ...QUICK, pollMs: 100, reconcileMs: 2_000 }

/** Settled when a worker of this process has run a job. */
let nextRun = Promise.withResolvers<void>()

function tellOfRun(): void {
  nextRun.resolve()
  nextRun = Promise.withResolvers()
}

/** Runs the jobs of promotions on the app's database until the file's tests end. Call it at the top of a test file. */
export async function startPromotionWorker(
  app: TestApp,
  { policy = reviewed, ...options }: Partial<JobEngineOptions> & { policy?: ImportPolicy } = {},
): Promise<{ close(): Promise<void> }> {
  const url = app.config.databaseUrl ?? ''
  const { db, files, clock } = app
  // As in a worker behind PgBouncer.
  const { databaseDirectUrl: direct } = app.config
  const plans = direct === undefined ? undefined : openDatabase(direct, { max: 2, applicationName: 'plans' })
  const engine = await startJobEngine({
    url,
    directUrl: direct ?? url,
    db,
    log: pino({ level: 'silent' }),
    definitions: promotionJobs({
      db,
      plans: plans?.db ?? db,
      files,
      now: clock.now,
      letterhead: app.config,
      ...policy,
    }).map((job) => ({ ...job, run: (run) => job.run(run).finally(tellOfRun) })),
    periodic: [],
    times: SELDOM,
    ...options,
  })
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= engine.close().then(() => plans?.close())
    return closing
  }
  afterAll(close)
  return { close }
}

type Sent = { mode?: ImportMode; dataset?: string; path?: string; chunk?: number }

/** Stages rows and starts their promotion, as an import that is complete does. */
export async function sendRows(
  app: TestApp,
  seller: SignedIn,
  rows: readonly Fields[],
  sent: Sent = {},
): Promise<{ promotionId: string; fileId: string; path: string; importId: string }> {
  const { sellerId } = seller.user
  const { path: wanted, chunk, mode = 'add', dataset = 'marketplace:ecomm_autoparts' } = sent
  const { fileId, path } = await stageFile(app, {
    sellerId,
    rows,
    ...(wanted && { path: wanted }),
    ...(chunk && { chunk }),
  })
  const { id: importId } = await app.db
    .insertInto('import')
    .values({
      seller_id: sellerId,
      dry_run: false,
      key: fileId,
      request_hash: Buffer.from(fileId),
      mode,
      mapping: '{}',
      state: 'staged',
      received: 1,
      staging_file_id: fileId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { promotionId } = await app.db
    .transaction()
    .execute((trx) => startPromotion(trx, { fileId, version: 1, sellerId, importId, mode, dataset }))
  return { promotionId, fileId, path, importId }
}

export async function promotionOf({ db }: Pick<TestApp, 'db'>, id: string): Promise<PromotionSummary> {
  const promotion = await findPromotion(db, id)
  if (!promotion) throw new Error(`There is no promotion ${id}`)
  return promotion
}

const PATIENCE_MS = 12_000
const LOOK_MS = 200

export async function untilState(
  app: Pick<TestApp, 'db'>,
  id: string,
  state: PromotionSummary['state'],
): Promise<PromotionSummary> {
  const deadline = Date.now() + PATIENCE_MS
  // A look at one column: hundreds of imports wait here, dozens of times each.
  const query = app.db.selectFrom('promotion').select('state').where('id', '=', id)
  while (Date.now() < deadline) {
    const run = nextRun.promise
    if ((await query.executeTakeFirst())?.state === state) return promotionOf(app, id)
    // Workers of other processes say nothing.
    await Promise.race([run, sleep(LOOK_MS)])
  }
  const { error, review, state: last } = await promotionOf(app, id)
  throw new Error([`It is ${last}, not ${state}.`, error, ...review.map(({ message }) => message)].join(' '))
}

/** Waits until an import that was sent over HTTP is so far, and answers it as its seller sees it. */
export async function untilImport(
  app: Pick<TestApp, 'db'>,
  api: ApiClient,
  importId: string,
  state: PromotionSummary['state'] = 'applied',
): Promise<ImportRecord> {
  const newest = await app.db
    .selectFrom('promotion')
    .select('id')
    .where('import_id', '=', importId)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  await untilState(app, newest.id, state)
  const { body } = await api.get<ImportRecord>(`/pro/imports/${importId}`)
  expect(body.state).toBe(state)
  return body
}

/** Sends rows of a trusted seller and waits until they are live. */
export async function importRows(
  app: TestApp,
  seller: SignedIn,
  rows: readonly Fields[],
  sent: Sent = {},
): Promise<PromotionSummary> {
  const { promotionId } = await sendRows(app, seller, rows, sent)
  return untilState(app, promotionId, 'applied')
}

/** The seller asking just now for something to be done with their own import. */
export const askedBy = ({ user }: SignedIn): Caller & { now: Date } => ({
  actor: { userId: user.id, sellerId: user.sellerId } as Actor,
  ip: '127.0.0.1',
  requestId: randomUUID(),
  now: new Date(),
})

/** Takes an import back, and waits until that is done. */
export async function undoImport(
  app: Pick<TestApp, 'db'>,
  seller: SignedIn,
  { id, importId }: Pick<PromotionSummary, 'id' | 'importId'>,
): Promise<PromotionSummary> {
  await requestUndo(app.db, { ...askedBy(seller), importId: importId ?? '' })
  return untilState(app, id, 'undone')
}

/** All listings of a seller, deleted ones too, in the order in which they were made. */
export function listingsOf({ db }: Pick<TestApp, 'db'>, seller: SignedIn) {
  return db
    .selectFrom('listing')
    .selectAll()
    .where('seller_id', '=', seller.user.sellerId)
    .orderBy('id')
    .execute()
}

export function sourcesOf({ db }: Pick<TestApp, 'db'>, seller: SignedIn) {
  return db
    .selectFrom('listing_source')
    .selectAll()
    .where('seller_id', '=', seller.user.sellerId)
    .orderBy('source_key')
    .orderBy('ordinal')
    .execute()
}

/** The history of a listing, oldest first. */
export function changesOf({ db }: Pick<TestApp, 'db'>, listingId: string) {
  return db
    .selectFrom('listing_change')
    .selectAll()
    .where('listing_id', '=', listingId)
    .orderBy('version')
    .execute()
}
