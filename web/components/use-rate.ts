import { useState } from 'react'
import { rateOf, type Sample, withSample } from './rate.ts'

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
