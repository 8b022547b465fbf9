import { expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import { csvOf, newKey, partRows, sendCsv } from '#tests/support/make-imports.ts'
import {
  buyPro,
  type HandOver,
  openPage,
  press,
  startBillingWorker,
  untilUser,
} from '#tests/support/payments.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const simulator = await startTestSimulator()
const app = await startTestApp(simulator.settings)
await startBillingWorker(app)
await simulator.deliverTo(app.http)
const file = csvOf(partRows(2))

test('when Pro ends during an import, its next chunk and any new import are refused', async () => {
  const seller = await app.signUp()
  await buyPro(seller)
  const link = await seller.api.post<HandOver>('/onboarding/free/start')
  await press(await openPage(link.body.url), 'complete')
  const { subscriptionId } = await untilUser(seller, { sellerTier: 'PAID', connectStatus: 'VERIFIED' })

  const fields = { idempotencyKey: newKey(), chunkCount: 2 }
  const first = await sendCsv(seller.api, { file, fields: { ...fields, chunkIndex: 0 } })
  expect(first).toMatchObject({ status: 200, body: { received: 1 } })

  const portal = await seller.api.post<HandOver>('/subscription/portal')
  await press(portal.body.url, 'cancel', `?subscription=${subscriptionId}`)
  await untilUser(seller, { sellerTier: 'PAID' })
  await press(portal.body.url, 'end-period', `?subscription=${subscriptionId}`)
  await untilUser(seller, { sellerTier: 'FREE', subscriptionStatus: 'CANCELED' })

  const next = await sendCsv<ErrorReply>(seller.api, { file, fields: { ...fields, chunkIndex: 1 } })
  expect([next.status, next.body.code]).toEqual([403, 'PRO_ONLY'])
  const other = await sendCsv<ErrorReply>(seller.api, { file, fields: { idempotencyKey: newKey() } })
  expect([other.status, other.body.code]).toEqual([403, 'PRO_ONLY'])
  const listings = await app.db
    .selectFrom('listing')
    .select('id')
    .where('seller_id', '=', seller.user.sellerId)
    .execute()
  expect(listings).toEqual([])
  // What arrived stays visible to the seller, and the import can finish once they are back on Pro.
  const imports = await seller.api.get<{ items: unknown[] }>('/pro/imports')
  expect(imports.status).toBe(200)
  await buyPro(seller)
  await untilUser(seller, { sellerTier: 'PAID', subscriptionStatus: 'ACTIVE' })
  const again = await sendCsv(seller.api, { file, fields: { ...fields, chunkIndex: 1 } })
  expect(again.status).toBe(200)
})
