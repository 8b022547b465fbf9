import { DatabaseError } from 'pg'
import { AppError } from '#server/platform/errors.ts'
import type { Log } from '#server/platform/log.ts'
import { type Db, isDatabaseDown } from './database.ts'

/** Work that a request starts without waiting for it; one run per name at a time. */
export type BackgroundTasks = {
  /** Starts the work unless it is already running. The promise resolves when the run ends and never rejects. */
  run(name: string, work: () => Promise<unknown>): Promise<void>
  /** Waits for running work. */
  close(): Promise<void>
}

/** Failures are only logged: the next request that needs the work starts it again. */
export function openBackgroundTasks(log: Log): BackgroundTasks {
  const running = new Map<string, Promise<void>>()
  return {
    run(name, work) {
      const already = running.get(name)
      if (already !== undefined) return already
      const run = work()
        .then(() => undefined)
        .catch((error: unknown) => log.warn({ err: error, name }, 'background work failed'))
        .finally(() => running.delete(name))
      running.set(name, run)
      return run
    },
    async close() {
      await Promise.all(running.values())
    },
  }
}

/** Runs a read, which may be repeated, on the database or on its replica. */
export type Reads = <T>(read: (from: Db) => Promise<T>) => Promise<T>

export type ReadPaths = {
  /** For signed-out visitors: the replica, which lags slightly behind; the database while the replica is down. */
  reads: Reads
  /** For people who must see their own changes: the database; the replica while the database is down. */
  ownReads: Reads
}

type Databases = {
  db: Db
  /** Other connections to the same database, for the signed-out; if none, `db`. */
  readers?: Db | undefined
  replica: Db | undefined
  log: Log
  now: () => Date
}

// After a failure, reads avoid a server for this long instead of waiting for its connection timeout.
const AWAY_MS = 5_000

/** Without a replica every read goes to the database. */
export function openReads({ db, readers = db, replica, log, now }: Databases): ReadPaths {
  if (!replica) {
    return { reads: (read) => read(readers), ownReads: (read) => read(db) }
  }
  const awayUntil = new Map<Db, number>()
  const isAway = (from: Db) => (awayUntil.get(from) ?? 0) > now().getTime()
  const noteDown = (from: Db, error: unknown) => {
    awayUntil.set(from, now().getTime() + AWAY_MS)
    const server = from === replica ? 'replica' : 'database'
    log.warn({ err: error }, `${server} unavailable for reads, using the other one`)
  }
  const retried = async <T>(error: unknown, from: Db, read: () => Promise<T>): Promise<T> => {
    if (isDatabaseDown(error)) {
      noteDown(from, error)
      return read()
    }
    if (from === db || !mayBeBehind(error)) throw error
    return read().catch((again: unknown) => {
      throw isDatabaseDown(again) ? error : again
    })
  }
  const path =
    (first: Db, second: Db): Reads =>
    async (read) => {
      const [from, other] = isAway(first) && !isAway(second) ? [second, first] : [first, second]
      try {
        return await read(from)
      } catch (error) {
        return retried(error, from, () => read(other))
      }
    }
  return { reads: path(replica, db), ownReads: path(db, replica) }
}

const RECOVERY_CONFLICT = '40001'

/** Whether the replica may be the cause: it may lack a recent write, and it cancels reads that block its replay. */
function mayBeBehind(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'NOT_FOUND'
  return error instanceof DatabaseError && error.code === RECOVERY_CONFLICT
}

/** Concurrent callers share reads of the same data. */
export type SharedReads = <T>(key: string, read: () => Promise<T>) => Promise<T>

type Run = { ended: Promise<unknown>; next: Promise<unknown> | undefined }

/**
 * Callers that arrive while a read of the same key is running wait for it and then share the next one. That read starts
 * after their calls, so no caller gets stale data, and a popular page is read once at a time instead of once per visitor.
 * A key must always have the same result type.
 */
export function openSharedReads(): SharedReads {
  const runs = new Map<string, Run>()
  const start = <T>(key: string, read: () => Promise<T>): Promise<T> => {
    const reading = read()
    const run: Run = { ended: reading.catch(() => undefined), next: undefined }
    runs.set(key, run)
    void run.ended.then(() => {
      if (run.next === undefined) runs.delete(key)
    })
    return reading
  }
  return <T>(key: string, read: () => Promise<T>): Promise<T> => {
    const run = runs.get(key)
    if (!run) return start(key, read)
    run.next ??= run.ended.then(() => start(key, read))
    return run.next as Promise<T>
  }
}
