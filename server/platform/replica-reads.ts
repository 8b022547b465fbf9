import { type Db, isDatabaseDown } from './database.ts'
import type { Log } from './log.ts'

/** A read that may be answered by a replica, which is a moment behind. */
export type Reads = <T>(read: (from: Db) => Promise<T>) => Promise<T>

type Databases = {
  db: Db
  replica: Db | undefined
  log: Log
  now: () => Date
}

// Whoever asks meanwhile does not wait for a connection that does not come.
const AWAY_MS = 5_000

/** Reads of a replica where there is one; while it is away, the database answers them too: better slow than not at all. */
export function openReads({ db, replica, log, now }: Databases): Reads {
  if (!replica) return (read) => read(db)
  let awayUntil = 0
  return async (read) => {
    if (now().getTime() < awayUntil) return read(db)
    try {
      return await read(replica)
    } catch (error) {
      if (!isDatabaseDown(error)) throw error
      awayUntil = now().getTime() + AWAY_MS
      log.warn({ err: error }, 'the replica is away: the database answers its reads')
      return read(db)
    }
  }
}
