import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#server/platform/net/port.ts'
import { type BreakableProvider, startBreakableProvider } from './breakable-provider.ts'
import { startedApp, test as story } from './story.ts'

/** Another server of the same installation, with its own payment provider that a story may break. */
export interface Desk {
  address: string
  provider: BreakableProvider
}

/** `test` for stories at such a desk. */
export const test = story.extend<{ desk: Desk }>({
  desk: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from this pattern
    async ({}, use) => {
      const provider = await startBreakableProvider()
      const port = await freePort('127.0.0.1')
      const server = startServer({ PORT: String(port), SIMULATOR_URL: provider.url })
      const address = `http://localhost:${port}`
      try {
        await untilReady(address, server)
        await use({ address, provider })
      } finally {
        server.process.kill('SIGTERM')
        await server.ended
        await provider.end()
      }
    },
    // For each test: a worker of its own would start it last, when nothing is left to run beside it.
    { timeout: 60_000 },
  ],
  baseURL: async ({ desk }, use) => use(desk.address),
})

const ROOT = join(import.meta.dirname, '../../..')

interface Server {
  process: ChildProcess
  ended: Promise<unknown>
  /** Why it did not start, if it does not. */
  lastLines: () => string
}

function startServer(settings: Record<string, string>): Server {
  const server = spawn(process.execPath, ['server/main.ts', 'api'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...startedApp().settings, ...settings },
  })
  let output = ''
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output = `${output}${chunk}`.slice(-4_000)
    })
  }
  return { process: server, ended: once(server, 'exit'), lastLines: () => output }
}

const READY_MS = 50_000

async function untilReady(address: string, { process: server, lastLines }: Server): Promise<void> {
  const deadline = Date.now() + READY_MS
  const answers = () =>
    fetch(`${address}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await answers())) {
    if (server.exitCode !== null || Date.now() > deadline) {
      throw new Error(`The server of the desk did not start:\n${lastLines()}`)
    }
    await sleep(100)
  }
}
