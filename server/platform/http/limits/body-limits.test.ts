import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { accountEndpoints } from '#contract/account/accounts.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { leadEndpoints } from '#contract/leads.ts'
import { listingEndpoints } from '#contract/listings.ts'
import { reportEndpoints } from '#contract/reports.ts'
import { siteEndpoints } from '#contract/site.ts'
import { isNestedDeeper } from '#server/platform/http/readable-text.ts'
import { bodyLimitOf } from './body-limits.ts'

const KB = 1024
const limit = (body?: z.ZodType, more: Partial<Endpoint> = {}) =>
  bodyLimitOf({ body, ...more } as unknown as Endpoint) / KB

describe('the limit of a body follows from its schema', () => {
  test.each([
    ['no body', undefined, 4],
    ['a name', z.object({ name: z.string().max(120).trim() }), 4],
    ['a text of 10,000 characters', z.object({ text: z.string().max(10_000).optional() }), 64],
    ['a list of 100 ids', z.object({ ids: z.array(z.uuid()).max(100) }), 4],
    ['a list of 1,000 ids', z.object({ ids: z.array(z.uuid()).max(1_000) }), 64],
    ['a choice', z.object({ to: z.enum(['one', 'two']), at: z.union([z.number(), z.null()]) }), 4],
    ['a text of any length', z.object({ text: z.string() }), 1_024],
    ['any number of fields', z.record(z.string(), z.string().max(10)), 1_024],
    ['anything', z.object({ payload: z.unknown() }), 1_024],
  ])('%s', (_name, body, kilobytes) => {
    expect(limit(body)).toBe(kilobytes)
  })

  test('what the call declares counts, and a call that takes a file takes little JSON', () => {
    expect(limit(z.object({ text: z.string() }), { bodyBytes: 2 * KB })).toBe(2)
    expect(limit(z.object({ text: z.string() }), { upload: 'file' })).toBe(4)
  })

  test('without a token nobody can send much', () => {
    const all: Record<string, Endpoint> = {
      ...accountEndpoints,
      ...leadEndpoints,
      ...listingEndpoints,
      ...reportEndpoints,
      ...siteEndpoints,
    }
    const open = Object.entries(all).filter(
      ([, { access, method }]) => (access === 'public' || access === 'anyone') && method !== 'GET',
    )
    const limits = Object.fromEntries(open.map(([name, endpoint]) => [name, bodyLimitOf(endpoint) / KB]))
    expect(limits).toMatchObject({
      login: 16,
      register: 4,
      requestPasswordReset: 4,
      resetPassword: 4,
      countView: 4,
    })
    expect(Object.entries(limits).filter(([, kilobytes]) => kilobytes > 64)).toEqual([])
  })
})

const deep = (levels: number, inner = '1') => `${'['.repeat(levels)}${inner}${']'.repeat(levels)}`

test.each([
  ['flat', '{"a":[1,2,{"b":3}]}', false],
  ['at the limit', deep(24), false],
  ['one deeper', deep(25), true],
  ['objects', '{"a":'.repeat(25), true],
  ['brackets in a text', JSON.stringify({ text: '['.repeat(100) }), false],
  ['brackets behind a quotation mark in a text', JSON.stringify(['"'.repeat(9) + '['.repeat(100)]), false],
  ['brackets behind a backslash in a text', JSON.stringify(['\\'.repeat(9) + '['.repeat(100)]), false],
  ['brackets behind a text that ends with a backslash', deep(25, JSON.stringify('\\')), true],
  ['a text without an end', `"${'['.repeat(100)}`, false],
  ['many shallow ones', `[${'[1],'.repeat(1_000)}1]`, false],
])('nesting is counted before parsing: %s', (_name, json, isDeep) => {
  expect(isNestedDeeper(json, 24)).toBe(isDeep)
})
