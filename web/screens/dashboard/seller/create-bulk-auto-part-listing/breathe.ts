/** Half a frame: what is done with a piece comes on top. */
const TURN_MS = 8

/**
 * Answers a pause to wait for between two pieces of work: at once, but where a frame's worth of time has gone by, after the
 * page had its turn. Not by a timer: a tab that nobody sees has its timers held back by seconds.
 */
export function breather(): () => Promise<void> {
  let restedAt = performance.now()
  return async () => {
    if (performance.now() - restedAt < TURN_MS) return
    await nextTurn()
    restedAt = performance.now()
  }
}

function nextTurn(): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((rested) => {
    const taken = () => {
      port1.close()
      rested()
    }
    port1.addEventListener('message', taken)
    port1.start()
    port2.postMessage(null)
  })
}
