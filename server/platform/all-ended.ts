import { setImmediate } from 'node:timers/promises'

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
