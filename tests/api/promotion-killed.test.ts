import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ImportMode } from '#contract/imports.ts'
import { approvePlan, clearReview } from '#server/features/stock-files/plan/decisions.ts'
import {
  findPromotionRow,
  lockPromotion,
  setApplyJob,
} from '#server/features/stock-files/promotion/promotions.ts'
import { applyQueue } from '#server/features/stock-files/stock-file-queues.ts'
import type { Fields } from '#server/features/stock-files/store/staged-record.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { atLength } from '#tests/support/at-length.ts'
import { QUICK } from '#tests/support/job-bench.ts'
import { proSeller } from '#tests/support/make-imports.ts'
import { partFields, sendRows, untilState } from '#tests/support/promotions.ts'
import { differences, type Tables, tablesOfSeller } from '#tests/support/tables-of-seller.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const ROWS = atLength({ full: 1_000, brief: 400 })
const ROWS_PER_PAGE = atLength({ full: 50, brief: 20 })
// Per file, no more kills than a job survives.
const KILLS = atLength({ full: 5, brief: 1 })
const SEEDS = atLength({ full: [1, 2, 3, 4], brief: [4] })

const app = await startTestApp()

type Worker = { readonly child: ChildProcess; begin(): Promise<void> }
let worker: Worker

beforeAll(async () => {
  worker = await loadWorker()
  await worker.begin()
})
afterAll(() => kill(worker))

async function loadWorker(): Promise<Worker> {
  const program = join(import.meta.dirname, '../support/ingest-worker-program.ts')
  const { databaseUrl = '', dataDir } = app.config
  const args = [program, databaseUrl, dataDir, JSON.stringify(QUICK)]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const { stdin, stdout } = child
  await once(stdout, 'data')
  const begin = async () => {
    stdin.write('begin\n')
    await once(stdout, 'data')
  }
  return { child, begin }
}

async function kill({ child }: Worker): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** A number from 0 to 1 that looks random and is the same for the same seed. */
function drawn(seed: number): number {
  const turned = Math.sin(seed * 12.9898) * 43_758.5453
  return turned - Math.floor(turned)
}

/** A yard’s file in which some rows appear twice. */
const first = Array.from({ length: ROWS }, (_, at) => partFields(at % 50 === 49 ? at : at + 1))
/** A day later: every fifth part has another price, every thirteenth is gone, a twentieth is new. */
const next = [
  ...first
    .filter((_, at) => at % 13 !== 12)
    .map((fields, at) => (at % 5 === 4 ? { ...fields, partprice: '77.50' } : fields)),
  ...Array.from({ length: ROWS / 20 }, (_, at) => partFields(ROWS + 100 + at)),
]

type Stage = { rows: readonly Fields[]; mode: ImportMode; killedAt: readonly number[] }

/** Stages, plans and publishes a file in pages; the worker is killed at these shares of it and another is started. */
async function goLive(seller: SignedIn, { rows, mode, killedAt }: Stage): Promise<void> {
  const { promotionId } = await sendRows(app, seller, rows, { chunk: 500, mode })
  await untilState(app, promotionId, 'planned')
  await app.db.transaction().execute(async (trx) => {
    const promotion = await lockPromotion(trx, promotionId)
    if (!promotion) throw new Error('the promotion is gone')
    await clearReview(trx, promotionId)
    await approvePlan(trx, promotionId, seller.user.id)
    const payload = { dataset: promotion.dataset, promotionId, perPage: ROWS_PER_PAGE }
    await setApplyJob(trx, promotionId, await enqueueJob(trx, { queue: applyQueue, payload }))
  })
  for (const share of killedAt) await killAt(promotionId, share)
  await untilState(app, promotionId, 'applied')
}

/** At a share of the plan, somewhere within the page being written at that moment. */
async function killAt(promotionId: string, share: number): Promise<void> {
  // Loading a worker program takes longer than everything tested here, so it begins in advance.
  const standby = loadWorker()
  for (;;) {
    const now = await findPromotionRow(app.db, promotionId)
    if (now?.state === 'applied' || (now?.applied ?? 0) >= share * (now?.actions ?? ROWS)) break
    await sleep(2)
  }
  await sleep(Math.round(share * 1_000) % 20)
  await kill(worker)
  const { state } = (await findPromotionRow(app.db, promotionId)) ?? {}
  expect(state, 'it was killed too late').toBe('applying')
  worker = await standby
  await worker.begin()
}

/** One in each part of a plan, early enough to be in the middle. */
const inParts = (seed: number) =>
  Array.from({ length: KILLS }, (_, part) => (part + 0.8 * drawn(seed * 10 + part)) / KILLS)

/** A yard's file and, at full length, the next day's. */
const FILES = atLength<Omit<Stage, 'killedAt'>[]>({
  full: [
    { rows: first, mode: 'add' },
    { rows: next, mode: 'replace' },
  ],
  brief: [{ rows: first, mode: 'add' }],
})

/** What a seller has after each file, for which workers are killed at these shares of it. */
async function goThrough(killed: (file: number) => readonly number[]): Promise<Tables[]> {
  const seller = await proSeller(app)
  const after: Tables[] = []
  for (const [at, file] of FILES.entries()) {
    await goLive(seller, { ...file, killedAt: killed(at) })
    after.push(await tablesOfSeller(app.db, app.files, seller.user.sellerId))
  }
  return after
}

describe('a worker that is killed in the middle of an ingest', () => {
  let undisturbed: Tables[]
  beforeAll(async () => {
    undisturbed = await goThrough(() => [])
  }, 60_000)

  test.each(SEEDS)(
    'seed %i: the final listings match those of an undisturbed run',
    { timeout: 120_000 },
    async (seed) => {
      const found = await goThrough((file) => inParts(seed + 2 * file))
      for (const [at, tables] of undisturbed.entries()) {
        expect(differences(tables, found[at] ?? tables), `file ${at}`).toEqual([])
      }
    },
  )
})
