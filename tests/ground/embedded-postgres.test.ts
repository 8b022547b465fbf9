import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { findBinaries } from '#server/platform/embedded-postgres/binaries.ts'
import {
  type EmbeddedPostgres,
  findRunningPostgres,
  startEmbeddedPostgres,
} from '#server/platform/embedded-postgres/embedded-postgres.ts'
import { startGuarded } from '#server/platform/embedded-postgres/postmaster.ts'

let folder: string
let dir: string
let server: EmbeddedPostgres | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'partharbor-embedded-'))
  dir = join(folder, 'postgres')
})

afterEach(async () => {
  await server?.stop()
  server = undefined
})

afterAll(() => rm(folder, { recursive: true, force: true }))

async function start(): Promise<EmbeddedPostgres> {
  server = await startEmbeddedPostgres({ dir, fast: true })
  return server
}

async function ask(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end()
  }
}

describe('the role of the program', () => {
  let shared: EmbeddedPostgres
  let url: string
  beforeAll(async () => {
    shared = await startEmbeddedPostgres({ dir, fast: true })
    url = shared.url('owner')
  })
  afterAll(() => shared.stop())

  test('owns its database and is not a superuser', async () => {
    expect(
      await ask(
        url,
        `select current_user as name, rolsuper as super, rolcreatedb as creates, rolcreaterole as roles,
           (select pg_get_userbyid(datdba) from pg_database where datname = current_database()) as owner
         from pg_roles where rolname = current_user`,
      ),
    ).toEqual([{ name: 'partharbor', super: false, creates: false, roles: false, owner: 'partharbor' }])
  })

  test.each([
    `select pg_read_file('/etc/passwd')`,
    `select pg_ls_dir('/')`,
    `copy (select 1) to program 'id'`,
    `copy (select 1) to '/tmp/partharbor-was-here'`,
    `create table stolen (line text); copy stolen from '/etc/passwd'`,
    `create extension file_fdw`,
    `create function f() returns int language c as 'libc', 'getpid'`,
    `set role postgres`,
    `alter system set shared_buffers = '1MB'`,
  ])('is refused: %s', async (statement) => {
    await expect(ask(url, statement)).rejects.toMatchObject({ code: '42501' })
  })
})

test('no one can connect without the password, and it listens on this machine only', async () => {
  const { url } = await start()
  const wrong = new URL(url('superuser', 'postgres'))
  wrong.password = 'wrong'
  await expect(ask(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' })
  expect(await ask(url('owner'), 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }])
  expect((await stat(join(dir, 'secrets.json'))).mode & 0o777).toBe(0o600)
})

test('data is there after the next start', async () => {
  await ask((await start()).url('owner'), 'create table kept as select 1 as one')
  await server?.stop()
  expect(await ask((await start()).url('owner'), 'select * from kept')).toEqual([{ one: 1 }])
})

test('a folder in use is found by other programs of this user, and refused to a second server', async () => {
  expect(await findRunningPostgres(dir)).toBeUndefined()
  const { url } = await start()
  expect(await findRunningPostgres(dir)).toBe(url('owner'))
  await expect(startEmbeddedPostgres({ dir })).rejects.toThrow(`The database in ${dir}/data is in use`)
})

describe('a start after a crash', () => {
  async function lock(): Promise<string[]> {
    return (await readFile(join(dir, 'data/postmaster.pid'), 'utf8')).split('\n')
  }

  test('right after the server was killed', async () => {
    const { ended } = await start()
    process.kill(Number((await lock())[0]), 'SIGKILL')
    const next = await startEmbeddedPostgres({ dir, fast: true })
    await ended
    await next.stop()
  })

  test('when the process id in the lock now belongs to another program of the same user', async () => {
    await start()
    const lines = await lock()
    await server?.stop()
    // PostgreSQL itself takes any process it may signal for a server, and would refuse forever.
    const ids = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    const other = spawn('sleep', ['60'], { ...ids, cwd: '/' })
    try {
      await writeFile(join(dir, 'data/postmaster.pid'), [String(other.pid), ...lines.slice(1)].join('\n'))
      const { url } = await start()
      expect(await ask(url('owner'), 'select 1 as one')).toEqual([{ one: 1 }])
    } finally {
      other.kill()
    }
  })
})

test('a server that does not react to the fast shutdown is killed', async () => {
  // PostgreSQL 18 itself ignores it when stopped while it restarts after losing one of its processes.
  const deaf = `process.on('SIGINT', () => {}); process.stderr.write('up'); setInterval(() => {}, 1000)`
  const { stderr, end, ended } = startGuarded({ prefix: [], ids: {}, owner: undefined }, [
    process.execPath,
    '-e',
    deaf,
  ])
  await once(stderr, 'data')
  const begin = performance.now()
  end()
  await ended
  expect(performance.now() - begin).toBeGreaterThan(4_500)
})

test('it works without setpriv, as on a Mac', async () => {
  const path = process.env.PATH
  const open = await mkdtemp(join(tmpdir(), 'partharbor-plain-'))
  await chmod(open, 0o755)
  process.env.PATH = '/nowhere'
  const starting = startEmbeddedPostgres({ dir: join(open, 'data/postgres'), fast: true })
  try {
    if (canRunPlainly()) {
      expect(await ask((await starting).url('owner'), 'select 1 as one')).toEqual([{ one: 1 }])
      await (await starting).stop()
    } else {
      // As root in a home that others cannot enter, only setpriv helps.
      await expect(starting).rejects.toThrow('The embedded database does not run on this machine')
    }
  } finally {
    process.env.PATH = path
    await rm(open, { recursive: true, force: true })
  }
})

function canRunPlainly(): boolean {
  const ids = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  return spawnSync(findBinaries().postgres, ['--version'], { ...ids, cwd: '/' }).status === 0
}
