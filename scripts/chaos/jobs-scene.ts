import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { Installation } from '#tests/support/installation.ts'
import { disturb } from './disturb.ts'
import type { Operator } from './jobs-operator.ts'
import type { JobsPlan, PlannedJob } from './jobs-plan.ts'
import { JobsWatch, type UnfinishedJob } from './jobs-watch.ts'
import type { Disturbance } from './seed-plan.ts'

const LOOK_MS = 300
/** After the last job was enqueued and the last thing has happened. */
const SETTLE_MS = 180_000

/** What is away at the moment, such as "worker 0". */
type Away = Set<string>

export type Scene = {
  readonly installation: Installation
  readonly db: Db
  readonly operator: Operator
  readonly plan: JobsPlan
}

export type SceneOutcome = {
  /** As the measure counts it, and with all that was away included. */
  readonly counted: JobsWatch
  readonly raw: JobsWatch
  /** Processes that were stopped and woke again as themselves. */
  readonly woken: number
  readonly inTime: boolean
}

/** Plays the plan and resolves when every job has ended, or when time is up. */
export async function playJobs(scene: Scene, over: AbortController): Promise<SceneOutcome> {
  const { db, operator, plan } = scene
  const begin = Date.now()
  const away: Away = new Set()
  const inOrder = (queue: string) => queue !== 'preprocess'
  const watches = { counted: new JobsWatch(inOrder), raw: new JobsWatch(inOrder) }
  const answering = operator.answerAll()
  const enqueuing = Promise.all(plan.jobs.map((job) => enqueue(operator, job, begin)))
  const disturbing = Promise.all(
    plan.disturbances.map((disturbance) => happen(scene, disturbance, { away, begin })),
  )
  let isPlayed = false
  const played = Promise.all([enqueuing, disturbing]).then(([, woken]) => {
    isPlayed = true
    return woken.filter(Boolean).length
  })
  // Whatever fails first is told; the rest ends with the installation.
  const failed = Promise.race([played, answering]).then(() => new Promise<never>(() => undefined))
  const watching = async () => {
    for (;;) {
      const jobs = await look(db)
      note(watches, jobs, away)
      if (isPlayed && jobs?.length === 0) return true
      if (Date.now() - begin > plan.windowMs + SETTLE_MS) return false
      await sleep(LOOK_MS)
    }
  }
  const inTime = await Promise.race([watching(), failed])
  over.abort()
  await answering.catch(() => undefined)
  return { ...watches, woken: isPlayed ? await played : 0, inTime }
}

async function enqueue(operator: Operator, job: PlannedJob, begin: number): Promise<void> {
  await sleep(Math.max(0, begin + job.atMs - Date.now()))
  const jobId = await operator.enqueue(job)
  if (job.kind !== 'cancelled') return
  await sleep(job.cancelAfterMs)
  await operator.cancel(jobId)
}

/** Answers whether it was a stop from which the process woke as itself. */
async function happen(
  { installation, plan }: Scene,
  disturbance: Disturbance,
  { away, begin }: { away: Away; begin: number },
): Promise<boolean> {
  await sleep(Math.max(0, begin + disturbance.at * plan.windowMs - Date.now()))
  const { kind, target, which } = disturbance
  if (target === 'database' || target === 'connection') {
    await disturb(installation, disturbance, (isAway) =>
      isAway ? away.add('database') : away.delete('database'),
    )
    return false
  }
  const victim = installation.ofRole(target)[which]
  const pid = victim?.pid
  const name = `${target} ${which}`
  away.add(name)
  await disturb(installation, disturbance, () => undefined)
  away.delete(name)
  return kind === 'stop' && victim?.pid === pid && victim?.isRunning === true
}

function note(
  { counted, raw }: Pick<SceneOutcome, 'counted' | 'raw'>,
  jobs: UnfinishedJob[] | undefined,
  away: Away,
): void {
  const now = Date.now()
  const nothingGoes = away.has('database') || (away.has('worker 0') && away.has('worker 1'))
  if (nothingGoes || !jobs) counted.away(now)
  if (!jobs) return
  counted.note(jobs, now)
  raw.note(jobs, now)
}

/** Undefined while the database does not answer. */
async function look(db: Db): Promise<UnfinishedJob[] | undefined> {
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
