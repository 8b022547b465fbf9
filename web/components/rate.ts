import { useState } from 'react'

/** Done a second, from what was seen while the page is open; `seenAtMs` is when `done` was. */
export function useRate(done: number | undefined, seenAtMs: number): number | undefined {
  const [samples, setSamples] = useState<Sample[]>([])
  const last = samples.at(-1)
  // During rendering, so that a new answer is drawn once.
  if (done !== undefined && seenAtMs !== last?.atMs) {
    setSamples(withSample(samples, { atMs: seenAtMs, done }))
  }
  return rateOf(samples)
}

/** How far something was, and when. */
export type Sample = { atMs: number; done: number }

/** Long enough to be steady, short enough to follow a change of pace. */
const WINDOW_MS = 15_000

/** Adds what is known now; what is older than the window goes, and so does everything where the work began anew. */
export function withSample(samples: readonly Sample[], now: Sample): Sample[] {
  const last = samples.at(-1)
  if (last && now.done < last.done) return [now]
  if (last && now.atMs === last.atMs) return [...samples]
  return [...samples.filter(({ atMs }) => now.atMs - atMs <= WINDOW_MS), now]
}

/** Done a second, over the window; undefined where too little is known to say. */
export function rateOf(samples: readonly Sample[]): number | undefined {
  const [first] = samples
  const last = samples.at(-1)
  if (!first || !last || last.atMs - first.atMs < 2_000 || last.done === first.done) return undefined
  return ((last.done - first.done) * 1_000) / (last.atMs - first.atMs)
}
