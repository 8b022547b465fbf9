import type { ChildProcessByStdio } from 'node:child_process'
import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { Privileges } from './privileges.ts'

export type GuardedProcess = {
  readonly stderr: Readable
  /** Asks for PostgreSQL's fast shutdown, and its immediate one if that takes too long; `ended` tells when it is over. */
  end(): void
  /** Resolves when the program and everything it started are gone. */
  readonly ended: Promise<void>
}

// The program lives for as long as someone holds the guard's standard input open. That pipe is closed by the system
// when we are killed, at any moment and on any Unix, so the database never outlives us. INT is sent more than once, as
// the first could come before the program handles it. After 5 s (a checkpoint of 256 MB takes 2 or 3) it is QUIT, from
// which the next start recovers: PostgreSQL 18 waits for ever when it is told to stop while it is restarting after the
// loss of one of its processes.
const GUARD = `
"$@" </dev/null & program=$!
exec >/dev/null 2>&1
read -r _
signal=INT tries=0
while kill -$signal "$program"; do
  sleep 0.1
  tries=$((tries + 1))
  [ $tries -lt 50 ] || signal=QUIT
done
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
  guard.once('exit', () => interruptGroup(guard.pid))
  const ended = new Promise<void>((resolve, reject) => {
    guard.once('error', reject)
    guard.once('close', () => resolve())
  })
  return {
    stderr: guard.stderr,
    ended,
    end: () => guard.stdin.end(),
  }
}

function interruptGroup(leader: number | undefined): void {
  if (leader === undefined) return
  try {
    process.kill(-leader, 'SIGINT')
  } catch {
    // Nobody of the group is left.
  }
}
