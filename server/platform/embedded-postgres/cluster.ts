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
/** The version whose binaries package.json pins; another major cannot read the files. */
const MAJOR = '18'
// An unfinished folder this old belongs to nobody any more: initdb takes a second.
const ABANDONED_MS = 10 * 60_000

const secretsSchema = z.object({ superuser: z.string().min(32), owner: z.string().min(32) })
export type Secrets = z.output<typeof secretsSchema>
export type Cluster = { readonly dataDir: string; readonly secrets: Secrets }

export type ClusterOptions = {
  readonly dir: string
  readonly binaries: Binaries
  readonly privileges: Privileges
  readonly fast: boolean
}

/**
 * The database files in `dir`, made if there are none: `dir/data` belongs to PostgreSQL, `dir/secrets.json` (0600) to
 * us. They appear together by one rename, so a kill in the middle leaves nothing that looks finished.
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
      `${dir} does not hold a database of this program. Move it away, or set another DATA_DIR.`,
    )
  }
  if (version.trim() !== MAJOR) {
    throw new Refusal(
      `The database in ${dir} was made by PostgreSQL ${version.trim()}, and this version of the program brings ` +
        `PostgreSQL ${MAJOR}. Start it with the version that made it, or set another DATA_DIR.`,
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
      `${path} cannot be read by this user. Run as the user who made it, or set another DATA_DIR.`,
      {
        cause: error,
      },
    )
  }
}

async function createCluster(options: ClusterOptions): Promise<Cluster> {
  await mkdir(dirname(options.dir), { recursive: true, mode: folderMode(options.privileges) })
  await removeAbandoned(options.dir)
  const draft = await mkdtemp(`${options.dir}.new-`)
  try {
    await initialise(draft, options)
    await rename(draft, options.dir)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    // Another start was faster; its database is as good as ours.
    const other = await findCluster(options.dir)
    if (!other) throw error
  }
  const made = await findCluster(options.dir)
  if (!made) throw new Error(`${options.dir} vanished while it was made`)
  return made
}

async function initialise(draft: string, options: ClusterOptions): Promise<void> {
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
    '--encoding=UTF8',
    // The same order of text on every machine, whatever its own library thinks.
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
    throw new Refusal(`The embedded database cannot be made in ${options.dir}: ${reason}`, { cause: error })
  }
  await rm(passwordFile)
}

/** Closed to others; where the server is another user, that one may pass through but not look around. */
function folderMode({ owner }: Privileges): number {
  return owner ? 0o711 : 0o700
}

function newPassword(): string {
  return randomBytes(24).toString('hex')
}

/** Folders of starts that were killed in the middle of initdb. */
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
