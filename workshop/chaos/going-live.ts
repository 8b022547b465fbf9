/*
 * docs/going-live.md as a new operator walks it: an empty folder, a clone that root owns, a user of its own that cannot
 * write to it, data and backups elsewhere, the settings and the ExecStart exactly as the document has them.
 */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/embedded-postgres.ts'
import { freePort } from '#server/platform/net/port.ts'
import { follow, NOBODY, obstacle, spawnAsNobody, weigh } from './container.ts'

const ROOT = join(import.meta.dirname, '../..')
const READY_MS = 120_000
// TimeoutStopSec of the documented unit.
const STOP_MS = 40_000
const NOT_RUN = [
  'createuser and createdb (the embedded server has its role and database)',
  'the proxy and its certificate',
  'systemd itself',
  'compose.yaml',
  'steps 3 to 10: they need an account at Stripe',
]

type Walk = { readonly code: string; readonly env: Record<string, string>; readonly problems: string[] }

/** Walks it and prints each step; returns whether all is as the document says. */
export async function chaosGoingLive(): Promise<boolean> {
  const why = obstacle()
  if (why !== undefined) {
    console.error(`Skipped. ${why}`)
    return false
  }
  const dir = await mkdtemp(join(tmpdir(), 'partharbor-live-'))
  // Nobody has to reach it.
  await chmod(dir, 0o755)
  const postgres = await startEmbeddedPostgres({ dir: join(dir, 'postgres'), fast: true })
  const mail = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _, done) => stream.resume().on('end', done),
  })
  const listening = mail.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  try {
    const code = cloneAndBuild(dir)
    const { port } = listening.address() as AddressInfo
    const env = settingsIn(dir, {
      database: postgres.url('owner'),
      mailPort: port,
      port: await freePort('127.0.0.1'),
    })
    const walk: Walk = { code, env, problems: [] }
    const before = await weigh(code)
    await operate(walk)
    if ((await weigh(code)).size !== before.size) walk.problems.push('the program wrote to its own folder')
    for (const problem of walk.problems) console.log(`FAILED ${problem}`)
    console.log(`Not run: ${NOT_RUN.join('; ')}.`)
    return walk.problems.length === 0
  } finally {
    mail.close()
    await postgres.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

/** The machine's own Node and npm: ours would hide what a fresh clone lacks. */
const machinePath = () =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter)

/** Clones as root and builds, as the document says to do before a user without rights starts it. */
function cloneAndBuild(dir: string): string {
  const code = join(dir, 'partharbor')
  const step = (command: string, args: string[], cwd: string) => {
    console.log(`  ${[command, ...args].join(' ').replaceAll(dir, '…').replace(ROOT, '(this checkout)')}`)
    const { status, stderr } = spawnSync(command, args, {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, PATH: machinePath() },
    })
    if (status !== 0) throw new Error(`${command} failed:\n${stderr}`)
  }
  step('git', ['clone', '--quiet', '--no-hardlinks', ROOT, code], dir)
  step('npm', ['run', 'build'], code)
  return code
}

/** The document's settings, loaded by a shell as it says, with this machine's database, mail server and folders. */
function settingsIn(
  dir: string,
  at: { database: string; mailPort: number; port: number },
): Record<string, string> {
  const own: Record<string, string> = {
    DATABASE_URL: at.database,
    DATA_DIR: join(dir, 'data'),
    BACKUP_DIR: join(dir, 'backups'),
    SMTP_URL: `smtp://127.0.0.1:${at.mailPort}`,
    OPS_TOKEN: 'a'.repeat(32),
  }
  const lines = blockWith('DATABASE_URL=')
    .split('\n')
    // Stripe's come in later steps.
    .filter((line) => /^[A-Z]/.test(line) && !line.startsWith('STRIPE_'))
    .map((line) =>
      line.replace(/^(\w+)=.*/, (whole, name: string) => (own[name] ? `${name}=${own[name]}` : whole)),
    )
  const file = join(dir, 'partharbor.env')
  writeFileSync(file, [...lines, `PORT=${at.port}`, ''].join('\n'))
  for (const name of ['data', 'backups']) {
    mkdirSync(join(dir, name), { mode: 0o700 })
    chownSync(join(dir, name), NOBODY, NOBODY)
  }
  const { stdout } = spawnSync('sh', ['-c', `set -a; . "$1"; env -0`, 'sh', file], {
    encoding: 'utf8',
    env: { PATH: machinePath() },
  })
  const pairs = stdout
    .split('\0')
    .map((pair) => [pair.split('=', 1)[0] ?? '', pair.slice(pair.indexOf('=') + 1)])
  return Object.fromEntries(pairs.filter(([name]) => name !== '' && name !== 'PWD'))
}

/** The code block of the document that begins with this. */
function blockWith(beginning: string): string {
  const text = readFileSync(join(ROOT, 'docs/going-live.md'), 'utf8')
  const block = text.split('```').find((part) => part.replace(/^\w*\n/, '').startsWith(beginning))
  if (block === undefined) throw new Error(`docs/going-live.md has no block that begins with ${beginning}`)
  return block
}

async function operate(walk: Walk): Promise<void> {
  await command(walk, ['config', 'check'], { says: 'The settings are valid: production mode' })
  const execStart =
    /^ExecStart=(.+)$/m.exec(blockWith('[Unit]'))?.[1]?.replace('/usr/bin/', '').split(' ') ?? []
  console.log(`  ${execStart.join(' ')}`)
  const child = spawnAsNobody(walk.code, execStart, walk.env)
  const service = follow(child)
  if (!(await untilReady(walk)))
    walk.problems.push(`${execStart.join(' ')} was not ready:\n${service.output()}`)
  const admin = ['admin', 'create', '--email', 'you@parts.example', '--name', 'Your Name', '--password-stdin']
  await command(walk, admin, { says: 'is now an administrator', input: 'four unrelated words 7\n' })
  await command(walk, ['backup'], { says: 'tables' })
  await command(walk, ['backup', 'verify'], { says: 'is complete' })
  await command(walk, ['doctor'], { says: 'the schema is that of this version' })
  await command(walk, ['payments', 'doctor'], { says: 'Payments are off', status: 1 })
  const begin = Date.now()
  // Harsher than the document's KillMode: the program gets the signal from us, and again from npm.
  spawnSync('pkill', ['-TERM', '-P', String(child.pid)])
  child.kill('SIGTERM')
  const { status, output } = await service.ended
  console.log(`  stopped with status ${status} after ${Date.now() - begin} ms`)
  if (status !== 0) walk.problems.push(`it stopped with status ${status}`)
  if (Date.now() - begin > STOP_MS) walk.problems.push(`it took longer than ${STOP_MS} ms to stop`)
  if (/"level":(50|60)/.test(output)) walk.problems.push(`the service logged errors:\n${output}`)
}

type Expected = { readonly says: string; readonly status?: number; readonly input?: string }

async function command(
  walk: Walk,
  words: string[],
  { says, status = 0, input = '' }: Expected,
): Promise<void> {
  const child = spawnAsNobody(walk.code, ['npm', 'run', 'partharbor', '--', ...words], walk.env)
  child.stdin?.end(input)
  const ended = await follow(child).ended
  console.log(`  npm run partharbor -- ${words.join(' ')}: ${ended.status}`)
  if (ended.status !== status || !ended.output.includes(says))
    walk.problems.push(`${words.join(' ')} ended with ${ended.status}:\n${ended.output}`)
  if (/^\{"level"/m.test(ended.output))
    walk.problems.push(`${words.join(' ')} printed a log line:\n${ended.output}`)
}

async function untilReady({ env }: Walk): Promise<boolean> {
  for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await sleep(250)) {
    const reply = await fetch(`http://127.0.0.1:${env.PORT}/readyz`).catch(() => undefined)
    if (reply?.status === 200) return true
  }
  return false
}
