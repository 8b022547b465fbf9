import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { HEAP_MB, NODE_FLAGS } from '#server/platform/processes/supervised-child.ts'
import { Installation, type InstallationOptions, peakMemoryOf } from '#tests/support/installation.ts'

/* Other processes that a benchmark starts: an installation, a step whose memory is measured, a server, a client. */

/** What a process gets from `npm start`, and on a small machine with the database beside it. */
export const HEAP_FLAG = `--max-old-space-size=${HEAP_MB}`
// Dumping a million rows is no query of the program.
const STATEMENT_MS = 600_000

type Installed = {
  readonly installation: Installation
  readonly database: Database
  readonly address: string
  /** For files; it is removed with the installation. */
  readonly folder: string
}

/** Runs `work` with an api and a worker, and removes everything afterwards. */
export async function withInstallation<Result>(
  work: (installed: Installed) => Promise<Result>,
  options: Pick<InstallationOptions, 'program' | 'settings'> = {},
) {
  const installation = await Installation.open({ api: 1, worker: 1, nodeOptions: HEAP_FLAG, ...options })
  const database = openDatabase(installation.databaseUrl, {
    max: 2,
    applicationName: 'bench',
    statementTimeoutMs: STATEMENT_MS,
  })
  try {
    const address = installation.ofRole('api')[0]?.address ?? ''
    return await work({ installation, database, address, folder: installation.dir })
  } finally {
    await database.close()
    await installation.close()
  }
}

export async function withFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'partharbor-bench-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What a step took in a process of its own: processor time of all its threads, peak memory of the process in bytes. */
export type Took = { readonly ms: number; readonly cpuMs: number; readonly memory: number }

/** Runs one of the programs beside this file with the heap of a small machine. */
export async function runProgram<Result>(
  program: string,
  args: readonly string[],
): Promise<Took & { result: Result }> {
  const command = [...NODE_FLAGS, HEAP_FLAG, join(import.meta.dirname, program), ...args]
  const { stdout } = await promisify(execFile)(process.execPath, command)
  return JSON.parse(stdout)
}

/** In such a program: measures its step and prints what it took, as JSON. */
export async function printTook(step: () => Promise<unknown>): Promise<void> {
  const began = performance.now()
  const cpu = process.cpuUsage()
  const result = await step()
  const { user, system } = process.cpuUsage(cpu)
  const ms = performance.now() - began
  console.log(
    JSON.stringify({ ms, cpuMs: (user + system) / 1_000, memory: peakMemoryOf(process.pid), result }),
  )
}

/** The best of several runs: any may have paid for what else the machine did. */
export const best = (took: readonly Took[]): Took => ({
  ms: Math.min(...took.map(({ ms }) => ms)),
  cpuMs: Math.min(...took.map(({ cpuMs }) => cpuMs)),
  memory: Math.max(...took.map(({ memory }) => memory)),
})

/** A process that gets an order as a message and replies with another. */
export type Helper = {
  ask<Reply>(order: unknown): Promise<Reply>
  /** Ends it at once, as a lost machine would. */
  kill(): Promise<void>
}

/** Runs `work` with a way to start programs beside this file, and ends them afterwards. */
export async function withHelpers<Result>(
  work: (start: (program: string, flags?: readonly string[]) => Helper) => Promise<Result>,
) {
  const children: ChildProcess[] = []
  const start = (program: string, flags: readonly string[] = []): Helper => {
    const child = fork(join(import.meta.dirname, program), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      execArgv: [...process.execArgv, ...flags],
    })
    children.push(child)
    return {
      ask: async <Reply>(order: unknown) => {
        const replied = once(child, 'message')
        child.send(order as object)
        const [reply] = await replied
        return reply as Reply
      },
      async kill() {
        child.kill('SIGKILL')
        await once(child, 'exit')
      },
    }
  }
  try {
    return await work(start)
  } finally {
    for (const child of children) if (child.connected) child.disconnect()
  }
}

/** In such a process: replies to every order. */
export function replyTo<Order>(work: (order: Order) => Promise<unknown>): void {
  process.on('message', (order) => {
    void work(order as Order).then((reply) => process.send?.(reply))
  })
  process.once('disconnect', () => process.exit())
}

/** Measures at each size of `--rows 10000,100000`; returns whether all targets were met at all of them. */
export async function forEachSize(
  rows: string,
  measure: (rows: number) => Promise<boolean>,
): Promise<boolean> {
  let areMet = true
  for (const size of rows.split(',').map(Number)) areMet = (await measure(size)) && areMet
  return areMet
}
