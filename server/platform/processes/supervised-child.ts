import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '#server/platform/errors.ts'
import type { Log } from '#server/platform/log.ts'
import { READY, SUPERVISED } from './supervisor-link.ts'

/**
 * Flags for our Node processes. By default Node 24 lets the young generation grow to 96 MB. Peak memory while staging
 * 150,000 rows: 325 MB without the flag, 227 MB with it. With a heap of 128 MB the process spends so much less time on
 * garbage collection that it needs a third of the time.
 */
export const NODE_FLAGS = ['--max-semi-space-size=16'] as const

/** The heap of an api or a worker in megabytes, with which what they take was measured (workshop/bench/README.md). */
export const HEAP_MB = 192

/** A limit that the operator set in NODE_OPTIONS stays. */
const heapFlags = (nodeOptions: string | undefined): string[] =>
  nodeOptions?.includes('--max-old-space-size') ? [] : [`--max-old-space-size=${HEAP_MB}`]

/**
 * Environment that a process needs before it starts. The compile cache, because otherwise the TypeScript type stripper is
 * loaded only for `main.ts` and takes 20 MB for good. And the number of glibc's memory arenas (ignored by other C
 * libraries), because otherwise each of Node's threads has its own: peak memory after importing 8 files of 20,000 rows is
 * 315 MB without it, 268 MB with it.
 */
export const NODE_SETTINGS = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../.cache/compiled'),
  MALLOC_ARENA_MAX: '2',
} as const

export type ChildOptions = {
  /** The subcommand, also used in messages. */
  readonly role: string
  readonly program: string
  readonly env: NodeJS.ProcessEnv
  readonly log: Log
}

// A repeating crash must not use up a core; a single one should be over before anyone notices.
const FIRST_PAUSE_MS = 500
// A start takes about a second, so even a process that is killed again and again is back within 5 s.
const LONGEST_PAUSE_MS = 2_000
// Longest pause for a process that fails to start, such as without its database.
const LONGEST_PAUSE_UNREADY_MS = 30_000
/** After this time of health the next crash counts as a first one again. */
const HEALTHY_MS = 30_000

/**
 * Returns how long to wait before restarting a process. Doubles with every crash, up to 2 s for a process that had
 * become ready.
 * @param lastMs the pause before this start, undefined for the first one
 * @param healthyMs for how long it was ready, undefined if it never was
 */
export function pauseBeforeStart(lastMs: number | undefined, healthyMs: number | undefined): number {
  if (lastMs === undefined || (healthyMs !== undefined && healthyMs >= HEALTHY_MS)) return FIRST_PAUSE_MS
  return Math.min(lastMs * 2, healthyMs === undefined ? LONGEST_PAUSE_UNREADY_MS : LONGEST_PAUSE_MS)
}

// A little longer than the child's own graceful stop.
const STOP_MS = 31_000

/**
 * A process of this program that is restarted after a crash, with growing pauses. It loads its code at once and waits for
 * its settings. If it never became ready it is not restarted, since it would only fail the same way.
 */
export class SupervisedChild {
  readonly #options: ChildOptions
  #child: ChildProcess
  #settings: Readonly<Record<string, string>> = {}
  #pauseMs: number | undefined
  #stopping = false
  #restart: NodeJS.Timeout | undefined

  constructor(options: ChildOptions) {
    this.#options = options
    this.#child = this.#fork()
  }

  /** Resolves when the child reports ready with these settings. @throws Refusal if it ends before that */
  async start(settings: Readonly<Record<string, string>>): Promise<void> {
    this.#settings = settings
    const child = this.#child
    await new Promise<void>((resolve, reject) => {
      const end = (how: string) =>
        reject(new Refusal(`The ${this.#options.role} process ended before it was ready (${how}).`))
      void whenReady(child).then(resolve)
      child.once('exit', (code, signal) => end(signal ?? `exit code ${code}`))
      if (hasEnded(child)) end(child.signalCode ?? `exit code ${child.exitCode}`)
      else this.#send(child)
    })
    this.#keep(child, Promise.resolve())
  }

  /** Stops the child gracefully, and kills it if that takes too long. Resolves when it is gone. */
  async stop(): Promise<void> {
    this.#stopping = true
    clearTimeout(this.#restart)
    const child = this.#child
    if (hasEnded(child)) return
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    child.kill('SIGTERM')
    const timeout = new AbortController()
    const tooLong = sleep(STOP_MS, undefined, { signal: timeout.signal }).then(
      () => this.kill(),
      () => undefined,
    )
    await ended
    timeout.abort()
    await tooLong
  }

  kill(): void {
    this.#stopping = true
    this.#child.kill('SIGKILL')
  }

  #fork(): ChildProcess {
    const { program, role, env, log } = this.#options
    const child = fork(program, [role, SUPERVISED], {
      execArgv: [...process.execArgv, ...NODE_FLAGS, ...heapFlags(env.NODE_OPTIONS)],
      env,
      // A separate process group, so that Ctrl-C reaches only the supervisor, which then stops its children in order.
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    // Also emitted for a message to a child that just died; the exit handler deals with that.
    child.on('error', (error) => log.debug({ err: error, role }, 'a message to a process was lost'))
    return child
  }

  #send(child: ChildProcess): void {
    child.send(this.#settings)
  }

  #keep(child: ChildProcess, isReady: Promise<void>): void {
    let readyAt: number | undefined
    void isReady.then(() => {
      readyAt = Date.now()
    })
    const again = (code: number | null, signal: string | null) => {
      if (this.#stopping) return
      const healthyMs = readyAt === undefined ? undefined : Date.now() - readyAt
      const pauseMs = pauseBeforeStart(this.#pauseMs, healthyMs)
      const { role, log } = this.#options
      log.warn({ role, code, signal, pauseMs }, 'a process ended unexpectedly and is started again')
      this.#pauseMs = pauseMs
      // A child that was ready before loads its code during the pause, which is the slowest part of starting.
      const loaded = healthyMs === undefined ? undefined : this.#fork()
      if (loaded) this.#child = loaded
      this.#restart = setTimeout(() => this.#startAgain(loaded ?? this.#fork()), pauseMs)
    }
    if (hasEnded(child)) again(child.exitCode, child.signalCode)
    else child.once('exit', again)
  }

  #startAgain(child: ChildProcess): void {
    this.#child = child
    this.#keep(child, whenReady(child))
    if (!hasEnded(child)) this.#send(child)
  }
}

function whenReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.on('message', (message) => {
      if (message === READY) resolve()
    })
  })
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/**
 * Runs one of our scripts as a separate process, whose memory is freed afterward, and resolves with its exit code. It shares
 * our terminal; the channel over which it gets its settings ends it if we are killed.
 */
export function runToEnd(
  script: string,
  args: readonly string[] = [],
  settings?: Readonly<Record<string, string>>,
): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = fork(script, args, { detached: true, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    child.on('error', reject)
    child.once('exit', resolve)
    if (settings) child.send(settings)
  })
}
