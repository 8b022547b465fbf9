import { statfs } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '#server/platform/log.ts'
import { findBinaries, findPrivileges } from './binaries.ts'
import { type Cluster, findCluster, openCluster, SUPERUSER } from './cluster.ts'
import { findOccupant, startPostmaster } from './postmaster.ts'

/** The database and its owner. This role can neither read files nor run programs through the server. */
const OWNER = 'partharbor'

type EmbeddedRole = 'owner' | 'superuser'

export type EmbeddedPostgres = {
  readonly port: number
  /** A connection string including the password: never log it. The program itself only uses `owner`. */
  url(role: EmbeddedRole, database?: string): string
  /** Fast shutdown: open transactions are rolled back, the data is safe. Resolves when all its processes have ended. */
  stop(): Promise<void>
  /** Resolves when the server has ended for any reason. */
  readonly ended: Promise<void>
}

export type EmbeddedOptions = {
  /** Contains all files of this database; created if missing. */
  readonly dir: string
  /** Turns off fsync; for tests only. */
  readonly fast?: boolean
  /**
   * Connection strings lead to a Unix socket in the data folder, which costs a third less than TCP and asks for no
   * password; for tests only, as the path may be too long for a socket. TCP stays open as well.
   */
  readonly socket?: boolean
  /** The port of the server that died, so that existing connection strings stay valid; unset: a free one. */
  readonly port?: number
  readonly log?: Log
}

/**
 * Starts a private PostgreSQL on 127.0.0.1 with the database `partharbor` and its owner. The server ends with this
 * process, even if it is killed. Works as root (the server then runs as `nobody`), even inside a closed home folder.
 * @throws Refusal if there is no binary, or the folder is in use or belongs to another version
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const dir = resolve(options.dir)
  const fast = options.fast ?? false
  const binaries = findBinaries()
  const privileges = findPrivileges(binaries.postgres)
  const cluster = await openCluster({ dir, binaries, privileges, fast, trustSocket: options.socket ?? false })
  const socketDir =
    options.socket && cluster.dataDir.length <= LONGEST_SOCKET_DIR ? cluster.dataDir : undefined
  const postmaster = await startPostmaster({
    postgres: binaries.postgres,
    privileges,
    dataDir: cluster.dataDir,
    port: options.port,
    fast,
    socketDir,
    onLine: (line) => options.log?.debug({ line }, 'database'),
  })
  const url = connectionStrings(cluster, postmaster.port, socketDir)
  const { ended, end } = postmaster.process
  const stop = () => {
    end()
    return ended
  }
  try {
    await ensureOwner(url('superuser', 'postgres'), cluster.secrets.owner)
  } catch (error) {
    await stop()
    throw error
  }
  return { port: postmaster.port, url, stop, ended }
}

/** The owner's connection string of an embedded database that another process is running. */
export async function findRunningPostgres(dir: string): Promise<string | undefined> {
  const cluster = await findCluster(resolve(dir))
  const occupant = cluster && findOccupant(cluster.dataDir)
  return cluster && occupant?.ready ? connectionStrings(cluster, occupant.port)('owner') : undefined
}

// The system allows about 100 characters, of which the name of the socket takes 15.
const LONGEST_SOCKET_DIR = 85

function connectionStrings(cluster: Cluster, port: number, socketDir?: string): EmbeddedPostgres['url'] {
  const host = socketDir === undefined ? '127.0.0.1' : encodeURIComponent(socketDir)
  return (role, database = OWNER) => {
    const user = role === 'owner' ? OWNER : SUPERUSER
    return `postgres://${user}:${cluster.secrets[role]}@${host}:${port}/${database}`
  }
}

/** Runs on every start, in case the first start was killed between its steps. */
async function ensureOwner(superuserUrl: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<{ role: boolean; database: boolean }>(
      `select exists (select from pg_roles where rolname = $1) as role,
              exists (select from pg_database where datname = $1) as database`,
      [OWNER],
    )
    const found = rows[0]
    if (!found?.role)
      await client.query(`create role ${OWNER} login password ${client.escapeLiteral(password)}`)
    if (!found?.database) await client.query(`create database ${OWNER} owner ${OWNER}`)
  } finally {
    await client.end()
  }
}

export type SupervisedPostgres = {
  url(): string
  stop(): Promise<void>
}

// A server that was killed once restarts at once; one that keeps dying needs an operator, and until then a core for others.
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 5 * 60_000
/** After this time the next crash counts as a first one again. */
const HEALTHY_MS = 60_000

/**
 * Returns how long to wait before the next start, by the number of crashes in a row: nothing after the first, then twice as long each
 * time. At random between half of it and all, so that several servers on a machine in trouble do not start at once. It never gives
 * up: what the database waits for (memory, a disk, an operator) may come back at night.
 * @param random from 0 to 1
 */
export function pauseBeforeRestart(crashes: number, random: number): number {
  if (crashes <= 1) return 0
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** (crashes - 2), LONGEST_PAUSE_MS)
  return Math.round(longest * (0.5 + random / 2))
}

// Without disk space for a log segment (16 MB) and a few pages, PostgreSQL stops and cannot even recover.
const ROOM_BYTES = 64 * 1024 ** 2
const ROOM_CHECKED_MS = 2_000

async function hasRoom(dir: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(dir)
  return bavail * bsize >= ROOM_BYTES
}

/** Runs the embedded server and restarts it on the same port whenever it crashes, is killed or does not start. */
export async function superviseEmbeddedPostgres(dir: string, log: Log): Promise<SupervisedPostgres> {
  const first = await startEmbeddedPostgres({ dir, log })
  const stopping = new AbortController()
  const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined)
  let current: Promise<EmbeddedPostgres | undefined> = Promise.resolve(first)
  let crashes = 0

  /** Undefined if the program stops meanwhile. */
  const startAgain = async (): Promise<EmbeddedPostgres | undefined> => {
    while (!stopping.signal.aborted) {
      // Not a crash: operators take minutes to make room.
      if (!(await hasRoom(dir))) {
        log.error('the disk is full; the embedded database starts again when there is room')
        await pause(ROOM_CHECKED_MS)
        continue
      }
      crashes += 1
      const pauseMs = pauseBeforeRestart(crashes, Math.random())
      log.error({ crashes, pauseMs }, 'the embedded database ended unexpectedly, restarting it')
      await pause(pauseMs)
      if (stopping.signal.aborted) return undefined
      try {
        return await startEmbeddedPostgres({ dir, log, port: first.port })
      } catch (error) {
        log.error({ err: error }, 'the embedded database does not start')
      }
    }
    return undefined
  }
  const watch = async (server: EmbeddedPostgres): Promise<void> => {
    const startedAt = Date.now()
    await server.ended
    if (stopping.signal.aborted) return
    if (Date.now() - startedAt >= HEALTHY_MS) crashes = 0
    current = startAgain()
    const next = await current
    if (next) await watch(next)
  }
  void watch(first)

  return {
    url: () => first.url('owner'),
    stop: async () => {
      stopping.abort()
      await (await current)?.stop()
    },
  }
}
