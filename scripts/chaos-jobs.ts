/*
 * Enqueues a thousand jobs at an installation whose processes are killed, stopped and woken meanwhile, and looks whether
 * each was done, once, and went on in time. `npm run chaos -- jobs --seed 2` draws another course of events; it takes
 * seven minutes and never more than nine.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { Installation } from '#tests/support/installation.ts'
import { Operator, openAdmin } from './chaos/jobs-operator.ts'
import { type JobsPlan, planJobs } from './chaos/jobs-plan.ts'
import { playJobs, type SceneOutcome } from './chaos/jobs-scene.ts'
import { makeEffectsTable } from './chaos/jobs-steps.ts'
import { printOutcome } from './chaos/jobs-table.ts'
import { judgeJob, readJobs } from './chaos/jobs-verdict.ts'
import { raiseFallen } from './chaos/run-seed.ts'

const OPTIONS = {
  seed: { type: 'string', default: '1' },
  jobs: { type: 'string', default: '1000' },
  /** Everything happens within so long; then jobs get three minutes to end. */
  seconds: { type: 'string', default: '330' },
  'worker-kills': { type: 'string', default: '20' },
  'api-kills': { type: 'string', default: '5' },
  'database-kills': { type: 'string', default: '2' },
  stops: { type: 'string', default: '5' },
  'stop-seconds': { type: 'string', default: '40' },
  /** The engine waits a quarter of what it waits otherwise. */
  quick: { type: 'boolean', default: false },
} as const

// Questions are left open for longer than this, so that some jobs give their place back.
const PARK = { parkMs: 5_000 }
const QUICK = { pollMs: 250, heartbeatMs: 500, reconcileMs: 1_250, staleMs: 2_500 }

/** Prints tables; answers whether nothing was lost, stuck or doubled. */
export async function chaosJobs(args: string[]): Promise<boolean> {
  const { values } = parseArgs({ args, options: OPTIONS })
  const plan = planJobs(Number(values.seed), {
    jobs: Number(values.jobs),
    windowMs: Number(values.seconds) * 1_000,
    workerKills: Number(values['worker-kills']),
    apiKills: Number(values['api-kills']),
    databaseKills: Number(values['database-kills']),
    stops: Number(values.stops),
    stopMs: Number(values['stop-seconds']) * 1_000,
  })
  const times = { ...PARK, ...(values.quick && QUICK) }
  const installation = await Installation.open({
    api: 2,
    worker: 2,
    program: {
      path: join(import.meta.dirname, 'chaos/jobs-program.ts'),
      args: [JSON.stringify(times)],
    },
  })
  const database = openDatabase(installation.databaseUrl, { max: 3, applicationName: 'chaos' })
  try {
    return await runTrial(installation, database, plan)
  } finally {
    await database.close()
    await installation.close()
  }
}

async function runTrial(installation: Installation, { db }: Database, plan: JobsPlan): Promise<boolean> {
  await makeEffectsTable(db)
  const addresses = installation.ofRole('api').map(({ address }) => address)
  const over = new AbortController()
  const operator = new Operator(addresses, await openAdmin(addresses[0] ?? '', db), over.signal)
  const begin = Date.now()
  const outcome: SceneOutcome = await playJobs({ installation, db, operator, plan }, over)
  const found = new Map((await readJobs(db)).map((job) => [job.id, job]))
  const judged = [...operator.enqueued].map(([id, planned]) => {
    const job = found.get(id)
    found.delete(id)
    return { id, planned, job, verdict: judgeJob(planned, job) }
  })
  return printOutcome({
    plan,
    outcome,
    judged,
    unknown: [...found.keys()],
    repeated: operator.repeated,
    fallen: await raiseFallen(installation),
    seconds: (Date.now() - begin) / 1_000,
  })
}
