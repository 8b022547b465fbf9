import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/embedded-postgres.ts'
import { processesOf, whatIsLeft } from '#tests/support/processes.ts'
import { type Program, type ProgramOptions, startProgram } from '#tests/support/program.ts'

/* The whole program, as a person starts it. Demo data belongs to another test; it and test payments slow each start. */

// A killed program’s database writes its checkpoint and is cut off after 5 s; everything else ends immediately.
const GONE_MS = 10_000

/** The first test creates the database in it, and the others use it. */
let shared: string
/** Each test's own. */
let fresh: string
let programs: Program[] = []

beforeAll(async () => {
  shared = await mkdtemp(join(tmpdir(), 'partharbor-start-'))
})

beforeEach(async () => {
  fresh = await mkdtemp(join(tmpdir(), 'partharbor-fresh-'))
})

afterEach(async () => {
  for (const { child } of programs) child.kill('SIGKILL')
  await Promise.all(programs.map(({ ended }) => ended))
  programs = []
  expect([...(await whatIsLeft(shared, GONE_MS)), ...(await whatIsLeft(fresh, GONE_MS))]).toEqual([])
  await rm(fresh, { recursive: true, force: true })
})

afterAll(() => rm(shared, { recursive: true, force: true }))

function start(
  settings: Record<string, string> = {},
  options: Pick<ProgramOptions, 'args' | 'npm'> = {},
): Program {
  const program = startProgram({
    settings: { DATA_DIR: shared, PORT: '0', DEMO_DATA: 'off', ...settings },
    ...options,
  })
  programs.push(program)
  return program
}

async function status(address: string, path = '/readyz'): Promise<number> {
  return (await fetch(address + path)).status
}

const runningPidOf = (role: string, dataDir = shared) =>
  processesOf(dataDir).find(({ command }) => command.includes(role))?.pid

function pidOf(role: string, dataDir = shared): number {
  const found = runningPidOf(role, dataDir)
  if (found === undefined) throw new Error(`There is no ${role} process`)
  return found
}

/* A start takes seconds of both cores, so each of these tests checks everything that its starts can show. */

/** A free port whose next one is taken. */
async function portBelowTaken(): Promise<{ port: number; taken: Server }> {
  for (;;) {
    const taken = await listenOn(0)
    const port = portOf(taken) - 1
    const free = await listenOn(port).catch(() => undefined)
    await free?.[Symbol.asyncDispose]()
    if (free) return { port, taken }
    taken.close()
  }
}

async function listenOn(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

const payments = (program: Program) =>
  /^Test payments: (\S+) \(no money moves\)$/m.exec(program.output())?.[1]

test('killed or interrupted twice during its first start it leaves nothing running; the next just works, and ends at SIGTERM', async () => {
  const killed = start({ PAYMENTS: 'off' })
  await expect.poll(() => processesOf(shared).length, { timeout: 20_000, interval: 25 }).toBeGreaterThan(1)
  killed.child.kill('SIGKILL')
  expect(await whatIsLeft(shared, GONE_MS)).toEqual([])

  const interrupted = start({ PAYMENTS: 'off' })
  await expect.poll(() => runningPidOf('main.ts api'), { timeout: 20_000, interval: 25 }).toBeDefined()
  // A stopped process cannot end gracefully.
  process.kill(pidOf('main.ts api'), 'SIGSTOP')
  interrupted.child.kill('SIGINT')
  await expect.poll(() => interrupted.output(), { timeout: 20_000 }).toContain('Stopping')
  // One that comes at once is the same request, by another way.
  await sleep(1_100)
  interrupted.child.kill('SIGINT')
  expect(await interrupted.ended).toBe(1)
  expect(await whatIsLeft(shared, GONE_MS)).toEqual([])

  const program = start({ PAYMENTS: 'off' })
  expect(await status(await program.ready)).toBe(200)
  // Without test payments none of their processes run.
  expect(program.output()).not.toContain('Test payments')
  expect(() => pidOf('main.ts simulator')).toThrow('There is no')
  // As systemd and npm do it: to all of ours, and once more to the first.
  for (const { pid, command } of processesOf(shared)) {
    if (command.includes('main.ts')) process.kill(pid, 'SIGTERM')
  }
  program.child.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  expect(program.output()).not.toMatch(/"level":[56]0/)
  expect(await whatIsLeft(shared, 0)).toEqual([])
})

test('kill -9 of each process restarts it; of the program it leaves nothing running', async () => {
  const { port, taken } = await portBelowTaken()
  const program = start({ PORT: String(port) })
  const address = await program.ready.finally(() => taken.close())
  // Test payments run on a free port.
  expect(payments(program)).not.toBe(`http://127.0.0.1:${port + 1}`)
  expect((await fetch(`${payments(program)}/v1/events`)).status).toBe(401)
  const second = start({ PAYMENTS: 'off' })
  expect(await second.ended).toBe(1)
  expect(second.output()).toContain(`The database in ${join(shared, 'postgres/data')} is in use`)
  expect(second.output()).not.toMatch(/^\s+at /m)
  for (const role of ['main.ts api', 'main.ts worker', 'main.ts simulator', 'bin/postgres']) {
    const killed = pidOf(role)
    process.kill(killed, 'SIGKILL')
    await expect
      .poll(() => runningPidOf(role), { timeout: 20_000, message: `${role} comes back` })
      .toSatisfy((pid) => pid !== undefined && pid !== killed)
    await expect.poll(() => status(address).catch(() => 0), { timeout: 20_000 }).toBe(200)
  }
  program.child.kill('SIGKILL')
  expect(await whatIsLeft(shared, GONE_MS)).toEqual([])
})

test('with DATABASE_URL that server is used, migrated and given its lookups, without demo data or a second server; kill -9 of npm leaves nothing running', async () => {
  const own = await startEmbeddedPostgres({ dir: join(fresh, 'own-server'), fast: true })
  const client = new pg.Client({ connectionString: own.url('owner') })
  try {
    const dataDir = join(fresh, 'data')
    const settings = { DATA_DIR: dataDir, DATABASE_URL: own.url('owner'), DEMO_DATA: '' }
    const throughNpm = start({ ...settings, EMAIL_CONFIRM: 'off', PAYMENTS: 'off' }, { npm: true })
    expect(await status(await throughNpm.ready)).toBe(200)
    expect(throughNpm.output()).not.toContain('Demo sign-ins')
    expect(existsSync(join(fresh, 'data/postgres'))).toBe(false)
    await client.connect()
    const { rows } = await client.query('select count(*) > 20 as many from manufacturer')
    expect(rows).toEqual([{ many: true }])
    throughNpm.child.kill('SIGKILL')
    expect(await whatIsLeft(dataDir, GONE_MS)).toEqual([])
  } finally {
    await client.end()
    await own.stop()
  }
})

describe('expected failures print one readable sentence and exit with status 1', () => {
  async function refusal(program: Program): Promise<string> {
    expect(await program.ended).toBe(1)
    expect(program.output()).not.toMatch(/^\s+at /m)
    return program.output().trim()
  }

  // `npm start` says the same, but it has loaded its other processes meanwhile.
  const refusalToMigrate = (settings: Record<string, string>) =>
    refusal(start(settings, { args: ['migrate'] }))

  test('a port that is taken', async () => {
    const server = await listenOn(0)
    const port = portOf(server)
    const said = await refusal(start({ PORT: String(port) })).finally(() => server.close())
    expect(said).toBe(
      `Port ${port} is already in use by another program. Choose another, for example PORT=3001.`,
    )
  })

  test('invalid settings, all at once, before anything is started', async () => {
    const said = await refusal(start({ PORT: 'x', HOST: '0.0.0.0' }))
    expect(said.split('\n')).toEqual([
      '2 settings are wrong:',
      '  PORT must be a whole number from 0 to 65535',
      '  HOST must be 127.0.0.1, ::1 or localhost while APP_MODE is demo: everyone knows the demo passwords',
    ])
  })

  test('an unreachable database, after retries, without showing its password', async () => {
    const said = await refusalToMigrate({
      DATABASE_URL: 'postgres://parts:hunter2@127.0.0.1:1/parts',
      EMAIL_CONFIRM: 'off',
    })
    expect(said).toContain('The database at 127.0.0.1:1/parts cannot be used: nothing is listening there')
    expect(said).not.toContain('hunter2')
  })

  test('a data folder of another PostgreSQL version', async () => {
    await mkdir(join(fresh, 'postgres/data'), { recursive: true })
    await writeFile(join(fresh, 'postgres/data/PG_VERSION'), '17\n')
    await writeFile(join(fresh, 'postgres/secrets.json'), '{}')
    expect(await refusalToMigrate({ DATA_DIR: fresh })).toContain(
      'was created by PostgreSQL 17, but this version of the program ships with PostgreSQL 18',
    )
  })

  test('a folder that is not a database', async () => {
    await mkdir(join(fresh, 'postgres'))
    await cp(import.meta.filename, join(fresh, 'postgres/notes.txt'))
    expect(await refusalToMigrate({ DATA_DIR: fresh })).toContain(
      'does not contain a database of this program',
    )
  })

  test('a command that does not exist', async () => {
    const program = startProgram({ args: ['strat'], settings: {} })
    expect(await program.ended).toBe(1)
    expect(program.output()).toContain('There is no command "strat".')
  })
})
