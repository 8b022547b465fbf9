import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '#server/platform/embedded-postgres/embedded-postgres.ts'
import { freePort } from '#server/platform/net/port.ts'

export interface RunningApp {
  address: string
  /** The URL of its payment provider, the simulator. */
  payments: string
  /** With these, another process of the program belongs to the same installation. */
  settings: Record<string, string>
  stop: () => Promise<void>
}

const ROOT = join(import.meta.dirname, '../../..')

// The web build and 5,000 demo listings take 15 s on two idle cores; a busy machine may need several times that.
const READY_MS = 180_000
// The program itself ends anything still busy after 30 s.
const STOP_MS = 45_000

/**
 * A whole PartHarbor as `npm start` runs it (production web build, api and worker processes, demo data), with its own data
 * folder, port and PostgreSQL. Its processes cannot reach the network, as in all tests.
 */
export async function startRunningApp(): Promise<RunningApp> {
  const folder = await mkdtemp(join(tmpdir(), 'partharbor-stories-'))
  const postgres = await startEmbeddedPostgres({ dir: join(folder, 'postgres'), fast: true })
  const port = await freePort('127.0.0.1')
  const settings = settingsOf(port, folder, postgres)
  const program = startProgram(settings)
  const stop = async () => {
    await stopProgram(program.process)
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await waitUntilReady(program)
  } catch (error) {
    await stop()
    throw error
  }
  const address = `http://localhost:${port}`
  return { address, payments: paymentsIn(program.lastLines()), settings, stop }
}

function settingsOf(port: number, folder: string, postgres: EmbeddedPostgres): Record<string, string> {
  const denyNetwork = pathToFileURL(join(ROOT, 'tests/support/deny-network.ts')).href
  return {
    NODE_OPTIONS: `--import=${denyNetwork}`,
    APP_MODE: 'demo',
    DEMO_DATA: 'on',
    PAYMENTS: 'simulator',
    // Imports of a story’s new seller are published without an administrator.
    IMPORT_REVIEW: 'auto',
    // A story waits for a dozen jobs, one after the other.
    JOB_POLL_MS: '100',
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: postgres.url('owner'),
    // Stories run on one machine but act for many people: each names its own address (see story.ts).
    TRUSTED_PROXIES: '127.0.0.1,::1',
  }
}

/** The program chooses the test payments port itself, and prints it when it is ready. */
function paymentsIn(lines: string): string {
  const address = /Test payments: (\S+)/.exec(lines)?.[1]
  if (address === undefined) throw new Error(`PartHarbor did not say where test payments are:\n${lines}`)
  return address
}

interface Program {
  process: ChildProcess
  /** Its last output: why it did not start, if it does not. */
  lastLines: () => string
}

function startProgram(settings: Record<string, string>): Program {
  const program = spawn(process.execPath, ['server/main.ts', 'start'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings },
  })
  let output = ''
  for (const stream of [program.stdout, program.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output = `${output}${chunk}`.slice(-4_000)
    })
  }
  return { process: program, lastLines: () => output }
}

/** It prints this once all of its processes are ready. */
async function waitUntilReady(program: Program): Promise<void> {
  const deadline = Date.now() + READY_MS
  while (Date.now() < deadline) {
    if (program.process.exitCode !== null) {
      throw new Error(`PartHarbor ended with status ${program.process.exitCode}:\n${program.lastLines()}`)
    }
    if (program.lastLines().includes(' is ready: ')) return
    await sleep(100)
  }
  throw new Error(`PartHarbor was not ready after ${READY_MS / 1000} s:\n${program.lastLines()}`)
}

async function stopProgram(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return
  const ended = once(program, 'exit')
  program.kill('SIGTERM')
  const inTime = await Promise.race([ended.then(() => true), sleep(STOP_MS, false, { ref: false })])
  if (inTime) return
  program.kill('SIGKILL')
  await ended
  throw new Error(`PartHarbor did not stop within ${STOP_MS / 1000} s of SIGTERM`)
}
