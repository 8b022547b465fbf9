import { createServer, type Socket } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import { freePort } from '#server/platform/net/port.ts'
import {
  buyPro,
  openPage,
  press,
  profileOf,
  requestsOf,
  type StartedCheckout,
  sellerRow,
  startBillingWorker,
  untilUser,
} from '#tests/support/payments.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'
import { type SignedIn, startTestApp, type TestApp } from '#tests/support/test-app.ts'

const simulator = await startTestSimulator()
const app = await startTestApp(simulator.settings)
await startBillingWorker(app)
await simulator.deliverTo(app.http)
const silence = await openSilence()
const waiting = await startTestApp(silence.settings)
const alone = await startTestApp({ SIMULATOR_URL: `http://127.0.0.1:${await freePort('127.0.0.1')}` })

/** Every button that calls the provider, with its message when the provider does not respond. */
const BUTTONS: [path: string, sentence: string, body?: object][] = [
  ['/onboarding/free/start', 'Unable to start free onboarding'],
  ['/create-connect-account', 'Unable to resume Stripe onboarding'],
  ['/subscription/checkout', 'Unable to start checkout'],
  ['/subscription/upgrade', 'Unable to upgrade right now'],
  ['/subscription/portal', 'Unable to open billing portal'],
  ['/subscription/status', 'Unable to verify subscription', { sessionId: 'cs_test_1' }],
  ['/get-account-status', 'Unable to refresh Stripe status'],
  ['/payout-setting', 'Unable to open payout settings'],
  ['/get-account-balance', 'Unable to fetch Stripe balance'],
]

/** A seller whom the provider knows, so that every button has something to request. */
async function knownSeller(of: TestApp, mark: string): Promise<SignedIn> {
  const seller = await of.signUp()
  await of.db
    .updateTable('seller')
    .set({ stripe_customer_id: `cus_${mark}`, stripe_account_id: `acct_${mark}` })
    .where('id', '=', seller.user.sellerId)
    .execute()
  return seller
}

async function standing(of: TestApp, { user }: SignedIn) {
  const { provider_reads, ...rest } = await sellerRow(of, user.sellerId)
  return rest
}

async function pressAll(of: TestApp, seller: SignedIn): Promise<void> {
  const before = await standing(of, seller)
  const answers = await Promise.all(
    BUTTONS.map(async ([path, sentence, body]) => {
      const { status, headers, body: told } = await seller.api.post<ErrorReply>(path, body)
      return { path, sentence, status, retryAfter: headers['retry-after'], told }
    }),
  )
  for (const { path, sentence, status, retryAfter, told } of answers) {
    expect({ path, status, ...told }).toMatchObject({
      path,
      status: 503,
      code: 'PAYMENTS_UNREACHABLE',
      error: sentence,
    })
    expect(retryAfter).toBe('15')
  }
  expect(await standing(of, seller)).toEqual(before)
  const half = (await requestsOf(of, seller.user.sellerId)).filter((row) => row.provider_id !== null)
  expect(half).toEqual([])
}

describe('each button shows its message and nothing is half written', () => {
  test.each([500, 503, 429])('when the provider returns %i', async (fail) => {
    const seller = await knownSeller(app, `fails_${fail}`)
    await simulator.behave({ fail })
    await pressAll(app, seller)
    await simulator.behave({})
  })

  test('when it hangs, and no database connection is held for it', async () => {
    const seller = await knownSeller(waiting, 'hangs')
    const pressed = pressAll(waiting, seller)
    await expect.poll(() => silence.sockets.size, { timeout: 8_000 }).toBeGreaterThanOrEqual(BUTTONS.length)
    const { pool } = waiting.database
    // The app itself may use a connection briefly; one held for the provider would stay in use as long as the requests hang.
    const heldBeside = () => ({
      connections: pool.totalCount - pool.idleCount,
      allStillHang: silence.sockets.size >= BUTTONS.length,
    })
    await expect.poll(heldBeside, { interval: 20 }).toEqual({ connections: 0, allStillHang: true })
    expect((await profileOf(seller)).id).toBe(seller.user.id)
    await pressed
  })

  test('when it is unreachable', async () => {
    const seller = await knownSeller(alone, 'gone')
    await pressAll(alone, seller)
    expect((await profileOf(seller)).id).toBe(seller.user.id)
  })

  test('when it refuses, even for two clicks at once', async () => {
    const seller = await knownSeller(app, 'refused')
    await simulator.behave({ fail: 400 })
    await pressAll(app, seller)
    await simulator.behave({})
  })
})

describe('afterwards', () => {
  test('a click that failed leads to one customer and one checkout later', async () => {
    const seller = await app.signUp()
    // Reading the price works, so that the failure is that of the customer.
    await simulator.behave({ fail: 500, onPaths: ['/v1/customers'] })
    expect((await seller.api.post('/subscription/checkout')).status).toBe(503)
    await simulator.behave({})
    expect((await seller.api.post('/subscription/checkout')).status).toBe(200)
    const requests = await requestsOf(app, seller.user.sellerId)
    expect(requests.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'customer void',
      'customer done',
      'checkout open',
    ])
  })

  test('one provider failure is retried', async () => {
    const seller = await app.signUp()
    await simulator.behave({ fail: 500, times: 1 })
    expect((await seller.api.post('/subscription/checkout')).status).toBe(200)
    await simulator.behave({ fail: 'lose-answer', times: 1 })
    expect((await seller.api.post('/create-connect-account')).status).toBe(200)
    await simulator.behave({})
    expect(await requestsOf(app, seller.user.sellerId)).toHaveLength(3)
  })

  test('what was created while every response was lost is found again by its key', async () => {
    const seller = await app.signUp()
    await seller.api.post('/create-connect-account')
    await simulator.behave({ fail: 'lose-answer', onPaths: ['/v1/checkout'] })
    expect((await seller.api.post('/subscription/checkout')).status).toBe(503)
    await simulator.behave({})
    const open = (await requestsOf(app, seller.user.sellerId)).find(({ state }) => state === 'open')
    expect(open).toMatchObject({ kind: 'checkout', provider_id: null })
    const { body } = await seller.api.post<StartedCheckout>('/subscription/checkout')
    const found = (await requestsOf(app, seller.user.sellerId)).find(({ state }) => state === 'open')
    expect(found).toMatchObject({ id: open?.id, provider_id: body.sessionId, url: body.url })
  })

  test('a name change between two attempts does not block the seller', async () => {
    const seller = await app.signUp()
    await simulator.behave({ fail: 'lose-answer', onPaths: ['/v1/customers'] })
    expect((await seller.api.post('/subscription/checkout')).status).toBe(503)
    await simulator.behave({})
    await seller.api.put('/profile', { name: 'Dana of the new yard' })
    expect((await seller.api.post('/subscription/checkout')).status).toBe(200)
  })

  test('events that arrive while the provider cannot be read are processed once it can', async () => {
    const seller = await app.signUp()
    await simulator.behave({ fail: 500, onPaths: ['/v1/subscriptions'] })
    await buyPro(seller)
    await press(
      await openPage((await seller.api.post<{ url: string }>('/onboarding/free/start')).body.url),
      'complete',
    )
    await untilUser(seller, { sellerTier: 'FREE', connectStatus: 'VERIFIED' })
    await simulator.behave({})
    await untilUser(seller, { sellerTier: 'PAID' })
  })
})

/** Accepts every connection and never responds. */
async function openSilence() {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  const port = await freePort('127.0.0.1')
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { settings: { SIMULATOR_URL: `http://127.0.0.1:${port}` }, sockets }
}
