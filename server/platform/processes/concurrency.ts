import { argon2 } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { AppError } from '#server/platform/errors.ts'

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

/**
 * Goes through many items a few at a time, and lets everything else of the process have its turn in between: a
 * connection that is being written to goes on being fed.
 */
export async function* inTurns<Item>(
  items: readonly Item[],
  atOnce: number,
): AsyncGenerator<readonly Item[]> {
  for (let from = 0; from < items.length; from += atOnce) {
    if (from > 0) await setImmediate()
    yield items.slice(from, from + atOnce)
  }
}

/*
 * Work of this process while the database is at a statement of the same transaction, so that neither waits for the other:
 * `allEnded([statement.execute(trx), onceSent(() => work())])`.
 */

/**
 * Answers what all of them do, like `Promise.all`, but when one fails it waits for the others first: a statement that is
 * sent after its transaction was given up would stand outside of it.
 */
export async function allEnded<T extends readonly unknown[]>(
  all: readonly [...T],
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(all)
  return Promise.all(all)
}

/** Does work when the statement that was begun before it is on its way. */
export const onceSent = <T>(work: () => T | Promise<T>): Promise<T> => setImmediate().then(work)

/**
 * Small statements one after another, until one finds less than it was allowed to: nothing is locked for long, and it can
 * be broken off anywhere. Answers how many were found in all.
 */
export async function untilNone(
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
 * Gives the memory of bytes back that nobody reads any more: they are gone afterwards, as is all else in the same memory.
 * The garbage collector would do it in the end, but it counts what is not given back yet, and runs through the whole heap
 * the more often: a third of the processor time of reading and writing segments.
 */
export function releaseBytes({ buffer }: Uint8Array): void {
  // Small ones may share their memory with others.
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) buffer.transfer(0)
}

/** Work of one digest; memory in KiB. */
export type Cost = { memory: number; passes: number; parallelism: number }

// The least that OWASP's password storage sheet asks of Argon2id. About 30 ms and 19 MiB on our smallest machine.
export const COST: Cost = { memory: 19_456, passes: 2, parallelism: 1 }

// Hashing runs on the four threads that also read files and look up names: two of them stay free for that, and a
// burst of sign-ins takes 38 MiB in all instead of 19 MiB each. 200 in line are about 3 s of work.
const inLine = waitingLine({ atOnce: 2, waiting: 200 })

/**
 * Argon2id of something that a person thought up and that could be guessed from a fast hash.
 * @throws AppError BUSY when a crowd is signing in
 */
export function slowDigest(
  message: string | Buffer,
  { cost, salt, tagBytes }: { cost: Cost; salt: Buffer; tagBytes: number },
): Promise<Buffer> {
  const parameters = { ...cost, message, nonce: salt, tagLength: tagBytes }
  return inLine(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        argon2('argon2id', parameters, (error, tag) => (error ? reject(error) : resolve(tag)))
      }),
  )
}
