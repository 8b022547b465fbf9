import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import {
  dataOf,
  linesNumbered,
  numbersOf,
  openStreamServer,
  readStream,
  runningJob,
  say,
  settle,
  streamPath,
  toldBy,
  untilEvents,
  upTo,
  waitingJob,
} from '#tests/support/stream-bench.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const admin = await app.signUp({ role: 'admin' })
const { token } = admin.api
const server = await openStreamServer(app)
const other = await openStreamServer(app)
afterAll(() => Promise.all([server.close(), other.close()]))

async function endedJob(count: number) {
  const run = await runningJob(app)
  await say(app, run, linesNumbered(1, count))
  await settle(app, run, { to: 'completed', result: null })
  // The start, the lines, the status and done.
  return { ...run, last: count + 3 }
}

test('a running job streams live from its first event to its end', async () => {
  const run = await runningJob(app)
  await say(app, run, linesNumbered(1, 2))
  const reader = await readStream(server, run.jobId, { token })
  expect(reader.response.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  await untilEvents(reader, 3)
  await say(app, run, [
    { kind: 'log', stream: 'stderr', message: 'oh' },
    { kind: 'progress', message: 'rows', data: { done: 1, total: 3, note: 'rows' } },
  ])
  await untilEvents(reader, 5)
  await settle(app, run, { to: 'failed', error: 'It broke.', counts: 'attempt' })
  expect(await reader.ended).toBe(true)
  expect(toldBy(reader.events())).toEqual([
    'status: running',
    'log: line 1',
    'log: line 2',
    'log: oh',
    'progress: rows',
    'error: It broke.',
    'status: failed',
    'done: failed',
  ])
  expect(numbersOf(reader.events())).toEqual(upTo(8))
  const [start, , , oh, progress, , , done] = reader.events().map(dataOf)
  expect(start).toMatchObject({ stream: 'system', status: 'running' })
  expect(oh).toMatchObject({
    stream: 'stderr',
    message: 'oh',
    loggedAt: expect.stringMatching(/^\d{4}-.*Z$/),
  })
  expect(progress).toMatchObject({ stage: 'rows', count: 1, total: 3, percentage: 33.3 })
  expect(done).toMatchObject({ status: 'FAILED' })
})

test('an ended job streams from the first event to done', async () => {
  const { jobId, last } = await endedJob(2_500)
  const reader = await readStream(server, jobId, { token })
  expect(await reader.ended).toBe(true)
  expect(numbersOf(reader.events())).toEqual(upTo(last))
  expect(reader.events().at(-1)?.event).toBe('done')
})

test('Last-Event-ID returns exactly the missing events, from any process', async () => {
  const { jobId, last } = await endedJob(30)
  for (const seen of [1, 17, last - 1]) {
    const reader = await readStream(other, jobId, { token, lastEventId: String(seen) })
    await reader.ended
    expect(numbersOf(reader.events())).toEqual(upTo(last).slice(seen))
  }
})

test('a reader who has the last event of an ended job gets done again, without an event number', async () => {
  const { jobId, last } = await endedJob(3)
  const reader = await readStream(server, jobId, { token, lastEventId: String(last) })
  expect(await reader.ended).toBe(true)
  expect(toldBy(reader.events())).toEqual(['done: completed'])
  expect(numbersOf(reader.events())).toEqual([])
  expect(dataOf(reader.events()[0] ?? fail()).status).toBe('COMPLETED')
})

function fail(): never {
  throw new Error('no event came')
}

test.each([
  ['abc', 'Last-Event-ID is not an event number. Starting from the first event.'],
  ['-1', 'Last-Event-ID is not an event number. Starting from the first event.'],
  ['1.5', 'Last-Event-ID is not an event number. Starting from the first event.'],
  ['99999999999999999999', 'Last-Event-ID is not an event number. Starting from the first event.'],
  ['500', 'Last-Event-ID is 500, but this job has 5 events. Starting from the first event.'],
])(
  'Last-Event-ID %s restarts from the beginning, and the log explains why',
  async (lastEventId, sentence) => {
    const { jobId, last } = await endedJob(2)
    const reader = await readStream(server, jobId, { token, lastEventId })
    await reader.ended
    const [note, ...events] = reader.events()
    expect(note && [note.event, note.hasId, dataOf(note)]).toMatchObject([
      'log',
      false,
      { stream: 'system', message: sentence, data: { restart: true } },
    ])
    expect(numbersOf(events)).toEqual(upTo(last))
  },
)

test('events of deleted months are counted, and the rest is sent', async () => {
  const { jobId, last } = await endedJob(20)
  await sql`delete from job_event where job_id = ${jobId} and seq <= 12`.execute(app.db)
  const reader = await readStream(server, jobId, { token, lastEventId: '2' })
  await reader.ended
  expect(toldBy(reader.events())[0]).toBe('log: … 10 older lines were deleted')
  expect(numbersOf(reader.events())).toEqual(upTo(last).slice(12))
  const close = await readStream(server, jobId, { token, lastEventId: '11' })
  await close.ended
  expect(toldBy(close.events()).slice(0, 2)).toEqual(['log: … 1 older line was deleted', 'log: line 12'])
  await sql`delete from job_event where job_id = ${jobId}`.execute(app.db)
  const late = await readStream(server, jobId, { token })
  expect(await late.ended).toBe(true)
  expect(toldBy(late.events())).toEqual(['done: completed'])
})

test('a queued job streams nothing until its first event', async () => {
  const jobId = await waitingJob(app)
  const reader = await readStream(server, jobId, { token })
  await sleep(100)
  expect(reader.text()).toBe(':\n\n')
  await settle(app, { jobId, runNo: 0 }, { to: 'cancelled' })
  expect(await reader.ended).toBe(true)
  expect(toldBy(reader.events())).toEqual(['status: cancelled', 'done: cancelled'])
})

test('lines of maximum length arrive whole, in pages that stay small', async () => {
  const run = await runningJob(app)
  const long = Array.from({ length: 40 }, (_, n) => `${n} ${'ü'.repeat(65_000)}\n"\\ `)
  await say(
    app,
    run,
    long.map((message) => ({ kind: 'log', stream: 'stdout', message })),
  )
  await settle(app, run, { to: 'completed', result: null })
  const reader = await readStream(server, run.jobId, { token })
  expect(await reader.ended).toBe(true)
  const lines = reader.events().filter(({ event }) => event === 'log')
  expect(lines.map((line) => dataOf(line).message)).toEqual(long)
})

test('two processes stream the same job, whichever one writes', async () => {
  const run = await runningJob(app)
  const readers = await Promise.all(
    [server, other, server, other].map((one) => readStream(one, run.jobId, { token })),
  )
  for (let n = 0; n < 20; n += 1) await say(app, run, linesNumbered(n * 50, 50))
  await settle(app, run, { to: 'completed', result: null })
  for (const reader of readers) {
    expect(await reader.ended).toBe(true)
    expect(numbersOf(reader.events())).toEqual(upTo(1_003))
  }
})

test('refuses everyone but administrators, and 404 for an unknown job', async () => {
  const { jobId } = await endedJob(1)
  const person = await app.signUp()
  const statuses = async (as: string | undefined, id: string) =>
    (await readStream(server, id, { token: as })).status
  expect(await statuses(undefined, jobId)).toBe(401)
  expect(await statuses(person.api.token, jobId)).toBe(403)
  expect(await statuses(token, '0197d9a8-0000-7000-8000-000000000000')).toBe(404)
  expect(await statuses(token, 'not-an-id')).toBe(404)
})

test('a stream is not compressed, and a HEAD request opens none', async () => {
  const run = await runningJob(app)
  const headers = { 'accept-encoding': 'gzip, br' }
  const reader = await readStream(server, run.jobId, { token, headers })
  expect(reader.response.headers['content-encoding']).toBeUndefined()
  await untilEvents(reader, 1)
  reader.leave()
  const heads = Array.from({ length: 25 }, () => readStream(server, run.jobId, { token, method: 'HEAD' }))
  for (const head of await Promise.all(heads)) expect([head.status, await head.ended]).toEqual([200, true])
  const still = await readStream(server, run.jobId, { token })
  expect(still.status).toBe(200)
  still.leave()
})

test('at most 20 streams per user and process; closed ones make room', async () => {
  const run = await runningJob(app)
  const person = await app.signUp({ role: 'admin' })
  const own = { token: person.api.token }
  const readers = await Promise.all(upTo(20).map(() => readStream(server, run.jobId, own)))
  expect(readers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  const refused = await readStream(server, run.jobId, own)
  expect([refused.status, refused.response.headers['retry-after']]).toEqual([429, '10'])
  await refused.ended
  expect(JSON.parse(refused.text())).toMatchObject({
    code: 'TOO_MANY',
    error: 'You already have 20 job streams open, the maximum. Close one and try again.',
  })
  expect((await readStream(server, run.jobId, { token })).status).toBe(200)
  readers[0]?.leave()
  await vi.waitFor(async () => {
    const next = await readStream(server, run.jobId, own)
    expect(next.status).toBe(200)
  }, 10_000)
  for (const reader of readers) reader.leave()
})

test('metrics count open streams and exclude their duration from request times', async () => {
  const counted = await openStreamServer(app)
  const path = streamPath('{id}').replace('{id}', ':id')
  const metrics = async () => (await fetch(`${counted.address}/metrics`)).text()
  const open = async () =>
    (await metrics()).split('\n').find((line) => line.startsWith('http_open_event_streams{'))
  try {
    const run = await runningJob(app)
    const readers = await Promise.all(upTo(3).map(() => readStream(counted, run.jobId, { token })))
    expect(await open()).toBe(`http_open_event_streams{route="${path}"} 3`)
    readers[0]?.leave()
    await vi.waitFor(async () => expect(await open()).toMatch(/ 2$/), 10_000)
    await settle(app, run, { to: 'completed', result: null })
    await Promise.all(readers.slice(1).map(({ ended }) => ended))
    await vi.waitFor(async () => expect(await open()).toMatch(/ 0$/), 10_000)
    const refused = await readStream(counted, run.jobId, { token: undefined })
    await refused.ended
    const timed = (await metrics()).split('\n').filter((line) => line.includes('duration_seconds_count{'))
    // Only the refused one.
    expect(timed.filter((line) => line.includes(path))).toEqual([expect.stringMatching(/ 1$/)])
  } finally {
    await counted.close()
  }
})
