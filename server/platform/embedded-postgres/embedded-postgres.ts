import { resolve } from 'node:path'
import pg from 'pg'
import { Refusal } from '#server/platform/errors.ts'
import type { Log } from '#server/platform/log.ts'
import { findBinaries, findPrivileges } from './binaries.ts'
import { type Cluster, findCluster, openCluster, SUPERUSER } from './cluster.ts'
import { findOccupant, startPostmaster } from './postmaster.ts'

/** Owns the database of that name and nothing else: it can neither read files nor run programs through the server. */
const OWNER = 'partharbor'

export type EmbeddedRole = 'owner' | 'superuser'

export type EmbeddedPostgres = {
  readonly port: number
  /** A connection string with its password: never log it. The program itself only ever uses `owner`. */
  url(role: EmbeddedRole, database?: string): string
  /** Fast shutdown: open transactions are rolled back, the data is safe. Resolves when nothing of it runs any more. */
  stop(): Promise<void>
  /** Resolves when the server ended, whoever ended it. */
  readonly ended: Promise<void>
}

export type EmbeddedOptions = {
  /** Holds everything of this database; made if missing. */
  readonly dir: string
  /** Without fsync: for tests only. */
  readonly fast?: boolean
  /** The port of a server that died, so that connection strings given out before stay right; unset: a free one. */
  readonly port?: number
  readonly log?: Log
}

/**
 * Starts a PostgreSQL of its own on 127.0.0.1, with the database `partharbor` and its owner in it. The server ends with
 * this process, however that ends. Works as root (the server then runs as nobody), also below a closed home folder.
 * Throws a Refusal where there is no binary, the folder is in use or belongs to another version.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const dir = resolve(options.dir)
  const fast = options.fast ?? false
  const binaries = findBinaries()
  const privileges = findPrivileges(binaries.postgres)
  const cluster = await openCluster({ dir, binaries, privileges, fast })
  const postmaster = await startPostmaster({
    postgres: binaries.postgres,
    privileges,
    dataDir: cluster.dataDir,
    port: options.port,
    fast,
    onLine: (line) => options.log?.debug({ line }, 'database'),
  })
  const url = connectionStrings(cluster, postmaster.port)
  const { ended, end } = postmaster.process
  const stop = () => {
    end()
    return ended
  }
  try {
    await makeOwner(url('superuser', 'postgres'), cluster.secrets.owner)
  } catch (error) {
    await stop()
    throw error
  }
  return { port: postmaster.port, url, stop, ended }
}

/** The owner's connection string of an embedded database that another process runs just now. */
export async function findRunningPostgres(dir: string): Promise<string | undefined> {
  const cluster = await findCluster(resolve(dir))
  const occupant = cluster && findOccupant(cluster.dataDir)
  return cluster && occupant?.ready ? connectionStrings(cluster, occupant.port)('owner') : undefined
}

function connectionStrings(cluster: Cluster, port: number): EmbeddedPostgres['url'] {
  return (role, database = OWNER) => {
    const user = role === 'owner' ? OWNER : SUPERUSER
    return `postgres://${user}:${cluster.secrets[role]}@127.0.0.1:${port}/${database}`
  }
}

/** On every start, so that a first start killed between its steps is made good by the next. */
async function makeOwner(superuserUrl: string, password: string): Promise<void> {
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
