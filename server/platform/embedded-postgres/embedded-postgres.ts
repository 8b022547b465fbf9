import { statfs } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Refusal } from '#server/platform/errors.ts'
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
   * password; for tests only, as the path may be too long for a socket. TCP stays open beside it.
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

export type KeptPostgres = {
  url(): string
  stop(): Promise<void>
  /** Rejects when the server has ended and cannot be restarted; never resolves. */
  readonly lost: Promise<never>
}

// A server that was killed once restarts within a second; one that keeps dying needs an operator.
const RESTARTS = 5
const WITHIN_MS = 60_000

// Without disk space for a log segment (16 MB) and a few pages, PostgreSQL stops and cannot even recover.
const ROOM_BYTES = 64 * 1024 ** 2
const ROOM_CHECKED_MS = 2_000

async function hasRoom(dir: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(dir)
  return bavail * bsize >= ROOM_BYTES
}

/** Restarts the server as soon as the disk has room for it. */
async function startAgain(
  again: { dir: string; log: Log; port: number },
  isStopping: () => boolean,
): Promise<EmbeddedPostgres> {
  for (;;) {
    try {
      return await startEmbeddedPostgres(again)
    } catch (error) {
      if (isStopping() || (await hasRoom(again.dir))) throw error
      again.log.error('the disk is full; the embedded database starts again when there is room')
      await sleep(ROOM_CHECKED_MS)
    }
  }
}

/** Runs the embedded server and restarts it on the same port if it crashes or is killed. */
export async function keepEmbeddedPostgres(dir: string, log: Log): Promise<KeptPostgres> {
  const first = await startEmbeddedPostgres({ dir, log })
  const crashes: number[] = []
  let current: Promise<EmbeddedPostgres> = Promise.resolve(first)
  let stopping = false

  const watch = async (server: EmbeddedPostgres): Promise<never> => {
    await server.ended
    // Restarts do not count while the disk is full: operators take minutes to make room.
    const isFull = !(await hasRoom(dir))
    if (isFull && !stopping) await sleep(ROOM_CHECKED_MS)
    if (stopping) return new Promise<never>(() => undefined)
    const now = Date.now()
    if (!isFull) crashes.push(now)
    if (crashes.filter((at) => now - at < WITHIN_MS).length > RESTARTS) {
      throw new Refusal(
        `The embedded database crashed more than ${RESTARTS} times within a minute. Its files are in ${dir}.`,
      )
    }
    log.error('the embedded database ended unexpectedly, restarting it')
    current = startAgain({ dir, log, port: server.port }, () => stopping)
    return watch(await current)
  }
  const lost = watch(first)
  // The caller listens only once everything is up; a failure before that must not crash the process.
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
