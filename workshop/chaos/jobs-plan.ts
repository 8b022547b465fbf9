import { type Random, seededRandom, weightedChoice } from '#server/platform/seeded-random.ts'
import type { Disturbance } from './disturbances.ts'
import type { trialQueues } from './jobs-trial.ts'

/** The self-check is a script of the program itself, which asks in between; the others are the trial's own. */
type JobKind = keyof typeof trialQueues | 'self-check'

export type PlannedJob = {
  readonly no: number
  readonly kind: JobKind
  /** When it is enqueued. */
  readonly atMs: number
  readonly steps: number
  readonly ms: number
  /** Of jobs that are cancelled: how long after they were enqueued. */
  readonly cancelAfterMs: number
  /** Of jobs that ask: how long the first question is left open. Some are parked meanwhile. */
  readonly answerAfterMs: number
}

/** What one seed does: the same on every machine. */
export type JobsPlan = {
  readonly windowMs: number
  readonly jobs: readonly PlannedJob[]
  readonly disturbances: readonly (Disturbance & { readonly atMs: number })[]
}

type JobsPlanOptions = {
  readonly jobs: number
  readonly windowMs: number
  readonly workerKills: number
  readonly apiKills: number
  readonly databaseKills: number
  readonly stops: number
  readonly stopMs: number
}

export function planJobs(seed: number, options: JobsPlanOptions): JobsPlan {
  const random = seededRandom(`jobs ${seed}`)
  const { windowMs } = options
  const jobs = Array.from({ length: options.jobs }, (_, no) =>
    planJob(random, no, (no * windowMs) / options.jobs),
  )
  return { windowMs, jobs, disturbances: drawDisturbances(random, options) }
}

const SHARES: Readonly<Record<JobKind, number>> = {
  quick: 50,
  steps: 16,
  once: 8,
  throws: 7,
  cancelled: 7,
  asks: 6,
  script: 5,
  'self-check': 1,
}
const chooseKind = weightedChoice(Object.keys(SHARES) as JobKind[], (kind) => SHARES[kind])

function planJob(random: Random, no: number, atMs: number): PlannedJob {
  const kind = chooseKind(random)
  const isQuick = kind === 'quick'
  return {
    no,
    kind,
    atMs: Math.round(atMs),
    steps: isQuick ? 1 : random.whole(2, 6),
    ms: isQuick ? 0 : random.whole(100, 1_200),
    cancelAfterMs: random.whole(0, 4_000),
    answerAfterMs: random.chance(0.25) ? random.whole(6_000, 9_000) : 0,
  }
}

// About what a process needs to be back: pausing one that is not there yet would pause nothing.
const BACK_MS = 6_000

/**
 * Both workers are never paused at the same time, since then nothing could make progress; one that is paused is not
 * killed, so that it wakes with what it held. Everything else is random.
 */
function drawDisturbances(random: Random, options: JobsPlanOptions): JobsPlan['disturbances'] {
  const { windowMs, stops, stopMs } = options
  const slot = windowMs / stops
  const pauses = Array.from({ length: stops }, (_, at) => ({
    atMs: slot * at + random.next() * Math.max(0, slot - stopMs - BACK_MS),
    kind: 'stop' as const,
    target: 'worker' as const,
    which: random.whole(0, 1),
    forMs: stopMs,
  }))
  const pausedAt = (ms: number) =>
    pauses.find(({ atMs }) => ms > atMs - BACK_MS && ms < atMs + stopMs + 1_000)?.which
  const kills = (target: 'worker' | 'api' | 'database', count: number) =>
    Array.from({ length: count }, () => {
      const atMs = random.next() * windowMs
      const paused = target === 'worker' ? pausedAt(atMs) : undefined
      const which = paused === undefined ? random.whole(0, 1) : 1 - paused
      return { atMs, kind: 'kill' as const, target, which, forMs: random.whole(0, 1_500) }
    })
  return [
    ...pauses,
    ...kills('worker', options.workerKills),
    ...kills('api', options.apiKills),
    ...kills('database', options.databaseKills),
  ].sort((a, b) => a.atMs - b.atMs)
}
