import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from '#server/platform/database/database.ts'
import type { Log } from '#server/platform/log.ts'

/** What a worker's connection for notices is called. It holds one for as long as it lives, and nobody else has one. */
export const WORKER_CONNECTION = 'worker-notices'

export async function isWorkerAlive(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and application_name = ${WORKER_CONNECTION} limit 1`.execute(db)
  return rows.length > 0
}

export type DirectOptions = {
  /** Not that of a pooler which shares connections between clients: LISTEN and session locks would get lost there. */
  readonly url: string
  readonly applicationName: string
  readonly channel: string
  readonly onNotice: (payload: string) => void
  /** Also after a break: notices may have been missed. */
  readonly onConnect: () => void
  readonly log: Log
}

// A restarting PostgreSQL is back within a second or two, and its clients shall be, too (D3).
const RECONNECT_MS = 500
// A connection on which no answer comes (a cable, a firewall) is found out and given up (D4).
const PING_MS = 3_000
const ANSWER_MS = 5_000
// The other way round the server gives up a process that does not ask any more: were it paused as the leader, its lock
// would keep every other process from taking over.
const SILENCE = '10s'

/**
 * The one connection of a process to which notices come, and whose session locks make one process of many the leader.
 * A break is mended in the background for as long as that takes.
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

  /** Throws where the database cannot be reached now; later breaks never throw. */
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

  /** Connects in the background, however long that takes: for whoever can do without notices until then. */
  static start(options: DirectOptions): DirectConnection {
    const connection = new DirectConnection(options)
    connection.#connect().catch((error: unknown) => {
      options.log.warn({ err: error }, 'no connection for notices yet')
      return connection.#reconnect()
    })
    return connection
  }

  /** Takes a lock that lasts as long as the connection, or asks whether that stands; true where the lock is ours. */
  async tryLock(key: number): Promise<boolean> {
    const client = this.#client
    const rows = this.#locks.has(key)
      ? await this.#ask('select true as ours')
      : await this.#ask('select pg_try_advisory_lock($1) as ours', [key])
    if (rows[0]?.ours !== true || client !== this.#client) return false
    this.#locks.add(key)
    return true
  }

  /** Since when (`Date.now()`) the connection has stood without a break. */
  get connectedAt(): number {
    return this.#connectedAt
  }

  /** Was the connection away at some time since then (`Date.now()`)? */
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

  /** Answers nothing where there is no connection. */
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
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
    })
    client.on('error', (error) => this.#lose(client, error))
    client.on('end', () => this.#lose(client, undefined))
    client.on('notification', ({ payload }) => onNotice(payload ?? ''))
    try {
      await client.connect()
      await client.query(`set idle_session_timeout = '${SILENCE}'`)
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
    this.#options.log.warn({ err: error }, 'connection for notices lost')
    void this.#reconnect()
  }

  async #reconnect(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      await sleep(RECONNECT_MS, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      try {
        await this.#connect()
        this.#options.log.info('connection for notices is back')
        return
      } catch (error) {
        this.#options.log.debug({ err: error }, 'connection for notices not back yet')
      }
    }
  }
}
