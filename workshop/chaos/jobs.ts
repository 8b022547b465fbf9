/*
 * Enqueues a thousand jobs at an installation whose processes are killed and paused meanwhile, and checks that each was
 * done, once, and was never stuck. A run takes seven minutes and never more than nine.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { openAdmin } from '#tests/support/import-client.ts'
import { describeDisturbance, disturb } from './disturbances.ts'
import { Operator } from './jobs-operator.ts'
import { type JobsPlan, type PlannedJob, planJobs } from './jobs-plan.ts'
import { makeEffectsTable } from './jobs-trial.ts'
import { JobsWatch, type UnfinishedJob } from './jobs-watch.ts'
import { addressesOf, openScene, restartEnded, type Scene, seconds } from './scene.ts'

const OPTIONS = {
  seed: { type: 'string', default: '1' },
  jobs: { type: 'string', default: '1000' },
  /** Everything is enqueued and happens within this time; then jobs get three minutes to end. */
  seconds: { type: 'string', default: '330' },
  'worker-kills': { type: 'string', default: '20' },
  'api-kills': { type: 'string', default: '5' },
  'database-kills': { type: 'string', default: '2' },
  stops: { type: 'string', default: '5' },
  'stop-seconds': { type: 'string', default: '40' },
  /** All waits of the engine are a quarter of what they are otherwise. */
  quick: { type: 'boolean', default: false },
} as const

// Questions are left open for longer than this, so that some jobs give their place back.
const PARK = { parkMs: 5_000 }
const QUICK = { pollMs: 250, heartbeatMs: 500, reconcileMs: 1_250, staleMs: 2_500 }
const LOOK_MS = 300
/** After the last job was enqueued and the last disturbance is over. */
const SETTLE_MS = 180_000
/** No job may stand still for longer, whatever was killed. */
const LONGEST_STILL_MS = 30_000

/** Prints tables; returns whether no job was lost, stuck or done twice. */
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
  const times = JSON.stringify({ ...PARK, ...(values.quick && QUICK) })
  const program = { path: join(import.meta.dirname, 'jobs-program.ts'), args: [times] }
  const scene = await openScene({ api: 2, worker: 2, program })
  try {
    await makeEffectsTable(scene.db)
    const over = new AbortController()
    const addresses = addressesOf(scene)
    const operator = new Operator(addresses, await openAdmin(addresses[0] ?? '', scene.db), over.signal)
    const begin = Date.now()
    const played = await play(scene, plan, operator, over)
    const jobs = judgeAll(operator.enqueued, await readJobs(scene.db))
    const ended = await restartEnded(scene.installation)
    const isGood = report(plan, played, { ...jobs, ended })
    console.log(
      `stood still for ${seconds(played.watch.longest()[0]?.ms ?? 0, 1)} at most; ${operator.repeated} calls repeated; ` +
        `${seconds(Date.now() - begin)}${played.inTime ? '' : ', and time was up'}`,
    )
    return isGood
  } finally {
    await scene.close()
  }
}

type Played = { readonly watch: JobsWatch; readonly inTime: boolean }

/** Plays the plan and resolves when every job has ended, or when time is up. */
async function play(
  scene: Scene,
  plan: JobsPlan,
  operator: Operator,
  over: AbortController,
): Promise<Played> {
  const begin = Date.now()
  const until = (ms: number) => sleep(Math.max(0, begin + ms - Date.now()))
  const away = new Set<string>()
  const answering = operator.answerAll()
  const enqueuing = plan.jobs.map(async (job) => {
    await until(job.atMs)
    const jobId = await operator.enqueue(job)
    if (job.kind !== 'cancelled') return
    await sleep(job.cancelAfterMs)
    await operator.cancel(jobId)
  })
  const disturbing = plan.disturbances.map(async (disturbance) => {
    await until(disturbance.atMs)
    const { target, which } = disturbance
    const name = target === 'database' ? target : `${target} ${which}`
    away.add(name)
    await disturb(scene.installation, disturbance)
    away.delete(name)
  })
  let isPlayed = false
  const played = Promise.all([...enqueuing, ...disturbing]).then(() => {
    isPlayed = true
  })
  // The first failure is reported; the rest ends with the installation.
  const failed = Promise.race([played, answering]).then(() => new Promise<never>(() => undefined))
  const watch = new JobsWatch()
  const look = async () => {
    const jobs = await unfinishedJobs(scene.db)
    const isNothingUp = away.has('database') || (away.has('worker 0') && away.has('worker 1'))
    if (isNothingUp || !jobs) watch.away(Date.now())
    if (jobs) watch.note(jobs, Date.now())
    return jobs?.length
  }
  const watching = async () => {
    for (;;) {
      if ((await look()) === 0 && isPlayed) return true
      if (Date.now() - begin > plan.windowMs + SETTLE_MS) return false
      await sleep(LOOK_MS)
    }
  }
  const inTime = await Promise.race([watching(), failed])
  over.abort()
  await answering.catch(() => undefined)
  return { watch, inTime }
}

/** Undefined while the database is away. */
async function unfinishedJobs(db: Db): Promise<UnfinishedJob[] | undefined> {
  try {
    const { rows } = await sql<UnfinishedJob>`
      select id, queue, status, run_after <= now() as "isDue",
             concat_ws(' ', status, run_no, last_seq, checkpoint, heartbeat_at is null) as trace
      from job
      where status in ('queued', 'running', 'waiting-manual', 'retrying') and created_by is not null`.execute(
      db,
    )
    return rows
  } catch {
    return undefined
  }
}

type FoundJob = {
  readonly id: string
  readonly status: string
  readonly error: string | null
  readonly runs: number
  readonly lastSeq: number
  /** The step of each effect. */
  readonly effects: readonly number[]
  readonly events: number
  readonly dones: number
}

async function readJobs(db: Db): Promise<FoundJob[]> {
  const { rows } = await sql<FoundJob>`
    select job.id, status, error, run_no as runs, last_seq::int as "lastSeq",
           array(select step from trial_effect where job_id = job.id order by step) as effects,
           event.count as events, event.dones
    from job, lateral (
      select count(*)::int as count, count(*) filter (where kind = 'done')::int as dones
      from job_event where job_id = job.id
    ) as event
    where created_by is not null`.execute(db)
  return rows
}

type JudgedJob = {
  readonly id: string
  readonly planned: PlannedJob
  readonly found: FoundJob | undefined
  /** Why it counts as lost, and what is wrong with its log; undefined for neither. */
  readonly lost: string | undefined
  readonly log: string | undefined
  readonly doubled: number
  readonly missing: number
}

/** What became of the enqueued jobs, and jobs that no reply named: those were enqueued twice. */
function judgeAll(enqueued: ReadonlyMap<string, PlannedJob>, jobs: readonly FoundJob[]) {
  const byId = new Map(jobs.map((job) => [job.id, job]))
  const judged = [...enqueued].map(([id, planned]) => judge(id, planned, byId.get(id)))
  return { judged, unknown: jobs.filter(({ id }) => !enqueued.has(id)).map(({ id }) => id) }
}

function judge(id: string, planned: PlannedJob, found: FoundJob | undefined): JudgedJob {
  const all = { id, planned, found }
  if (!found) return { ...all, lost: 'there is no record', log: undefined, doubled: 0, missing: 0 }
  const distinct = new Set(found.effects)
  const leaves = planned.kind === 'self-check' ? 0 : planned.steps
  // A job that did not complete may have stopped anywhere, but skips no step.
  const wanted = found.status === 'completed' ? leaves : distinct.size
  return {
    ...all,
    lost: whyLost(planned, found),
    log: faultOfLog(found),
    doubled: found.effects.length - distinct.size,
    missing: Array.from({ length: wanted }, (_, step) => step).filter((step) => !distinct.has(step)).length,
  }
}

function whyLost({ kind }: PlannedJob, { status, error }: FoundJob): string | undefined {
  if (status === 'completed') return undefined
  if (kind === 'cancelled' && status === 'cancelled') return undefined
  // It may not be started again, and its record says why it ended.
  if (kind === 'once' && status === 'failed' && error) return undefined
  return `it is ${status}${error ? `: ${error}` : ''}`
}

function faultOfLog({ status, lastSeq, events, dones }: FoundJob): string | undefined {
  if (events !== lastSeq) return `${lastSeq} events were numbered and ${events} are there`
  const hasEnded = status === 'completed' || status === 'failed' || status === 'cancelled'
  return hasEnded && dones !== 1 ? `it has ${dones} events of its end` : undefined
}

type Results = { judged: readonly JudgedJob[]; unknown: readonly string[]; ended: readonly string[] }

/** Prints what happened and what became of the jobs; returns whether all is as it should be. */
function report(plan: JobsPlan, { watch, inTime }: Played, { judged, unknown, ended }: Results): boolean {
  const happened = Map.groupBy(plan.disturbances, (one) => describeDisturbance(one))
  console.log([...happened].map(([name, { length }]) => `${name}: ${length}`).join(', '))
  console.table(
    [...Map.groupBy(judged, ({ planned }) => planned.kind)].map(([kind, jobs]) => row(kind, jobs)),
  )
  const stuck = watch.longest().filter(({ ms }) => ms > LONGEST_STILL_MS)
  const figures = {
    jobs: judged.length,
    lost: judged.filter(({ lost }) => lost).length + plan.jobs.length - judged.length,
    'stuck longer than 30 s': stuck.length,
    'effects doubled': sum(judged, ({ doubled }) => doubled),
    'effects missing': sum(judged, ({ missing }) => missing),
    'enqueued twice': unknown.length,
    'logs with gaps': judged.filter(({ log }) => log).length,
    'processes that ended by themselves': ended.length,
  }
  console.log(
    Object.entries(figures)
      .map(([what, count]) => `${what} ${count}`)
      .join(', '),
  )
  for (const { id, planned, lost, doubled, missing, log } of judged) {
    const faults = [
      lost,
      doubled > 0 && `${doubled} effects doubled`,
      missing > 0 && `${missing} missing`,
      log,
    ]
    const wrong = faults.filter(Boolean).join('; ')
    if (wrong) console.log(`${planned.kind} ${planned.no} (${id}): ${wrong}`)
  }
  for (const { job, ms } of stuck) console.log(`${job} stood still for ${seconds(ms, 1)}`)
  for (const id of unknown) console.log(`${id} was enqueued, but no reply named it`)
  for (const problem of ended) console.log(problem)
  const { jobs, ...wrong } = figures
  return inTime && Object.values(wrong).every((count) => count === 0)
}

const sum = <T>(all: readonly T[], of: (one: T) => number) => all.reduce((total, one) => total + of(one), 0)

function row(kind: string, jobs: readonly JudgedJob[]): Record<string, string | number> {
  const count = (is: (one: JudgedJob) => boolean) => jobs.filter(is).length
  return {
    kind,
    jobs: jobs.length,
    completed: count(({ found }) => found?.status === 'completed'),
    cancelled: count(({ found }) => found?.status === 'cancelled'),
    failed: count(({ found }) => found?.status === 'failed'),
    'run more than once': count(({ found }) => (found?.runs ?? 0) > 1),
    effects: sum(jobs, ({ found }) => found?.effects.length ?? 0),
  }
}
