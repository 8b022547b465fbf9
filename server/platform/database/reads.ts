import type { Log } from '#server/platform/log.ts'
import { type Db, isDatabaseDown } from './database.ts'

/** Work that a request starts but does not wait for; of each name one at a time. */
export type BackgroundTasks = {
  /** Starts it unless it runs already; answers the end of the run, which never throws. */
  run(name: string, work: () => Promise<unknown>): Promise<void>
  /** Waits for what runs. */
  close(): Promise<void>
}

/** A failure is only logged: the next request that needs the work starts it again. */
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

/** Reads of which one statement answers many. */
export type GatheredReads<Asked, Found> = (
  key: string,
  asked: Asked,
  read: (all: readonly Asked[]) => Promise<readonly Found[]>,
) => Promise<Found>

type Waiting<Asked, Found> = {
  asked: Asked
  resolve: (found: Found) => void
  reject: (error: unknown) => void
}

/**
 * Whoever asks while a read of the same key runs waits for its end and is read together with the others who wait, at most
 * so many, by one read that begins after they asked: nobody is answered with what was true before. `read` answers in the
 * order in which it is asked.
 */
export function openGatheredReads<Asked, Found>(mostAtOnce: number): GatheredReads<Asked, Found> {
  const lines = new Map<string, Waiting<Asked, Found>[]>()
  return (key, asked, read) =>
    new Promise((resolve, reject) => {
      const waiting = { asked, resolve, reject }
      const line = lines.get(key)
      if (line) {
        line.push(waiting)
        return
      }
      const own = [waiting]
      lines.set(key, own)
      void readAll(own, { read, mostAtOnce, ended: () => lines.delete(key) })
    })
}

type Reading<Asked, Found> = {
  read: (all: readonly Asked[]) => Promise<readonly Found[]>
  mostAtOnce: number
  ended: () => void
}

async function readAll<Asked, Found>(
  line: Waiting<Asked, Found>[],
  { read, mostAtOnce, ended }: Reading<Asked, Found>,
): Promise<void> {
  while (line.length > 0) {
    const served = line.splice(0, mostAtOnce)
    try {
      const found = await read(served.map(({ asked }) => asked))
      if (found.length !== served.length) throw new Error('a read of many answered another number')
      for (const [at, { resolve }] of served.entries()) resolve(found[at] as Found)
    } catch (error) {
      for (const { reject } of served) reject(error)
    }
  }
  ended()
}

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

/** Reads of the same thing by many at the same time. */
export type SharedReads = <T>(key: string, read: () => Promise<T>) => Promise<T>

type Run = { ended: Promise<unknown>; next: Promise<unknown> | undefined }

/**
 * Whoever asks while a read of the same key runs waits for it and then shares the next one with all others who wait.
 * That one begins after they asked, so nobody is answered with what was true before; and a page that everybody looks
 * at is read once at a time, not once a visitor. A key must always stand for the same type.
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
