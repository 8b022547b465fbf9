import { screen, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import type { OrderReturn, ReturnChoice } from '#contract/order/returns/return-views.ts'
import { openApp } from './support/app.tsx'
import { makeBuyerOrder } from './support/bought-orders.ts'
import { makeUser, newId } from './support/fake-server.ts'
import { asConfirmed, makePart } from './support/orders.ts'

const [hood, lamp, door] = [
  makePart({ title: 'Hood' }),
  makePart({ title: 'Lamp' }),
  makePart({ title: 'Door', state: 'not-found' }),
] as const

const choice: ReturnChoice = {
  kind: 'claim',
  reason: 'damaged',
  until: null,
  amount: 170,
  restockingFee: 0,
  wayBack: null,
  parts: [
    { listingId: hood.listingId, amount: 100, restockingFee: 0 },
    { listingId: lamp.listingId, amount: 50, restockingFee: 0 },
  ],
  shipping: 20,
}

const makeReturn = (changes: Partial<OrderReturn>): OrderReturn => ({
  id: newId(),
  kind: 'return',
  state: 'asked',
  reason: 'not-needed',
  sentence: 'Answer by Tue 3 PM Central.',
  deadline: null,
  createdAt: '2026-03-01T10:00:00.000Z',
  listingIds: [hood.listingId],
  text: '',
  photoIds: [],
  answerPhotoIds: [],
  amount: 80,
  restockingFee: 20,
  wayBack: 'buyer',
  sendTo: [],
  shipment: null,
  condition: null,
  answer: null,
  decision: null,
  actions: [],
  ...changes,
})

test('of several parts, the buyer names those that it is about', async () => {
  const order = makeBuyerOrder({
    state: 'delivered',
    actions: [],
    parts: [hood, lamp, door],
    returnChoices: [choice],
  })
  const { user, server } = await openApp('/orders#a-token', {
    server: { readOrder: order, askReturn: { ...order, returnChoices: [] } },
  })
  await user.click(await screen.findByText('Return it or report a problem'))
  const parts = within(screen.getByRole('group', { name: 'Which parts?' }))
  expect(parts.getAllByRole('checkbox')).toHaveLength(2)
  expect(screen.queryByText(/you get/)).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Report the problem' }))
  expect(await parts.findByRole('alert')).toHaveTextContent('Choose at least one part.')
  expect(server.asked('askReturn')).toEqual([])

  await user.click(parts.getByLabelText('Lamp, $50.00'))
  expect(screen.getByText(/you get \$50\.00 back/)).toBeVisible()
  await user.click(parts.getByLabelText('Hood, $100.00'))
  expect(screen.getByText(/you get \$170\.00 back/)).toBeVisible()
  await user.click(parts.getByLabelText('Hood, $100.00'))
  await user.click(screen.getByRole('button', { name: 'Report the problem' }))
  await screen.findByText('Green Country was asked')
  expect(server.asked('askReturn')[0]?.body).toMatchObject({ reason: 'damaged', lines: [lamp.listingId] })
})

test('the yard approves a return with or without its restocking fee', async () => {
  const asked = makeReturn({ actions: ['approve', 'decline'] })
  const order = asConfirmed({ state: 'delivered', actions: [], returns: [asked] })
  const { user, server } = await openApp(`/dashboard/seller/orders/${order.id}`, {
    as: makeUser(),
    server: { readSellerOrder: order, answerReturn: { ...order, returns: [] } },
  })
  await user.click(await screen.findByRole('button', { name: 'Approve' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Approve the return?' }))
  expect(dialog.getByText(/\$80\.00 goes back to Ruth/)).toBeVisible()
  await user.click(dialog.getByRole('checkbox', { name: 'Don’t take the restocking fee of $20.00' }))
  expect(dialog.getByText(/\$100\.00 goes back to Ruth/)).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Approve' }))
  await screen.findByText('Return approved')
  expect(server.asked('answerReturn')[0]?.body).toEqual({ answer: 'approve', waiveFee: true })
})

test('the yard declines with photos, which are sent one by one and can be taken out again', async () => {
  const asked = makeReturn({ kind: 'claim', reason: 'damaged', actions: ['decline'] })
  const order = asConfirmed({ state: 'delivered', actions: [], returns: [asked] })
  const ids = [newId(), newId()]
  let sent = 0
  const { user, server } = await openApp(`/dashboard/seller/orders/${order.id}`, {
    as: makeUser(),
    server: {
      readSellerOrder: order,
      addSellerPhoto: () => ({ id: ids[sent++] ?? '' }),
      answerReturn: { ...order, returns: [] },
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Decline' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Decline the claim?' }))
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error('no photo can be added')
  await user.upload(input, [
    new File(['a'], 'box.jpg', { type: 'image/jpeg' }),
    new File(['b'], 'mine.jpg', { type: 'image/jpeg' }),
  ])
  await user.click(await dialog.findByRole('button', { name: 'Remove mine.jpg' }))
  await user.type(dialog.getByLabelText('Reason'), 'It was whole')
  await user.click(dialog.getByRole('button', { name: 'Decline' }))
  await screen.findByText('Declined')
  expect(server.asked('answerReturn')[0]?.body).toEqual({
    answer: 'decline',
    reason: 'It was whole',
    photoIds: [ids[0]],
  })
})

test('while a claim is open, it comes before the review, which is folded', async () => {
  const claim = makeReturn({ kind: 'claim', reason: 'damaged' })
  const order = makeBuyerOrder({ state: 'delivered', actions: ['review'], returns: [claim] })
  await openApp('/orders#a-token', { server: { readOrder: order } })
  const problem = await screen.findByRole('heading', { name: 'Problem reported: It came damaged' })
  const review = screen.getByText('Review Green Country')
  expect(problem.compareDocumentPosition(review)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  expect(review.closest('details')).not.toHaveAttribute('open')
})

test('a buyer of a shipped part reads from when it can be reported that it has not come', async () => {
  const shipment = {
    carrier: 'ups',
    carrierName: 'UPS',
    tracking: '',
    url: null,
    shippedAt: '2026-03-02T18:00:00.000Z',
  } as const
  const deadline = { at: '2026-03-09T18:00:00.000Z', zone: 'America/Chicago' }
  const order = makeBuyerOrder({ state: 'shipped', actions: ['received'], shipment, deadline })
  await openApp('/orders#a-token', { server: { readOrder: order } })
  expect(await screen.findByText(/^If it has not arrived by Mon, Mar 9/)).toBeVisible()
})
