import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { dumpSchema } from '#db/dump-schema.ts'
import { checkSchema, migrate } from '#server/platform/database/migrations.ts'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '#server/platform/embedded-postgres/embedded-postgres.ts'
import { Refusal } from '#server/platform/errors.ts'

let folder: string
let server: EmbeddedPostgres
let pool: pg.Pool
let dir: string
let databases = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'partharbor-migrations-'))
  server = await startEmbeddedPostgres({ dir: join(folder, 'postgres'), fast: true })
})

afterAll(async () => {
  await connectionsClosed()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

/** A pool ends before its connections do; a connection that the server ends first would be an unhandled error. */
async function connectionsClosed(): Promise<void> {
  const admin = new pg.Client({ connectionString: server.url('superuser', 'postgres') })
  await admin.connect()
  const held = () => admin.query(`select from pg_stat_activity where datname like 'case%'`)
  await vi.waitFor(async () => expect((await held()).rowCount).toBe(0), 10_000)
  await admin.end()
}

beforeEach(async () => {
  databases += 1
  const name = `case_${databases}`
  const admin = new pg.Client({ connectionString: server.url('superuser', 'postgres') })
  await admin.connect()
  await admin.query(`create database ${name} owner partharbor`)
  await admin.end()
  pool = new pg.Pool({ connectionString: server.url('owner', name) })
  dir = join(folder, name)
  await mkdir(dir)
})

afterEach(() => pool.end())

function file(name: string, sql: string): Promise<void> {
  return writeFile(join(dir, name), sql)
}

async function applied(): Promise<unknown[]> {
  return (await pool.query('select name from schema_migration order by name')).rows.map(({ name }) => name)
}

test('files are applied once, in order, each with its row', async () => {
  await file('0002_second.sql', 'alter table part add column price_cents bigint')
  await file('0001_first.sql', 'create table part (id int)')
  expect(await migrate(pool, dir)).toEqual(['0001_first.sql', '0002_second.sql'])
  expect(await migrate(pool, dir)).toEqual([])
  await file('0003_third.sql', 'create index on part (price_cents)')
  expect(await migrate(pool, dir)).toEqual(['0003_third.sql'])
  expect(await applied()).toEqual(['0001_first.sql', '0002_second.sql', '0003_third.sql'])
})

describe('a mismatch is refused in words', () => {
  beforeEach(async () => {
    await file('0001_first.sql', 'create table part (id int)')
    await migrate(pool, dir)
  })

  test('a file that fails halfway leaves nothing behind, and the next run can repair it', async () => {
    await file('0002_broken.sql', 'create table half (id int); select 1 / 0')
    const failure = migrate(pool, dir)
    await expect(failure).rejects.toThrow(
      'The migration 0002_broken.sql failed and was rolled back: division by zero.',
    )
    await expect(failure).rejects.toBeInstanceOf(Refusal)
    expect((await pool.query(`select to_regclass('half') as there`)).rows).toEqual([{ there: null }])
    await file('0002_broken.sql', 'create table half (id int)')
    expect(await migrate(pool, dir)).toEqual(['0002_broken.sql'])
  })

  test('a file changed after it was applied', async () => {
    await file('0001_first.sql', 'create table part (id bigint)')
    await expect(migrate(pool, dir)).rejects.toThrow('The migration 0001_first.sql was changed after')
  })

  test('line endings of another system are not a change', async () => {
    await file('0002_lines.sql', 'create table a (id int);\ncreate table b (id int);\n')
    await migrate(pool, dir)
    await file('0002_lines.sql', 'create table a (id int);\r\ncreate table b (id int);\r\n')
    expect(await migrate(pool, dir)).toEqual([])
  })

  test('a database that a newer version created', async () => {
    await pool.query(`insert into schema_migration (name, sha256) values ('0009_later.sql', 'x')`)
    const words =
      'A newer version of the program has migrated this database: it has the migration 0009_later.sql'
    await expect(migrate(pool, dir)).rejects.toThrow(words)
    await expect(checkSchema(pool, dir)).rejects.toThrow(words)
  })

  test('a version beside a newer schema starts if each newer migration lets it, and refuses one that does not', async () => {
    const newer = join(folder, `newer_${databases}`)
    await cp(dir, newer, { recursive: true })
    await writeFile(join(newer, '0002_wider.sql'), 'alter table part add column name text')
    await migrate(pool, newer)
    await checkSchema(pool, dir)
    await expect(migrate(pool, dir)).rejects.toThrow('it has the migration 0002_wider.sql')
    // It takes away what code before 0002 still reads.
    await writeFile(
      join(newer, '0003_narrower.sql'),
      '-- contract since 0002\nalter table part drop column id',
    )
    await migrate(pool, newer)
    await expect(checkSchema(pool, dir)).rejects.toThrow('it has the migration 0003_narrower.sql')
    await rm(join(newer, '0003_narrower.sql'))
    await checkSchema(pool, newer)
  })

  test('a file that comes before one already applied', async () => {
    await file('0000_earlier.sql', 'select 1')
    await expect(migrate(pool, dir)).rejects.toThrow('comes before 0001_first.sql')
  })

  test('a database that is behind, for a process that only serves', async () => {
    await checkSchema(pool, dir)
    await file('0002_second.sql', 'select 1')
    await expect(checkSchema(pool, dir)).rejects.toThrow('1 migration behind')
  })
})

test('when two processes migrate at once, one works and the other waits and finds nothing to do', async () => {
  await file('0001_slow.sql', 'create table part (id int); select pg_sleep(0.3)')
  const both = await Promise.all([migrate(pool, dir), migrate(pool, dir), migrate(pool, dir)])
  expect(both.flat()).toEqual(['0001_slow.sql'])
})

test('a migration that finds its table locked backs off and retries, and nobody waits behind it for long', async () => {
  await file('0001_first.sql', 'create table part (id int)')
  await migrate(pool, dir)
  await file('0002_second.sql', 'alter table part add column name text')
  const holder = await pool.connect()
  await holder.query('begin')
  await holder.query('select from part')
  const migrating = migrate(pool, dir)
  await vi.waitFor(async () => {
    const { rowCount } = await pool.query(
      `select from pg_locks where not granted and relation = 'part'::regclass`,
    )
    expect(rowCount).toBe(1)
  })
  // Waits behind the migration, until that gives way.
  await pool.query('select from part')
  await holder.query('commit')
  holder.release()
  expect(await migrating).toEqual(['0002_second.sql'])
})

test('an index is built concurrently outside a transaction, and again after a killed run', async () => {
  await file('0001_first.sql', 'create table part (id int)')
  await file(
    '0002_index.sql',
    '-- outside a transaction\ndrop index concurrently if exists part_by_id;\ncreate index concurrently part_by_id on part (id);\n',
  )
  await migrate(pool, dir)
  await pool.query(`delete from schema_migration where name = '0002_index.sql'`)
  const both = await Promise.all([migrate(pool, dir), migrate(pool, dir)])
  expect(both.flat()).toEqual(['0002_index.sql'])
  const { rows } = await pool.query(
    `select indisvalid from pg_index where indexrelid = 'part_by_id'::regclass`,
  )
  expect(rows).toEqual([{ indisvalid: true }])
})

test('a long migration is not cut off by the request time limits', async () => {
  await file('0001_slow.sql', 'select pg_sleep(0.5)')
  const strict = new pg.Pool({ ...pool.options, statement_timeout: 100, query_timeout: 200 })
  try {
    expect(await migrate(strict, dir)).toEqual(['0001_slow.sql'])
  } finally {
    await strict.end()
  }
})

describe('db/schema.sql', () => {
  async function dump(): Promise<string> {
    const client = await pool.connect()
    try {
      return await dumpSchema(client)
    } finally {
      client.release()
    }
  }

  test('shows every kind of object a migration can make', async () => {
    await file(
      '0001_all.sql',
      `create type grade as enum ('A', 'B');
       create table part (id int primary key, slug text collate "C" not null unique, grade grade default 'A',
         upper_slug text generated always as (upper(slug)) stored, check (id > 0)) with (fillfactor = 90);
       create table view_count (day date not null) partition by range (day);
       create table view_count_rest partition of view_count default;
       create table view_count_202601 partition of view_count for values from ('2026-01-01') to ('2026-02-01');
       create index part_by_grade on part (grade) where id > 5;
       create function nothing() returns trigger language plpgsql as $$ begin return null; end $$;
       create trigger watch after insert on part execute function nothing();
       create view cheap as select id from part;
       create statistics part_stats on slug, grade from part;`,
    )
    await migrate(pool, dir)
    const text = await dump()
    for (const line of [
      `create type grade as enum ('A', 'B');`,
      '  slug text collate "C" not null',
      `  grade grade default 'A'::grade`,
      '  upper_slug text generated always as (upper(slug)) stored',
      '  constraint part_pkey PRIMARY KEY (id)',
      '  constraint part_slug_key UNIQUE (slug)',
      '  constraint part_id_check CHECK ((id > 0))',
      ') with (fillfactor=90);',
      ') partition by RANGE (day);',
      'create table view_count_rest partition of view_count default;',
      'CREATE INDEX part_by_grade ON public.part USING btree (grade) WHERE (id > 5);',
      'CREATE OR REPLACE FUNCTION public.nothing()',
      'CREATE TRIGGER watch AFTER INSERT ON part FOR EACH STATEMENT EXECUTE FUNCTION nothing();',
      'create view cheap as',
      'CREATE STATISTICS public.part_stats ON slug, grade FROM part;',
    ]) {
      expect(text).toContain(line)
    }
    // It would change the file every month.
    expect(text).not.toContain('view_count_202601')
  })

  test('matches what the migrations create', async () => {
    await migrate(pool)
    const committed = await readFile(join(import.meta.dirname, '../../db/schema.sql'), 'utf8')
    expect(await dump()).toBe(committed)
  })
})
