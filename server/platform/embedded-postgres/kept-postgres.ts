import type { Log } from '#server/platform/log.ts'
import { Refusal } from '#server/platform/refusal.ts'
import type { EmbeddedPostgres } from './embedded-postgres.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'

export type KeptPostgres = {
  url(): string
  stop(): Promise<void>
  /** Rejects when the server ended and cannot be brought back; never resolves. */
  readonly lost: Promise<never>
}

// A server that is killed once comes back within a second; one that dies again and again has a reason to be looked at.
const RESTARTS = 5
const WITHIN_MS = 60_000

/** The embedded server, started again on the same port when it ends by itself or is killed. */
export async function keepEmbeddedPostgres(dir: string, log: Log): Promise<KeptPostgres> {
  const first = await startEmbeddedPostgres({ dir, log })
  const crashes: number[] = []
  let current: Promise<EmbeddedPostgres> = Promise.resolve(first)
  let stopping = false

  const watch = async (server: EmbeddedPostgres): Promise<never> => {
    await server.ended
    if (stopping) return new Promise<never>(() => undefined)
    const now = Date.now()
    crashes.push(now)
    if (crashes.filter((at) => now - at < WITHIN_MS).length > RESTARTS) {
      throw new Refusal(
        `The embedded database ended ${RESTARTS} times within a minute. Its files are in ${dir}.`,
      )
    }
    log.error('the embedded database ended unexpectedly and is started again')
    current = startEmbeddedPostgres({ dir, log, port: server.port })
    return watch(await current)
  }
  const lost = watch(first)
  // Someone listens only once everything is up; a failure before must not end the process on its own.
  lost.catch(() => undefined)

  return {
    url: () => first.url('owner'),
    lost,
    stop: async () => {
      stopping = true
      const server = await current.catch(() => undefined)
      await server?.stop()
    },
  }
}
