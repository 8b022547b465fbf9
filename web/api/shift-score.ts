// One movement of a page comes in several shifts: those that follow within a second belong together, for five at most.
const PAUSE_MS = 1_000
const LONGEST_MS = 5_000

/** Adds up how a page moves under its reader: the answer is the worst movement so far, as browsers count CLS. */
export function shiftScore(): (at: number, value: number) => number {
  let worst = 0
  let current = { from: 0, last: Number.NEGATIVE_INFINITY, sum: 0 }
  return (at, value) => {
    const goesOn = at - current.last < PAUSE_MS && at - current.from < LONGEST_MS
    current = goesOn ? { ...current, last: at, sum: current.sum + value } : { from: at, last: at, sum: value }
    worst = Math.max(worst, current.sum)
    return worst
  }
}
