import { vi } from 'vitest'
import type { Database } from '#server/platform/database/database.ts'
import { eventsOf } from './job-bench.ts'

/** Waits until a job has said this line; answers all it has said by then. */
export async function untilSaid(
  database: Pick<Database, 'db'>,
  jobId: string,
  line: string,
  timeout = 40_000,
): Promise<string[]> {
  return vi.waitFor(
    async () => {
      const said = (await eventsOf(database, jobId)).map(({ message }) => message)
      if (!said.includes(line)) throw new Error(`not said yet: ${line}; but ${said.slice(-20).join(' | ')}`)
      return said
    },
    { timeout, interval: 30 },
  )
}
