import { expect, test } from 'vitest'
import type { BuyerOrder } from '#contract/order/order-views.ts'
import { startBillingWorker } from '#tests/support/payments.ts'
import { openReturns, type Told } from '#tests/support/returns.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* Returns and claims of some of an order's parts. */

const simulator = await startTestSimulator()
const app = await startTestApp(simulator.settings)
await simulator.deliverTo(app.http)
await startBillingWorker(app)
const { shop } = openReturns(app)

/** Three parts of $100 and $15 shipping each, of which the yard does not find the last; the others are delivered. */
async function delivered() {
  const yard = await shop.yard()
  const terms = { returndays: '30', restockpct: '10' }
  const parts = await Promise.all([1, 2, 3].map(() => shop.addPart(yard.seller, terms)))
  const by = shop.buyer()
  const placed = await by.buysParts(parts.map(({ partslug }) => partslug))
  const { id, parts: lines } = await shop.pay(placed, by)
  const found = lines.slice(0, 2)
  await shop.act(yard.seller, id, 'confirm', { lines: found.map((line) => line.id) })
  await shop.act(yard.seller, id, 'ship', { carrier: 'ups', tracking: '1Z7' })
  await by.act('received', placed.token)
  const missing = lines.find((line) => !found.includes(line))
  const ask = (body: object) => by.act<Told>('return', placed.token, body)
  const read = async (): Promise<BuyerOrder> => (await by.read(placed.token)).body
  const listings = found.map(({ listingId }) => listingId)
  return { id, yard, ask, read, listings, missing: missing?.listingId ?? '' }
}
const choiceOf = ({ returnChoices }: BuyerOrder, reason: string) =>
  returnChoices.find((choice) => choice.reason === reason)

test('a buyer chooses among the parts that were sent, and sees what each brings', async () => {
  const { ask, read, listings, missing } = await delivered()
  const [first = '', second = ''] = listings
  const bought = await read()
  expect(choiceOf(bought, 'not-needed')).toMatchObject({
    amount: 180,
    restockingFee: 20,
    shipping: 0,
    parts: listings.map((listingId) => ({ listingId, amount: 90, restockingFee: 10 })),
  })
  // What was not found was not paid: neither its price nor its shipping comes back.
  expect(choiceOf(bought, 'damaged')).toMatchObject({ amount: 230, shipping: 30 })
  const refused = await ask({ kind: 'claim', reason: 'damaged', lines: [missing] })
  expect([refused.status, refused.body.fields]).toEqual([422, { lines: 'Choose parts of this order' }])

  const { body } = await ask({ kind: 'return', reason: 'not-needed', lines: [first] })
  expect(body.returns).toMatchObject([{ listingIds: [first], amount: 90, restockingFee: 10 }])
  expect(choiceOf(body, 'damaged')).toMatchObject({
    amount: 100,
    shipping: 0,
    parts: [{ listingId: second }],
  })
})

test('a claim for everything brings what was paid, and asking again is no second one', async () => {
  const { id, yard, ask, read, listings } = await delivered()
  const { body } = await ask({ kind: 'claim', reason: 'damaged' })
  expect(body.returns).toMatchObject([{ listingIds: listings, amount: 230 }])
  expect((await ask({ kind: 'claim', reason: 'damaged' })).body.returns).toHaveLength(1)
  const [claim] = body.returns
  await yard.seller.api.post(`/seller/orders/${id}/returns/${claim?.id}`, { answer: 'approve' })
  await expect.poll(async () => (await read()).money).toEqual({ captured: 230, refunded: 230 })
})

test('the yard approves without its restocking fee', async () => {
  const { id, yard, ask, read, listings } = await delivered()
  const { body } = await ask({ kind: 'return', reason: 'not-needed', lines: listings.slice(0, 1) })
  const [row] = body.returns
  const answer = (sent: object) => yard.seller.api.post(`/seller/orders/${id}/returns/${row?.id}`, sent)
  await answer({ answer: 'approve', waiveFee: true })
  expect((await read()).returns).toMatchObject([{ state: 'approved', amount: 100, restockingFee: 0 }])
  await answer({ answer: 'received' })
  await expect.poll(async () => (await read()).money.refunded).toBe(100)
})
