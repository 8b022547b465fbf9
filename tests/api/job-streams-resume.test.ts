import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { seededRandom } from '#server/platform/seeded-random.ts'
import { atLength } from '#tests/support/at-length.ts'
import { openCuttingProxy } from '#tests/support/cutting-proxy.ts'
import {
  linesNumbered,
  openStreamServer,
  runningJob,
  say,
  settle,
  streamPath,
  upTo,
} from '#tests/support/stream-bench.ts'
import { startTestApp } from '#tests/support/test-app.ts'
import { EventStream, type SentEvent, type StreamPhase } from '#web/api/event-stream.ts'

const app = await startTestApp()
const admin = await app.signUp({ role: 'admin' })
const servers = [await openStreamServer(app), await openStreamServer(app)]
afterAll(() => Promise.all(servers.map((server) => server.close())))

const CUTS = atLength({ full: 200, brief: 50 })

test(`${CUTS} random disconnects of a stream between two processes lose 0 events and repeat 0`, async () => {
  const { next: random } = seededRandom('200 cuts')
  let isCalm = false
  const proxy = await openCuttingProxy({
    upstreams: servers.map(({ address }) => address),
    // Also in the middle of headers, event numbers and multibyte characters.
    nextCut: () => (isCalm ? undefined : 1 + Math.floor(random() ** 2 * 12_000)),
  })
  onTestFinished(() => proxy.close())
  const run = await runningJob(app)
  const got: SentEvent[] = []
  const ended = new Promise<StreamPhase>((resolve) => {
    const stream = new EventStream({
      address: proxy.address + streamPath(run.jobId),
      headers: () => ({ Authorization: `Bearer ${admin.api.token}` }),
      onEvents: (events) => got.push(...events),
      onPhase: (phase) => {
        if (phase.name === 'ended' || phase.name === 'failed') resolve(phase)
      },
      isLast: ({ event }) => event === 'done',
      pauseMs: () => random() * 5,
    })
    onTestFinished(() => stream.close())
    stream.open()
  })
  let lines = 0
  while (proxy.cuts() < CUTS) {
    const count = 1 + Math.floor(random() * 40)
    const said = linesNumbered(lines + 1, count).map((line) => ({
      ...line,
      message: `${line.message} Größe 漢字 🚗`,
    }))
    await say(app, run, said, { notify: random() < 0.8 })
    lines += count
    await sleep(random() * 20)
  }
  isCalm = true
  await settle(app, run, { to: 'completed', result: null })
  expect(await ended).toEqual({ name: 'ended' })

  const numbers = got.map(({ id }) => Number(id))
  const all = upTo(lines + 3)
  const seen = new Set(numbers)
  const missing = all.filter((number) => !seen.has(number)).length
  expect({ missing, repeated: numbers.length - seen.size }).toEqual({ missing: 0, repeated: 0 })
  expect(numbers).toEqual(all)
  expect(lines).toBeGreaterThan(CUTS * 10)
  const said = got
    .filter(({ event }) => event === 'log')
    .map(({ data }) => (JSON.parse(data) as { message: string }).message)
  expect(said).toEqual(upTo(lines).map((n) => `line ${n} Größe 漢字 🚗`))
}, 60_000)

test('a server that stops hands its readers over to the next', async () => {
  const [first, second] = [await openStreamServer(app), servers[1]]
  onTestFinished(first.close)
  const proxy = await openCuttingProxy({
    upstreams: [first.address, second?.address ?? ''],
    nextCut: () => undefined,
  })
  onTestFinished(() => proxy.close())
  const run = await runningJob(app)
  const got: number[] = []
  const ended = new Promise<void>((resolve) => {
    const stream = new EventStream({
      address: proxy.address + streamPath(run.jobId),
      headers: () => ({ Authorization: `Bearer ${admin.api.token}` }),
      onEvents: (events) => got.push(...events.map(({ id }) => Number(id))),
      onPhase: (phase) => phase.name === 'ended' && resolve(),
      isLast: ({ event }) => event === 'done',
    })
    onTestFinished(() => stream.close())
    stream.open()
  })
  await say(app, run, linesNumbered(1, 100))
  await sleep(200)
  await first.close()
  await say(app, run, linesNumbered(101, 100))
  await settle(app, run, { to: 'completed', result: null })
  await ended
  expect(got).toEqual(upTo(203))
})
