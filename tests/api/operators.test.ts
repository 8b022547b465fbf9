import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { otherRoutes, routes } from '#contract/routes.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const TOKEN = 'a-token-of-the-operators'
const demo = await startTestApp()
const PRODUCTION = {
  APP_MODE: 'production',
  SMTP_URL: 'smtp://127.0.0.1:9',
  SUPPORT_EMAIL: 'help@yard.example',
}
const production = await startTestApp({ ...PRODUCTION, OPS_TOKEN: TOKEN, OPS_NETWORKS: '10.1.0.0/16' })
const closed = await startTestApp(PRODUCTION)

type From = { ip?: string; headers?: Record<string, string> }
const get = (app: typeof demo, url: string, { ip = '203.0.113.5', headers = {} }: From = {}) =>
  app.http.inject({ method: 'GET', url, remoteAddress: ip, headers })

const PAGES = [
  '/metrics',
  '/api/openapi.json',
  '/api/docs',
  '/api/docs/json',
  '/api/docs/static/swagger-ui.css',
]

describe('metrics and the description of the API', () => {
  test.each(PAGES)('%s is open in demo mode and closed in production, except to operators', async (url) => {
    const basic = (password: string) => `Basic ${Buffer.from(`any:${password}`).toString('base64')}`
    const statusOf = async (app: typeof demo, from: From = {}) => (await get(app, url, from)).statusCode
    expect(await statusOf(demo)).toBe(200)
    expect(await statusOf(closed)).toBe(401)
    expect(await statusOf(closed, { headers: { authorization: 'Bearer ' } })).toBe(401)
    const refused = await get(production, url)
    expect([refused.statusCode, refused.json().code]).toEqual([401, 'SIGNED_OUT'])
    expect(refused.json().error).toContain('OPS_TOKEN')
    expect(refused.headers['www-authenticate']).toContain('Basic')
    const withToken = (authorization: string) => statusOf(production, { headers: { authorization } })
    expect(await withToken(`Bearer ${TOKEN}`)).toBe(200)
    expect(await withToken(`Bearer ${TOKEN}x`)).toBe(401)
    expect(await withToken(basic(TOKEN))).toBe(200)
    expect(await withToken(basic('admin'))).toBe(401)
    expect(await statusOf(production, { ip: '10.1.2.3' })).toBe(200)
    expect(await statusOf(production, { ip: '10.2.0.1' })).toBe(401)
  })

  test('an untrusted proxy’s own address does not open them', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.5' }
    expect((await get(production, '/metrics', { ip: '10.1.2.3', headers })).statusCode).toBe(401)
  })

  test('an administrator’s session is not the operators’ token', async () => {
    const { api } = await production.signUp({ role: 'admin' })
    const headers = { authorization: `Bearer ${api.token}` }
    expect((await get(production, '/metrics', { headers })).statusCode).toBe(401)
  })

  test('health stays open for load balancers', async () => {
    expect((await get(closed, '/healthz')).statusCode).toBe(200)
    expect((await get(closed, '/readyz')).statusCode).toBe(200)
  })

  test('have a budget for each address, which also limits guessing; metrics have one of their own', async () => {
    const ip = '198.51.100.40'
    const read = async (url: string) => (await get(demo, url, { ip })).statusCode
    const statuses: number[] = []
    statuses.push(await read('/api/openapi.json'))
    while (statuses.length < 600) statuses.push(await read('/api/docs'))
    expect(new Set(statuses)).toEqual(new Set([200]))
    for (const url of PAGES.slice(1)) expect(await read(url)).toBe(429)
    expect(await read('/metrics')).toBe(200)
    expect((await get(demo, '/api/docs')).statusCode).toBe(200)
  })
})

describe('documents that are the same for everyone', () => {
  test.each([...PAGES, '/api/docs/', '/api/docs/static/swagger-ui-bundle.js', '/api/carmodels'])(
    '%s is sent compressed, and not resent to clients that have it',
    async (url) => {
      const plain = await get(demo, url)
      const packed = await get(demo, url, { headers: { 'accept-encoding': 'gzip' } })
      expect([plain.statusCode, packed.statusCode]).toEqual([200, 200])
      expect(packed.headers).toMatchObject({
        'content-encoding': 'gzip',
        'content-type': plain.headers['content-type'],
        vary: expect.stringContaining('accept-encoding'),
      })
      expect(plain.headers['content-encoding']).toBeUndefined()
      expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length)
      if (url === '/metrics') return
      expect(gunzipSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true)
      const tag = String(packed.headers.etag)
      const known = await get(demo, url, { headers: { 'if-none-match': `"other", ${tag}` } })
      expect([known.statusCode, known.rawPayload.length]).toEqual([304, 0])
    },
  )

  test('a model that was just added is in the list', async () => {
    const { api } = await demo.signUp({ role: 'admin' })
    const { body: makes } = await api.get<{ id: string }[]>('/manufacturers')
    const before = await demo.visitor.get<unknown[]>('/carmodels')
    await api.post('/carmodel', { carname: 'Wartburg 353', manuId: makes[0]?.id })
    const after = await demo.visitor.get<{ carname: string }[]>('/carmodels')
    expect(after.body.length).toBe(before.body.length + 1)
    expect(after.body.map(({ carname }) => carname)).toContain('Wartburg 353')
  })
})

test('metrics have labels from the route table only, however many addresses and methods are tried', async () => {
  const junk = (n: number) => [`/junk-${n}`, `/api/junk-${n}`, `/api/auto-part/junk-${n}`, `/assets/${n}.js`]
  for (let n = 0; n < 20; n += 1) {
    for (const url of junk(n)) {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const) {
        await closed.http.inject({ method, url, headers: { origin: 'https://a.example' } })
      }
    }
  }
  const text = (await get(demo, '/metrics')).body + (await get(closed, '/metrics')).body
  expect(text).not.toContain('junk')
  const labels = (name: string) =>
    new Set([...text.matchAll(new RegExp(`${name}="([^"]*)"`, 'g'))].map(([, value]) => value ?? ''))
  const table = [
    ...Object.values(routes).map(([, path]) => `/api${path}`),
    ...Object.values(otherRoutes).map(([, path]) => path),
  ].map((path) => path.replaceAll(/\{(\w+)\}/g, ':$1'))
  const others = [...labels('route')].filter((route) => !table.includes(route))
  expect(others.sort()).toEqual(['/api/docs/json', 'other'])
  expect(labels('method')).toEqual(new Set(['GET', 'POST', 'any']))
})

describe('what operators watch', () => {
  const OPS = join(import.meta.dirname, '../../ops')
  const dashboard = JSON.parse(readFileSync(join(OPS, 'grafana/dashboard.json'), 'utf8'))
  const panels: { targets?: { expr: string }[] }[] = dashboard.panels
  const alerts = readFileSync(join(OPS, 'prometheus/alerts.yml'), 'utf8')
  const expressions = [
    ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ...[...alerts.matchAll(/^ +expr: (?:>-\n)?((?:.|\n)*?)(?=\n +(?:for|labels):)/gm)].map(
      ([, expr = '']) => expr,
    ),
  ]

  test('every metric and label in the dashboard and the alerts exists', async () => {
    await demo.visitor.get('/categories')
    await demo.visitor.post('/web-vitals', { name: 'LCP', value: 900 })
    await sql`insert into job (queue, run_after) values ('mail', now() - interval '20 minutes')`.execute(
      demo.db,
    )
    const text = (await get(demo, '/metrics')).body
    const samples = [...text.matchAll(/^(\w+)(?:\{(.*)\})? /gm)].map(([, name = '', labels = '']) => ({
      name,
      labels: [...labels.matchAll(/(\w+)="/g)].map(([, label]) => label ?? ''),
    }))
    // Prometheus adds these itself.
    const labelsOf = new Map([['up', new Set(['job', 'instance'])]])
    for (const { name, labels } of samples)
      labelsOf.set(name, new Set([...(labelsOf.get(name) ?? ['instance']), ...labels]))
    // No stream is open.
    labelsOf.set('http_open_event_streams', new Set(['route']))
    expect(expressions.length).toBeGreaterThan(35)
    for (const expr of expressions) {
      const bare = expr.replaceAll(/"[^"]*"/g, '""')
      const names = [...bare.matchAll(/(?<![\w$])([a-z]\w*_\w+|up)(?=[{[) ]|$)(?!\s*\()/gm)].map(
        ([, name = '']) => name,
      )
      expect(names.length, expr).toBeGreaterThan(0)
      for (const name of names) expect(labelsOf.has(name), `${name} in ${expr}`).toBe(true)
      for (const [, name = '', selector = ''] of bare.matchAll(/(\w+)\{([^}]*)\}/g)) {
        for (const [, label = ''] of selector.matchAll(/(\w+)[=!]/g))
          expect(labelsOf.get(name)?.has(label), `${name}{${label}}`).toBe(true)
      }
    }
  })

  test('stuck jobs are visible by queue, as is the program’s version', async () => {
    await sql`insert into job (queue, run_after) values ('later', now() + interval '1 hour')`.execute(demo.db)
    const text = (await get(demo, '/metrics')).body
    expect(text).toMatch(/^jobs_by_state\{queue="mail",state="due"\} [1-9]/m)
    expect(Number(/^job_oldest_due_seconds\{queue="mail"\} (\S+)/m.exec(text)?.[1])).toBeGreaterThanOrEqual(
      1_200,
    )
    expect(text).not.toContain('queue="later"')
    expect(text).toMatch(/^database_up 1$/m)
    const { version } = (await get(demo, '/readyz')).json()
    expect(version).toMatch(/\w/)
    expect(text).toContain(`partharbor_build_info{version="${version}"} 1`)
  })
})
