import { screen, waitFor, within } from '@testing-library/dom'
import { expect, onTestFinished, test, vi } from 'vitest'
import { address, nextDownload, openApp } from './support/app.tsx'
import { makeBuyerOrder } from './support/bought-orders.ts'
import { makeUser, newId, refuse } from './support/fake-server.ts'

const keepToken = (id: string) => {
  localStorage.clear()
  localStorage.setItem('orders', JSON.stringify({ [id]: 'a-token' }))
}

test('an order opens by its link; the token leaves the address bar, and the state is read aloud', async () => {
  const order = makeBuyerOrder()
  const { server } = await openApp('/orders#a-token', { server: { readOrder: order } })
  expect(await screen.findByRole('heading', { name: 'Order PH-100234' })).toBeVisible()
  expect(window.location.href).not.toContain('a-token')
  expect(server.asked('readOrder').at(-1)?.body).toEqual({ token: 'a-token' })
  const state = within(screen.getByRole('region', { name: 'What happens next' }))
  expect(state.getByRole('status')).toHaveTextContent(order.sentence)
  expect(state.getByText(/2 days 2 hours left/)).toBeVisible()
  const money = within(screen.getByRole('region', { name: 'Money' }))
  expect(money.getByRole('row', { name: 'Total $120.00' })).toBeVisible()
  expect(money.queryByRole('button', { name: 'Download invoice' })).toBeNull()
  const story = within(screen.getByRole('region', { name: 'What happened' }))
  // Deadlines are in the yard's time zone, so these name theirs too.
  expect(story.getAllByText(/\d (AM|PM) \S+$/)).not.toEqual([])
  expect(screen.getByRole('link', { name: '2012 Toyota Camry Starter' })).toHaveAttribute(
    'href',
    '/parts/starter-1',
  )
})

test('back from the payment page, it is checked until the server has heard of it', async () => {
  const order = makeBuyerOrder({ state: 'pending', actions: ['pay', 'cancel'], sentence: 'Pay $120.00.' })
  keepToken(order.id)
  const { server } = await openApp(`/orders?order=${order.id}&paid=1`, {
    kept: true,
    server: { readOrder: order },
  })
  expect(await screen.findByText('Checking your payment…')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Pay $120.00' })).toBeNull()
  server.answer({ readOrder: makeBuyerOrder({ id: order.id }) })
  expect(await screen.findByText('Waiting for the yard')).toBeVisible()
  expect(screen.queryByText('Checking your payment…')).toBeNull()
})

test('leaving the payment page cancels an unpaid order, and never a paid one', async () => {
  const order = makeBuyerOrder({ state: 'pending', actions: ['pay', 'cancel'] })
  keepToken(order.id)
  const canceled = makeBuyerOrder({
    id: order.id,
    state: 'canceled',
    actions: [],
    deadline: null,
    sentence: 'This order was canceled, and you pay nothing.',
  })
  const { server } = await openApp(`/orders?order=${order.id}&left=1`, {
    kept: true,
    server: { readOrder: order, cancelOrder: canceled },
  })
  expect(await screen.findByText('You left the payment page')).toBeVisible()
  expect(server.asked('cancelOrder').map(({ body }) => body)).toEqual([
    { token: 'a-token', reason: 'left the payment page' },
  ])
  expect(screen.getByRole('link', { name: 'Back to the part' })).toHaveAttribute('href', '/parts/starter-1')

  const paid = await openApp(`/orders?order=${order.id}&left=1`, {
    kept: true,
    server: { readOrder: makeBuyerOrder({ id: order.id }) },
  })
  expect(await screen.findByText('Waiting for the yard')).toBeVisible()
  expect(paid.server.asked('cancelOrder')).toEqual([])
})

test('an expired order says that the time is over and leads to the part', async () => {
  await openApp('/orders#a-token', {
    server: {
      readOrder: makeBuyerOrder({
        state: 'expired',
        actions: [],
        deadline: null,
        sentence: 'Nothing was charged.',
      }),
    },
  })
  expect(await screen.findByText('The time to pay is over')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Back to the part' })).toBeVisible()
  expect(screen.queryByRole('region', { name: 'What you can do' })).toBeNull()
})

test('paying again shows a changed price before it opens the payment page', async () => {
  const order = makeBuyerOrder({ state: 'pending', actions: ['pay'] })
  const left: string[] = []
  const spy = vi.spyOn(window.location, 'assign').mockImplementation((url) => void left.push(String(url)))
  onTestFinished(() => spy.mockRestore())
  const quote = {
    needsQuote: false,
    lines: [{ kind: 'part', amount: 130 }],
    total: 130,
    delivery: ['ship'],
    shipsBy: '2026-12-07T22:00:00.000Z',
    terms: [],
    taxAdded: false,
  }
  const { user, server } = await openApp('/orders#a-token', {
    server: {
      readOrder: order,
      payOrder: () =>
        Response.json({ ok: false, error: 'Changed', code: 'PRICE_CHANGED', quote }, { status: 409 }),
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Pay $120.00' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('The total is now $130.00.')
  server.answer({ payOrder: { ...order, url: 'https://pay.example/again' } })
  await user.click(screen.getByRole('button', { name: 'Pay $130.00' }))
  await waitFor(() => expect(left).toEqual(['https://pay.example/again']))
  expect(server.asked('payOrder').map(({ body }) => body)).toEqual([
    { token: 'a-token', expectedTotal: 120 },
    { token: 'a-token', expectedTotal: 130 },
  ])
  expect(JSON.parse(localStorage.getItem('orders') ?? '')).toEqual({ [order.id]: 'a-token' })
})

test('canceling takes a reason and a second press; a refusal is shown', async () => {
  const order = makeBuyerOrder()
  const { user, server } = await openApp('/orders#a-token', {
    server: {
      readOrder: order,
      cancelOrder: refuse(409, 'STATE', 'The yard just confirmed your order.'),
    },
  })
  await user.click(await screen.findByText('Cancel this order'))
  await user.type(screen.getByLabelText('Reason (optional)'), 'Found one nearby')
  await user.click(screen.getByRole('button', { name: 'Cancel order' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('The yard just confirmed your order.')
  server.answer({ cancelOrder: makeBuyerOrder({ id: order.id, state: 'canceled', actions: [] }) })
  await user.click(screen.getByRole('button', { name: 'Cancel order' }))
  expect(await screen.findByText('Canceled')).toBeVisible()
  expect(server.asked('cancelOrder').at(-1)?.body).toEqual({ token: 'a-token', reason: 'Found one nearby' })
})

test('it arrived, a delay is answered, and a new pickup code is made', async () => {
  const order = makeBuyerOrder({ state: 'shipped', actions: ['received'] })
  const { user, server } = await openApp('/orders#a-token', {
    server: {
      readOrder: order,
      receiveOrder: makeBuyerOrder({ id: order.id, state: 'delivered', actions: [] }),
    },
  })
  await user.click(await screen.findByRole('button', { name: 'It arrived' }))
  expect(await screen.findByText('Delivered')).toBeVisible()
  // The pressed button is gone.
  await waitFor(() => expect(screen.getByRole('region', { name: 'What happens next' })).toHaveFocus())

  const late = makeBuyerOrder({ state: 'confirmed', actions: ['delay'] })
  const delayed = await openApp('/orders#a-token', {
    server: { readOrder: late, answerDelay: makeBuyerOrder({ state: 'refunded', actions: [] }) },
  })
  await delayed.user.click(await screen.findByRole('button', { name: 'Cancel and get my money back' }))
  expect(await screen.findByText('Refunded')).toBeVisible()
  expect(delayed.server.asked('answerDelay').at(-1)?.body).toEqual({ token: 'a-token', answer: 'cancel' })
  expect(server.asked('receiveOrder')).toHaveLength(1)

  const ready = makeBuyerOrder({
    state: 'ready',
    delivery: 'pickup',
    pickupCode: '123456',
    actions: ['new-code'],
    yard: {
      name: 'Green Country',
      slug: null,
      phone: '(918) 555-0134',
      pickup: { address: '1 Yard Rd, Tulsa, OK', hours: ['Mon–Fri 8 AM–5 PM'] },
    },
  })
  const pickup = await openApp('/orders#a-token', {
    server: { readOrder: ready, replacePickupCode: { ...ready, pickupCode: '654321' } },
  })
  expect(await screen.findByText('123 456')).toBeVisible()
  expect(screen.queryByText(/address appears here/)).toBeNull()
  await pickup.user.click(screen.getByRole('button', { name: 'Get a new pickup code' }))
  expect(await screen.findByText('654 321')).toBeVisible()
})

test('before it is confirmed, a pickup says where its address will be', async () => {
  const yard = { name: 'Green Country', slug: null, phone: null, pickup: null }
  await openApp('/orders#a-token', {
    server: { readOrder: makeBuyerOrder({ delivery: 'pickup', address: null, yard }) },
  })
  expect(await screen.findByRole('region', { name: 'Pickup' })).toHaveTextContent(
    /You pick it up at Green Country\. The address appears here once your order is confirmed/,
  )
})

test('refunds are shown with their states, and the invoice is downloaded', async () => {
  const refund = {
    id: '00000000-0000-4000-8000-00000000abcd',
    at: '2026-12-01T10:00:00.000Z',
    amount: 20,
    lines: [],
    reason: 'Bracket missing.',
  }
  const { user } = await openApp('/orders#a-token', {
    server: {
      readOrder: makeBuyerOrder({
        state: 'confirmed',
        money: { captured: 120, refunded: 20 },
        refunds: [{ ...refund, state: 'pending' }],
      }),
      readInvoice: () => new Response('a pdf', { headers: { 'content-type': 'application/pdf' } }),
    },
  })
  const refunds = await screen.findByRole('list', { name: 'Refunds' })
  expect(refunds).toHaveTextContent('Refund of $20.00: on its way. Your bank may need 5 to 10 days.')
  expect(screen.getByText(/Back to you: \$20\.00/)).toBeVisible()
  const download = nextDownload()
  await user.click(screen.getByRole('button', { name: 'Download invoice' }))
  expect(await download).toEqual({ name: 'invoice-PH-100234.pdf', text: 'a pdf' })
})

test('without a link, the links are sent again; a stranger’s order is disowned', async () => {
  const { user, server } = await openApp('/orders', { server: { mailOrderLinks: { ok: true } } })
  await user.type(await screen.findByLabelText('Email'), 'maria@buyer.example{Enter}')
  expect(await screen.findByText(/the links are on their way/)).toBeVisible()
  expect(server.asked('mailOrderLinks').at(-1)?.body).toEqual({ email: 'maria@buyer.example' })

  const order = makeBuyerOrder()
  keepToken(order.id)
  const strange = await openApp('/orders#a-token', {
    kept: true,
    server: { readOrder: order, disownOrder: { ok: true } },
  })
  await strange.user.click(await screen.findByText('This wasn’t me'))
  await strange.user.click(screen.getByRole('button', { name: 'I didn’t buy this' }))
  expect(await screen.findByRole('heading', { name: 'Thank you' })).toBeVisible()
  expect(localStorage.getItem('orders')).toBe('{}')

  await openApp('/orders#a-token', { server: { readOrder: refuse(410, 'LINK_EXPIRED', 'Gone') } })
  expect(await screen.findByRole('alert')).toHaveTextContent('This link no longer works.')
})

test('a signed-in buyer has all orders in the account', async () => {
  const order = makeBuyerOrder()
  const { user, server } = await openApp('/account', {
    as: makeUser(),
    server: { listOrders: { items: [order], total: 1, page: 1, perPage: 24 }, readOrder: order },
  })
  const orders = within(await screen.findByRole('list', { name: 'Orders' }))
  expect(orders.getByText('Waiting for the yard')).toBeVisible()
  await user.click(orders.getByRole('link', { name: '2012 Toyota Camry Starter' }))
  await waitFor(() => expect(address()).toBe(`/account/orders/${order.id}`))
  expect(await screen.findByRole('heading', { name: 'Order PH-100234' })).toBeVisible()
  expect(server.asked('readOrder').at(-1)?.body).toEqual({ id: order.id })
  expect(screen.queryByText('This wasn’t me')).toBeNull()
})

test('the account has the buyer’s messages and offers, which open as from their emails', async () => {
  const last = {
    kind: 'offer',
    from: 'seller',
    price: 80,
    currency: 'USD',
    createdAt: '2026-03-01T12:00:00.000Z',
  } as const
  const one = {
    id: newId(),
    sellerName: 'Green Country',
    title: '2012 Toyota Camry Starter',
    last,
    payable: false,
  }
  const agreed = {
    ...one,
    id: newId(),
    title: 'Hood',
    payable: true,
    last: { ...last, kind: 'accept' as const },
  }
  const { user, server } = await openApp('/account', {
    as: makeUser(),
    server: {
      listConversations: { items: [one, agreed] },
      openConversation: { token: 'a-token-of-a-talk' },
      readConversation: refuse(410, 'LINK_EXPIRED', 'Gone'),
    },
  })
  const list = within(await screen.findByRole('list', { name: 'Messages and offers' }))
  expect(list.getByText(/^Green Country · Green Country offered \$80\.00 · /)).toBeVisible()
  expect(list.getByText(/^Green Country · Agreed: \$80\.00, pay to get it · /)).toBeVisible()
  await user.click(list.getByRole('button', { name: /Starter/ }))
  await waitFor(() => expect(address()).toBe('/messages'))
  expect(server.asked('openConversation')[0]?.params).toEqual({ id: one.id })
  await waitFor(() =>
    expect(server.asked('readConversation').at(-1)?.body).toEqual({ token: 'a-token-of-a-talk' }),
  )
})
