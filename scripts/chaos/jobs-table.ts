import type { JobKind, JobsPlan, PlannedJob } from './jobs-plan.ts'
import type { SceneOutcome } from './jobs-scene.ts'
import type { JobFound, Verdict } from './jobs-verdict.ts'
import type { Stillness } from './jobs-watch.ts'

/** Nothing may stand still for longer, whatever was killed. */
const LONGEST_STILL_MS = 30_000

export type JudgedJob = {
  readonly id: string
  readonly planned: PlannedJob
  readonly job: JobFound | undefined
  readonly verdict: Verdict
}

export type TrialOutcome = {
  readonly plan: JobsPlan
  readonly outcome: SceneOutcome
  readonly judged: readonly JudgedJob[]
  /** Jobs that nobody was told of: enqueued twice. */
  readonly unknown: readonly string[]
  readonly repeated: number
  readonly fallen: readonly string[]
  readonly seconds: number
}

/** Prints what happened and what became of the jobs; answers whether all is as it should be. */
export function printOutcome(trial: TrialOutcome): boolean {
  const { plan, outcome, judged, unknown, fallen } = trial
  console.table(happened(plan, outcome.woken))
  console.table(byKind(judged))
  const stuck = outcome.counted.longest().filter(({ ms }) => ms > LONGEST_STILL_MS)
  const sum = (of: (verdict: Verdict) => number) =>
    judged.reduce((total, { verdict }) => total + of(verdict), 0)
  const figures = {
    jobs: judged.length,
    lost: sum(({ lost }) => (lost ? 1 : 0)) + plan.jobs.length - judged.length,
    'stuck longer than 30 s': stuck.length,
    'effects doubled': sum(({ doubled }) => doubled),
    'effects missing': sum(({ missing }) => missing),
    'enqueued twice': unknown.length,
    'logs with gaps': sum(({ log }) => (log ? 1 : 0)),
    'processes that ended by themselves': fallen.length,
  }
  console.log(tellFigures(figures))
  const { counted, raw } = outcome
  console.log(
    `stood still for ${tellLongest(counted.longest())} at most, ${tellLongest(raw.longest())} with what was away; ` +
      `${trial.repeated} calls repeated; ${trial.seconds.toFixed(0)} s${outcome.inTime ? '' : ', and time was up'}`,
  )
  tellProblems(trial, stuck)
  const { jobs, ...wrong } = figures
  return outcome.inTime && Object.values(wrong).every((count) => count === 0)
}

const tellFigures = (figures: Readonly<Record<string, number>>) =>
  Object.entries(figures)
    .map(([what, count]) => `${what} ${count}`)
    .join(', ')

const tellLongest = ([first]: readonly Stillness[]) => `${((first?.ms ?? 0) / 1_000).toFixed(1)} s`

function happened({ disturbances }: JobsPlan, woken: number): Record<string, string | number>[] {
  const names = [...new Set(disturbances.map(({ kind, target }) => `${kind} ${target}`))]
  return names.map((name) => ({
    what: name,
    times: disturbances.filter(({ kind, target }) => `${kind} ${target}` === name).length,
    ...(name === 'stop worker' && { 'woken as themselves': woken }),
  }))
}

function byKind(judged: readonly JudgedJob[]): Record<string, string | number>[] {
  const kinds = [...new Set(judged.map(({ planned }) => planned.kind))].sort()
  return kinds.map((kind) =>
    rowOf(
      kind,
      judged.filter(({ planned }) => planned.kind === kind),
    ),
  )
}

function rowOf(kind: JobKind, judged: readonly JudgedJob[]): Record<string, string | number> {
  const count = (is: (one: JudgedJob) => boolean) => judged.filter(is).length
  const sum = (of: (one: JudgedJob) => number) => judged.reduce((total, one) => total + of(one), 0)
  return {
    kind,
    jobs: judged.length,
    completed: count(({ job }) => job?.status === 'completed'),
    cancelled: count(({ job }) => job?.status === 'cancelled'),
    failed: count(({ job }) => job?.status === 'failed'),
    'of that worker lost': count(({ job }) => job?.error === 'worker lost'),
    'run more than once': count(({ job }) => (job?.runs ?? 0) > 1),
    effects: sum(({ job }) => job?.effects.length ?? 0),
    doubled: sum(({ verdict }) => verdict.doubled),
    missing: sum(({ verdict }) => verdict.missing),
    lost: count(({ verdict }) => verdict.lost !== undefined),
  }
}

function tellProblems({ judged, unknown, fallen }: TrialOutcome, stuck: readonly Stillness[]): void {
  for (const { id, planned, verdict } of judged) {
    const { lost, doubled, missing, log } = verdict
    const wrong = [
      lost,
      doubled > 0 && `${doubled} effects doubled`,
      missing > 0 && `${missing} missing`,
      log,
    ]
    const told = wrong.filter(Boolean).join('; ')
    if (told) console.log(`${planned.kind} ${planned.no} (${id}): ${told}`)
  }
  for (const { job, ms } of stuck) {
    const kind = judged.find(({ id }) => id === job)?.planned.kind ?? 'job'
    console.log(`${kind} ${job} stood still for ${(ms / 1_000).toFixed(1)} s`)
  }
  for (const id of unknown) console.log(`${id} was enqueued, and nobody was told`)
  for (const problem of fallen) console.log(problem)
}
