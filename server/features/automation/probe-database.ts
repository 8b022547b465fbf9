import type { Db } from '#server/platform/database/database.ts'
import { readDatabaseState } from './probe-queries.ts'

export type DatabaseProbe = {
  readonly version: string
  /** Of several round trips, in ms. */
  readonly fastestMs: number
  readonly slowestMs: number
  readonly jobs: number
}

const ROUND_TRIPS = 20

/** Measures what a round trip to the database costs from here. Writes nothing. */
export async function probeDatabase(db: Db): Promise<DatabaseProbe> {
  const times: number[] = []
  let state = await readDatabaseState(db)
  for (let trip = 0; trip < ROUND_TRIPS; trip += 1) {
    const began = performance.now()
    state = await readDatabaseState(db)
    times.push(performance.now() - began)
  }
  return { ...state, fastestMs: Math.min(...times), slowestMs: Math.max(...times) }
}
