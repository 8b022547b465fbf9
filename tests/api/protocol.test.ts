import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { buildApp } from '#server/app.ts'
import { ApiClient } from '#tests/support/api-client.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* What the wire itself allows, and what an installation in production leaves out. */

const app = await startTestApp({ APP_MODE: 'production', PAYMENTS: 'off', EMAIL_CONFIRM: 'off' })
let port = 0
beforeAll(async () => {
  port = Number(new URL(await app.http.listen({ port: 0, host: '127.0.0.1' })).port)
})

/** Status lines of all replies to bytes on one connection. */
function sendBytes(bytes: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes))
    socket.on('data', (data) => {
      text += data
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(text.match(/HTTP\/1\.1 \d+/g) ?? []))
  })
}

const smuggled = 'GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n'

test.each([
  ['two lengths', `content-length: 0\r\ncontent-length: ${smuggled.length}\r\n\r\n${smuggled}`],
  ['a length and chunks', `content-length: 6\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
  ['an unknown transfer encoding', `transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`],
])('a request with an ambiguous end is refused with everything after it: %s', async (_what, rest) => {
  const head = 'POST /api/login HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n'
  expect(await sendBytes(head + rest)).toEqual(['HTTP/1.1 400'])
})

test('a request with TRACE is refused', async () => {
  const [status] = await sendBytes('TRACE /api/site HTTP/1.1\r\nhost: a\r\nx-secret: 1\r\n\r\n')
  expect(status).toMatch(/ 4\d\d$/)
})

test('a parameter sent twice, or in the body of a call that reads its query, does no harm', async () => {
  expect((await app.visitor.get('/parts?page=1&page=2')).status).toBe(400)
  const { api } = await app.signUp()
  expect((await api.get('/seller/parts?page=1&page=2')).status).toBe(400)
  const { status } = await api.send({
    method: 'GET',
    path: '/admin/users',
    headers: { role: '1', 'x-user-id': '1' },
  })
  expect(status).toBe(403)
})

test('production has no outbox, no simulator and no demo data', async () => {
  expect((await app.http.inject('/dev/outbox')).statusCode).toBe(404)
  expect((await app.visitor.get<{ payments: string; demo: boolean }>('/site')).body).toMatchObject({
    demo: false,
    payments: 'off',
  })
  const { n } = await app.db
    .selectFrom('app_user')
    .select((query) => query.fn.countAll<number>().as('n'))
    .where('email', 'like', '%@partharbor.example')
    .executeTakeFirstOrThrow()
  expect(Number(n)).toBe(0)
})

test('a log line is one JSON object with a UTC time, and refused calls have theirs', async () => {
  const lines: string[] = []
  const stream = new Writable({ write: (chunk, _, done) => done(void lines.push(String(chunk))) })
  const { config, database, files, clock } = app
  const log = pino({ level: 'info', timestamp: pino.stdTimeFunctions.isoTime }, stream)
  const http = await buildApp({ config, database, files, log, now: clock.now })
  onTestFinished(() => http.close())
  const { api } = await app.signUp()
  await new ApiClient({ http }, { token: api.token ?? '' }).get('/admin/users?q="},{"level":60')
  await new ApiClient({ http }).get('/seller/parts')
  const logged = lines
    .join('')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'request')
  expect(logged).toMatchObject([
    { route: '/api/admin/users', status: 403 },
    { route: '/api/seller/parts', status: 401 },
  ])
  for (const { time } of logged) expect(time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
})

afterAll(() => app.http.close())
