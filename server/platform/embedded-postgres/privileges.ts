import { spawnSync } from 'node:child_process'
import { Refusal } from '#server/platform/refusal.ts'
import { USE_YOUR_OWN } from './binaries.ts'

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
