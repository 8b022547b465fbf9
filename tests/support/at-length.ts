import { test } from 'vitest'

/*
 * The suite shows each rule once, in the cheapest way that would notice its loss. What repeats a rule under kills, outages,
 * random orders or thousands of rows runs in `npm run chaos -- tests`, which finds the files that import this one
 * (docs/decisions/0068-two-lengths-of-tests.md).
 */

const isFull = process.env.CHAOS === 'full'

/** How often a test repeats what is random in it, or how much it takes: `brief` in the suite. */
export function atLength<T>({ full, brief }: { full: T; brief: T }): T {
  return isFull ? full : brief
}

const leftOut = Object.assign(() => undefined, { each: () => () => undefined })

/** `test` for what the suite leaves out. */
export const longTest = (isFull ? test : leftOut) as typeof test
