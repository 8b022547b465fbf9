import { useState } from 'react'

/** Units per second, measured while the page is open; `seenAtMs` is the time of `done`. */
export function useRate(done: number | undefined, seenAtMs: number): number | undefined {
  const [samples, setSamples] = useState<Sample[]>([])
  const last = samples.at(-1)
  // Set during rendering, so that a new response renders once.
  if (done !== undefined && seenAtMs !== last?.atMs) {
    setSamples(withSample(samples, { atMs: seenAtMs, done }))
  }
  return rateOf(samples)
}

/** Progress at a point in time. */
export type Sample = { atMs: number; done: number }

/** Long enough to be steady, short enough to follow a change of pace. */
const WINDOW_MS = 15_000

/** Adds a sample and drops those older than the window, or all if the count went down (an undo restarts it). */
export function withSample(samples: readonly Sample[], now: Sample): Sample[] {
  const last = samples.at(-1)
  if (last && now.done < last.done) return [now]
  if (last && now.atMs === last.atMs) return [...samples]
  return [...samples.filter(({ atMs }) => now.atMs - atMs <= WINDOW_MS), now]
}

/** Units per second over the window, or undefined with too few samples. */
export function rateOf(samples: readonly Sample[]): number | undefined {
  const [first] = samples
  const last = samples.at(-1)
  if (!first || !last || last.atMs - first.atMs < 2_000 || last.done === first.done) return undefined
  return ((last.done - first.done) * 1_000) / (last.atMs - first.atMs)
}
