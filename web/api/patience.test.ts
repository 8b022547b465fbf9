import { expect, test } from 'vitest'
import { ApiError, NetworkError } from './failures.ts'
import { sendPatiently } from './patience.ts'

const answer = (status: number, headers: Record<string, string> = {}) =>
  new ApiError(new Response(null, { status, headers }), {})
const noAnswer = new NetworkError('No answer')

/** Fails with each error in turn, then succeeds; returns the wait times. */
async function run(errors: unknown[], signal = new AbortController().signal) {
  const left = [...errors]
  const waits: number[] = []
  const send = async () => {
    if (left.length > 0) throw left.shift()
    return 'in'
  }
  const sleep = async (seconds: number) => void waits.push(seconds)
  const outcome = await sendPatiently(send, { signal, onWait: () => undefined, sleep }).catch(
    (error: unknown) => error,
  )
  return { outcome, waits }
}

test('waits twice as long each time without a response', async () => {
  expect(await run([noAnswer, noAnswer, noAnswer])).toEqual({ outcome: 'in', waits: [1, 2, 4] })
  expect(await run([answer(503), answer(502)])).toEqual({ outcome: 'in', waits: [1, 2] })
})

test('waits as long as the server asks', async () => {
  expect(await run([answer(503, { 'retry-after': '7' })])).toEqual({ outcome: 'in', waits: [7] })
})

test('an outage of several minutes is waited out', async () => {
  const { outcome, waits } = await run(Array.from({ length: 60 }, () => noAnswer))
  expect(outcome).toBe('in')
  expect(waits).toHaveLength(60)
})

test('no wait is longer than 20 seconds, and it gives up after 8 attempts', async () => {
  const busy = Array.from({ length: 8 }, () => answer(503))
  expect(await run(busy)).toEqual({ outcome: busy[7], waits: [1, 2, 4, 8, 16, 20, 20] })
})

test.each([400, 401, 403, 409, 413, 422, 500, 507])('%i is final', async (status) => {
  const refusal = answer(status)
  expect(await run([refusal])).toEqual({ outcome: refusal, waits: [] })
})

test('a short rate limit is waited out, and a long one is reported', async () => {
  expect((await run([answer(429, { 'retry-after': '3' })])).outcome).toBe('in')
  const long = answer(429, { 'retry-after': '600' })
  expect((await run([long])).outcome).toBe(long)
})

test('canceling ends the wait', async () => {
  const cancelled = AbortSignal.abort(new Error('cancelled'))
  expect((await run([noAnswer], cancelled)).outcome).toBe(cancelled.reason)
})
