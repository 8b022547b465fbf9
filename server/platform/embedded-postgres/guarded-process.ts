import type { ChildProcessByStdio } from 'node:child_process'
import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { Privileges } from './privileges.ts'

export type GuardedProcess = {
  readonly stderr: Readable
  /** Asks for PostgreSQL's fast shutdown; `ended` tells when it is over. */
  end(): void
  /** Immediate shutdown, for one that does not end: the next start recovers from the log. */
  kill(): void
  /** Resolves when the program and everything it started are gone. */
  readonly ended: Promise<void>
}

// The program lives for as long as someone holds the guard's standard input open. That pipe is closed by the system
// when we are killed, at any moment and on any Unix, so the database never outlives us. The first INT could come before
// the program handles it, therefore more than one.
const GUARD = `
"$@" </dev/null & program=$!
exec >/dev/null 2>&1
read -r _
while kill -INT "$program"; do sleep 0.1; done
`

// What the database must not see are our own settings: it would show keys and passwords to whoever can read its /proc.
const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
}

export function startGuarded(privileges: Privileges, program: readonly string[]): GuardedProcess {
  const guard: ChildProcessByStdio<Writable, null, Readable> = spawn(
    '/bin/sh',
    ['-c', GUARD, 'database-guard', ...privileges.prefix, ...program],
    // A session of its own: Ctrl-C in the terminal must reach us first, not the database.
    { ...privileges.ids, cwd: '/', env: ENVIRONMENT, detached: true, stdio: ['pipe', 'ignore', 'pipe'] },
  )
  guard.stdin.on('error', () => undefined)
  // Every process of the database holds stderr: its end means that none is left, and only then may the guard go.
  guard.stderr.once('close', () => guard.stdin.end())
  // A killed guard guards no more: what it watched must not stay behind.
  guard.once('exit', () => signalGroup(guard.pid, 'SIGINT'))
  const ended = new Promise<void>((resolve, reject) => {
    guard.once('error', reject)
    guard.once('close', () => resolve())
  })
  return {
    stderr: guard.stderr,
    ended,
    end: () => guard.stdin.end(),
    kill: () => signalGroup(guard.pid, 'SIGQUIT'),
  }
}

function signalGroup(leader: number | undefined, signal: NodeJS.Signals): void {
  if (leader === undefined) return
  try {
    process.kill(-leader, signal)
  } catch {
    // Nobody of the group is left.
  }
}
