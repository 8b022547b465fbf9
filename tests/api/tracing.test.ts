import { once } from 'node:events'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, expect, test, vi } from 'vitest'
import { activeIds, closeTracing, openTracing, traced } from '#server/platform/tracing/tracing.ts'
import { startTestApp } from '#tests/support/test-app.ts'

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } }
type ReceivedSpan = {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  status: { code?: number }
  attributes: Attribute[]
}
type Export = {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: ReceivedSpan[] }[] }[]
}

/** What a collector gets. */
const received: Export[] = []
const receiver = createServer(async (request, response) => {
  received.push((await json(request)) as Export)
  response.end('{}')
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
// An outside system that a request or job calls.
const provider = createServer((_request, response) => response.writeHead(402).end('no')).listen(
  0,
  '127.0.0.1',
)
await once(provider, 'listening')
afterAll(() => {
  receiver.close()
  provider.close()
})
const at = (server: typeof receiver) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', at(receiver))
await openTracing({ serviceName: 'yard', share: 1 }, 'api')
const app = await startTestApp()
const seller = await app.signUp()

test('a request, its queries and its outgoing calls make one trace, which the collector gets without any value', async () => {
  await seller.api.put('/profile', { firstName: 'Unmistakable' })
  await seller.api.get('/no-such-call')
  await app.http.inject('/healthz')
  const ids = await traced(
    { name: 'job reconcile', kind: 'consumer', facts: { 'job.id': '1' } },
    async () => {
      await fetch(`${at(provider)}/v1/customers/cus_123`)
      const [reply] = await once(get(`${at(provider)}/v1/balance`), 'response')
      reply.resume()
      return activeIds()
    },
  )
  const failing = traced({ name: 'job broken', kind: 'consumer', facts: {} }, () =>
    Promise.reject(new Error('a secret')),
  )
  await expect(failing).rejects.toThrow()
  await closeTracing()

  const spans = received.flatMap((sent) =>
    sent.resourceSpans.flatMap((one) => one.scopeSpans.flatMap((two) => two.spans)),
  )
  const resource = received[0]?.resourceSpans[0]?.resource.attributes
  expect(resource).toContainEqual({ key: 'service.name', value: { stringValue: 'yard' } })
  const found = (name: string) => spans.find((span) => span.name === name)

  const request = found('PUT /api/profile')
  expect(request?.parentSpanId).toBeUndefined()
  const below = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId).map(({ name }) => name)
  // Before the body was read, and after.
  expect(below.some((name) => name.startsWith('select '))).toBe(true)
  expect(below.some((name) => name.startsWith('update '))).toBe(true)

  expect(ids).toEqual({ trace_id: found('job reconcile')?.traceId, span_id: found('job reconcile')?.spanId })
  const calls = spans.filter(({ parentSpanId }) => parentSpanId === found('job reconcile')?.spanId)
  expect(calls.map(({ name }) => name)).toEqual(['GET 127.0.0.1', 'GET 127.0.0.1'])
  expect(calls[0]?.attributes).toContainEqual({
    key: 'url.template',
    value: { stringValue: '/v1/customers/{id}' },
  })
  expect(calls[1]?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 402 } })

  expect(found('job broken')?.status).toEqual({ code: 2, message: 'Error' })
  const text = JSON.stringify(received)
  for (const secret of ['Unmistakable', 'cus_123', 'a secret', seller.person.email, '/healthz'])
    expect(text).not.toContain(secret)
})
