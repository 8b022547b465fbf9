// Others wait no longer than this and one piece of work.
const LONGEST_TURN_MS = 10

let began: number | undefined

/**
 * Called before work of some milliseconds that holds the event loop, such as presenting a long list: replies of the database
 * come together, and sixteen of them in one turn of the loop held up everybody for half a second. Waits for the next turn if
 * this one has taken long already.
 */
export async function takeTurn(): Promise<void> {
  while (began !== undefined && performance.now() - began >= LONGEST_TURN_MS) {
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  if (began !== undefined) return
  began = performance.now()
  setImmediate(() => {
    began = undefined
  })
}
