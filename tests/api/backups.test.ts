import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { dumpSchema } from '#db/dump-schema.ts'
import { sweepPictures } from '#server/features/market/pictures/sweep-pictures.ts'
import { type BackupDeps, LEFT_OUT, writeBackup } from '#server/features/running/backups/backups.ts'
import { type RestoreDeps, restoreBackup, verifyBackup } from '#server/features/running/backups/restore.ts'
import { takeBackupLock } from '#server/platform/backup/backup-lock.ts'
import { Passphrase } from '#server/platform/backup/sealed.ts'
import { dumpTables, listTables } from '#server/platform/backup/tables.ts'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { openFileStore } from '#server/platform/files/open-file-store.ts'
import { createTables } from '#server/simulator/store.ts'
import { sealCheaply } from '#tests/support/cheap-hashes.ts'
import { makePictureListing, makeQuickListing } from '#tests/support/make-rows.ts'
import { databaseBefore } from '#tests/support/older-database.ts'
import { startS3Server } from '#tests/support/s3-server.ts'
import { startTestApp } from '#tests/support/test-app.ts'
import { createTestDatabase } from '#tests/support/test-database.ts'

sealCheaply()
const PASSPHRASE = 'correct horse battery staple'
const app = await startTestApp()
const withoutTables = await databaseBefore('0000')
// A restore builds every index and checks every foreign key.
const LONG = 60_000
const root = await mkdtemp(join(tmpdir(), 'partharbor-backups-'))
afterAll(() => rm(root, { recursive: true }))
const folder = () => mkdtemp(join(root, 'of-a-test-'))
// More than are copied at once.
for (let n = 0; n < 20; n += 1) await app.files.put(`segments/${n}`, randomBytes(70_000))

const backUp = async (dir: string, changes: Partial<BackupDeps> = {}) =>
  writeBackup(
    {
      directUrl: app.config.databaseUrl ?? '',
      files: app.files,
      filesAreInBucket: false,
      now: () => new Date(),
      signal: new AbortController().signal,
      report: () => undefined,
      ...changes,
    },
    { dir, passphrase: PASSPHRASE, keep: { daily: 7, weekly: 4 } },
  )

type Target = { database: Database; url: string; files: FileStore; close(): Promise<void> }

async function emptyInstallation(): Promise<Target> {
  const testDatabase = await createTestDatabase()
  const database = openDatabase(testDatabase.url, { max: 1, applicationName: 'restore' })
  const files = await openFileStore({ kind: 'fs', dir: await folder() })
  const close = async () => {
    await database.close()
    await testDatabase.drop()
  }
  return { database, url: testDatabase.url, files, close }
}

const restore = (
  archive: string,
  { database: { pool }, url, files }: Omit<Target, 'close'>,
  changes: Partial<RestoreDeps> = {},
) =>
  restoreBackup(
    {
      directUrl: url,
      pool,
      files,
      endTokens: false,
      makeTestPayments: () => createTables(pool),
      report: () => undefined,
      ...changes,
    },
    { archive, passphrase: new Passphrase(PASSPHRASE) },
  )

/** Count and hash of the rows of every table, whatever their order. */
async function hashesOf({ pool }: Database): Promise<Record<string, string>> {
  const client = await pool.connect()
  try {
    const tables = await listTables(client, LEFT_OUT)
    const hashes: [string, string][] = []
    for (const { name } of tables) {
      const { rows } = await client.query<{ hash: string }>(
        `select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) as hash from ${name} t`,
      )
      hashes.push([name, rows[0]?.hash ?? ''])
    }
    return Object.fromEntries(hashes)
  } finally {
    client.release()
  }
}

async function schemaOf({ pool }: Database): Promise<string> {
  const client = await pool.connect()
  return dumpSchema(client).finally(() => client.release())
}

async function filesOf(files: FileStore): Promise<Record<string, string>> {
  const found: [string, string][] = []
  for await (const { key } of files.listAll()) {
    const content = await (await files.get(key))?.toArray()
    found.push([
      key,
      createHash('sha256')
        .update(Buffer.concat(content ?? []))
        .digest('hex'),
    ])
  }
  return Object.fromEntries(found.sort())
}

/** Text, numbers, JSON, arrays, dates and bytes in many tables; rows of a month whose partition no new database has. */
async function fillSource() {
  const seller = await app.signUp({ tier: 'PAID' })
  await makePictureListing(seller.api, {
    partdescription: 'Tab\there, line\nbreak, back\\slash, \\N, “quotes”',
  })
  await makeQuickListing(seller.api)
  const token = [randomBytes(32), seller.user.id, seller.user.sellerId]
  await app.database.pool.query(
    `insert into api_token (token_hash, user_id, seller_id, name, ending, scopes)
     values ($1, $2, $3, 'Yard', 'abcd', '{listings:read}')`,
    token,
  )
  await app.database.pool.query(`
    create table if not exists audit_entry_202401 partition of audit_entry for values from ('2024-01-01') to ('2024-02-01')`)
  await app.database.pool.query(
    `insert into audit_entry (action, at, detail) values ('signed-in', '2024-01-07', '{"a": "ü\\u0001"}')`,
  )
}

describe('a backup that is restored into an empty installation', () => {
  test(
    'has every row of one moment and its files, the same schema, and nobody signed in',
    async () => {
      await fillSource()
      const [expected, schema] = [await hashesOf(app.database), await schemaOf(app.database)]
      expect(expected).toHaveProperty(['public.audit_entry_202401'])
      const stored = await filesOf(app.files)
      const sweep = () => {
        const now = new Date(Date.now() + 40 * 86_400_000)
        return sweepPictures(app.db, app.files, { now, signal: new AbortController().signal })
      }
      const made = await backUp(await folder(), {
        // The rows are in the archive, the files are not: now the pictures go, and the sweep comes by.
        report: async () => {
          await app.database.pool.query('delete from listing_image')
          expect(await sweep()).toMatchObject({ files: 0 })
        },
      })
      expect((await sweep()).files).toBeGreaterThan(0)
      const target = await emptyInstallation()
      try {
        // As after a start without demo data; the backup has none of it.
        await createTables(target.database.pool)
        const restored = await restore(made.archive, target)
        const testPayments = await target.database.pool.query(
          `select to_regnamespace('stripe_simulator') as found`,
        )
        expect(testPayments.rows).toEqual([{ found: null }])
        expect(restored).toMatchObject({ rows: made.rows, files: made.files, missing: [], tokens: 1 })
        expect(await hashesOf(target.database)).toEqual(expected)
        expect(await schemaOf(target.database)).toBe(schema)
        expect(await filesOf(target.files)).toEqual(stored)
        const sessions = await target.database.pool.query('select from session')
        expect(sessions.rowCount).toBe(0)
        // Sequences go on after the rows, and triggers refuse again what they refused.
        await target.database.pool.query(
          `insert into listing_arrival (kind, listing_ids) values ('new', '{}')`,
        )
        const write = target.database.pool.query('update listing set price_cents = 1')
        await expect(write).rejects.toThrow('needs a change set')
      } finally {
        await target.close()
      }
      // All tables were seen with all of their rows; most of each further backup would be ZIP codes.
      await app.database.pool.query('truncate zip')
    },
    LONG,
  )

  test(
    'has the test payments of a demo, whose tables no migration makes',
    async () => {
      const { pool } = app.database
      await createTables(pool)
      const target = await emptyInstallation()
      try {
        await pool.query(
          `insert into stripe_simulator.object (id, kind, body) values ('sub_1', 'subscription', '{}')`,
        )
        const made = await backUp(await folder())
        await restore(made.archive, target)
        const { rows } = await target.database.pool.query('select id, place from stripe_simulator.object')
        expect(rows).toEqual([{ id: 'sub_1', place: 1 }])
      } finally {
        await pool.query('drop schema stripe_simulator cascade')
        await target.close()
      }
    },
    LONG,
  )

  test(
    'also goes into a database without any table; files that stayed in their bucket must still be there',
    async () => {
      await fillSource()
      const server = await startS3Server()
      try {
        const files = await openFileStore(server.settings)
        await files.put('images/aa/one.webp', Buffer.from('one'))
        await files.put('images/bb/two.webp', Buffer.from('two'))
        const dir = await folder()
        const made = await backUp(dir, { files, filesAreInBucket: true })
        expect(made).toMatchObject({ files: 2, copied: 0 })
        expect(await readdir(dir)).toHaveLength(1)
        await files.delete('images/bb/two.webp')
        const database = withoutTables
        await database.pool.query('drop table schema_migration')
        await database.pool.query(`set application_name = 'restore'`)
        const url = database.pool.options.connectionString ?? ''
        const restored = await restore(made.archive, { database, url, files }, { endTokens: true })
        expect(restored).toMatchObject({ missing: ['images/bb/two.webp'], tokens: 0 })
        const { 'public.api_token': _ended, ...others } = await hashesOf(app.database)
        expect(await hashesOf(database)).toMatchObject(others)
      } finally {
        await server.close()
      }
    },
    LONG,
  )

  test('is refused if the target has accounts or connections, and by an older program', async () => {
    const made = await backUp(await folder())
    const target = await emptyInstallation()
    try {
      const other = new pg.Client({ connectionString: target.url, application_name: 'worker-notices' })
      await other.connect()
      await expect(restore(made.archive, target)).rejects.toThrow(
        'Stop PartHarbor before a restore. Connected to the database: worker-notices.',
      )
      await other.end()
      await target.database.pool.query(
        `insert into app_user (name, email, password_hash) values ('Jo', 'jo@example.com', '-')`,
      )
      await expect(restore(made.archive, target)).rejects.toThrow(
        'This installation is not empty: it has 1 accounts and 0 listings, which a restore would replace.',
      )
      await target.database.pool.query('delete from app_user')
      await target.database.pool.query(
        `update schema_migration set sha256 = 'x' where name = (select max(name) from schema_migration)`,
      )
      await expect(restore(made.archive, target)).rejects.toThrow(Refusal)
    } finally {
      await target.close()
    }
  })
})

describe('what a backup contains', () => {
  test('every table of the database, also one added later, or it is left out with a reason', async () => {
    const { pool } = app.database
    await pool.query(
      `create table added_later (id int generated always as identity, twice int generated always as (id * 2) stored)`,
    )
    await pool.query('insert into added_later default values')
    try {
      const made = await backUp(await folder())
      const { tables } = await verifyBackup({ archive: made.archive, passphrase: new Passphrase(PASSPHRASE) })
      const { rows } = await pool.query<{ name: string; root: string; schema: string }>(`
        select format('%I.%I', schemaname, tablename) as name, schemaname as schema,
               coalesce((select parent.relname from pg_inherits i join pg_class parent on parent.oid = inhparent
                         where inhrelid = format('%I.%I', schemaname, tablename)::regclass), tablename) as root
        from pg_tables where schemaname not in ('pg_catalog', 'information_schema')
          and not exists (select from pg_partitioned_table where partrelid = format('%I.%I', schemaname, tablename)::regclass)`)
      const archived = new Map(tables.map(({ table, rows: count }) => [table.name, { ...table, count }]))
      const forgotten = rows.filter(
        ({ name, root: table, schema }) =>
          !archived.has(name) && !(table in LEFT_OUT) && !(`${schema}.*` in LEFT_OUT),
      )
      expect(forgotten).toEqual([])
      expect(archived.get('public.added_later')).toMatchObject({ columns: ['id'], count: 1 })
      const known = new Set(rows.flatMap(({ root: table, schema }) => [table, `${schema}.*`]))
      expect(Object.keys(LEFT_OUT).filter((name) => !known.has(name))).toEqual([])
    } finally {
      await pool.query('drop table added_later')
    }
  })
})

describe('the folder of backups', () => {
  test('a broken backup leaves no archive; the next one copies only the files that are missing', async () => {
    const dir = await folder()
    const stored = Object.keys(await filesOf(app.files)).length
    const breaking = new AbortController()
    const files: FileStore = {
      ...app.files,
      get: (key) => {
        breaking.abort()
        return app.files.get(key)
      },
    }
    await expect(backUp(dir, { files, signal: breaking.signal })).rejects.toThrow(/abort/i)
    const made = await backUp(dir)
    expect(made.files).toBe(stored)
    expect(made.copied).toBeLessThan(stored)
    expect((await readdir(dir)).filter((name) => name.includes('unfinished'))).toEqual([])
    expect(await backUp(dir)).toMatchObject({ copied: 0 })
  })

  test('one that breaks off in the middle of a table ends', async () => {
    const client = new pg.Client({ connectionString: app.config.databaseUrl })
    await client.connect()
    for await (const item of dumpTables(client, LEFT_OUT)) if (Buffer.isBuffer(item)) break
    await client.end()
  })

  test('another passphrase starts its own copies, so each backup opens with one passphrase', async () => {
    const dir = await folder()
    const first = await backUp(dir)
    const place = { dir, passphrase: 'another passphrase now', keep: { daily: 7, weekly: 0 } }
    const second = await writeBackup(
      {
        directUrl: app.config.databaseUrl ?? '',
        files: app.files,
        filesAreInBucket: false,
        now: () => new Date(Date.now() + 86_400_000),
        signal: new AbortController().signal,
        report: () => undefined,
      },
      place,
    )
    expect(second.copied).toBe(first.files)
    await verifyBackup({ archive: second.archive, passphrase: new Passphrase(place.passphrase) })
    await verifyBackup({ archive: first.archive, passphrase: new Passphrase(PASSPHRASE) })
    const wrong = verifyBackup({ archive: first.archive, passphrase: new Passphrase(place.passphrase) })
    await expect(wrong).rejects.toThrow('The passphrase does not open the archive')
  })

  test('expired archives are removed, with the copies only they had', async () => {
    const dir = await folder()
    const first = await backUp(dir)
    const gone = 'segments/7'
    const files: FileStore = {
      ...app.files,
      listAll: async function* () {
        for await (const file of app.files.listAll()) if (file.key !== gone) yield file
      },
    }
    const later = (days: number) => () => new Date(Date.now() + days * 86_400_000)
    const second = await backUp(dir, { files, now: later(1) })
    await verifyBackup({ archive: first.archive, passphrase: new Passphrase(PASSPHRASE) })
    const third = await backUp(dir, { files, now: later(60) })
    expect(third.removed).toBe(0)
    const last = await writeBackup(
      {
        directUrl: app.config.databaseUrl ?? '',
        files,
        filesAreInBucket: false,
        now: later(61),
        signal: new AbortController().signal,
        report: () => undefined,
      },
      { dir, passphrase: PASSPHRASE, keep: { daily: 2, weekly: 0 } },
    )
    expect(last).toMatchObject({ removed: 2, copied: 0 })
    const left = await readdir(dir, { recursive: true })
    expect(left.includes(gone) || left.some((name) => name.endsWith(`/${gone}`))).toBe(false)
    expect(second.files).toBe(last.files)
    await verifyBackup({ archive: third.archive, passphrase: new Passphrase(PASSPHRASE) })
  })

  test('a second backup at the same time is refused', async () => {
    const other = new pg.Client({ connectionString: app.config.databaseUrl })
    await other.connect()
    await takeBackupLock(other)
    await expect(backUp(await folder())).rejects.toThrow('A backup is already running')
    await other.end()
  })

  test('an archive or a copy that was changed, cut off, lost or swapped is found', async () => {
    const dir = await folder()
    const { archive } = await backUp(dir)
    const verify = () => verifyBackup({ archive, passphrase: new Passphrase(PASSPHRASE) })
    const whole = await readFile(archive)
    await writeFile(archive, whole.subarray(0, whole.length - 1_000))
    await expect(verify()).rejects.toThrow(Refusal)
    const changed = Buffer.from(whole)
    changed[whole.length >> 1] = (changed[whole.length >> 1] ?? 0) ^ 1
    await writeFile(archive, changed)
    await expect(verify()).rejects.toThrow(Refusal)
    await writeFile(archive, whole)
    await verify()
    const copies = (await readdir(dir, { recursive: true })).filter((name) => /segments.\d+$/.test(name))
    const [one = '', other = ''] = copies.map((name) => join(dir, name))
    const content = await readFile(one)
    await writeFile(one, await readFile(other))
    await expect(verify()).rejects.toThrow(Refusal)
    await rm(one)
    await expect(verify()).rejects.toThrow('The backup lacks the file')
    await writeFile(one, content)
    await verify()
  })
})
