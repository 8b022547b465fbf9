import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { Refusal } from '#server/platform/errors.ts'
import type { Binaries, Privileges } from './binaries.ts'

export const SUPERUSER = 'postgres'
/** The version whose binaries package.json pins; another major version cannot read the files. */
const MAJOR = '18'
// initdb takes a second, so an unfinished folder this old is abandoned.
const ABANDONED_MS = 10 * 60_000

const secretsSchema = z.object({ superuser: z.string().min(32), owner: z.string().min(32) })
type Secrets = z.output<typeof secretsSchema>
export type Cluster = { readonly dataDir: string; readonly secrets: Secrets }

export type ClusterOptions = {
  readonly dir: string
  readonly binaries: Binaries
  readonly privileges: Privileges
  readonly fast: boolean
  /** Whether a connection over a Unix socket in the data folder, which is closed to others, needs no password. */
  readonly trustSocket: boolean
}

/**
 * Opens the database files in `dir`, creating them if there are none: `dir/data` is PostgreSQL's, `dir/secrets.json`
 * (0600) ours. One rename creates both, so a kill in the middle leaves nothing that looks complete.
 */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  return (await findCluster(options.dir)) ?? createCluster(options)
}

export async function findCluster(dir: string): Promise<Cluster | undefined> {
  const entries = await readdir(dir).catch(() => [])
  if (entries.length === 0) return undefined
  const dataDir = join(dir, 'data')
  const version = await readText(join(dataDir, 'PG_VERSION'))
  const secrets = await readText(join(dir, 'secrets.json'))
  if (version === undefined || secrets === undefined) {
    throw new Refusal(
      `${dir} does not contain a database of this program. Move it away, or set another DATA_DIR.`,
    )
  }
  if (version.trim() !== MAJOR) {
    throw new Refusal(
      `The database in ${dir} was created by PostgreSQL ${version.trim()}, but this version of the program ships with ` +
        `PostgreSQL ${MAJOR}. Start it with the version that created it, or set another DATA_DIR.`,
    )
  }
  return { dataDir, secrets: secretsSchema.parse(JSON.parse(secrets)) }
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new Refusal(
      `This user cannot read ${path}. Run as the user who created it, or set another DATA_DIR.`,
      { cause: error },
    )
  }
}

async function createCluster(options: ClusterOptions): Promise<Cluster> {
  await mkdir(dirname(options.dir), { recursive: true, mode: folderMode(options.privileges) })
  await removeAbandoned(options.dir)
  const draft = await mkdtemp(`${options.dir}.new-`)
  try {
    await initialize(draft, options)
    await rename(draft, options.dir)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    // Another process may have created the database first, which is just as good.
    if (!(await findCluster(options.dir))) throw error
  }
  const created = await findCluster(options.dir)
  if (!created) throw new Error(`${options.dir} vanished while it was being created`)
  return created
}

async function initialize(draft: string, options: ClusterOptions): Promise<void> {
  const { binaries, privileges } = options
  const dataDir = join(draft, 'data')
  const passwordFile = join(draft, 'superuser-password')
  const secrets: Secrets = { superuser: newPassword(), owner: newPassword() }
  await chmod(draft, folderMode(privileges))
  await mkdir(dataDir, { mode: 0o700 })
  await writeFile(join(draft, 'secrets.json'), JSON.stringify(secrets), { mode: 0o600 })
  await writeFile(passwordFile, secrets.superuser, { mode: 0o600 })
  if (privileges.owner) {
    await chown(dataDir, privileges.owner.uid, privileges.owner.gid)
    await chown(passwordFile, privileges.owner.uid, privileges.owner.gid)
  }
  const [command = binaries.initdb, ...args] = [
    ...privileges.prefix,
    binaries.initdb,
    `--pgdata=${dataDir}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    ...(options.trustSocket ? ['--auth-local=trust'] : []),
    '--encoding=UTF8',
    // The same collation on every machine, independent of its C library.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(options.fast ? ['--no-sync'] : []),
  ]
  try {
    await promisify(execFile)(command, args, { ...privileges.ids, cwd: '/' })
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error)
    const reason = output.split('\n').find((line) => line.includes('error:')) ?? output
    throw new Refusal(`The embedded database cannot be created in ${options.dir}: ${reason}`, {
      cause: error,
    })
  }
  await rm(passwordFile)
}

/** Closed to other users, except that the server's user may pass through without listing it. */
function folderMode({ owner }: Privileges): number {
  return owner ? 0o711 : 0o700
}

function newPassword(): string {
  return randomBytes(24).toString('hex')
}

/** Removes folders left by processes that were killed in the middle of initdb. */
async function removeAbandoned(dir: string): Promise<void> {
  const parent = dirname(dir)
  const drafts = (await readdir(parent))
    .map((name) => join(parent, name))
    .filter((path) => path.startsWith(`${dir}.new-`))
  for (const draft of drafts) {
    const { mtimeMs } = await stat(draft)
    if (Date.now() - mtimeMs > ABANDONED_MS) await rm(draft, { recursive: true, force: true })
  }
}
