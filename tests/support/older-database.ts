import { randomUUID } from 'node:crypto'
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrations.ts'

const MIGRATIONS = join(import.meta.dirname, '../../db/migrations')

/** A database as a data folder held it before a migration (its number, as `0005`) came; gone after the file's tests. */
export async function databaseBefore(migration: string): Promise<Database> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await onServer(`create database ${name} owner partharbor`)
  const database = openDatabase(`${inject('testServer').ownerUrl}${name}`, {
    max: 2,
    applicationName: 'migration',
  })
  afterAll(async () => {
    await database.close()
    await onServer(`drop database ${name}`)
  })
  const before = await mkdtemp(join(tmpdir(), 'partharbor-migrations-'))
  for (const file of (await readdir(MIGRATIONS)).filter((file) => file < migration)) {
    await copyFile(join(MIGRATIONS, file), join(before, file))
  }
  await migrate(database.pool, before)
  await rm(before, { recursive: true })
  return database
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${inject('testServer').superuserUrl}postgres` })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
