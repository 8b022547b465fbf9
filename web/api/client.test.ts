import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { listingEndpoints } from '#contract/listings.ts'
import { ApiError, NetworkError } from './failures.ts'

// The session follows other tabs as soon as it is loaded.
vi.stubGlobal('window', new EventTarget())
vi.stubGlobal('localStorage', { getItem: () => null })
const { call } = await import('./client.ts')
afterAll(() => void vi.unstubAllGlobals())

const json = { 'content-type': 'application/json' }
const refusal = (status: number, code: string) => () =>
  new Response(JSON.stringify({ ok: false, error: 'No.', code }), { status, headers: json })
const created = () => new Response('{"id":"1"}', { status: 201, headers: json })

/** A reply whose status arrives but whose body breaks off. */
function cutOff(): Response {
  const body = new ReadableStream({
    start(stream) {
      stream.enqueue(new TextEncoder().encode('{"id":'))
    },
    pull(stream) {
      stream.error(new TypeError('network error'))
    },
  })
  return new Response(body, { status: 201, headers: json })
}

const keys: (string | null)[] = []

/** Gives one reply per call and records the key of each call. */
function replyWith(...replies: (() => Response)[]): void {
  vi.stubGlobal('fetch', async (_address: string, { headers }: { headers: Headers }) => {
    const reply = replies[keys.length]
    keys.push(headers.get('idempotency-key'))
    if (!reply) throw new TypeError('Failed to fetch')
    return reply()
  })
}

let submits = 0
beforeEach(() => {
  keys.length = 0
  submits += 1
})
const submit = () => call(listingEndpoints.createQuickListing, { body: { partname: `Door ${submits}` } })

test('a 201 that breaks off keeps its key, so the retry does not create a second listing', async () => {
  replyWith(cutOff, created, created)
  await expect(submit()).rejects.toBeInstanceOf(NetworkError)
  await expect(submit()).resolves.toEqual({ id: '1' })
  await submit()
  expect(keys[0]).toBeTypeOf('string')
  expect(keys[1]).toBe(keys[0])
  expect(keys[2]).not.toBe(keys[0])
})

test.each([
  ['a 422 ends the key', refusal(422, 'VALIDATION_FAILED'), false],
  ['a 500 keeps the key, since a listing may have been created', refusal(500, 'INTERNAL'), true],
])('%s', async (_what, refused, isKept) => {
  replyWith(refused, created)
  await expect(submit()).rejects.toBeInstanceOf(ApiError)
  await submit()
  expect(keys[1] === keys[0]).toBe(isKept)
})

test('a call without a reply keeps its key', async () => {
  replyWith()
  await expect(submit()).rejects.toBeInstanceOf(NetworkError)
  replyWith(created, created)
  await submit()
  expect(keys[1]).toBe(keys[0])
})
