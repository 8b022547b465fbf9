import { setImmediate } from 'node:timers/promises'
import { AppError } from '#server/platform/errors.ts'

// Queued tasks take well under a second each, so the queue has moved by then.
const RETRY_SECONDS = 2

/**
 * A queue for tasks that need much memory or CPU: at most `atOnce` run and at most `waiting` wait, first in first out. The
 * returned function runs a task when its turn comes.
 * @throws AppError BUSY if the queue is full, so that a crowd cannot fill the memory
 */
export function taskQueue({ atOnce, waiting }: { atOnce: number; waiting: number }) {
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
    // The next task takes over the slot, so `running` does not change.
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

/**
 * Processes many items a few at a time and yields to the event loop in between, so that open connections keep going.
 */
export async function* inSlices<Item>(
  items: readonly Item[],
  atOnce: number,
): AsyncGenerator<readonly Item[]> {
  for (let from = 0; from < items.length; from += atOnce) {
    if (from > 0) await setImmediate()
    yield items.slice(from, from + atOnce)
  }
}

/*
 * Runs work in this process while the database executes a statement of the same transaction:
 * `allSettledOrThrow([statement.execute(trx), afterSending(() => work())])`.
 */

/**
 * Like `Promise.all`, but if one fails it waits for the others before it throws: a statement sent after its transaction was
 * rolled back would run outside of it.
 */
export async function allSettledOrThrow<T extends readonly unknown[]>(
  all: readonly [...T],
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(all)
  return Promise.all(all)
}

/** Runs work after the preceding statement has been sent. */
export const afterSending = <T>(work: () => T | Promise<T>): Promise<T> => setImmediate().then(work)

/**
 * Repeats a small statement until it affects fewer rows than its limit, so that nothing is locked for long and it can
 * be interrupted anywhere. Returns the total.
 */
export async function repeatUntilDone(
  signal: AbortSignal,
  atOnce: number,
  some: (most: number) => Promise<number>,
): Promise<number> {
  let total = 0
  for (;;) {
    signal.throwIfAborted()
    const found = await some(atOnce)
    total += found
    if (found < atOnce) return total
  }
}

/**
 * Frees the memory of a buffer that is no longer needed, including everything else in the same ArrayBuffer. Left to the
 * garbage collector, such memory triggers more full collections: a third of the CPU time of reading and writing segments.
 */
export function releaseBytes({ buffer }: Uint8Array): void {
  // Small buffers may share their memory with others.
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) buffer.transfer(0)
}
