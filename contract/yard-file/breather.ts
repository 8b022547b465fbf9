// Half a frame, since what is done with a piece comes on top: the page scrolls on, and a server's other requests are answered.
const TURN_MS = 8

/**
 * Answers a pause to wait for between two pieces of work: at once, but where that much time has gone by, after
 * others had their turn. Pieces that lie ready leave them none by themselves.
 */
export function breather(): () => Promise<void> {
  let restedAt = performance.now()
  return async () => {
    if (performance.now() - restedAt < TURN_MS) return
    await nextTurn()
    restedAt = performance.now()
  }
}

/** By a message: timers of a tab that nobody sees are held back by seconds. */
function nextTurn(): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((rested) => {
    const taken = () => {
      port1.close()
      rested()
    }
    port1.addEventListener('message', taken)
    port1.start()
    port2.postMessage(undefined)
  })
}
