// Others wait no longer than this and one piece of work.
const LONGEST_TURN_MS = 10

/** When the first piece of work of this turn of the event loop began. */
let began: number | undefined
let last: Promise<void> = Promise.resolve()

/**
 * Awaited before work of some milliseconds that holds the event loop, such as presenting a long list: replies of the database
 * come together, and sixteen of them in one turn of the loop delayed everyone for half a second. Callers go on one
 * after the other; if a turn has taken long, the next ones wait for another.
 */
export function takeTurn(): Promise<void> {
  // The previous caller's promise resolves first, so its work is done when this reads the clock.
  last = last.then(untilTurn)
  return last
}

async function untilTurn(): Promise<void> {
  while (began !== undefined && performance.now() - began >= LONGEST_TURN_MS) {
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  if (began !== undefined) return
  began = performance.now()
  setImmediate(() => {
    began = undefined
  })
}
