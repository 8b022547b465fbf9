import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#server/platform/database/database.ts'
import { seededRandom } from '#server/platform/seeded-random.ts'
import { type CuttingProxy, openCuttingProxy } from '#tests/support/cutting-proxy.ts'
import { openAdmin } from '#tests/support/import-client.ts'
import { Installation, signalProcess } from '#tests/support/installation.ts'
import { eventsOf, untilStatus } from '#tests/support/job-bench.ts'
import { EventStream, type SentEvent, type StreamPhase } from '#web/api/event-stream.ts'

const LINES = 4_000
const SECONDS = 20
const READERS = 4

async function post<T>(url: string, body: unknown, token = ''): Promise<T> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}

function startReader(proxy: CuttingProxy, jobId: string, token: string) {
  const got: SentEvent[] = []
  let tell: (phase: StreamPhase) => void = () => undefined
  const ended = new Promise<StreamPhase>((resolve) => {
    tell = resolve
  })
  const stream = new EventStream({
    address: `${proxy.address}/api/admin/automation/jobs/${jobId}/stream`,
    headers: () => ({ Authorization: `Bearer ${token}` }),
    onEvents: (events) => got.push(...events),
    onPhase: (phase) => {
      if (phase.name === 'ended' || phase.name === 'failed') tell(phase)
    },
    isLast: ({ event }) => event === 'done',
    pauseMs: (failures) => Math.min(1_000, 50 * 2 ** failures),
  })
  onTestFinished(() => stream.close())
  stream.open()
  return { got, ended }
}

/** What an operator fears: processes killed and stopped and the database down, one after another. */
async function disturb(installation: Installation): Promise<void> {
  const [first, second] = installation.ofRole('api')
  const [worker] = installation.ofRole('worker')
  if (!first || !second || !worker) throw new Error('two of each were asked for')
  await sleep(2_000)
  await first.kill()
  await sleep(1_000)
  await first.startUntilReady()
  await sleep(1_000)
  for (const pid of installation.databasePids().slice(0, 1)) signalProcess(pid, 'SIGKILL')
  await sleep(500)
  await installation.restartDatabase()
  await sleep(3_000)
  await second.kill()
  await second.startUntilReady()
  await worker.kill()
  await worker.startUntilReady()
}

test('every script line arrives once, whichever of two api and two worker processes are killed', async () => {
  const installation = await Installation.open({ api: 2, worker: 2 })
  onTestFinished(() => installation.close())
  const database = openDatabase(installation.databaseUrl, { max: 2, applicationName: 'test' })
  onTestFinished(() => database.close())
  const addresses = installation.ofRole('api').map(({ address }) => address)
  const [address = ''] = addresses
  const token = await openAdmin(address, database.db)
  const { jobId } = await post<{ jobId: string }>(
    `${address}/api/admin/automation/jobs`,
    { queue: 'preprocess', payload: { scriptId: 'self-check', flags: { lines: LINES, seconds: SECONDS } } },
    token,
  )
  const { next: random } = seededRandom('streams')
  const nextCut = () => 2_000 + Math.floor(random() * 60_000)
  const proxy = await openCuttingProxy({ upstreams: addresses, nextCut })
  onTestFinished(() => proxy.close())
  const readers = Array.from({ length: READERS }, () => startReader(proxy, jobId, token))
  await disturb(installation)
  await untilStatus(database, jobId, 'completed', 120_000)

  const events = await eventsOf(database, jobId)
  for (const { got, ended } of readers) {
    expect(await ended).toEqual({ name: 'ended' })
    expect(got.map(({ id }) => Number(id))).toEqual(events.map(({ seq }) => Number(seq)))
    const told = got.map(({ data }) => (JSON.parse(data) as { message: string }).message)
    expect(told).toEqual(events.map(({ message }) => message))
  }
  expect(events.length).toBeGreaterThan(LINES)
  expect(proxy.cuts()).toBeGreaterThan(READERS)
}, 300_000)
