/**
 * A line before something dear: at most `atOnce` tasks run, the others wait, first come first served. The returned
 * function runs a task when its turn comes.
 */
export function waitingLine(atOnce: number) {
  const line: (() => void)[] = []
  let running = 0

  const turn = async () => {
    if (running < atOnce) running += 1
    // Whoever leaves hands over the place, so `running` stays as it is.
    else await new Promise<void>((resolve) => line.push(resolve))
  }
  const leave = () => {
    const next = line.shift()
    if (next) next()
    else running -= 1
  }

  return async <T>(task: () => Promise<T>): Promise<T> => {
    await turn()
    try {
      return await task()
    } finally {
      leave()
    }
  }
}
