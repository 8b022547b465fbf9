/*
 * Writes db/schema.gen.ts (types of every table) and db/schema.sql (for reviews) from db/migrations, by migrating a
 * throw-away database. With --check it writes nothing and fails if the files are out of date.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate, PostgresDialect } from 'kysely-codegen'
import { dumpSchema } from '#db/dump-schema.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrations.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/embedded-postgres.ts'

const DB = join(import.meta.dirname, '../db')

async function generatedFiles(url: string): Promise<Record<string, string>> {
  const database = openDatabase(url, { max: 2, applicationName: 'db-types' })
  try {
    await migrate(database.pool)
    const types = await generate({
      db: database.db,
      // As openDatabase() parses them.
      dialect: new PostgresDialect({ dateParser: 'string', numericParser: 'string' }),
      typeMapping: { int8: 'number', interval: 'string' },
    })
    const client = await database.pool.connect()
    try {
      return { 'schema.gen.ts': types, 'schema.sql': await dumpSchema(client) }
    } finally {
      client.release()
    }
  } finally {
    await database.close()
  }
}

const dir = await mkdtemp(join(tmpdir(), 'partharbor-types-'))
const server = await startEmbeddedPostgres({ dir: join(dir, 'postgres'), fast: true })
try {
  const files = Object.entries(await generatedFiles(server.url('owner')))
  for (const [name, text] of files) {
    const path = join(DB, name)
    if (!process.argv.includes('--check')) {
      await writeFile(path, text)
    } else if ((await readFile(path, 'utf8').catch(() => '')) !== text) {
      console.error(`db/${name} does not match db/migrations. Run "npm run db:types" and commit the result.`)
      process.exitCode = 1
    }
  }
} finally {
  await server.stop()
  await rm(dir, { recursive: true, force: true })
}
