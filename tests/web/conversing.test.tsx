import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import type { Lead } from '#contract/leads.ts'
import type { Conversation, ThreadMessage } from '#contract/pages/conversations.ts'
import { address, openApp } from './support/app.tsx'
import { makeQuote } from './support/bought-orders.ts'
import { makeAround, makeListing, makeUser, newId, refuse } from './support/fake-server.ts'

const said = (changes: Partial<ThreadMessage> = {}): ThreadMessage => ({
  id: newId(),
  kind: 'text',
  from: 'buyer',
  by: 'Ruth Amador',
  message: 'Still there?',
  createdAt: '2026-03-01T12:00:00.000Z',
  price: null,
  currency: null,
  expiresAt: null,
  offerState: null,
  ...changes,
})
const deal = { price: 90, currency: 'USD', expiresAt: '2026-03-03T12:00:00.000Z', message: '' }
const answered = said({ from: 'seller', by: 'Dana', message: 'Yes, on the shelf.' })

const conversation = (changes: Partial<Conversation> = {}): Conversation => ({
  sellerName: 'Whitfield Auto',
  sellerPhone: null,
  sellerGone: false,
  part: {
    title: '2014 Ford F-150 Alternator',
    slug: 'alternator-1',
    price: 100,
    currency: 'USD',
    imageUrl: null,
    categoryGroup: 'Electrical',
    forSale: true,
  },
  messages: [said(), answered],
  may: ['offer'],
  pay: null,
  emailsStopped: false,
  ...changes,
})

test('a buyer opens the conversation by its link and replies; the token leaves the address bar', async () => {
  const { user, server } = await openApp('/messages#a-token', {
    server: { readConversation: conversation() },
  })
  const thread = within(await screen.findByRole('list', { name: 'Conversation' }))
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Your conversation with Whitfield Auto')
  expect(window.location.hash).toBe('')
  expect(thread.getByText('Yes, on the shelf.')).toBeVisible()
  expect(screen.getByRole('link', { name: '2014 Ford F-150 Alternator' })).toHaveAttribute(
    'href',
    '/parts/alternator-1',
  )
  server.answer({
    replyToSeller: refuse(422, 'VALIDATION_FAILED', 'Message is required', {
      fields: { message: 'Message is required' },
    }),
  })
  await user.click(screen.getByRole('button', { name: 'Send message' }))
  const field = screen.getByLabelText('Your message to Whitfield Auto')
  await waitFor(() => expect(field).toHaveFocus())
  expect(field).toHaveAccessibleDescription('Message is required')
  server.answer({
    replyToSeller: ({ body }) =>
      conversation({ messages: [said(), answered, said({ message: body.message })] }),
  })
  await user.type(field, 'I come on Friday.')
  await user.click(screen.getByRole('button', { name: 'Send message' }))
  expect(await thread.findByText('I come on Friday.')).toBeVisible()
  expect(field).toHaveValue('')
  expect(server.asked('replyToSeller').at(-1)?.body).toEqual({
    token: 'a-token',
    message: 'I come on Friday.',
  })
})

test('a double click sends a buyer’s message once', async () => {
  const { user, server } = await openApp('/messages#a-token', {
    server: { readConversation: conversation(), replyToSeller: conversation() },
  })
  await user.type(await screen.findByLabelText('Your message to Whitfield Auto'), 'I come on Friday.')
  await user.dblClick(screen.getByRole('button', { name: 'Send message' }))
  await waitFor(() => expect(screen.getByLabelText('Your message to Whitfield Auto')).toHaveValue(''))
  expect(server.asked('replyToSeller')).toHaveLength(1)
})

test('a reload keeps the conversation open', async () => {
  await openApp('/messages#a-token', { server: { readConversation: conversation() } })
  await screen.findByRole('list', { name: 'Conversation' })
  expect(window.history.state).toMatchObject({ usr: { token: 'a-token' } })
})

test('a counteroffer is accepted, and the page says what happens next', async () => {
  const counter = said({ kind: 'offer', from: 'seller', by: 'Dana', ...deal, offerState: 'open' })
  const accepted = [
    { ...counter, offerState: 'accepted' as const },
    said({ kind: 'accept', ...deal, by: 'Ruth' }),
  ]
  const { user, server } = await openApp('/messages#a-token', {
    server: {
      readConversation: conversation({ messages: [said(), counter], may: ['accept', 'decline', 'offer'] }),
    },
  })
  const offer = within(await screen.findByRole('region', { name: 'Whitfield Auto offers it for $90.00' }))
  server.answer({ answerCounterOffer: refuse(409, 'CONFLICT', 'This offer has expired.') })
  await user.click(offer.getByRole('button', { name: 'Accept offer' }))
  expect(await offer.findByRole('alert')).toHaveTextContent('This offer has expired.')
  server.answer({
    answerCounterOffer: conversation({
      messages: [said(), ...accepted],
      may: [],
      sellerPhone: '(918) 555-0142',
    }),
  })
  await user.click(offer.getByRole('button', { name: 'Accept offer' }))
  expect(await screen.findByText('Agreed: $90.00')).toBeVisible()
  const part = within(screen.getByRole('region', { name: 'The part' }))
  expect(part.getByText(/^Agreed: \$90\.00, held for you until /)).toBeVisible()
  expect(part.queryByText('For sale')).toBeNull()
  expect(screen.getByRole('link', { name: '(918) 555-0142' })).toHaveAttribute('href', 'tel:9185550142')
  expect(screen.queryByText('Make a counteroffer')).toBeNull()
  expect(server.asked('answerCounterOffer').at(-1)?.body).toEqual({
    token: 'a-token',
    offerId: counter.id,
    answer: 'accept',
  })
})

test('the buyer who bought the part reads that it was sold to them', async () => {
  const bought = said({ kind: 'offer', ...deal, offerState: 'bought' })
  const accept = said({ kind: 'accept', from: 'seller', by: 'Dana', ...deal })
  const sold = said({
    kind: 'sold',
    from: 'seller',
    by: 'Dana',
    message: 'Sold to you for $90.00. Thank you!',
  })
  const open = conversation({ messages: [bought, accept, sold], may: [] })
  await openApp('/messages#a-token', {
    server: { readConversation: { ...open, part: { ...open.part, forSale: false } } },
  })
  expect(await screen.findAllByText('Sold to you for $90.00')).toHaveLength(2)
  expect(screen.queryByText(/No longer for sale|holding the part|held for you/)).toBeNull()
})

test('a buyer makes an offer, and a problem with the price is shown at the field', async () => {
  const { user, server } = await openApp('/messages#a-token', {
    server: { readConversation: conversation() },
  })
  await user.click(await screen.findByText('Make an offer'))
  const form = within(screen.getByRole('form', { name: 'Offer' }))
  const reason = 'The asking price is $100.00. Offer that or less.'
  server.answer({ offerToSeller: refuse(422, 'VALIDATION_FAILED', reason, { fields: { price: reason } }) })
  await user.type(form.getByLabelText(/^Your offer/), '120')
  await user.click(form.getByRole('button', { name: 'Send offer' }))
  expect(await form.findByText(reason)).toBeVisible()
  expect(form.getByLabelText(/^Your offer/)).toHaveFocus()
})

test('someone who did not write it ends it; a dead link says so', async () => {
  const { user, server } = await openApp('/messages#a-token', {
    server: { readConversation: conversation(), stopConversation: { ok: true } },
  })
  await user.click(await screen.findByText('Stop these emails'))
  await user.click(screen.getByRole('button', { name: 'I didn’t write this' }))
  expect(await screen.findByText(/the links we sent you no longer work/)).toBeVisible()
  expect(server.asked('stopConversation').map(({ body }) => body)).toEqual([
    { token: 'a-token', wasMe: false },
  ])
})

test.each(['/messages', '/messages#an-old-token'])('%s without a working link', async (path) => {
  await openApp(path, {
    server: { readConversation: () => refuse(410, 'LINK_EXPIRED', 'This link has expired.') },
  })
  expect(await screen.findByRole('heading', { name: 'This link doesn’t work' })).toBeVisible()
})

const makeLead = (changes: Partial<Lead> = {}): Lead => ({
  id: newId(),
  state: 'new',
  name: 'Ruth Amador',
  email: 'ruth@garage.example',
  emailConfirmed: true,
  emailsStopped: false,
  phone: null,
  message: 'Still there?',
  createdAt: '2026-03-01T12:00:00.000Z',
  answeredAt: null,
  wroteAt: '2026-03-01T12:00:00.000Z',
  listingTitle: '2014 Ford F-150 Alternator',
  listing: {
    id: newId(),
    slug: 'alternator-1',
    title: '2014 Ford F-150 Alternator',
    price: 100,
    currency: 'USD',
    quantity: 1,
    forSale: true,
  },
  messages: [{ ...said(), mailed: true }],
  may: [],
  othersOpen: 0,
  promised: false,
  answers: [],
  ...changes,
})
const quickReplies = { replies: ['Yes, it’s still available.'], suggested: true }

async function openInbox(lead: Lead) {
  const opened = await openApp(`/dashboard/seller/leads?lead=${lead.id}`, {
    as: makeUser(),
    server: {
      listLeads: {
        items: [lead],
        total: 1,
        page: 1,
        perPage: 24,
        counts: { new: 1, answered: 0, closed: 0 },
      },
      readLead: () => lead,
      readQuickReplies: quickReplies,
    },
  })
  return { ...opened, article: within(await screen.findByRole('article', { name: 'Ruth Amador' })) }
}

test('a quick reply fills the field and only the seller sends it; the list is edited in place', async () => {
  const { user, server, article } = await openInbox(makeLead())
  await user.click(await article.findByRole('button', { name: 'Yes, it’s still available.' }))
  expect(article.getByLabelText('Your reply')).toHaveValue('Yes, it’s still available.')
  expect(server.asked('answerLead')).toEqual([])
  await user.click(article.getByRole('button', { name: 'Edit quick replies' }))
  await user.type(article.getByLabelText('Quick reply 2'), 'We close at five.')
  server.answer({ setQuickReplies: ({ body }) => ({ replies: body.replies, suggested: false }) })
  await user.click(article.getByRole('button', { name: 'Save quick replies' }))
  expect(await article.findByRole('button', { name: 'We close at five.' })).toBeVisible()
  expect(server.asked('setQuickReplies').at(-1)?.body).toEqual({
    replies: ['Yes, it’s still available.', 'We close at five.'],
  })
  await user.clear(article.getByLabelText('Your reply'))
})

test('a double click sends a seller’s reply once, and closes a message once', async () => {
  const lead = makeLead()
  const { user, server, article } = await openInbox(lead)
  server.answer({ answerLead: lead, setLeadState: lead })
  await user.type(article.getByLabelText('Your reply'), 'Yes, come by.')
  await user.dblClick(article.getByRole('button', { name: 'Send reply' }))
  expect(await screen.findByText('Reply sent')).toBeVisible()
  expect(server.asked('answerLead')).toHaveLength(1)
  await user.dblClick(article.getByRole('button', { name: 'Close message' }))
  expect(await screen.findByText('Message closed')).toBeVisible()
  expect(server.asked('setLeadState')).toHaveLength(1)
})

test('sold already: one dialog tells this buyer, the others, and ends the listing', async () => {
  const lead = makeLead({ othersOpen: 2 })
  const { user, server, article } = await openInbox(lead)
  await user.click(article.getByRole('button', { name: 'Sold already' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByLabelText('Mark the listing as sold')).toBeChecked()
  expect(dialog.getByLabelText('Tell the 2 other buyers who asked about it, too')).toBeChecked()
  server.answer({ closeAsSold: { lead: { ...lead, state: 'closed' }, told: 3, listingEnded: true } })
  await user.click(dialog.getByRole('button', { name: 'Send and close' }))
  expect(await screen.findByText('3 buyers notified, listing marked as sold')).toBeVisible()
  expect(server.asked('closeAsSold').at(-1)?.body).toEqual({
    soldToThem: false,
    tellOthers: true,
    endListing: true,
  })
})

test('an offer on a part already promised is accepted only after a warning', async () => {
  const offer = { ...said({ kind: 'offer', ...deal, offerState: 'open' }), mailed: true }
  const lead = makeLead({ messages: [offer], may: ['accept', 'decline', 'offer'], promised: true })
  const { user, server, article } = await openInbox(lead)
  expect(article.getByRole('heading', { name: 'Ruth Amador offers $90.00' })).toBeVisible()
  await user.click(article.getByRole('button', { name: 'Accept' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText(/You already accepted another buyer’s offer for this part\./)).toBeVisible()
  const accept = { ...said({ kind: 'accept', from: 'seller', by: 'Dana', ...deal }), mailed: true }
  const agreed: Lead = { ...lead, messages: [{ ...offer, offerState: 'accepted' }, accept], may: [] }
  server.answer({ answerOffer: agreed, readLead: agreed })
  await user.click(dialog.getByRole('button', { name: 'Accept offer' }))
  expect(await article.findByText('Agreed: $90.00')).toBeVisible()
  expect(server.asked('answerOffer').at(-1)?.body).toEqual({
    offerId: offer.id,
    answer: 'accept',
    evenIfPromised: true,
  })
  await user.click(article.getByRole('button', { name: 'Mark as sold' }))
  const selling = within(await screen.findByRole('dialog', { name: 'Sold to Ruth Amador?' }))
  expect(
    selling.getByText(/gets the reply “Sold to you for \$90\.00\. Thank you!” The conversation will/),
  ).toBeVisible()
  expect(address()).toContain('/dashboard/seller/leads')
})

test('a counteroffer above the asking price is refused at its field', async () => {
  const offer = { ...said({ kind: 'offer', ...deal, offerState: 'open' }), mailed: true }
  const { user, server, article } = await openInbox(
    makeLead({ messages: [offer], may: ['accept', 'decline', 'offer'] }),
  )
  await user.click(article.getByRole('button', { name: 'Make a counteroffer' }))
  const form = within(article.getByRole('form', { name: 'Counteroffer' }))
  const reason = 'The asking price is $100.00. Offer that or less.'
  server.answer({ counterOffer: refuse(422, 'VALIDATION_FAILED', reason, { fields: { price: reason } }) })
  await user.type(form.getByLabelText('Your price'), '120')
  await user.selectOptions(form.getByLabelText('Good for'), '3 days')
  await user.click(form.getByRole('button', { name: 'Send counteroffer' }))
  expect(await form.findByText(reason)).toBeVisible()
  await waitFor(() => expect(form.getByLabelText('Your price')).toHaveFocus())
  expect(server.asked('counterOffer').at(-1)?.body).toEqual({ price: '120', hours: 72, message: '' })
})

test('an accepted offer that can be paid here leads to the checkout at its price', async () => {
  const acceptance = said({ kind: 'accept', from: 'seller', ...deal, offerState: null })
  const { user } = await openApp('/messages#a-token', {
    server: {
      readConversation: conversation({
        messages: [said({ kind: 'offer', ...deal, offerState: 'accepted' }), acceptance],
        may: [],
        pay: { price: 90, until: deal.expiresAt },
      }),
      readPublic: makeListing({ partslug: 'alternator-1', partprice: 100, soldOnline: true }),
      readQuote: makeQuote(),
      readAroundPart: makeAround(),
    },
  })
  expect(await screen.findByRole('link', { name: 'Buy for $90.00' })).toHaveAttribute(
    'href',
    '/parts/alternator-1/buy',
  )
  expect(screen.queryByText(/directly/)).toBeNull()
  await user.click(screen.getByRole('link', { name: 'Buy for $90.00' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Buy this part' })).toBeVisible()
  const part = within(screen.getByRole('region', { name: 'The part' }))
  expect(await part.findByText('Agreed: $90.00')).toBeVisible()
  expect(part.queryByText('$100.00')).toBeNull()
})
