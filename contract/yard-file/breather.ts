// A frame: the page scrolls on, and a server's other requests are answered.
const FRAME_MS = 12

/**
 * Answers a pause to wait for between two pieces of work: at once, but where a frame's worth of time has gone by, after
 * others had their turn. Pieces that lie ready leave them none by themselves.
 */
export function breather(): () => Promise<void> {
  let restedAt = performance.now()
  return async () => {
    if (performance.now() - restedAt < FRAME_MS) return
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
