/*
 * A fleet with real processes: HAProxy before two api, two workers, and PgBouncer in transaction mode before PostgreSQL.
 * Measures one api and one worker against two of each, kills one of each under load, and counts what is lost or doubled.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pino from 'pino'
import { migrateDatabase } from '#server/commands/migrate.ts'
import { readConfig } from '#server/config.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/embedded-postgres.ts'
import { freePort } from '#server/platform/net/port.ts'
import { InstalledProcess, type Role } from '#tests/support/installation.ts'
import { inspectWork, narrator, startVisitors, type Tally } from './visitors.ts'

const PROGRAM = { path: join(import.meta.dirname, '../server/main.ts'), args: [] }
const SBIN = ['/usr/sbin', '/usr/local/sbin']
const NOBODY = 65_534
const UP_MS = 10_000

/** The programs that this drill needs besides ours; undefined if one is missing. */
function findPrograms(): { haproxy: string; pgbouncer: string } | undefined {
  const find = (name: string) => {
    const path = [process.env.PATH, ...SBIN].join(':')
    const { stdout } = spawnSync('sh', ['-c', `command -v ${name}`], {
      env: { PATH: path },
      encoding: 'utf8',
    })
    return stdout.trim()
  }
  const [haproxy, pgbouncer] = [find('haproxy'), find('pgbouncer')]
  return haproxy && pgbouncer ? { haproxy, pgbouncer } : undefined
}

type Server = { readonly port: number; start(): Promise<void>; kill(signal: NodeJS.Signals): Promise<void> }

/** A program that serves a port, started again on the same one after it was killed. */
function serverOf(command: string, args: readonly string[], port: number): Server {
  let child: ChildProcess | undefined
  return {
    port,
    async start() {
      // PgBouncer refuses to run as root.
      const ids = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
      child = spawn(command, args, { ...ids, stdio: ['ignore', 'ignore', 'inherit'] })
      for (const deadline = Date.now() + UP_MS; !(await isOpen(port)); await sleep(50)) {
        if (Date.now() > deadline) throw new Error(`${command} did not start`)
      }
    },
    async kill(signal) {
      const ending = child
      if (ending?.exitCode !== null || ending.signalCode !== null) return
      const gone = new Promise((resolve) => ending.once('exit', resolve))
      ending.kill(signal)
      await gone
    },
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

/** As docs/scaling.md shows it. */
async function pooler(command: string, { dir, url }: { dir: string; url: URL }): Promise<Server> {
  const port = await freePort('127.0.0.1')
  const { username, password } = url
  await writeFile(join(dir, 'users.txt'), `"${username}" "${decodeURIComponent(password)}"\n`, {
    mode: 0o644,
  })
  const settings = `[databases]
* = host=127.0.0.1 port=${url.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(dir, 'users.txt')}
pool_mode = transaction
default_pool_size = 20
max_client_conn = 500
logfile = ${join(dir, 'pgbouncer.log')}
`
  await writeFile(join(dir, 'pgbouncer.ini'), settings, { mode: 0o644 })
  return serverOf(command, ['--quiet', join(dir, 'pgbouncer.ini')], port)
}

async function proxy(
  command: string,
  { dir, ports }: { dir: string; ports: readonly number[] },
): Promise<Server> {
  const port = await freePort('127.0.0.1')
  const settings = `global
  maxconn 2000
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 3s
  option redispatch
  retries 3
  retry-on conn-failure
listen site
  bind 127.0.0.1:${port}
  balance leastconn
  option httpchk GET /readyz
${ports.map((api, at) => `  server api${at} 127.0.0.1:${api} check inter 1s fall 3 rise 1`).join('\n')}
`
  await writeFile(join(dir, 'haproxy.cfg'), settings, { mode: 0o644 })
  return serverOf(command, ['-db', '-q', '-f', join(dir, 'haproxy.cfg')], port)
}

const ROLES: readonly Role[] = ['api', 'worker', 'api', 'worker']

type Fleet = {
  readonly processes: InstalledProcess[]
  readonly bouncer: Server
  readonly front: Server
  readonly url: string
}

/** Requests a second over a while. */
async function measure(tally: Tally, seconds: number): Promise<number> {
  const before = tally.sent
  await sleep(seconds * 1_000)
  return Math.round((tally.sent - before) / seconds)
}

/** One of each is killed as by a failing machine, and started again. */
async function killEach(
  { processes, bouncer, front }: Fleet,
  tally: Tally,
  say: (words: string) => void,
): Promise<void> {
  const told = async (name: string, work: () => Promise<unknown>) => {
    const before = tally.failures.length
    await work()
    await sleep(4_000)
    say(`${name} killed and started again: ${tally.failures.length - before} requests failed meanwhile`)
  }
  for (const role of ['api', 'worker']) {
    const one = processes.find((process) => process.role === role)
    await told(role, async () => {
      await one?.kill()
      await sleep(3_000)
      await one?.startUntilReady()
    })
  }
  for (const [name, server] of Object.entries({ PgBouncer: bouncer, HAProxy: front })) {
    await told(name, async () => {
      await server.kill('SIGKILL')
      await server.start()
    })
  }
}

/** Prints figures; returns whether nothing was lost or doubled. */
export async function chaosFleet(args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: { users: { type: 'string', default: '24' }, seconds: { type: 'string', default: '15' } },
  })
  const programs = findPrograms()
  if (!programs) {
    console.error('This drill needs HAProxy and PgBouncer: apt-get install haproxy pgbouncer.')
    return false
  }
  const dir = await mkdtemp(join(tmpdir(), 'partharbor-fleet-'))
  await chmod(dir, 0o777)
  const postgres = await startEmbeddedPostgres({ dir: join(dir, 'postgres') })
  const started: { kill(signal: NodeJS.Signals): Promise<void> }[] = []
  try {
    const direct = postgres.url('owner')
    const bouncer = await pooler(programs.pgbouncer, { dir, url: new URL(direct) })
    started.push(bouncer)
    await bouncer.start()
    const pooled = new URL(direct)
    pooled.port = String(bouncer.port)
    const settings = {
      APP_MODE: 'demo',
      DATABASE_URL: pooled.href,
      DATABASE_DIRECT_URL: direct,
      DATA_DIR: join(dir, 'data'),
      DEMO_DATA: 'off',
      PAYMENTS: 'off',
      TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: 'warn',
    }
    await migrateDatabase(readConfig(settings), pino({ level: 'silent' }))
    const ports = await Promise.all(ROLES.map(() => freePort('127.0.0.1')))
    const processes = ROLES.map(
      (role, at) =>
        new InstalledProcess(role, ports[at] ?? 0, { settings, nodeOptions: '', program: PROGRAM }),
    )
    started.push(...processes)
    const front = await proxy(programs.haproxy, { dir, ports: ports.filter((_, at) => ROLES[at] === 'api') })
    started.push(front)
    const fleet = { processes, bouncer, front, url: direct }
    return await drill(fleet, { users: Number(values.users), seconds: Number(values.seconds) })
  } finally {
    await Promise.all(started.map((one) => one.kill('SIGKILL')))
    await postgres.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

async function drill(fleet: Fleet, { users, seconds }: { users: number; seconds: number }): Promise<boolean> {
  const say = narrator()
  const { processes, front, url } = fleet
  const [api, worker, ...others] = processes
  await Promise.all([api?.start(), worker?.start()])
  await front.start()
  await sleep(2_000)
  const { tally, stop } = startVisitors(`http://127.0.0.1:${front.port}`, { clients: users, pauseMs: 0 })
  // Signing up costs a hash each, and first requests load code.
  await sleep(10_000)
  const alone = await measure(tally, seconds)
  say(`1 api, 1 worker: ${alone} requests a second by ${users} users on ${cpus().length} cores`)
  await Promise.all(others.map((process) => process.start()))
  await sleep(3_000)
  const both = await measure(tally, seconds)
  say(`2 api, 2 workers: ${both} requests a second, ${(both / alone).toFixed(2)} times as many`)
  const before = tally.failures.length
  for (const failure of new Set(tally.failures)) console.log(`FAILED ${failure}`)
  await killEach(fleet, tally, say)
  await stop()
  for (const { role, output } of processes)
    if (before > 0) console.log(`the ${role} wrote:\n${output.slice(-2_000)}`)
  const left = await inspectWork(url, tally)
  say(
    `${tally.sent} requests, ${before} failed before the kills, ${tally.failures.length - before} in them; ${left.words}`,
  )
  return before === 0 && left.isWell
}
