import { clockOf, inWork, type Simulator, type Work } from './simulator.ts'
import { listDue, nextDue, takeDue } from './store.ts'
import type { Kind, Stored } from './stripe-objects.ts'

/* What happens by itself at a time of the simulator's clock: an authorization lapses, money becomes available. */

/** What happens to an object of a kind when it is due; it is locked. */
export type DueWork = { readonly [K in Kind]?: (work: Work, object: Stored[K]) => Promise<unknown> }

/**
 * Lets everything happen that is due, each in its own transaction, oldest first, and at the time it was due: a clock that
 * is suddenly days ahead finds what those days would have brought.
 */
export async function passTime(simulator: Simulator, dueWork: DueWork): Promise<void> {
  let happened = true
  // What happens can make something else due.
  while (happened) {
    happened = false
    for (const id of await listDue(simulator.pool, clockOf(simulator))) {
      happened = (await inWork(simulator, (work) => happen(work, id, dueWork))) || happened
    }
  }
}

type Happen = (work: Work, object: Stored[Kind]) => Promise<unknown>

/** False if another transaction has done it. */
async function happen(work: Work, id: string, dueWork: DueWork): Promise<boolean> {
  const due = await takeDue(work.db, id, work.nowMs)
  if (!due) return false
  const { object, atMs } = due
  const act = dueWork[object.object] as Happen | undefined
  await act?.({ ...work, now: Math.floor(atMs / 1_000), nowMs: atMs }, object)
  return true
}

/** Real milliseconds until something is due, or undefined. */
export async function dueInMs(simulator: Simulator): Promise<number | undefined> {
  const at = await nextDue(simulator.pool)
  return at === undefined ? undefined : Math.max(0, at - clockOf(simulator))
}
