import { type Random, seededRandom } from '#server/platform/seeded-random.ts'

/** Something that happens to a process once the import has come so far (0 to 1) and some more milliseconds have passed. */
export type Disturbance = {
  readonly at: number
  readonly laterMs: number
  /** Of several processes of a role. */
  readonly which: number
} & (
  | { readonly kind: 'kill'; readonly target: Target | 'connection'; readonly backAfterMs: number }
  | { readonly kind: 'stop'; readonly target: Target; readonly forMs: number }
)
type Target = 'api' | 'worker' | 'database'

/** What one seed does: the same for the same number, on every machine. */
export type SeedPlan = {
  readonly seed: number
  /** A yard's first file, or the full stock a day later: some parts dearer, some gone, some new. */
  readonly scenario: 'first file' | 'next stock'
  /** Chunks in the order in which they are sent. */
  readonly order: readonly number[]
  /** Chunks that are sent twice at the same moment, to two processes. */
  readonly doubled: ReadonlySet<number>
  /** Chunks that are sent again after they were acknowledged. */
  readonly resent: ReadonlySet<number>
  readonly atOnce: number
  readonly disturbances: readonly Disturbance[]
}

export type PlanOptions = { readonly chunks: number; readonly disturbances: number; readonly stopMs: number }

const PROCESSES_A_ROLE = 2

export function planSeed(seed: number, { chunks, disturbances, stopMs }: PlanOptions): SeedPlan {
  const random = seededRandom(`chaos ${seed}`)
  const indexes = Array.from({ length: chunks }, (_, index) => index)
  const some = (share: number) => new Set(indexes.filter(() => random.chance(share)))
  return {
    seed,
    scenario: seed % 2 === 0 ? 'next stock' : 'first file',
    order: shuffle(indexes, random),
    doubled: some(0.3),
    resent: some(0.3),
    atOnce: random.whole(1, 4),
    disturbances: drawDisturbances(random, disturbances, stopMs),
  }
}

/** At most one of them is a long pause: it is waited for, and the others happen meanwhile. */
function drawDisturbances(random: Random, count: number, stopMs: number): Disturbance[] {
  const pauseAt = random.chance(0.7) ? random.whole(0, count - 1) : -1
  return Array.from({ length: count }, (_, index) => {
    const when = { at: random.next() * 0.97, laterMs: random.whole(0, 200), which: random.whole(0, 1) }
    if (index === pauseAt) {
      return { ...when, kind: 'stop' as const, target: random.pick(TARGETS), forMs: stopMs }
    }
    const target = random.pick([...TARGETS, 'worker', 'connection'] as const)
    return { ...when, kind: 'kill' as const, target, backAfterMs: random.whole(0, 1_500) }
  }).sort((a, b) => a.at - b.at)
}

const TARGETS = ['api', 'worker', 'database'] as const

function shuffle(items: readonly number[], random: Random): number[] {
  const mixed = [...items]
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const other = random.whole(0, last)
    const moved = mixed[last] ?? 0
    mixed[last] = mixed[other] ?? 0
    mixed[other] = moved
  }
  return mixed
}

/** "kill worker 1 at 42 %". */
export function tellDisturbance({ kind, target, which, at }: Disturbance): string {
  const name =
    target === 'api' || target === 'worker' ? `${target} ${(which % PROCESSES_A_ROLE) + 1}` : target
  return `${kind} ${name} at ${Math.round(at * 100)} %`
}
