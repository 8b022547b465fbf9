import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { LEFT_OUT } from '#server/features/running/backups/backups.ts'
import { listTables } from '#server/platform/backup/tables.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/embedded-postgres.ts'
import { makeDemoDatabase } from './demo-database.ts'
import { forEachSize, runProgram, type Took, withFolder } from './programs.ts'
import { duration, figure, markdownTable, megabytes, memoryTarget, report } from './report.ts'

/*
 * What a backup of so many listings takes, and its restore into an empty database, and whether the hashes of all rows are
 * equal afterwards. The files are those of the demo; pictures cost what their disk does.
 */

/** Prints a table for each size; returns whether all targets were met. */
export async function benchBackup(args: string[]): Promise<boolean> {
  const { values } = parseArgs({ args, options: { listings: { type: 'string', default: '100000' } } })
  return forEachSize(values.listings, measure)
}

type Made = { archive: string; bytes: number; tables: number; rows: number; files: number }

const measure = (listings: number) =>
  withFolder(async (folder) => {
    const demo = await makeDemoDatabase(listings, { safe: true })
    const server = await startEmbeddedPostgres({ dir: join(folder, 'postgres') })
    try {
      const [filesDir, dir] = [join(demo.dataDir, 'files'), join(folder, 'backups')]
      const before = await hashesOf(demo.url)
      const write = await runProgram<Made>('backup-program.ts', ['write', demo.url, filesDir, dir])
      const { bytes, rows, files } = write.result
      // Which replaces the first of the same day.
      const again = await runProgram<Made>('backup-program.ts', ['write', demo.url, filesDir, dir])
      const { archive } = again.result
      const verify = await runProgram('backup-program.ts', ['verify', demo.url, filesDir, archive])
      const target = server.url('owner')
      const restored = join(folder, 'restored')
      const restore = await runProgram('backup-program.ts', ['restore', target, restored, archive])
      const after = await hashesOf(target)
      const differing = Object.keys(before.tables).filter(
        (table) => before.tables[table] !== after.tables[table],
      )
      const line = (name: string, { ms, cpuMs, memory }: Took) => [
        name,
        duration(ms),
        duration(cpuMs),
        figure((1_000 * rows) / ms),
        megabytes(memory),
      ]
      const table = markdownTable(
        [`${figure(listings)} listings`, 'time', 'processor time', 'rows/s', 'memory'],
        [line('write', write), line('write again', again), line('verify', verify), line('restore', restore)],
      )
      const size = `${figure(rows)} rows and ${figure(files)} files: a database of ${megabytes(before.bytes)}, an archive of ${megabytes(bytes)}.`
      return report(
        [table, size],
        [
          {
            name: 'tables whose rows have another hash',
            found: differing.join(', ') || '0',
            wanted: '0',
            isMet: differing.length === 0,
          },
          memoryTarget('writing', write.memory),
          memoryTarget('restoring', restore.memory),
        ],
      )
    } finally {
      await server.stop()
      await demo.close()
    }
  })

// Hashing a million wide rows is no query of the program.
const STATEMENT_MS = 600_000

async function hashesOf(url: string): Promise<{ bytes: number; tables: Record<string, string> }> {
  const options = { max: 1, applicationName: 'bench', statementTimeoutMs: STATEMENT_MS }
  const { pool, close } = openDatabase(url, options)
  const client = await pool.connect()
  try {
    const hashes: [string, string][] = []
    for (const { name } of await listTables(client, LEFT_OUT)) {
      const { rows } = await client.query<{ hash: string }>(
        `select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) as hash from ${name} t`,
      )
      hashes.push([name, rows[0]?.hash ?? ''])
    }
    const { rows } = await client.query<{ bytes: number }>(
      'select pg_database_size(current_database()) as bytes',
    )
    return { bytes: rows[0]?.bytes ?? 0, tables: Object.fromEntries(hashes) }
  } finally {
    client.release()
    await close()
  }
}
