import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#server/platform/port.ts'
import { Refusal } from '#server/platform/refusal.ts'
import type { GuardedProcess } from './guarded-process.ts'
import { startGuarded } from './guarded-process.ts'
import { findOccupant, removeForeignLock } from './occupant.ts'
import type { Privileges } from './privileges.ts'
import { serverArguments } from './server-settings.ts'

export type Postmaster = { readonly port: number; readonly process: GuardedProcess }

export type PostmasterOptions = {
  readonly postgres: string
  readonly privileges: Privileges
  readonly dataDir: string
  /** Unset: a free one. */
  readonly port: number | undefined
  readonly fast: boolean
  readonly onLine: (line: string) => void
}

// The server of a program that was killed stops within a second or two; one that stays ready longer is in use.
const IN_USE_AFTER_MS = 3_000
// What is left of a killed server ends when it finishes its statement or its checkpoint.
const LEFT_OVER_MS = 30_000
// Recovery after a kill replays at most max_wal_size.
const READY_MS = 120_000
const RETRY_MS = 100

const READY = /database system is ready to accept connections/
const STILL_HELD = /lock file "postmaster.pid" already exists|pre-existing shared memory block/
const PORT_TAKEN = /could not bind|could not create any TCP\/IP sockets/

/** Starts the server as soon as whatever held its folder before is gone; a Refusal if someone else is using it. */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const deadline = Date.now() + LEFT_OVER_MS
  for (;;) {
    await untilFree(options.dataDir)
    const started = await launch(options, options.port ?? (await freePort('127.0.0.1')))
    if (!('failure' in started)) return started
    const passing = STILL_HELD.test(started.failure) || PORT_TAKEN.test(started.failure)
    if (!passing || Date.now() > deadline) {
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
          `(process ${occupant.pid}). Stop that one, or set another DATA_DIR.`,
      )
    }
    await sleep(RETRY_MS)
  }
}

async function launch(options: PostmasterOptions, port: number): Promise<Postmaster | { failure: string }> {
  const { postgres, privileges, dataDir, fast, onLine } = options
  const server = startGuarded(privileges, [postgres, ...serverArguments({ dataDir, port, fast })])
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

/** The line that says why, without the time and process number before it. */
function reasonIn(output: readonly string[]): string {
  const line = output.find((text) => text.includes('FATAL:')) ?? output.at(-1) ?? 'it ended without a word'
  return line.replace(/^.*?(FATAL|PANIC|ERROR):\s*/, '')
}
