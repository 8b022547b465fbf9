/*
 * A rolling deployment with real processes under load: the previous release serves and works, the new schema comes, then
 * one process after the other is replaced. No request may fail, and what was created must be there once.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { openDatabase } from '#server/platform/database/database.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/embedded-postgres.ts'
import { freePort } from '#server/platform/net/port.ts'
import { InstalledProcess, type Role } from '#tests/support/installation.ts'
import { openBalancer } from './balancer.ts'

const ROOT = join(import.meta.dirname, '..')
const CLIENTS = 8
const PAUSE_MS = 40
const ROLES: readonly Role[] = ['api', 'api', 'worker', 'worker']

/** Runs a program to its end. @throws Error with its output if that is no success */
function runToEnd(
  command: string,
  args: readonly string[],
  options: { cwd: string; env?: Record<string, string> },
): string {
  const { PATH, HOME } = process.env
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: options.cwd,
    env: { PATH, HOME, ...options.env },
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`)
  return stdout.trim()
}

const git = (...args: string[]) => runToEnd('git', args, { cwd: ROOT })

/** The last release; before the first one, the last version with fewer migrations, and none that was changed since. */
function previousRelease(): string {
  const tag = spawnSync('git', ['describe', '--tags', '--abbrev=0', '--match=v*', 'HEAD^'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  if (tag.status === 0) return tag.stdout.trim()
  const changes = git('log', '--first-parent', '-50', '--format=%h^', '--', 'db/migrations').split('\n')
  const earlier = changes.find((version) => {
    const steps = git('diff', '--name-status', '--no-renames', version, 'HEAD', '--', 'db/migrations')
    return steps !== '' && steps.split('\n').every((step) => step.startsWith('A'))
  })
  if (earlier === undefined)
    throw new Error('There is no earlier version to compare with. Name one with --from <commit>.')
  return earlier
}

/** The code of a version in a folder of its own, with the packages of this one and its web app built. */
async function checkOut(version: string, dir: string): Promise<string> {
  await mkdir(dir)
  runToEnd('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'archive', version, dir], { cwd: ROOT })
  await symlink(join(ROOT, 'node_modules'), join(dir, 'node_modules'))
  runToEnd(process.execPath, ['scripts/build-web.ts'], { cwd: dir })
  return dir
}

type Tally = { sent: number; created: Set<string>; failures: string[]; slowestMs: number }

/** One visitor and seller: reads public pages, creates listings, edits and reads them, until told to stop. */
async function visit(
  address: string,
  client: number,
  load: { tally: Tally; signal: AbortSignal },
): Promise<void> {
  const { tally, signal } = load
  let token = ''
  const call = async (
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; text: string }> => {
    const begin = performance.now()
    const headers = {
      'x-forwarded-for': `198.51.100.${client + 1}`,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    }
    tally.sent += 1
    try {
      const reply = await fetch(address + path, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await reply.text()
      if (reply.status >= 400) tally.failures.push(`${method} ${path}: ${reply.status} ${text.slice(0, 200)}`)
      return { status: reply.status, text }
    } catch (error) {
      tally.failures.push(
        `${method} ${path}: ${error instanceof Error ? `${error.message} ${error.cause}` : error}`,
      )
      return { status: 0, text: '{}' }
    } finally {
      tally.slowestMs = Math.max(tally.slowestMs, performance.now() - begin)
      await sleep(PAUSE_MS)
    }
  }
  const person = { email: `roller-${client}@yard.example`, password: 'Sable-quay-and-lantern' }
  await call('POST', '/api/register', { ...person, name: 'Dana Whitfield' })
  token = JSON.parse((await call('POST', '/api/login', person)).text).token
  const read = async (path: string) => JSON.parse((await call('GET', path)).text)
  const categories = await read('/api/categories')
  const make = (await read('/api/manufacturers')).find(
    ({ manuname }: { manuname: string }) => manuname === 'Ford',
  )
  const [model] = await read(`/api/carmodels?manuId=${make.id}`)
  const vehicle = { partmanuId: make.id, partmodelId: model.id, partmodel: model.carname }
  for (let turn = 0; !signal.aborted; turn += 1) {
    for (const path of PUBLIC_PATHS) await call('GET', path)
    const stocknum = `R-${client}-${turn}`
    const part = { ...PART, ...vehicle, stocknum, partcategoryId: categories[turn % categories.length].id }
    const made = await call('POST', '/api/seller/quick-listings', part)
    if (made.status !== 201) continue
    tally.created.add(stocknum)
    const { id, partslug } = JSON.parse(made.text)
    await call('PUT', `/api/seller/parts/${id}`, { partprice: 100 + turn })
    for (const path of [`/parts/${partslug}`, '/api/seller/parts', '/api/auth-check']) await call('GET', path)
    // A mail, which is a job.
    if (turn % 5 === 0) await call('POST', '/api/password-reset', { email: person.email })
  }
}

function startLoad(address: string): { tally: Tally; stop(): Promise<void> } {
  const tally: Tally = { sent: 0, created: new Set(), failures: [], slowestMs: 0 }
  const end = new AbortController()
  const load = { tally, signal: end.signal }
  const visits = Array.from({ length: CLIENTS }, (_, client) => visit(address, client, load))
  // A visit that cannot go on is a failure like any other.
  const over = Promise.all(visits).catch((error: unknown) =>
    tally.failures.push(`a visitor gave up: ${error}`),
  )
  return {
    tally,
    async stop() {
      end.abort()
      await over
    },
  }
}

const PUBLIC_PATHS = ['/', '/parts', '/parts?q=alternator', '/api/parts?perPage=24&facets=1']

const PART = {
  partname: 'Alternator',
  partdesc: 'Tested on the bench, 130 A, pulley turns freely.',
  parttrim: 'XLT',
  partyear: '2014',
  partgrade: 'A',
  partnum: 'DL3Z-10346-A',
  partmiles: '84000',
  partdamage: 'None',
  partprice: '95.50',
  partcity: 'Tulsa',
  partstate: 'OK',
  zipcode: '74103',
  partdealer: 'Rolling Yard',
  phonea: '(918) 555-0142',
}

/** Prints what happens; returns whether no request failed and nothing is lost or doubled. */
export async function chaosRolling(args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: { from: { type: 'string' }, seconds: { type: 'string', default: '8' } },
  })
  const from = values.from ?? previousRelease()
  const dir = await mkdtemp(join(tmpdir(), 'partharbor-rolling-'))
  const postgres = await startEmbeddedPostgres({ dir: join(dir, 'postgres') })
  const processes: InstalledProcess[] = []
  try {
    const say = narrator()
    const old = await checkOut(from, join(dir, 'old'))
    runToEnd(process.execPath, ['scripts/build-web.ts'], { cwd: ROOT })
    say(`previous version: ${from} (${git('log', '-1', '--format=%h %s', from)})`)
    const settings = {
      APP_MODE: 'demo',
      DATABASE_URL: postgres.url('owner'),
      DATA_DIR: join(dir, 'data'),
      DEMO_DATA: 'off',
      PAYMENTS: 'off',
      TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: 'warn',
    }
    runToEnd(process.execPath, ['server/main.ts', 'migrate'], { cwd: old, env: settings })
    const ports = await Promise.all(ROLES.map(() => freePort('127.0.0.1')))
    const processOf = (at: number, code: string) =>
      new InstalledProcess(ROLES[at] ?? 'api', ports[at] ?? 0, {
        settings,
        nodeOptions: '',
        program: { path: join(code, 'server/main.ts'), args: [] },
      })
    processes.push(...ROLES.map((_, at) => processOf(at, old)))
    await Promise.all(processes.map((process) => process.start()))
    const balancer = await openBalancer(ports.filter((_, at) => ROLES[at] === 'api'))
    const { tally, stop } = startLoad(balancer.address)
    const settle = () => sleep(Number(values.seconds) * 1_000)

    await settle()
    say(`2 api and 2 workers of the previous version serve: ${tally.sent} requests`)
    say(runToEnd(process.execPath, ['server/main.ts', 'migrate'], { cwd: ROOT, env: settings }))
    await settle()
    say(`they serve beside the new schema: ${tally.sent} requests, ${tally.failures.length} failed`)
    if (readFileSync(join(old, 'server/platform/database/migrations.ts'), 'utf8').includes('works_with')) {
      await processes[0]?.stop()
      await processes[0]?.start()
      say(`one of them was restarted beside it: ${tally.failures.length} failed`)
    }
    await replaceEach(processes, (at) => processOf(at, ROOT), { tally, say })
    await settle()
    await stop()
    await balancer.close()
    for (const failure of tally.failures.slice(0, 10)) console.log(`FAILED ${failure}`)
    const left = await inspect(postgres.url('owner'), tally)
    say(
      `${tally.sent} requests, ${tally.failures.length} failed, slowest ${Math.round(tally.slowestMs)} ms; ${left.words}`,
    )
    return tally.failures.length === 0 && left.isWell
  } finally {
    await Promise.all(processes.map((process) => process.kill()))
    await postgres.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

/** One after the other: stop, start the new version on the same port, go on when it is ready. */
async function replaceEach(
  processes: InstalledProcess[],
  fresh: (at: number) => InstalledProcess,
  { tally, say }: { tally: Tally; say: (words: string) => void },
): Promise<void> {
  for (const [at, role] of ROLES.entries()) {
    const begin = Date.now()
    const code = await processes[at]?.stop()
    const next = fresh(at)
    processes[at] = next
    await next.start()
    say(`${role} replaced in ${Date.now() - begin} ms (exit ${code}): ${tally.failures.length} failed`)
    await sleep(1_000)
  }
}

// Mails are sent within a second or two of being queued.
const JOBS_MS = 30_000

async function inspect(url: string, { created }: Tally): Promise<{ words: string; isWell: boolean }> {
  const { db, close } = openDatabase(url, { max: 1, applicationName: 'chaos' })
  try {
    const unfinished = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from job where status in ('queued', 'running', 'retrying') and run_after <= now()`.execute(
        db,
      )
      return rows[0]?.count ?? 0
    }
    for (const deadline = Date.now() + JOBS_MS; (await unfinished()) > 0 && Date.now() < deadline; )
      await sleep(500)
    const { rows: kept } = await sql<{ stocknum: string }>`
      select stock_number as stocknum from listing where stock_number like 'R-%' and deleted_at is null`.execute(
      db,
    )
    const { rows: jobs } = await sql<{ status: string; count: number }>`
      select status, count(*) as count from job group by 1 order by 1`.execute(db)
    const stored = new Set(kept.map(({ stocknum }) => stocknum))
    const lost = [...created].filter((stocknum) => !stored.has(stocknum)).length
    const doubled = kept.length - stored.size
    const isWell =
      created.size > 0 && lost === 0 && doubled === 0 && jobs.every(({ status }) => status === 'completed')
    const words = `${created.size} listings created, ${lost} lost, ${doubled} doubled; jobs: ${jobs.map(({ status, count }) => `${count} ${status}`).join(', ')}`
    return { words, isWell }
  } finally {
    await close()
  }
}

function narrator(): (words: string) => void {
  const begin = Date.now()
  return (words) => console.log(`${String(Math.round((Date.now() - begin) / 1_000)).padStart(4)} s  ${words}`)
}
