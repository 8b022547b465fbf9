import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { loadLookups } from '#server/features/lookups/load-lookups.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrations.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/embedded-postgres.ts'

/** Where the processes of this measurement find everything; handed on as JSON. */
export type CleanPlace = {
  readonly databaseUrl: string
  readonly filesDir: string
  readonly csvPath: string
  readonly sellerId: string
  readonly rows: number
}

/** A throw-away database with the lookups and one seller, beside a folder of files. */
export async function makeCleanPlace(
  rows: number,
): Promise<{ place: CleanPlace; close: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'partharbor-clean-'))
  const postgres = await startEmbeddedPostgres({ dir: join(folder, 'postgres') })
  const close = async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const databaseUrl = postgres.url('owner')
    const sellerId = await fill(databaseUrl)
    const [filesDir, csvPath] = [join(folder, 'files'), join(folder, 'stock.csv')]
    return { place: { databaseUrl, filesDir, csvPath, sellerId, rows }, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function fill(databaseUrl: string): Promise<string> {
  const { db, pool, close } = openDatabase(databaseUrl, { max: 2, applicationName: 'bench' })
  try {
    await migrate(pool)
    await loadLookups(db)
    const { rows } = await sql<{ id: string }>`
      insert into seller (slug, name) values ('yard', 'Yard') returning id
    `.execute(db)
    return rows[0]?.id ?? ''
  } finally {
    await close()
  }
}
