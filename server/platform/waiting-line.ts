import { AppError } from '#server/platform/app-error.ts'

// By then the line has moved on: what stands in it takes well under a second each.
const RETRY_SECONDS = 2

/**
 * A line before something dear in memory or processor time: at most `atOnce` tasks run, at most `waiting` stand in
 * line, first come first served. The returned function runs a task when its turn comes.
 * @throws AppError BUSY where the line is full, so that a crowd is sent away instead of filling the memory
 */
export function waitingLine({ atOnce, waiting }: { atOnce: number; waiting: number }) {
  const line: (() => void)[] = []
  let running = 0

  const turn = async () => {
    if (running < atOnce) {
      running += 1
      return
    }
    if (line.length >= waiting) {
      throw new AppError('BUSY', 'Many people are doing this right now. Please try again in a moment.', {
        retryAfterSeconds: RETRY_SECONDS,
      })
    }
    // Whoever leaves hands over the place, so `running` stays as it is.
    await new Promise<void>((resolve) => line.push(resolve))
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
