import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '#server/platform/net/port.ts'
import { atLength } from '#tests/support/at-length.ts'
import {
  dataOf,
  linesNumbered,
  numbersOf,
  openStreamServer,
  readStream,
  runningJob,
  type StreamServer,
  type StreamServerOptions,
  say,
  settle,
  toldBy,
  untilEvents,
  upTo,
} from '#tests/support/stream-bench.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const admin = await app.signUp({ role: 'admin' })
const { token } = admin.api

async function openServer(options: StreamServerOptions = {}) {
  const server = await openStreamServer(app, options)
  onTestFinished(server.close)
  return server
}

test.each([
  [
    'role taken away',
    (id: string) => app.db.updateTable('app_user').set({ role: 0 }).where('id', '=', id).execute(),
  ],
  [
    'account disabled',
    (id: string) =>
      app.db.updateTable('app_user').set({ disabled_at: new Date() }).where('id', '=', id).execute(),
  ],
  ['signed out', (id: string) => app.db.deleteFrom('session').where('user_id', '=', id).execute()],
])('%s: the user’s open streams end with a message, all others continue', async (_what, revoke) => {
  const server = await openServer({ times: { sessionsMs: 200 } })
  const run = await runningJob(app)
  const person = await app.signUp({ role: 'admin' })
  const own = await readStream(server, run.jobId, { token: person.api.token })
  const others = await readStream(server, run.jobId, { token })
  await untilEvents(own, 1)
  await revoke(person.user.id)
  expect(await own.ended).toBe(true)
  const last = own.events().at(-1)
  expect(last && [last.event, last.hasId, dataOf(last).message]).toEqual([
    'error',
    false,
    'This stream was closed because you were signed out or are no longer an administrator. Sign in again to continue.',
  ])
  const again = await readStream(server, run.jobId, { token: person.api.token })
  expect([401, 403]).toContain(again.status)
  await say(app, run, linesNumbered(1, 1))
  await untilEvents(others, 2)
  expect(toldBy(others.events())).toEqual(['status: running', 'log: line 1'])
})

const SLOW_MS = 200

test('a reader that stalls skips ahead with a notice, while another one gets every line', async () => {
  const server = await openServer({ times: { slowMs: SLOW_MS } })
  const run = await runningJob(app)
  const slow = await readStream(server, run.jobId, { token })
  const quick = await readStream(server, run.jobId, { token })
  await untilEvents(slow, 1)
  slow.response.pause()
  // More than the connection's buffers take (12 MB) and 5,000 lines: then the reader is too far behind.
  const LINES = 12_000
  for (let n = 0; n < LINES; n += 1_000) {
    const lines = linesNumbered(n + 1, 1_000).map((line) => ({
      ...line,
      message: line.message.padEnd(2_500, '.'),
    }))
    await say(app, run, lines)
  }
  await untilEvents(quick, LINES + 1, 40_000)
  // The skip only shows once it reads again; until then this much time has to pass without a read.
  await sleep(SLOW_MS * 2)
  slow.response.resume()
  await settle(app, run, { to: 'completed', result: null })
  await Promise.all([slow.ended, quick.ended])
  expect(numbersOf(quick.events())).toEqual(upTo(LINES + 3))

  const told = slow.events()
  const marks = told.filter(({ data }) => data.includes('lines skipped'))
  expect(marks.length).toBeGreaterThanOrEqual(1)
  let before = 0
  for (const event of told) {
    const number = Number(event.id)
    const skipped = /^… (\d+) lines skipped$/.exec(String(dataOf(event).message))?.[1]
    expect(number - before).toBe(skipped === undefined ? 1 : Number(skipped))
    before = number
  }
  expect([before, told.at(-1)?.event]).toEqual([LINES + 3, 'done'])
}, 60_000)

test('a silent stream sends a heartbeat now and then', async () => {
  const server = await openServer({ times: { heartbeatMs: 100 } })
  const run = await runningJob(app)
  const reader = await readStream(server, run.jobId, { token })
  await vi.waitFor(
    () =>
      expect(
        reader
          .text()
          .split('\n\n')
          .filter((part) => part === ':').length,
      ).toBeGreaterThan(3),
    10_000,
  )
  expect(toldBy(reader.events())).toEqual(['status: running'])
})

test('a server that stops ends its streams at once, even for a stalled reader', async () => {
  const server = await openServer()
  const run = await runningJob(app)
  const reader = await readStream(server, run.jobId, { token })
  const stuck = await readStream(server, run.jobId, { token })
  await untilEvents(stuck, 1)
  stuck.response.pause()
  for (let n = 0; n < 15_000; n += 1_000) {
    await say(
      app,
      run,
      linesNumbered(n, 1_000).map((line) => ({ ...line, message: line.message.padEnd(1_500) })),
    )
  }
  await untilEvents(reader, 15_001, 10_000)
  await server.close()
  expect(await reader.ended).toBe(true)
  expect(reader.events().at(-1)?.event).toBe('log')
  stuck.leave()
})

test('streams survive the loss of every database connection', async () => {
  const server = await openServer({ times: { pollMs: 100, retryMs: 100 } })
  const run = await runningJob(app)
  const readers = await Promise.all(upTo(5).map(() => readStream(server, run.jobId, { token })))
  await Promise.all(readers.map((reader) => untilEvents(reader, 1)))
  for (let round = 0; round < 5; round += 1) {
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name in ('stream server', 'api-notices')`.execute(
      app.db,
    )
    await say(app, run, linesNumbered(round * 100, 100), { notify: round % 2 === 0 })
    await sleep(50)
  }
  await settle(app, run, { to: 'completed', result: null })
  for (const reader of readers) {
    expect(await reader.ended).toBe(true)
    expect(numbersOf(reader.events())).toEqual(upTo(503))
  }
})

test('without notifications, one poll covers all streams', async () => {
  const nobody = `postgres://nobody@127.0.0.1:${await freePort('127.0.0.1')}/none`
  const server = await openServer({ directUrl: nobody, times: { pollMs: 100 } })
  const run = await runningJob(app)
  const reader = await readStream(server, run.jobId, { token })
  await untilEvents(reader, 1)
  await say(app, run, linesNumbered(1, 10))
  await untilEvents(reader, 11)
  await settle(app, run, { to: 'completed', result: null })
  expect(await reader.ended).toBe(true)
  expect(numbersOf(reader.events())).toEqual(upTo(13))
})

test('a notification lost with its worker costs a moment but no line', async () => {
  const server = await openServer({ times: { pollMs: 100, sweepMs: 200 } })
  const run = await runningJob(app)
  const reader = await readStream(server, run.jobId, { token })
  await untilEvents(reader, 1)
  await say(app, run, linesNumbered(1, 10), { notify: false })
  await untilEvents(reader, 11)
  reader.leave()
})

test('a deleted job ends its streams, and reconnecting gets 404', async () => {
  const server = await openServer({ times: { pollMs: 100, sweepMs: 200 } })
  const run = await runningJob(app)
  const reader = await readStream(server, run.jobId, { token })
  await untilEvents(reader, 1)
  await sql`delete from job where id = ${run.jobId}`.execute(app.db)
  expect(await reader.ended).toBe(true)
  expect((await readStream(server, run.jobId, { token })).status).toBe(404)
})

const IDLE_MS = 6_000

/** Counts a server's statements from now on: each pool query takes a connection; the notification client is watched directly. */
function countStatements({ database }: StreamServer): () => number {
  const direct = vi.spyOn(pg.Client.prototype, 'query')
  let pooled = 0
  database.pool.on('acquire', () => {
    pooled += 1
  })
  onTestFinished(() => direct.mockRestore())
  return () => pooled + direct.mock.calls.length
}

test.each(
  atLength<[string, string | undefined][]>({
    full: [
      ['with notifications', undefined],
      ['without notifications', 'postgres://nobody@127.0.0.1:1/none'],
    ],
    brief: [['with notifications', undefined]],
  }),
)('50 open streams of an idle system cost fewer than 5 queries a second, %s', async (_with, directUrl) => {
  const server = await openServer(directUrl === undefined ? {} : { directUrl })
  const people = [admin, await app.signUp({ role: 'admin' }), await app.signUp({ role: 'admin' })]
  const runs = await Promise.all(upTo(25).map(() => runningJob(app)))
  const readers = await Promise.all(
    upTo(50).map((n) => {
      const jobId = runs[n % 25]?.jobId ?? ''
      return readStream(server, jobId, { token: people[n % 3]?.api.token })
    }),
  )
  await Promise.all(readers.map((reader) => untilEvents(reader, 1)))
  await sleep(500)
  const count = countStatements(server)
  await sleep(IDLE_MS)
  const queries = count()
  expect(queries).toBeGreaterThan(0)
  expect(queries / (IDLE_MS / 1_000)).toBeLessThan(5)
})
