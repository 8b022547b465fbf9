import { expect, test } from 'vitest'
import { demoEmails } from '#server/features/running/demo/demo-sign-ins.ts'
import { openDemoPayments } from '#server/features/running/demo/load-demo.ts'
import { newPerson } from '#tests/support/make-rows.ts'
import {
  type HandOver,
  press,
  profileOf,
  startBillingWorker,
  stripeOf,
  untilUser,
} from '#tests/support/payments.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const simulator = await startTestSimulator()
const app = await startTestApp(simulator.settings)
await startBillingWorker(app)
await simulator.deliverTo(app.http)

test('the demo’s Pro seller has a subscription, a verified account and a balance', async () => {
  await openDemoPayments(app.db, stripeOf(app))
  const seller = await app.signUp({ person: newPerson({ email: demoEmails.pro }), tier: 'PAID' })
  await app.db.updateTable('seller').set({ pro_granted_at: new Date() }).execute()
  // A first run that is interrupted after creating the customer.
  await simulator.behave({ fail: 400, onPaths: ['/v1/subscriptions'] })
  await expect(openDemoPayments(app.db, stripeOf(app))).rejects.toThrow('is set to fail')
  await simulator.behave({})
  await openDemoPayments(app.db, stripeOf(app))
  const user = await profileOf(seller)
  expect(user).toMatchObject({
    sellerTier: 'PAID',
    subscriptionStatus: 'ACTIVE',
    connectStatus: 'VERIFIED',
    stripe_seller: { charges_enabled: true },
  })
  await openDemoPayments(app.db, stripeOf(app))
  expect(
    await stripeOf(app)
      .within(9_000)
      .listSubscriptions(user.stripeCustomerId ?? ''),
  ).toHaveLength(1)
  const balance = await seller.api.post<{ available: { amount: number }[] }>('/get-account-balance')
  expect(balance.body.available[0]?.amount).toBeGreaterThan(0)
  expect((await seller.api.post('/payout-setting')).status).toBe(200)

  const portal = await seller.api.post<HandOver>('/subscription/portal')
  await press(portal.body.url, 'cancel', `?subscription=${user.subscriptionId}`)
  await press(portal.body.url, 'end-period', `?subscription=${user.subscriptionId}`)
  await untilUser(seller, { sellerTier: 'FREE', subscriptionStatus: 'CANCELED' })
})
