import type { Log } from './log.ts'

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
