import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { ProviderFailure } from '#server/features/money/billing/provider.ts'
import { tryInTime } from './call-in-time.ts'
import { openStripeClient } from './stripe-client.ts'

function failure(mayPass: boolean, status?: number): ProviderFailure {
  return new ProviderFailure('no', { code: undefined, status, mayPass, cause: undefined })
}
const times = (ms: number) => ({ deadline: performance.now() + ms, tryMs: 8_000, pauseMs: 1 })

/** Returns the next of these for each try. */
function answers(...given: (string | Error)[]) {
  const timeouts: number[] = []
  const ask = async (timeoutMs: number) => {
    timeouts.push(timeoutMs)
    const next = given[timeouts.length - 1]
    if (typeof next === 'string') return next
    throw next ?? new Error('asked once too often')
  }
  return { ask, timeouts }
}

test('a temporary failure is tried three times', async () => {
  const good = answers(failure(true), failure(true, 500), 'yes')
  expect(await tryInTime(good.ask, times(60_000))).toBe('yes')
  const bad = answers(failure(true), failure(true), failure(true, 429), 'too late')
  await expect(tryInTime(bad.ask, times(60_000))).rejects.toMatchObject({ status: 429 })
  expect(bad.timeouts).toHaveLength(3)
})

test('the second of two clicks waits for the result of the first', async () => {
  const { ask } = answers(...Array.from({ length: 5 }, () => failure(true, 409)), 'the same')
  expect(await tryInTime(ask, times(60_000))).toBe('the same')
})

test.each([
  ['a refusal', failure(false, 400)],
  ['a bug of our own', new TypeError('x is not a function')],
])('%s is not tried again', async (_, error) => {
  const { ask, timeouts } = answers(error, 'yes')
  await expect(tryInTime(ask, times(60_000))).rejects.toBe(error)
  expect(timeouts).toHaveLength(1)
})

test('a try never gets more time than is left, and none starts if it could not finish', async () => {
  const { ask, timeouts } = answers(failure(true), 'yes')
  await expect(tryInTime(ask, times(1_000))).rejects.toMatchObject({ mayPass: true })
  expect(timeouts).toEqual([expect.any(Number)])
  expect(timeouts[0]).toBeLessThanOrEqual(1_000)
  const long = answers('yes')
  await tryInTime(long.ask, times(60_000))
  expect(long.timeouts).toEqual([8_000])
})

test('a call that never returns is abandoned at the deadline', async () => {
  const ended = tryInTime(() => sleep(60_000, 'late', { ref: false }), times(50))
  await expect(ended).rejects.toMatchObject({ name: 'ProviderFailure', status: undefined })
})

test('nothing is sent after the deadline', async () => {
  const { ask, timeouts } = answers('yes')
  await expect(tryInTime(ask, times(-1))).rejects.toBeInstanceOf(ProviderFailure)
  expect(timeouts).toEqual([])
})

test.each([
  [400, 1],
  [429, 3],
])('a call with status %i is sent %i times', async (status, times) => {
  let sent = 0
  const server = createServer((_request, response) => {
    sent += 1
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"error": {"message": "no"}}')
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const client = openStripeClient({
    kind: 'simulator',
    url: `http://127.0.0.1:${port}`,
    secretKey: 'sk_test_unit',
    proPriceId: 'price_pro',
    formerPriceIds: [],
    webhookSecret: 'whsec_unit',
  })
  await expect(client.within(20_000).getAccount('acct_1')).rejects.toMatchObject({ status })
  expect(sent).toBe(times)
})
