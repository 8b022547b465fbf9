import { describe, expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import { otherRoutes, routes } from '#contract/routes.ts'
import { runOnce } from '#server/platform/http/idempotency.ts'
import { quickListing, someLookups } from '#tests/support/make-rows.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp({ CORS_ORIGINS: 'https://shop.example' })

const json = { 'content-type': 'application/json' }
const insides = /node_modules|\bat \/|\.ts:\d|select |insert into|postgres|pg_|kysely|fastify|zod/i

describe('failures return a message, a code and a request id, and expose no internals', () => {
  test.each([
    ['an unknown address', { method: 'GET', path: '/no-such-call' }, 404, 'NOT_FOUND'],
    ['a wrong method', { method: 'PATCH', path: '/login' }, 405, 'METHOD_NOT_ALLOWED'],
    ['broken JSON', { method: 'POST', path: '/login', body: '{"email":', headers: json }, 400, 'MALFORMED'],
    ['an array as the body', { method: 'POST', path: '/login', body: [1] }, 400, 'MALFORMED'],
    [
      'a wrong content type',
      { method: 'POST', path: '/login', body: 'a=b', headers: { 'content-type': 'text/plain' } },
      415,
      'WRONG_TYPE',
    ],
    [
      'a two-megabyte body',
      { method: 'POST', path: '/login', body: { email: 'x'.repeat(2_000_000) } },
      413,
      'TOO_LARGE',
    ],
    [
      'a NUL character',
      { method: 'POST', path: '/login', body: { email: 'a\0b', password: 'x' } },
      400,
      'MALFORMED',
    ],
    [
      'half a character',
      { method: 'POST', path: '/login', body: { email: 'a\ud800', password: 'x' } },
      400,
      'MALFORMED',
    ],
    ['a NUL in the query', { method: 'GET', path: '/parts?q=%00' }, 400, 'MALFORMED'],
    ['a NUL in the path', { method: 'GET', path: '/auto-part/%00' }, 400, 'MALFORMED'],
    [
      'a body with __proto__',
      { method: 'POST', path: '/login', body: '{"__proto__":{"role":1}}', headers: json },
      400,
      'MALFORMED',
    ],
    ['an impossible id', { method: 'GET', path: '/auto-part/image/1' }, 404, 'NOT_FOUND'],
    ['an impossible page number', { method: 'GET', path: '/list-auto-parts/first' }, 404, 'NOT_FOUND'],
    ['an impossible kind of landing page', { method: 'GET', path: '/landing/engine' }, 404, 'NOT_FOUND'],
    ['no token', { method: 'GET', path: '/profile/me' }, 401, 'SIGNED_OUT'],
  ] as const)('%s', async (_name, sent, status, code) => {
    const answer = await app.visitor.send<ErrorReply>(sent as never)
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(answer.body).toMatchObject({
      ok: false,
      error: expect.any(String),
      requestId: answer.headers['x-request-id'],
    })
    expect(answer.bytes.toString()).not.toMatch(insides)
  })

  test.each(['/list-auto-parts/{page}', '/landing/{kind}', '/admin/lookups/{kind}'])(
    'the API description of %s lists its 404',
    async (path) => {
      const { body } = await app.visitor.get<{ paths: Record<string, { get: { responses: object } }> }>(
        '/openapi.json',
      )
      expect(body.paths[`/api${path}`]?.get.responses).toHaveProperty('404')
    },
  )

  test('405 lists the allowed methods', async () => {
    expect((await app.visitor.delete('/login')).headers.allow).toBe('POST')
  })

  test('very deep nesting is refused', async () => {
    const send = (levels: number) => {
      const body = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
      return app.visitor.send<ErrorReply>({ method: 'POST', path: '/login', body, headers: json })
    }
    const answer = await send(600)
    expect([answer.status, answer.body.code]).toEqual([400, 'MALFORMED'])
    expect(answer.body.error).toContain('nested more than 24 levels deep')
    // Longer than any sign-in is.
    const large = await send(20_000)
    expect([large.status, large.body.error]).toEqual([413, expect.stringContaining('at most 16 kB')])
  })
})

describe('an Idempotency-Key whose other request finishes first', () => {
  /** Prepares the first request until the second one is written; returns the outcome of both. */
  async function overtake(key: string, contents: [first: string, second: string]) {
    const written: string[] = []
    const send = (content: string, ready?: Promise<unknown>) => {
      const raw = { body: { content } }
      return runOnce(app.db, { owner: 'yard', key, call: 'POST /parts', raw }, async () => {
        await ready
        return async () => {
          written.push(content)
          return { id: written.length }
        }
      })
    }
    const overtaken = Promise.withResolvers<void>()
    const first = send(contents[0], overtaken.promise)
    const second = await send(contents[1])
    overtaken.resolve()
    return { first, second, written }
  }

  test('the same content gets the reply of the other request and is written once', async () => {
    const { first, second, written } = await overtake('twins', ['door', 'door'])
    expect(second).toEqual({ reply: { id: 1 }, replayed: false })
    expect(await first).toEqual({ reply: { id: 1 }, replayed: true })
    expect(written).toEqual(['door'])
  })

  test('different content is refused', async () => {
    const { first, written } = await overtake('strangers', ['door', 'hood'])
    await expect(first).rejects.toMatchObject({ code: 'KEY_REUSED' })
    expect(written).toEqual(['hood'])
  })
})

describe('GET /dev/outbox', () => {
  const open = (host: string) =>
    app.http.inject({ url: '/dev/outbox', headers: { host, accept: 'application/json' } })

  test('opens under a local host name', async () => {
    expect((await open('localhost:8080')).statusCode).toBe(200)
  })

  test('403 for a host name that was made to resolve here, whatever its headers claim', async () => {
    const refused = await app.http.inject({
      url: '/dev/outbox',
      headers: { host: 'evil.example', 'x-forwarded-host': 'localhost' },
    })
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'NOT_ALLOWED'])
    expect(refused.json().items).toBeUndefined()
  })
})

describe('headers', () => {
  test('every response carries the policy and is not cached, unless it is public', async () => {
    const { headers } = await app.visitor.get('/profile')
    expect(headers['content-security-policy']).toContain("script-src 'self'")
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'cross-origin-opener-policy': 'same-origin',
    })
    expect(headers['strict-transport-security']).toContain('max-age=31536000')
    expect(headers['referrer-policy']).toBeTypeOf('string')
  })

  test('only the allowed origin may read, and never with cookies', async () => {
    const allowed = await app.visitor.get('/categories', { origin: 'https://shop.example' })
    expect(allowed.headers['access-control-allow-origin']).toBe('https://shop.example')
    expect(allowed.headers['access-control-allow-credentials']).toBeUndefined()
    const asked = await app.visitor.send({
      method: 'OPTIONS',
      path: '/seller/parts/x',
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'PUT' },
    })
    expect(asked.headers['access-control-allow-methods']).toContain('PUT')
    const other = await app.visitor.get('/categories', { origin: 'https://evil.example' })
    expect(other.headers['access-control-allow-origin']).not.toBe('https://evil.example')
    expect(other.headers.vary).toContain('Origin')
  })

  test('a valid request id is returned; one that could forge a log line is not', async () => {
    const kept = await app.visitor.get('/categories', { 'x-request-id': 'abc-12345678' })
    expect(kept.headers['x-request-id']).toBe('abc-12345678')
    const made = await app.visitor.get('/categories', { 'x-request-id': 'a{"level":60}' })
    expect(made.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('request limits', () => {
  test('an address that keeps writing to support is asked to wait', async () => {
    const mail = { name: 'A', email: 'a@b.example', subject: 'S', message: 'M' }
    const from = app.visitor.as({ ip: '203.0.113.9' })
    const statuses: number[] = []
    for (let n = 0; n < 61; n++) statuses.push((await from.post('/support-messages', mail)).status)
    const last = await from.post<ErrorReply>('/support-messages', mail, { 'x-forwarded-for': '198.51.100.1' })
    expect([statuses[59], statuses[60], last.status]).toEqual([201, 429, 429])
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0)
    expect((await app.visitor.as({ ip: '203.0.113.10' }).post('/support-messages', mail)).status).toBe(201)
  })
})

describe('operations', () => {
  const get = (url: string) => app.http.inject({ method: 'GET', url })

  test('health, readiness and metrics are public', async () => {
    expect((await get('/healthz')).json()).toEqual({ ok: true })
    const ready = await get('/readyz')
    expect(ready.json()).toMatchObject({ checks: { database: 'ok', storage: 'ok' } })
    expect((await get('/metrics')).body).toContain('http_request_duration_seconds')
  })

  test('browser measurements are counted, and an unknown vital does not become a label', async () => {
    const report = (name: unknown, value: unknown) => app.visitor.post('/web-vitals', { name, value })
    const [known, shift, other] = [
      await report('LCP', 1_240.5),
      await report('CLS', 0.02),
      await report('Own"}', 7),
    ]
    expect([known.status, shift.status, other.status]).toEqual([200, 200, 200])
    for (const wrong of ['fast', -1, 1e300]) expect((await report('LCP', wrong)).status).toBe(422)
    const metrics = (await get('/metrics')).body
    expect(metrics).toContain('web_vitals_seconds_sum{vital="LCP"} 1.2405')
    expect(metrics).toContain('web_layout_shift_count 1')
    expect(metrics).not.toContain('Own')
  })

  test('OpenAPI 3.1 describes every route of the contract', async () => {
    const document = (await get('/api/openapi.json')).json()
    expect(document.openapi).toBe('3.1.0')
    const { webFiles: _aWildcardHasNoPath, ...others } = otherRoutes
    const calls = Object.entries(routes).map(
      ([name, [method, path]]) => [name, method, `/api${path}`] as const,
    )
    const rest = Object.entries(others).map(([name, [method, path]]) => [name, method, path] as const)
    for (const [name, method, path] of [...calls, ...rest]) {
      const operation = document.paths[path]?.[method.toLowerCase()]
      expect(operation, `${method} ${path}`).toMatchObject({ operationId: name, summary: expect.any(String) })
    }
  })

  test('a token in the query is not accepted', async () => {
    const { api } = await app.signUp()
    const answer = await app.visitor.get(`/profile/me?token=${api.token}`)
    expect(answer.status).toBe(401)
    expect(
      (await api.post('/seller/quick-listings', quickListing(await someLookups(app.visitor)))).status,
    ).toBe(201)
  })
})

test('a URL that cannot be decoded gets the usual error format', async () => {
  const answer = await app.visitor.get<ErrorReply>('/%zz')
  expect([answer.status, answer.body.code]).toEqual([400, 'MALFORMED'])
  expect(answer.body.requestId).toBe(answer.headers['x-request-id'])
})

test('the API docs page has the policy too', async () => {
  const { headers } = await app.visitor.get('/docs/')
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
})

test.each([
  '/.git/config',
  '/.env',
  '/.data/postgres',
  '/../package.json',
  '/%2e%2e/package.json',
  '/.sources',
])('%s is not served', async (url) => {
  const answer = await app.http.inject({ method: 'GET', url })
  expect(answer.body).not.toContain('repositoryformatversion')
  expect(answer.body).not.toContain('"dependencies"')
  expect([400, 404]).toContain(answer.statusCode)
})

test('guessing tokens is rate limited', async () => {
  const guesser = app.visitor.as({ ip: '203.0.113.77', token: 'not-a-token' })
  const guess = async () => (await guesser.get('/auth-check')).status
  const statuses: number[] = []
  // A few at a time: more would wait too long for a pool connection.
  while (statuses.length < 1_210)
    statuses.push(...(await Promise.all([guess(), guess(), guess(), guess(), guess()])))
  expect(statuses.slice(0, 1_200)).toEqual(Array(1_200).fill(401))
  expect(statuses.slice(1_200)).toEqual(Array(10).fill(429))
}, 60_000)

test('security.txt says whom to write to, and until when that holds', async () => {
  const reply = await app.http.inject('/.well-known/security.txt')
  expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8')
  const fields: Record<string, string> = Object.fromEntries(
    reply.body
      .trim()
      .split('\n')
      .map((line) => line.split(/: (.*)/)),
  )
  expect(fields).toMatchObject({
    Contact: 'mailto:support@partharbor.example',
    Canonical: expect.stringMatching(/\/\.well-known\/security\.txt$/),
  })
  const daysLeft = (Date.parse(fields.Expires ?? '') - Date.now()) / 86_400_000
  expect(daysLeft).toBeGreaterThan(30)
  expect(daysLeft).toBeLessThan(365)
})
