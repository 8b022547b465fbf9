import { expect, test } from 'vitest'
import { press, type StartedCheckout } from '#tests/support/payments.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const simulator = await startTestSimulator()
const app = await startTestApp({ ...simulator.settings, PUBLIC_URL: 'http://localhost:3000' })

test.each([
  ['localhost:3000', 'http://localhost:3000'],
  ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['[::1]:3000', 'http://[::1]:3000'],
  // Anyone can send a header: no other name, no other port.
  ['evil.example:3000', 'http://localhost:3000'],
  ['127.0.0.1:4000', 'http://localhost:3000'],
  ['127.0.0.1:3000@evil.example', 'http://localhost:3000'],
])('opened at %s, a return from payments leads to %s', async (host, address) => {
  const seller = await app.signUp()
  const { body } = await seller.api.post<StartedCheckout>('/subscription/checkout', {}, { host })
  expect(await press(body.url, 'cancel')).toBe(`${address}/stripe/cancel`)
})
