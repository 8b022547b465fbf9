import rateLimit from '@fastify/rate-limit'
import { type FastifyError, type FastifyRequest, fastify } from 'fastify'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { AppError } from '#server/platform/errors.ts'
import { logFailure } from './error-boundary.ts'
import { openKeptReplies } from './kept-documents.ts'
import { mount } from './mount.ts'

const endpoint = (changes: Partial<Endpoint>): Endpoint => ({
  method: 'POST',
  path: '/parts',
  summary: 'List a part',
  access: 'public',
  limit: 'write',
  reply: z.object({}),
  errors: [],
  ...changes,
})
const id = { path: '/parts/{id}', params: z.object({ id: z.uuid() }) } as const

const cases: [what: string, changes: Partial<Endpoint>, missing: string][] = [
  ['a path with a parameter', id, 'NOT_FOUND'],
  ['a token', { access: 'user' }, 'SIGNED_OUT'],
  ['a plan', { access: 'pro', errors: ['SIGNED_OUT'] }, 'PRO_ONLY'],
  ['a role', { access: 'admin', errors: ['SIGNED_OUT', 'FACTOR_REQUIRED'] }, 'NOT_ALLOWED'],
  ['a fresh check', { access: 'user', fresh: true, errors: ['SIGNED_OUT'] }, 'REAUTH_NEEDED'],
  ['a body', { body: z.object({}) }, 'VALIDATION_FAILED'],
  ['a picture', { file: 'image' }, 'VALIDATION_FAILED'],
  ['a file', { upload: 'file' }, 'VALIDATION_FAILED'],
  ['an Idempotency-Key', { status: 201 }, 'KEY_REUSED, STILL_RUNNING'],
]

test.each(cases)('a call with %s must declare its refusals to be mounted', (_what, changes, missing) => {
  const table = { createPart: endpoint(changes) }
  const deps = {} as Parameters<typeof mount>[3]
  const mounting = () => mount(fastify(), table, {} as Parameters<typeof mount>[2], deps)
  expect(mounting).toThrow(`createPart does not declare ${missing} in its contract`)
})

test('a shared reply is made once for a version, sent from memory, and not at all to who has it', async () => {
  const app = fastify()
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => (value) => JSON.stringify(value))
  await app.register(rateLimit, { global: false })
  const asked: string[] = []
  let version = '1'
  const read = endpoint({
    method: 'GET',
    limit: 'read',
    shared: true,
    reply: z.object({ parts: z.number() }),
  })
  const kept = openKeptReplies({ most: 10, mostBytes: 10_000, now: Date.now })
  const deps = {
    uploads: {},
    sharing: { version: async () => ({ of: () => version }), kept },
  } as unknown as Parameters<typeof mount>[3]
  let parts = 7
  const readParts = async () => {
    asked.push(version)
    return { parts }
  }
  mount(app, { readParts: read }, { readParts } as unknown as Parameters<typeof mount>[2], deps)
  const get = (headers = {}) =>
    app.inject({ url: '/api/parts', headers: { 'accept-encoding': 'br', ...headers } })
  const first = await get()
  const again = () => get({ 'if-none-match': first.headers.etag })
  expect((await get()).rawPayload).toEqual(first.rawPayload)
  expect((await again()).statusCode).toBe(304)
  expect((await get({ 'accept-encoding': 'identity' })).json()).toEqual({ parts: 7 })
  expect(asked).toEqual(['1'])
  // Another version of the data in which the reply is the same.
  version = '2'
  expect((await again()).statusCode).toBe(304)
  version = '3'
  parts = 8
  expect((await again()).statusCode).toBe(200)
  expect(asked).toEqual(['1', '2', '3'])
})

test('a client that ends its request is no error of ours; a provider that ends one is', () => {
  const levels: string[] = []
  const note = (level: string) => () => levels.push(level)
  const log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') }
  const internal = new AppError('INTERNAL', 'Something went wrong on our side.')
  const reset = Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
  for (const [destroyed, error] of [
    [true, reset],
    [false, reset],
    [true, new Error('a mistake of ours')],
  ] as const) {
    const request = { raw: { socket: { destroyed } }, routeOptions: { url: '/api/parts' }, log }
    logFailure(request as unknown as FastifyRequest, error as FastifyError, internal)
  }
  expect(levels).toEqual(['debug', 'error', 'error'])
})
