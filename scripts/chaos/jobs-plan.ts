import { type Random, seededRandom, weightedChoice } from '#server/platform/seeded-random.ts'
import type { TrialKind } from './jobs-queues.ts'
import type { Disturbance } from './seed-plan.ts'

/** A script of the program itself, which asks in between; the others are the trial's own. */
export type JobKind = TrialKind | 'self-check'

export type PlannedJob = {
  readonly no: number
  readonly kind: JobKind
  /** When it is enqueued. */
  readonly atMs: number
  readonly steps: number
  readonly ms: number
  /** Of those that are cancelled: how long after it was enqueued. */
  readonly cancelAfterMs: number
  /** Of those that ask: how long the first question is left open. Some are parked meanwhile. */
  readonly answerAfterMs: number
}

/** What one seed does: the same for the same number, on every machine. */
export type JobsPlan = {
  readonly windowMs: number
  readonly jobs: readonly PlannedJob[]
  /** Each when its share of the window has passed. */
  readonly disturbances: readonly Disturbance[]
}

export type JobsPlanOptions = {
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
  return {
    windowMs,
    jobs: Array.from({ length: options.jobs }, (_, no) =>
      planJob(random, no, (no * windowMs) / options.jobs),
    ),
    disturbances: drawDisturbances(random, options),
  }
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

// What a process needs to be back, about: a stop of one that is not there yet would stop nothing.
const BACK_MS = 6_000

/**
 * Never are both workers stopped at one time, since then nothing could go on; one that is stopped is not killed, so that
 * it wakes with what it held. Everything else is as it comes.
 */
function drawDisturbances(random: Random, options: JobsPlanOptions): Disturbance[] {
  const { windowMs, stops, stopMs } = options
  const paused = Array.from({ length: stops }, (_, at) => {
    const slot = windowMs / stops
    return {
      atMs: slot * at + random.next() * Math.max(0, slot - stopMs - BACK_MS),
      which: random.whole(0, 1),
    }
  })
  const pausedAt = (ms: number) =>
    paused.find(({ atMs }) => ms > atMs - BACK_MS && ms < atMs + stopMs + 1_000)?.which
  const somewhen = () => random.next() * windowMs
  const share = (ms: number) => ({ at: ms / windowMs, laterMs: 0 })
  const kill = { kind: 'kill' as const }
  const times = <T>(count: number, draw: () => T) => Array.from({ length: count }, draw)
  return [
    ...paused.map(({ atMs, which }) => ({
      ...share(atMs),
      kind: 'stop' as const,
      target: 'worker' as const,
      which,
      forMs: stopMs,
    })),
    ...times(options.workerKills, () => {
      const ms = somewhen()
      const stopped = pausedAt(ms)
      const which = stopped === undefined ? random.whole(0, 1) : 1 - stopped
      return { ...share(ms), ...kill, target: 'worker' as const, which, backAfterMs: random.whole(0, 1_500) }
    }),
    ...times(options.apiKills, () => ({
      ...share(somewhen()),
      ...kill,
      target: 'api' as const,
      which: random.whole(0, 1),
      backAfterMs: random.whole(0, 1_500),
    })),
    ...times(options.databaseKills, () => ({
      ...share(somewhen()),
      ...kill,
      target: 'database' as const,
      which: 0,
      backAfterMs: random.whole(0, 1_500),
    })),
  ].sort((a, b) => a.at - b.at)
}
