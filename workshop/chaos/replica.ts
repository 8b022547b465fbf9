import { chown, copyFile, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '#server/platform/embedded-postgres/embedded-postgres.ts'

/* A streaming replica of a running database, on the same machine. Elsewhere `pg_basebackup` copies; it does not come with the embedded one. */

/** Both as the standby's name and as the slot that keeps the log for it while it is away. */
const NAME = 'replica'

/** Runs statements as the superuser; returns the rows of the last one. */
export async function asSuperuser<Row extends pg.QueryResultRow>(
  postgres: EmbeddedPostgres,
  ...statements: readonly string[]
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: postgres.url('superuser', 'postgres') })
  client.on('error', () => undefined)
  await client.connect()
  try {
    let rows: Row[] = []
    for (const statement of statements) rows = (await client.query<Row>(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

/** Copies the files of a running database in `from` into `to`, and starts a replica on them. */
export async function startReplica(
  primary: EmbeddedPostgres,
  { from, to }: { from: string; to: string },
): Promise<EmbeddedPostgres> {
  const client = new pg.Client({ connectionString: primary.url('superuser', 'postgres') })
  await client.connect()
  try {
    // From here on the primary keeps its log for the replica.
    await client.query('select pg_create_physical_replication_slot($1, true)', [NAME])
    // Begin and end belong to one session.
    await client.query('select pg_backup_start($1, fast => true)', [NAME])
    await copyCluster(from, to)
    const { rows } = await client.query<{ label: string }>(
      'select labelfile as label from pg_backup_stop(wait_for_archive => false)',
    )
    await followPrimary(join(to, 'data'), {
      label: rows[0]?.label ?? '',
      url: new URL(primary.url('superuser')),
    })
  } finally {
    await client.end()
  }
  return startEmbeddedPostgres({ dir: to })
}

/** Of one server's run alone: its lock, its log, which is streamed, and its slots. */
const NOT_COPIED = /^(postmaster\.(pid|opts)|(pg_wal|pg_replslot|pg_stat_tmp)\/.+)$/

async function copyCluster(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: (await stat(from)).mode })
  await copyFile(join(from, 'secrets.json'), join(to, 'secrets.json'))
  await copyFolder(join(from, 'data'), join(to, 'data'), '')
}

async function copyFolder(from: string, to: string, folder: string): Promise<void> {
  const { mode, uid, gid } = await stat(join(from, folder))
  await mkdir(join(to, folder), { mode })
  await chown(join(to, folder), uid, gid)
  for (const entry of await readdir(join(from, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (NOT_COPIED.test(path)) continue
    if (entry.isDirectory()) await copyFolder(from, to, path)
    else await copyOwned(join(from, path), join(to, path), { uid, gid })
  }
}

/** Files come and go meanwhile; the log that is replayed knows of both. */
async function copyOwned(
  from: string,
  to: string,
  { uid, gid }: { uid: number; gid: number },
): Promise<void> {
  try {
    await copyFile(from, to)
    await chown(to, uid, gid)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}

async function followPrimary(dataDir: string, { label, url }: { label: string; url: URL }): Promise<void> {
  const address = `host=127.0.0.1 port=${url.port} user=${url.username} password=${url.password}`
  const settings = [
    `primary_conninfo = '${address} application_name=${NAME}'`,
    `primary_slot_name = '${NAME}'`,
    // The primary keeps rows that a long read of the replica still needs, instead of canceling that read.
    'hot_standby_feedback = on',
  ]
  const { uid, gid } = await stat(dataDir)
  for (const [name, text] of Object.entries({
    backup_label: label,
    'standby.signal': '',
    'postgresql.auto.conf': `${settings.join('\n')}\n`,
  })) {
    await writeFile(join(dataDir, name), text, { mode: 0o600 })
    await chown(join(dataDir, name), uid, gid)
  }
}

/** How long the replica is behind, in milliseconds, as the primary sees it; undefined if it is not connected. */
export async function replayLag(primary: EmbeddedPostgres): Promise<number | undefined> {
  const [row] = await asSuperuser<{ lagMs: number }>(
    primary,
    `select coalesce(extract(epoch from replay_lag) * 1000, 0)::float8 as "lagMs"
     from pg_stat_replication where application_name = '${NAME}'`,
  )
  return row?.lagMs
}

/** From here on a commit is confirmed only when the replica has replayed it. */
export const waitForReplica = (primary: EmbeddedPostgres) =>
  asSuperuser(
    primary,
    `alter system set synchronous_standby_names = '${NAME}'`,
    'alter system set synchronous_commit = remote_apply',
    'select pg_reload_conf()',
  )

/** Makes the replica a primary of its own; the former one must be gone. */
export const promote = (replica: EmbeddedPostgres) => asSuperuser(replica, 'select pg_promote()')
