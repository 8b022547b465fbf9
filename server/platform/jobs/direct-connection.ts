import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from '#server/platform/database/database.ts'
import type { Log } from '#server/platform/log.ts'

/** The name of each worker's LISTEN connection. Only workers have one, for as long as they run. */
export const WORKER_CONNECTION = 'worker-notices'

export async function isWorkerAlive(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and application_name = ${WORKER_CONNECTION} limit 1`.execute(db)
  return rows.length > 0
}

export type DirectOptions = {
  /** Must not go through a pooler that shares connections: LISTEN and session locks would be lost. */
  readonly url: string
  readonly applicationName: string
  readonly channel: string
  readonly onNotice: (payload: string) => void
  /** Also called after a reconnect, because notifications may have been missed. */
  readonly onConnect: () => void
  readonly log: Log
}

// PostgreSQL restarts within a second or two, and its clients should reconnect as fast.
const RECONNECT_MS = 500
// Detects a dead connection (cable, firewall).
const PING_MS = 3_000
const REPLY_MS = 5_000
// Conversely the server drops a process that stops pinging: the lock of a paused leader would keep every other process from
// taking over.
const IDLE_TIMEOUT = '10s'

/**
 * The one connection of a process that receives notifications, and whose session locks elect one process as the leader.
 * Reconnects in the background for as long as it takes.
 */
export class DirectConnection {
  readonly #options: DirectOptions
  readonly #closing = new AbortController()
  readonly #locks = new Set<number>()
  readonly #pings: NodeJS.Timeout
  #client: pg.Client | undefined
  #connectedAt = 0
  #lostAt = 0

  private constructor(options: DirectOptions) {
    this.#options = options
    this.#pings = setInterval(() => void this.#ask('select'), PING_MS)
  }

  /** Throws if the database is unreachable now; later disconnects never throw. */
  static async open(options: DirectOptions): Promise<DirectConnection> {
    const connection = new DirectConnection(options)
    try {
      await connection.#connect()
      return connection
    } catch (error) {
      await connection.close()
      throw error
    }
  }

  /** Connects in the background, for callers that can do without notifications until then. */
  static start(options: DirectOptions): DirectConnection {
    const connection = new DirectConnection(options)
    connection.#connect().catch((error: unknown) => {
      options.log.warn({ err: error }, 'no connection for notifications yet')
      return connection.#reconnect()
    })
    return connection
  }

  /** Takes a lock that lasts as long as the connection, or verifies it; true if the lock is ours. */
  async tryLock(key: number): Promise<boolean> {
    const client = this.#client
    const rows = this.#locks.has(key)
      ? await this.#ask('select true as ours')
      : await this.#ask('select pg_try_advisory_lock($1) as ours', [key])
    if (rows[0]?.ours !== true || client !== this.#client) return false
    this.#locks.add(key)
    return true
  }

  /** When the current connection was made (`Date.now()`). */
  get connectedAt(): number {
    return this.#connectedAt
  }

  /** Whether the connection was down at any time since then (`Date.now()`). */
  wasAwaySince(time: number): boolean {
    return this.#client === undefined || this.#lostAt >= time
  }

  async close(): Promise<void> {
    this.#closing.abort()
    clearInterval(this.#pings)
    const client = this.#client
    this.#client = undefined
    await client?.end().catch(() => undefined)
  }

  /** Returns no rows if there is no connection. */
  async #ask(question: string, values: number[] = []): Promise<{ ours?: boolean }[]> {
    const client = this.#client
    if (!client) return []
    try {
      return (await client.query<{ ours?: boolean }>(question, values)).rows
    } catch (error) {
      this.#lose(client, error)
      return []
    }
  }

  async #connect(): Promise<void> {
    const { url, applicationName, channel, onNotice, onConnect } = this.#options
    const client = new pg.Client({
      connectionString: url,
      application_name: applicationName,
      connectionTimeoutMillis: REPLY_MS,
      query_timeout: REPLY_MS,
      keepAlive: true,
    })
    client.on('error', (error) => this.#lose(client, error))
    client.on('end', () => this.#lose(client, undefined))
    client.on('notification', ({ payload }) => onNotice(payload ?? ''))
    try {
      await client.connect()
      await client.query(`set idle_session_timeout = '${IDLE_TIMEOUT}'`)
      await client.query(`listen ${client.escapeIdentifier(channel)}`)
    } catch (error) {
      client.end().catch(() => undefined)
      throw error
    }
    if (this.#closing.signal.aborted) return client.end()
    this.#client = client
    this.#connectedAt = Date.now()
    onConnect()
  }

  #lose(client: pg.Client, error: unknown): void {
    if (this.#client !== client) return
    this.#client = undefined
    this.#lostAt = Date.now()
    this.#locks.clear()
    client.end().catch(() => undefined)
    this.#options.log.warn({ err: error }, 'connection for notifications lost')
    void this.#reconnect()
  }

  async #reconnect(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      await sleep(RECONNECT_MS, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      try {
        await this.#connect()
        this.#options.log.info('connection for notifications restored')
        return
      } catch (error) {
        this.#options.log.debug({ err: error }, 'connection for notifications not restored yet')
      }
    }
  }
}
