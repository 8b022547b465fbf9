/*
 * Imports a yard's file, chunk by chunk, into an installation whose processes are killed and paused meanwhile, and looks
 * whether everything is as if nothing had happened. Every seed draws another course of events, always the same for the
 * same number; one alone is run with `npm run chaos -- import --seed 17`.
 */
import { parseArgs } from 'node:util'
import { openDatabase } from '#server/platform/database/database.ts'
import { openFileStore } from '#server/platform/files/open-file-store.ts'
import { Installation } from '#tests/support/installation.ts'
import { type Oracle, raiseFallen, runOracle, runSeed, type Scene } from './chaos/run-seed.ts'
import { planSeed, tellDisturbance } from './chaos/seed-plan.ts'
import { firstFile, nextStock } from './chaos/stock.ts'

// Comparing the tables of a large import takes longer than any query of the program may.
const STATEMENT_MS = 300_000

const OPTIONS = {
  seeds: { type: 'string', default: '30' },
  /** These seeds alone: "17" or "9,14". */
  seed: { type: 'string' },
  rows: { type: 'string', default: '10000' },
  chunks: { type: 'string', default: '10' },
  /** What happens to processes in one seed. */
  disturbances: { type: 'string', default: '3' },
  'stop-seconds': { type: 'string', default: '40' },
  /** 100,000 rows, three seeds. */
  big: { type: 'boolean', default: false },
} as const

/** Prints a line a seed and a summary; answers whether all of them passed. */
export async function chaosImport(args: string[]): Promise<boolean> {
  const { values } = parseArgs({ args, options: OPTIONS })
  const rows = values.big ? 100_000 : Number(values.rows)
  const count = values.big ? 3 : Number(values.seeds)
  const seeds = values.seed?.split(',').map(Number) ?? Array.from({ length: count }, (_, at) => at + 1)
  const first = firstFile(rows)
  const installation = await Installation.open({ api: 2, worker: 2 })
  const database = openDatabase(installation.databaseUrl, {
    max: 3,
    applicationName: 'chaos',
    statementTimeoutMs: STATEMENT_MS,
  })
  try {
    const scene: Scene = {
      installation,
      db: database.db,
      files: await openFileStore({ kind: 'fs', dir: installation.filesDir }),
      chunks: Number(values.chunks),
      stock: { first, next: nextStock(first) },
    }
    const begin = Date.now()
    const oracle = await runOracle(scene)
    console.log(`undisturbed: ${rows} rows in ${scene.chunks} chunks, then the next stock, ${since(begin)}`)
    const planOptions = {
      chunks: scene.chunks,
      disturbances: Number(values.disturbances),
      stopMs: Number(values['stop-seconds']) * 1_000,
    }
    let failed = 0
    for (const seed of seeds) {
      if (!(await reportSeed(scene, planSeed(seed, planOptions), oracle))) failed += 1
    }
    console.log(`${seeds.length - failed} passed, ${failed} failed`)
    return failed === 0
  } finally {
    await database.close()
    await installation.close()
  }
}

async function reportSeed(scene: Scene, plan: ReturnType<typeof planSeed>, oracle: Oracle): Promise<boolean> {
  const begin = Date.now()
  const story = [plan.scenario, ...plan.disturbances.map(tellDisturbance)].join(', ')
  try {
    const { problems, retries, longestStillMs } = await runSeed(scene, plan, oracle)
    const measured = `${retries} retries, still for ${(longestStillMs / 1000).toFixed(1)} s at most, ${since(begin)}`
    console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'} seed ${plan.seed}: ${story}; ${measured}`)
    for (const problem of problems) console.log(problem)
    return problems.length === 0
  } catch (error) {
    console.log(`FAILED seed ${plan.seed}: ${story}; ${since(begin)}`)
    console.log(error instanceof Error ? error.message : String(error))
    for (const problem of await raiseFallen(scene.installation)) console.log(problem)
    return false
  }
}

const since = (begin: number) => `${((Date.now() - begin) / 1000).toFixed(0)} s`
