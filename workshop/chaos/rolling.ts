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
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/embedded-postgres.ts'
import { freePort } from '#server/platform/net/port.ts'
import { InstalledProcess, type Role } from '#tests/support/installation.ts'
import { openBalancer } from './balancer.ts'
import { inspectWork, narrator, startVisitors, type Tally } from './visitors.ts'

const ROOT = join(import.meta.dirname, '../..')
const CLIENTS = 8
const PAUSE_MS = 40
const ROLES: readonly Role[] = ['api', 'api', 'worker', 'worker']

/** Runs a program to its end. @throws Error with its output if that is no success */
export function runToEnd(
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
export function previousRelease(): string {
  const tag = spawnSync('git', ['describe', '--tags', '--abbrev=0', '--match=v*', 'HEAD^'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  if (tag.status === 0) return tag.stdout.trim()
  const changes = git('log', '--first-parent', '-50', '--format=%h^', '--', 'db/migrations').split('\n')
  const earlier = changes.find((version) => {
    const steps = git('diff', '--name-status', '--no-renames', version, 'HEAD', '--', 'db/migrations')
    // A branch may have brought a step before the last one of that version, which a database that has it refuses.
    const last = git('ls-tree', '--name-only', version, 'db/migrations/').split('\n').at(-1) ?? ''
    return steps !== '' && steps.split('\n').every((step) => step.startsWith('A') && step.slice(2) > last)
  })
  if (earlier === undefined)
    throw new Error('There is no earlier version to compare with. Name one with --from <commit>.')
  return earlier
}

/** The code of a version in a folder of its own, with the packages of this one and its web app built. */
export async function checkOut(version: string, dir: string): Promise<string> {
  await mkdir(dir)
  runToEnd('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'archive', version, dir], { cwd: ROOT })
  await symlink(join(ROOT, 'node_modules'), join(dir, 'node_modules'))
  runToEnd(process.execPath, ['scripts/build-web.ts'], { cwd: dir })
  return dir
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
    const { tally, stop } = startVisitors(balancer.address, { clients: CLIENTS, pauseMs: PAUSE_MS })
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
    const left = await inspectWork(postgres.url('owner'), tally)
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
