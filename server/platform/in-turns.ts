import { setImmediate } from 'node:timers/promises'

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
