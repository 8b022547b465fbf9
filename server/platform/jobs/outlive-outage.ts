import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseDown } from '#server/platform/database.ts'

// A restart of PostgreSQL takes a second or two; this is how soon work goes on after it.
const AGAIN_MS = 500

/** Repeats a statement for as long as the database is away, or until the signal aborts. Other errors are thrown. */
export async function outliveOutage<T>(statement: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await statement()
    } catch (error) {
      if (!isDatabaseDown(error) || signal?.aborted) throw error
      await sleep(AGAIN_MS)
    }
  }
}
