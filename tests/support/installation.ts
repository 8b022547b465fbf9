import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import pino from 'pino'
import { migrateDatabase } from '#server/commands/migrate.ts'
import { readConfig } from '#server/config.ts'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '#server/platform/embedded-postgres/embedded-postgres.ts'
import { findOccupant } from '#server/platform/embedded-postgres/postmaster.ts'
import { freePort } from '#server/platform/net/port.ts'
import { NODE_FLAGS, NODE_SETTINGS } from '#server/platform/processes/supervised-child.ts'
import { READY, SUPERVISED } from '#server/platform/processes/supervisor-link.ts'
import { descendantsOf } from './processes.ts'

/*
 * A whole installation in a folder of its own: a database, some api and some worker processes, each of which can be
 * killed, paused and started again, as on machines that fail.
 */

const PROGRAM = { path: join(import.meta.dirname, '../../server/main.ts'), args: [] }

export type Role = 'api' | 'worker' | 'simulator'

export type InstallationOptions = {
  readonly api: number
  readonly worker: number
  /** Test payments, whose webhooks go to the first api. */
  readonly simulator?: boolean
  /** For every process of ours, such as a limit of its memory. */
  readonly nodeOptions?: string
  /** Besides those that make an installation of it. */
  readonly settings?: Readonly<Record<string, string>>
  /** Instead of the program as it is, with what shall stand behind the role. */
  readonly program?: { readonly path: string; readonly args: readonly string[] }
}

type Started = Required<Pick<InstallationOptions, 'nodeOptions' | 'program' | 'settings'>>

// A first start loads its code from the disk on a machine that is busy with others.
const READY_MS = 60_000
// Longer than any pause of the database.
const UP_MS = 120_000
const RESTART_PAUSE_MS = 500
// Of a log, what shows why a process ended.
const TOLD_LENGTH = 2_000

/** One process of the program, on an address that stays the same when it is started again. */
export class InstalledProcess {
  readonly role: Role
  readonly port: number
  readonly #started: Started
  #child: ChildProcess | undefined
  #output = ''

  constructor(role: Role, port: number, started: Started) {
    this.role = role
    this.port = port
    this.#started = started
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  get isRunning(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null
  }

  /** What it wrote to its log since the installation began. */
  get output(): string {
    return this.#output
  }

  /** Resolves when it serves. It ends with this process, however that ends: its channel breaks then. */
  async start(): Promise<void> {
    const { PATH, HOME } = process.env
    const { program, settings, nodeOptions } = this.#started
    const child = fork(program.path, [this.role, SUPERVISED, ...program.args], {
      env: { PATH, HOME, NODE_OPTIONS: nodeOptions, ...NODE_SETTINGS },
      execArgv: [...NODE_FLAGS],
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    this.#child = child
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (data: Buffer) => {
        this.#output += data
      })
    }
    child.on('error', () => undefined)
    child.send({ ...settings, PORT: String(this.port) })
    const ready = new Promise<'ready'>((resolve) => {
      child.on('message', (message) => {
        if (message === READY) resolve('ready')
      })
    })
    const ended = once(child, 'exit').then(() => 'ended')
    const how = await Promise.race([ready, ended, sleep(READY_MS, 'late', { ref: false })])
    if (how === 'ready') return
    throw new Error(`The ${this.role} did not become ready (${how}):\n${this.#output.slice(-TOLD_LENGTH)}`)
  }

  /** Starts it as a supervisor does: again and again where it cannot start, as without its database. */
  async startUntilReady(): Promise<void> {
    const deadline = Date.now() + UP_MS
    for (;;) {
      try {
        return await this.start()
      } catch (error) {
        await this.kill()
        if (Date.now() > deadline) throw error
      }
      await sleep(RESTART_PAUSE_MS)
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }

  /** Ends it at once, even while it is paused; resolves when it is gone. */
  async kill(): Promise<void> {
    const child = this.#child
    if (!child || !this.isRunning) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }

  /** Asks it to end as an operator does; resolves with its exit code when it is gone. */
  async stop(): Promise<number | null> {
    const child = this.#child
    if (!child || !this.isRunning) return null
    const gone = once(child, 'exit') as Promise<[number | null]>
    child.kill('SIGTERM')
    return (await gone)[0]
  }

  /** The most memory it ever held, in bytes; 0 where the system does not tell. */
  peakMemory(): number {
    return peakMemoryOf(this.pid)
  }
}

export class Installation {
  readonly dir: string
  readonly processes: InstalledProcess[] = []
  /** Where test payments are, if it has them. */
  simulatorUrl = ''
  #postgres: EmbeddedPostgres
  readonly #postgresDir: string

  private constructor(dir: string, postgresDir: string, postgres: EmbeddedPostgres) {
    this.dir = dir
    this.#postgresDir = postgresDir
    this.#postgres = postgres
  }

  /** Everything up and ready. The caller closes it, also when what it does with it fails. */
  static async open(options: InstallationOptions): Promise<Installation> {
    const dir = await mkdtemp(join(tmpdir(), 'partharbor-installation-'))
    const postgresDir = join(dir, 'postgres')
    // Its data is as safe as a yard's: what is killed here must come back.
    const postgres = await startEmbeddedPostgres({ dir: postgresDir })
    const installation = new Installation(dir, postgresDir, postgres)
    try {
      await installation.#prepare(options)
      return installation
    } catch (error) {
      await installation.close()
      throw error
    }
  }

  get databaseUrl(): string {
    return this.#postgres.url('owner')
  }

  /** The folder of the file store. */
  get filesDir(): string {
    return join(this.dir, 'data/files')
  }

  ofRole(role: Role): InstalledProcess[] {
    return this.processes.filter((process) => process.role === role)
  }

  async #prepare({
    api,
    worker,
    nodeOptions = '',
    program = PROGRAM,
    settings: more = {},
    simulator = false,
  }: InstallationOptions): Promise<void> {
    const payments = simulator && {
      PAYMENTS: 'simulator',
      SIMULATOR_URL: `http://127.0.0.1:${await freePort('127.0.0.1')}`,
    }
    const settings = {
      DATABASE_URL: this.databaseUrl,
      DATA_DIR: join(this.dir, 'data'),
      EMAIL_CONFIRM: 'off',
      LOG_LEVEL: 'warn',
      ...payments,
      ...more,
    }
    await migrateDatabase(readConfig(settings), pino({ level: 'silent' }))
    const roles: Role[] = [...Array<Role>(api).fill('api'), ...Array<Role>(worker).fill('worker')]
    for (const role of roles) {
      const port = await freePort('127.0.0.1')
      this.processes.push(new InstalledProcess(role, port, { settings, nodeOptions, program }))
    }
    if (payments) {
      this.simulatorUrl = payments.SIMULATOR_URL
      const [first] = this.processes
      const port = first?.port ?? 0
      this.processes.push(new InstalledProcess('simulator', port, { settings, nodeOptions, program }))
    }
    await Promise.all(this.processes.map((process) => process.start()))
  }

  /** The server of the database first, then the processes it started for its clients. */
  databasePids(): number[] {
    const postmaster = findOccupant(join(this.#postgresDir, 'data'))?.pid
    if (postmaster === undefined) return []
    return [postmaster, ...descendantsOf(postmaster).map(({ pid }) => pid)]
  }

  /** Those that serve a client, in the order in which they were started. */
  databaseConnections(): number[] {
    const [postmaster] = this.databasePids()
    if (postmaster === undefined) return []
    return descendantsOf(postmaster)
      .filter(({ command }) => /^postgres: \S+ \S+ 127\.0\.0\.1/.test(command))
      .map(({ pid }) => pid)
  }

  /** Brings a database back that was killed, on its old address. */
  async restartDatabase(): Promise<void> {
    const { port, ended } = this.#postgres
    await ended
    this.#postgres = await startEmbeddedPostgres({ dir: this.#postgresDir, port })
  }

  /** Writes everything to the disk now, so that what is measured next does not pay for what was before. */
  async checkpoint(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#postgres.url('superuser', 'postgres') })
    await client.connect()
    try {
      await client.query('checkpoint')
    } finally {
      await client.end()
    }
  }

  peakMemoryOfDatabase(): number {
    return Math.max(0, ...this.databasePids().map(peakMemoryOf))
  }

  /** Ends everything and removes its folder. */
  async close(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.kill()))
    for (const pid of this.databasePids()) signalProcess(pid, 'SIGCONT')
    await this.#postgres.stop()
    await rm(this.dir, { recursive: true, force: true })
  }
}

/** Sends a signal to a process that may have ended by itself in the meantime. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** The most memory a process ever held, in bytes; 0 where the system does not tell. */
export function peakMemoryOf(pid: number): number {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Number(kilobytes ?? 0) * 1024
  } catch {
    return 0
  }
}
