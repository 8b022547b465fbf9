/*
 * A fleet with real processes: HAProxy before two api, two workers, PgBouncer in transaction mode before PostgreSQL, a
 * streaming replica, and S3. Measures one api and one worker against two of each, kills one of each under load, loses the
 * primary, and counts what is lost or doubled.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pino from 'pino'
import { migrateDatabase } from '#server/commands/migrate.ts'
import { readConfig } from '#server/config.ts'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '#server/platform/embedded-postgres/embedded-postgres.ts'
import { findOccupant } from '#server/platform/embedded-postgres/postmaster.ts'
import { freePort } from '#server/platform/net/port.ts'
import { type CuttingProxy, openCuttingProxy } from '#tests/support/cutting-proxy.ts'
import { findPrograms, pooler, proxy, type Server } from '#tests/support/fleet-programs.ts'
import { InstalledProcess, type Role, signalProcess } from '#tests/support/installation.ts'
import { startS3Server } from '#tests/support/s3-server.ts'
import { asSuperuser, promote, replayLag, startReplica, waitForReplica } from './replica.ts'
import { inspectWork, narrator, startVisitors, type Tally } from './visitors.ts'

const PROGRAM = { path: join(import.meta.dirname, '../../server/main.ts'), args: [] }
const ROLES: readonly Role[] = ['api', 'worker', 'api', 'worker']
const OUTAGE_MS = 30_000
// Two api, a worker at work and PostgreSQL.
const CORES_TO_GAIN = 4

/** A PostgreSQL that is killed as by a failing machine, and started again on its address. */
class DatabaseServer {
  readonly dir: string
  postgres: EmbeddedPostgres

  constructor(dir: string, postgres: EmbeddedPostgres) {
    this.dir = dir
    this.postgres = postgres
  }

  get url(): string {
    return this.postgres.url('owner')
  }

  async kill(): Promise<void> {
    const pid = findOccupant(join(this.dir, 'data'))?.pid
    if (pid !== undefined) signalProcess(pid, 'SIGKILL')
    await this.postgres.ended
  }

  async start(): Promise<void> {
    this.postgres = await startEmbeddedPostgres({ dir: this.dir, port: this.postgres.port })
  }
}

type Fleet = {
  readonly processes: InstalledProcess[]
  readonly bouncer: Server
  readonly front: Server
  readonly primary: DatabaseServer
  readonly replica: DatabaseServer
  /** Where everybody finds the primary, which an operator can lead elsewhere; undefined without a promotion. */
  readonly address: { lead(to: DatabaseServer): void } | undefined
}

type Options = { users: number; pauseMs: number; seconds: number; promotes: boolean }

/** Prints figures; returns whether pages kept coming and nothing was lost or doubled. */
export async function chaosFleet(args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: {
      users: { type: 'string', default: '200' },
      'pause-ms': { type: 'string', default: '1000' },
      seconds: { type: 'string', default: '15' },
      promote: { type: 'boolean', default: false },
    },
  })
  const programs = findPrograms()
  if (!programs) {
    console.error('This drill needs HAProxy and PgBouncer: apt-get install haproxy pgbouncer.')
    return false
  }
  const { users, 'pause-ms': pauseMs, seconds, promote: promotes } = values
  const options = { users: Number(users), pauseMs: Number(pauseMs), seconds: Number(seconds), promotes }
  const dir = await mkdtemp(join(tmpdir(), 'partharbor-fleet-'))
  await chmod(dir, 0o777)
  const ends: (() => Promise<unknown>)[] = [() => rm(dir, { recursive: true, force: true })]
  try {
    const fleet = await buildFleet(programs, { dir, promotes, atEnd: (end) => ends.unshift(end) })
    return await drill(fleet, options)
  } finally {
    for (const end of ends) await end()
  }
}

type Building = { dir: string; promotes: boolean; atEnd: (end: () => Promise<unknown>) => void }

/** Everything but our own processes is up. */
async function buildFleet(
  programs: NonNullable<ReturnType<typeof findPrograms>>,
  { dir, promotes, atEnd }: Building,
): Promise<Fleet> {
  const from = join(dir, 'primary')
  const primary = new DatabaseServer(from, await startEmbeddedPostgres({ dir: from }))
  atEnd(() => primary.postgres.stop())
  const line = promotes ? await openLine(primary.url) : undefined
  if (line) atEnd(() => line.close())
  const direct = line?.url ?? primary.url
  const bouncer = await pooler(programs.pgbouncer, { dir, url: new URL(direct) })
  atEnd(() => bouncer.kill('SIGKILL'))
  await bouncer.start()
  const files = await startS3Server()
  atEnd(() => files.close())
  const settings = {
    APP_MODE: 'demo',
    DATABASE_URL: atPort(direct, bouncer.port),
    DATABASE_DIRECT_URL: direct,
    DATA_DIR: join(dir, 'data'),
    DEMO_DATA: 'off',
    PAYMENTS: 'off',
    TRUSTED_PROXIES: '127.0.0.1',
    LOG_LEVEL: 'warn',
    ...files.environment,
  }
  await migrateDatabase(readConfig(settings), pino({ level: 'silent' }))
  // What our connections cannot set for themselves behind a pooler.
  const role = 'alter role partharbor set'
  await asSuperuser(
    primary.postgres,
    `${role} statement_timeout = '10s'`,
    `${role} idle_in_transaction_session_timeout = '30s'`,
  )
  const to = join(dir, 'replica')
  const replica = new DatabaseServer(to, await startReplica(primary.postgres, { from, to }))
  atEnd(() => replica.postgres.stop())
  const ports = await Promise.all(ROLES.map(() => freePort('127.0.0.1')))
  const started = {
    settings: { ...settings, DATABASE_READ_URL: replica.url },
    nodeOptions: '',
    program: PROGRAM,
  }
  const processes = ROLES.map((role, at) => new InstalledProcess(role, ports[at] ?? 0, started))
  const front = await proxy(programs.haproxy, { dir, ports: ports.filter((_, at) => ROLES[at] === 'api') })
  for (const one of [front, ...processes]) atEnd(() => one.kill('SIGKILL'))
  return { processes, bouncer, front, primary, replica, address: line }
}

/** An address of the primary that can be led elsewhere, like a name or an address that moves between machines. */
async function openLine(primaryUrl: string) {
  const upstreams = [primaryUrl]
  const line: CuttingProxy = await openCuttingProxy({ upstreams, nextCut: () => undefined })
  return {
    url: atPort(primaryUrl, Number(new URL(line.address).port)),
    lead(to: DatabaseServer) {
      upstreams[0] = to.url
      line.cutAll()
    },
    close: () => line.close(),
  }
}

function atPort(url: string, port: number): string {
  const elsewhere = new URL(url)
  elsewhere.port = String(port)
  return elsewhere.href
}

type Say = (words: string) => void

async function drill(fleet: Fleet, { users, pauseMs, seconds, promotes }: Options): Promise<boolean> {
  const say = narrator()
  const { processes, front, primary, replica } = fleet
  const [api, worker, ...others] = processes
  await Promise.all([api?.start(), worker?.start()])
  await front.start()
  await sleep(2_000)
  const { tally, stop } = startVisitors(`http://127.0.0.1:${front.port}`, { clients: users, pauseMs })
  await untilAll(users, tally)
  const alone = await measure(fleet, tally, seconds)
  say(`1 api, 1 worker: ${alone.rate} requests a second by ${users} users on ${cpus().length} cores`)
  await Promise.all(others.map((process) => process.start()))
  await sleep(3_000)
  const both = await measure(fleet, tally, seconds)
  say(
    `2 api, 2 workers: ${both.rate} requests a second, ${(both.rate / alone.rate).toFixed(2)} times as many`,
  )
  if (cpus().length < CORES_TO_GAIN)
    say('so few cores cannot show what a second api gains: none has a core of its own')
  say(`the replica was ${Math.ceil(Math.max(alone.lagMs, both.lagMs))} ms behind at most`)
  const before = tally.failures.length
  for (const failure of new Set(tally.failures)) console.log(`FAILED ${failure}`)
  if (!promotes) await killEach(fleet, tally, say)
  const kept = promotes ? await movePrimary(fleet, tally, say) : await losePrimary(fleet, tally, say)
  await stop()
  for (const { role, output } of processes)
    if (before > 0 || !kept) console.log(`the ${role} wrote:\n${output.slice(-2_000)}`)
  const left = await inspectWork(promotes ? replica.url : primary.url, tally)
  say(
    `${tally.sent} requests, ${before} failed before the kills, ${tally.failures.length - before} in them; ${left.words}`,
  )
  return before === 0 && kept && left.isWell
}

// Signing up costs a hash each and a few pauses, and first requests load code: on a busy machine 200 users take minutes.
const NOBODY_ENTERED_MS = 180_000

async function untilAll(users: number, tally: Tally): Promise<void> {
  let deadline = Date.now() + NOBODY_ENTERED_MS
  for (let entered = 0; tally.entered < users; await sleep(250)) {
    if (tally.entered > entered) deadline = Date.now() + NOBODY_ENTERED_MS
    entered = tally.entered
    if (Date.now() > deadline) throw new Error(`only ${entered} of ${users} users could sign in`)
  }
  await sleep(3_000)
}

/** Requests a second over a while, and how far the replica was behind. */
async function measure({ primary }: Fleet, tally: Tally, seconds: number) {
  const before = tally.sent
  let lagMs = 0
  for (const end = Date.now() + seconds * 1_000; Date.now() < end; await sleep(500))
    lagMs = Math.max(lagMs, (await replayLag(primary.postgres)) ?? 0)
  return { rate: Math.round((tally.sent - before) / seconds), lagMs }
}

/** One of each is killed as by a failing machine, and started again. */
async function killEach(
  { processes, bouncer, front, replica }: Fleet,
  tally: Tally,
  say: Say,
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
  await told('replica', async () => {
    await replica.kill()
    await sleep(3_000)
    await replica.start()
  })
}

/** Pages and searches, by people who are signed in as well. */
const PUBLIC_READ = /^GET \/((api\/)?parts[^:]*)?: /
const NOT_NOW = /: 503 /

/** Without the primary pages keep coming, and nothing can be changed until it is back. Returns whether it was so. */
async function losePrimary({ primary }: Fleet, tally: Tally, say: Say): Promise<boolean> {
  const { sent, failures } = tally
  const before = failures.length
  await primary.kill()
  await sleep(OUTAGE_MS)
  const during = failures.slice(before)
  const pages = during.filter((failure) => PUBLIC_READ.test(failure))
  const wrong = during.filter((failure) => !NOT_NOW.test(failure))
  say(
    `primary killed for ${OUTAGE_MS / 1_000} s: ${tally.sent - sent} requests, ${pages.length} of public pages and ` +
      `searches failed; ${during.length - wrong.length} others got 503, ${wrong.length} another failure`,
  )
  for (const failure of new Set([...pages, ...wrong])) console.log(`FAILED ${failure}`)
  await primary.start()
  say(`primary started again: something was saved ${await untilSaved(tally)} ms later`)
  await sleep(10_000)
  return pages.length + wrong.length === 0
}

/** The replica becomes the primary; what was confirmed is on it, since commits waited for it. */
async function movePrimary(fleet: Fleet, tally: Tally, say: Say): Promise<boolean> {
  const { primary, replica, address } = fleet
  await waitForReplica(primary.postgres)
  const { rate } = await measure(fleet, tally, 10)
  say(`commits wait for the replica (synchronous_commit=remote_apply): ${rate} requests a second`)
  const before = tally.failures.length
  await primary.kill()
  const begin = Date.now()
  await promote(replica.postgres)
  const promotedMs = Date.now() - begin
  address?.lead(replica)
  await untilSaved(tally)
  say(
    `primary killed, replica promoted in ${promotedMs} ms; something was saved ${Date.now() - begin} ms after`,
  )
  await sleep(15_000)
  const failures = tally.failures.slice(before)
  const pages = failures.filter((failure) => PUBLIC_READ.test(failure))
  say(`${failures.length} requests failed meanwhile, ${pages.length} of public pages and searches`)
  for (const failure of new Set(pages)) console.log(`FAILED ${failure}`)
  return pages.length === 0
}

/** Milliseconds until the next listing is confirmed. */
async function untilSaved({ created }: Tally): Promise<number> {
  const begin = Date.now()
  for (const saved = created.size; created.size === saved; await sleep(20)) {
    if (Date.now() - begin > 60_000) throw new Error('nothing could be saved for a minute')
  }
  return Date.now() - begin
}
