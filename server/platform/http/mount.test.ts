import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
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
