import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '#server/platform/errors.ts'
import { freePort } from '#server/platform/net/port.ts'
import type { Privileges } from './binaries.ts'

/**
 * An eighth of the memory, as PostgreSQL's buffers: the hot part of 500,000 listings and their indexes is 256 MB, that of a
 * million 1 GB. What isn't touched is never taken.
 */
function sharedBuffers(): string {
  const limit = process.constrainedMemory()
  const megabytes = Math.min(limit > 0 ? limit : Number.POSITIVE_INFINITY, totalmem()) / 8 / 1024 ** 2
  return `${Math.round(Math.min(2_048, Math.max(256, megabytes)))}MB`
}

/** Parameters of the embedded server, for a small machine (2 cores, 4 GB) that also runs the program itself. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  // Logs starts, stops, crashes and rejected connections, but no statement errors because those can contain values.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  // api (20) and worker (22: 14 for handlers, 4 for plans, 3 for the engine, 1 for LISTEN), with room for more processes,
  // tools, and tests that run several programs at once.
  max_connections: '200',
  shared_buffers: sharedBuffers(),
  // Every minute is too late for an undo that writes four thousand rows a second.
  autovacuum_naptime: '10s',
  effective_cache_size: '1GB',
  // Sorting 50,000 search matches stays in memory; 30 connections at once still fit.
  work_mem: '16MB',
  // Building a GIN index over a large import.
  maintenance_work_mem: '128MB',
  // Fewer full-page images during an import of a million rows.
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  wal_compression: 'on',
  // Solid-state disks: an index page costs little more than a sequential one.
  random_page_cost: '1.1',
  // Our queries take milliseconds; compiling one would take a hundred.
  jit: 'off',
  // One request must not take both cores.
  max_parallel_workers_per_gather: '1',
} as const

/** For tests: four times faster writes for data that may be lost in a power cut, with the shortest log. */
const WITHOUT_SAFETY = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  wal_compression: 'off',
  shared_buffers: '64MB',
  autovacuum_naptime: '1min',
} as const

type ServerOptions = Pick<PostmasterOptions, 'dataDir' | 'fast' | 'socketDir'> & { port: number }

function serverArguments(options: ServerOptions): string[] {
  const settings = {
    ...SETTINGS,
    ...(options.fast ? WITHOUT_SAFETY : {}),
    unix_socket_directories: options.socketDir ?? '',
  }
  return [
    '-D',
    options.dataDir,
    '-p',
    String(options.port),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}

type GuardedProcess = {
  readonly stderr: Readable
  /** Starts a fast shutdown, and an immediate one if that takes too long; `ended` resolves when it is over. */
  end(): void
  /** Resolves when the program and everything it started are gone. */
  readonly ended: Promise<void>
}

// The program runs as long as the guard's standard input is open. The system closes that pipe when we are killed, at any
// moment and on any Unix, so the database never outlives us. INT is repeated because the first could arrive before the
// program handles it. After 5 s (a checkpoint of 256 MB takes 2 or 3) the guard sends QUIT, from which the next start
// recovers: PostgreSQL 18 hangs if stopped while it restarts after losing one of its processes.
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

// The database must not inherit our settings: their keys and passwords would be readable in its /proc.
const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
}

export function startGuarded(privileges: Privileges, program: readonly string[]): GuardedProcess {
  const guard: ChildProcessByStdio<Writable, null, Readable> = spawn(
    '/bin/sh',
    ['-c', GUARD, 'database-guard', ...privileges.prefix, ...program],
    // A separate session, so that Ctrl-C in the terminal reaches us and not the database.
    { ...privileges.ids, cwd: '/', env: ENVIRONMENT, detached: true, stdio: ['pipe', 'ignore', 'pipe'] },
  )
  guard.stdin.on('error', () => undefined)
  // Every database process has stderr open; when it closes, none is left and the guard may end.
  guard.stderr.once('close', () => guard.stdin.end())
  // If the guard is killed, stop the program it was watching.
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
    // No process of the group is left.
  }
}

/** The PostgreSQL server that is running on a data folder, according to postmaster.pid. */
export type Occupant = {
  readonly pid: number
  readonly port: number
  /** Whether it accepts connections; otherwise it is starting or stopping. */
  readonly ready: boolean
}

// Lines of postmaster.pid.
const PID = 0
const PORT = 3
const STATUS = 7

export function findOccupant(dataDir: string): Occupant | undefined {
  const lines = readLines(lockFile(dataDir))
  const pid = Number(lines[PID])
  if (!isProcess(pid) || !isServerOf(pid, dataDir)) return undefined
  return { pid, port: Number(lines[PORT]), ready: lines[STATUS]?.trim() === 'ready' }
}

/**
 * PostgreSQL takes over the lock file of a dead process on its own. But if after a reboot the pid belongs to another
 * program of the same user, or to a zombie, PostgreSQL would refuse to start forever: only then remove the file.
 * PostgreSQL still detects processes left over from a kill by their shared memory.
 */
function removeForeignLock(dataDir: string): void {
  const pid = Number(readLines(lockFile(dataDir))[PID])
  if (isProcess(pid) && !isServerOf(pid, dataDir)) rmSync(lockFile(dataDir), { force: true })
}

function lockFile(dataDir: string): string {
  return join(dataDir, 'postmaster.pid')
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch {
    return []
  }
}

function isProcess(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function isServerOf(pid: number, dataDir: string): boolean {
  return commandLine(pid).includes(`-D ${dataDir} `)
}

/** The command line of a process; empty for a zombie. */
function commandLine(pid: number): string {
  if (existsSync('/proc/self/cmdline')) {
    return readLines(`/proc/${pid}/cmdline`).join('\n').replaceAll('\0', ' ')
  }
  return spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
}

export type Postmaster = { readonly port: number; readonly process: GuardedProcess }

export type PostmasterOptions = {
  readonly postgres: string
  readonly privileges: Privileges
  readonly dataDir: string
  /** Unset: a free one. */
  readonly port: number | undefined
  readonly fast: boolean
  /** Where to listen on a Unix socket as well; unset: nowhere. */
  readonly socketDir: string | undefined
  readonly onLine: (line: string) => void
}

// After its program was killed, a server stops within a second or two; one that stays ready longer is in use.
const IN_USE_AFTER_MS = 3_000
// Processes left over from a killed server end when they finish their statement or checkpoint.
const LEFT_OVER_MS = 30_000
// Recovery after a kill replays at most max_wal_size.
const READY_MS = 120_000
const RETRY_MS = 100

// A replica reports that its connections are read-only.
const READY = /database system is ready to accept (read-only )?connections/
const STILL_LOCKED = /lock file "postmaster.pid" already exists|pre-existing shared memory block/
const PORT_TAKEN = /could not bind|could not create any TCP\/IP sockets/

/** Starts the server once its folder is free. @throws Refusal if another process keeps using it */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const deadline = Date.now() + LEFT_OVER_MS
  for (;;) {
    await untilFree(options.dataDir)
    const started = await launch(options, options.port ?? (await freePort('127.0.0.1')))
    if (!('failure' in started)) return started
    const isTemporary = STILL_LOCKED.test(started.failure) || PORT_TAKEN.test(started.failure)
    if (!isTemporary || Date.now() > deadline) {
      throw new Refusal(`The embedded database in ${options.dataDir} does not start: ${started.failure}`)
    }
    await sleep(RETRY_MS)
  }
}

async function untilFree(dataDir: string): Promise<void> {
  const begin = Date.now()
  let lastUnready = begin
  for (;;) {
    const occupant = findOccupant(dataDir)
    if (!occupant) return removeForeignLock(dataDir)
    const now = Date.now()
    if (!occupant.ready) lastUnready = now
    if (now - lastUnready > IN_USE_AFTER_MS || now - begin > LEFT_OVER_MS) {
      throw new Refusal(
        `The database in ${dataDir} is in use: the program is already running on this data folder ` +
          `(process ${occupant.pid}). Stop it, or set another DATA_DIR.`,
      )
    }
    await sleep(RETRY_MS)
  }
}

async function launch(options: PostmasterOptions, port: number): Promise<Postmaster | { failure: string }> {
  const { postgres, privileges, onLine } = options
  const server = startGuarded(privileges, [postgres, ...serverArguments({ ...options, port })])
  const output: string[] = []
  let tooLate: NodeJS.Timeout | undefined
  const ready = await new Promise<boolean>((resolve, reject) => {
    server.ended.catch(reject)
    tooLate = setTimeout(() => {
      output.push(`FATAL: not ready after ${READY_MS / 1000} s`)
      server.end()
    }, READY_MS)
    const lines = createInterface({ input: server.stderr })
    lines.on('close', () => resolve(false))
    lines.on('line', (line) => {
      onLine(line)
      if (output.length < 100) output.push(line)
      if (READY.test(line)) resolve(true)
    })
  })
  clearTimeout(tooLate)
  if (ready) return { port, process: server }
  await server.ended
  return { failure: reasonIn(output) }
}

/** The line with the reason, without its timestamp and process id. */
function reasonIn(output: readonly string[]): string {
  const line = output.find((text) => text.includes('FATAL:')) ?? output.at(-1) ?? 'it ended without a message'
  return line.replace(/^.*?(FATAL|PANIC|ERROR):\s*/, '')
}
