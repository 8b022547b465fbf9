import { screen, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import {
  type AdminDispute,
  type Evidence,
  evidenceFieldNames,
} from '#contract/order/disputes/dispute-views.ts'
import { openApp } from './support/app.tsx'
import { admin, makeUser, newId } from './support/fake-server.ts'
import { asAdmin, asConfirmed } from './support/orders.ts'

const dispute = {
  state: 'needs-response' as const,
  amount: 115,
  openedAt: '2026-03-01T10:00:00.000Z',
  reason: 'the part did not arrive',
  // 10 PM in London, 4 PM at the yard.
  dueBy: '2031-03-05T22:00:00.000Z',
  zone: 'America/Chicago',
  answer: '',
  photoIds: [],
  canAnswer: true,
}

test('the yard reads in its own time until when its answer counts', async () => {
  const order = asConfirmed({ disputed: true, dispute })
  await openApp(`/dashboard/seller/orders/${order.id}`, {
    as: makeUser(),
    server: { readSellerOrder: order },
  })
  expect(await screen.findByText('Wed, Mar 5, 2031, 4 PM Central')).toBeVisible()
})

test('an administrator leaves out a photo, and sends the rest with the texts', async () => {
  const order = asAdmin(asConfirmed({ disputed: true, dispute }))
  const photos = [
    { id: newId(), caption: 'Hood: the seller’s picture in the listing', isChosen: true },
    { id: newId(), caption: 'The buyer’s photo (came damaged)', isChosen: true },
  ]
  const evidence = Object.fromEntries(evidenceFieldNames.map((name) => [name, `The ${name}`])) as Evidence
  const staged: AdminDispute = {
    ...dispute,
    provider: 'du_1',
    fee: 15,
    feeOf: 'platform',
    evidence,
    photos,
    isSaved: false,
    isSending: false,
    submittedAt: null,
    problem: null,
  }
  const sent = { ...staged, canAnswer: false, submittedAt: '2026-03-02T10:00:00.000Z' }
  const { user, server } = await openApp(`/dashboard/admin/orders/${order.id}`, {
    as: admin(),
    server: {
      readAnyOrder: order,
      readOrderLedger: { entries: [], balances: {}, balance: 0 },
      readDispute: staged,
      readEvidencePhoto: () => new Response('x', { headers: { 'content-type': 'image/webp' } }),
      submitEvidence: sent,
    },
  })
  const card = within(await screen.findByRole('region', { name: 'Dispute' }))
  expect(await card.findByText('Wed, Mar 5, 2031, 4 PM Central')).toBeVisible()
  const group = within(card.getByRole('group', { name: 'These photos go to the bank' }))
  expect(await group.findAllByRole('img')).toHaveLength(2)
  await user.click(group.getByRole('checkbox', { name: 'The buyer’s photo (came damaged)' }))
  await user.click(card.getByRole('button', { name: 'Send evidence' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Send evidence' }))
  await screen.findByText('Evidence sent')
  expect(server.asked('submitEvidence')[0]?.body).toEqual({ evidence, photoIds: [photos[0]?.id] })
})
