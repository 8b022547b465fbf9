import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import type { SellerOrder } from '#contract/order/order-views.ts'
import { address, nextDownload, openApp } from './support/app.tsx'
import { makeUser, newId, refuse } from './support/fake-server.ts'
import { asConfirmed, makeOrder, makePart } from './support/orders.ts'

const orders = '/dashboard/seller/orders'

const pageOf = (items: SellerOrder[], counts = { todo: items.length, open: items.length }) => ({
  items,
  total: items.length,
  page: 1,
  perPage: 24,
  counts,
})

const rowOf = async (name: string) =>
  within((await screen.findByRole('link', { name })).closest('li') as HTMLElement)

test('the list says what to do until when; a part that is found is confirmed, with the buyer’s VIN', async () => {
  vi.setSystemTime('2026-03-01T12:00:00.000Z')
  const vin = '4T1BF1FK5CU123456'
  const found = makeOrder({ vin })
  const { user, server } = await openApp(orders, {
    as: makeUser(),
    server: {
      listSellerOrders: () => pageOf([found]),
      confirmOrder: () => asConfirmed({ id: found.id, state: 'capturing' }),
    },
  })
  const row = await rowOf('2012 Toyota Camry Starter')
  expect(row.getByText('Find the part')).toBeVisible()
  expect(row.getByText('Tue 3 PM Central')).toBeVisible()
  expect(row.getByText(/Ruth, Tulsa OK/)).toBeVisible()
  expect(row.getByText('Row 4, bin 12 · Stock # A-117')).toBeVisible()
  expect(row.getByText('$115.00')).toBeVisible()
  expect(server.asked('listSellerOrders')[0]?.query.show).toBe('todo')

  await user.click(row.getByRole('button', { name: 'Found it, order PH-100234' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Found it?' }))
  expect(dialog.getByText(/This takes \$115\.00 from Ruth/)).toBeVisible()
  await user.click(dialog.getByRole('checkbox', { name: new RegExp(vin) }))
  await user.click(dialog.getByRole('button', { name: 'Confirm part' }))
  await screen.findByText('Part confirmed')
  expect(server.asked('confirmOrder').at(-1)).toMatchObject({
    params: { id: found.id },
    body: { fitsVin: true },
  })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  vi.useRealTimers()
})

test('a part that is not there ends its order with a reason, which the server may ask for', async () => {
  const order = makeOrder()
  const { user, server } = await openApp(orders, {
    as: makeUser(),
    server: {
      listSellerOrders: () => pageOf([order]),
      missOrder: refuse(422, 'VALIDATION_FAILED', 'Reason is required', {
        fields: { reason: 'Reason is required' },
      }),
    },
  })
  const row = await rowOf('2012 Toyota Camry Starter')
  await user.click(row.getByRole('button', { name: 'Not found, order PH-100234' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Part not found?' }))
  expect(dialog.getByText('Ruth pays nothing, and the listing ends.')).toBeVisible()
  await user.clear(dialog.getByLabelText('Reason'))
  await user.click(dialog.getByRole('button', { name: 'Not found' }))
  expect(await dialog.findByText('Reason is required')).toBeVisible()
  await user.selectOptions(dialog.getByLabelText('Common reasons'), 'Damaged')
  server.answer({ missOrder: makeOrder({ id: order.id, state: 'not-found', actions: ['restock'] }) })
  await user.click(dialog.getByRole('button', { name: 'Not found' }))
  await screen.findByText('Order ended')
  expect(server.asked('missOrder').at(-1)?.body).toEqual({ reason: 'Damaged' })
})

test('keys move through the list and confirm, miss and ship', async () => {
  const [first, second] = [
    makeOrder(),
    asConfirmed({ number: 'PH-100235', parts: [makePart({ title: '2014 Ford F-150 Hood' })] }),
  ]
  const { user, server } = await openApp(orders, {
    as: makeUser(),
    server: {
      listSellerOrders: () => pageOf([first, second]),
      shipOrder: () => asConfirmed({ id: second.id }),
    },
  })
  await screen.findByRole('link', { name: '2012 Toyota Camry Starter' })
  await user.keyboard('j')
  expect(screen.getByRole('link', { name: '2012 Toyota Camry Starter' })).toHaveFocus()
  await user.keyboard('s')
  expect(await screen.findByText('Order PH-100234 does not need that now.')).toBeVisible()
  await user.keyboard('n')
  await user.click(
    within(await screen.findByRole('dialog', { name: 'Part not found?' })).getByRole('button', {
      name: 'Cancel',
    }),
  )
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  screen.getByRole('link', { name: '2012 Toyota Camry Starter' }).focus()
  await user.keyboard('j')
  expect(screen.getByRole('link', { name: '2014 Ford F-150 Hood' })).toHaveFocus()
  await user.keyboard('s')
  const dialog = within(await screen.findByRole('dialog', { name: 'Ship the part' }))
  expect(dialog.getByText('12 Elm St')).toBeVisible()
  await user.selectOptions(dialog.getByLabelText('Carrier'), 'FedEx')
  await user.type(dialog.getByLabelText(/^Tracking number/), '7712 34cn{Enter}')
  await screen.findByText('Order shipped')
  expect(server.asked('shipOrder').at(-1)?.body).toEqual({ carrier: 'fedex', tracking: '7712 34cn' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.keyboard('?')
  expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
})

test('freight is quoted, a pickup made ready and handed over by its code', async () => {
  const freight = makeOrder({
    state: 'quoting',
    total: null,
    lines: [{ kind: 'part', amount: 900 }],
    actions: ['quote'],
  })
  const fetched = asConfirmed({
    number: 'PH-100236',
    delivery: 'pickup',
    actions: ['ready', 'refund'],
    parts: [makePart({ title: 'Door' })],
  })
  const ready = asConfirmed({
    number: 'PH-100237',
    state: 'ready',
    delivery: 'pickup',
    actions: ['hand-over', 'refund'],
    parts: [makePart({ title: 'Mirror' })],
  })
  const { user, server } = await openApp(`${orders}?show=open`, {
    as: makeUser(),
    server: {
      listSellerOrders: () => pageOf([freight, fetched, ready]),
      quoteOrder: () => makeOrder({ id: freight.id }),
      readyOrder: () => asConfirmed({ id: fetched.id, state: 'ready' }),
      handOverOrder: refuse(422, 'VALIDATION_FAILED', 'That is not the code', {
        fields: { code: 'That is not the code. 4 tries are left.' },
      }),
    },
  })
  const quoting = await rowOf('2012 Toyota Camry Starter')
  expect(quoting.getByText('Name the shipping price')).toBeVisible()
  await user.click(quoting.getByRole('button', { name: 'Name price, order PH-100234' }))
  const price = within(await screen.findByRole('dialog', { name: 'Name the shipping price' }))
  await user.type(price.getByLabelText('Shipping'), '180.50')
  await user.clear(price.getByLabelText('Days to ship'))
  await user.type(price.getByLabelText('Days to ship'), '7')
  await user.click(price.getByRole('button', { name: 'Send price' }))
  await screen.findByText('Price sent')
  expect(server.asked('quoteOrder').at(-1)?.body).toEqual({ shipping: 180.5, days: 7 })

  await user.click((await rowOf('Door')).getByRole('button', { name: /^Ready for pickup/ }))
  await screen.findByText('Ready for pickup', { selector: '[role=status] *' })
  expect(server.asked('readyOrder')).toHaveLength(1)

  await user.click((await rowOf('Mirror')).getByRole('button', { name: /^Hand over/ }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Hand over the part' }))
  await user.type(dialog.getByLabelText('Pickup code'), '123 456{Enter}')
  expect(await dialog.findByText('That is not the code. 4 tries are left.')).toBeVisible()
  server.answer({ handOverOrder: asConfirmed({ id: ready.id, state: 'delivered', actions: ['refund'] }) })
  await user.click(dialog.getByRole('button', { name: 'Hand over' }))
  await screen.findByText('Part handed over')
  expect(server.asked('handOverOrder').at(-1)?.body).toEqual({ code: '123 456' })
})

test('one order: sentence, parts as sold, buyer, money, slip; a line is refunded', async () => {
  const order = asConfirmed({
    cancelAsked: 'Bought the wrong one',
    refunds: [
      {
        id: newId(),
        at: '2026-03-02T10:00:00.000Z',
        amount: 5,
        lines: [{ kind: 'shipping', amount: 5 }],
        state: 'succeeded',
        reason: 'Smaller box',
      },
    ],
    money: { gross: 115, royalty: 9.5, fee: 3.64, refunded: 5, transferred: 0 },
    payout: {
      share: 100.5,
      releaseAt: null,
      sentence: 'We release your share 14 days after delivery.',
      path: [
        { step: 'paid', label: 'Paid by the buyer', amount: 115, state: 'done', text: '' },
        { step: 'royalty', label: 'Royalty', amount: -9.5, state: 'done', text: '' },
        { step: 'fee', label: 'Card fee', amount: 0, state: 'done', text: '$3.64, paid by us' },
      ],
    },
  })
  const { user, server } = await openApp(`${orders}/${order.id}`, {
    as: makeUser(),
    server: {
      readSellerOrder: () => order,
      refundOrder: () => order,
      readPackingSlip: () => new Response('%PDF', { headers: { 'content-type': 'application/pdf' } }),
    },
  })
  expect(await screen.findByRole('heading', { level: 1, name: 'Order PH-100234' })).toBeVisible()
  expect(screen.getByText('Paid: $115.00. Ship the part by Thu, Mar 5.')).toBeVisible()
  expect(screen.getByText('“Bought the wrong one”')).toBeVisible()
  const sold = within(screen.getByRole('region', { name: 'Part as sold' }))
  expect(sold.getByText(/^Used · Grade B · Part # 28100-0H010/)).toBeVisible()
  const buyer = within(screen.getByRole('region', { name: 'Ruth Amador' }))
  expect(buyer.getByText('12 Elm St')).toBeVisible()
  expect(buyer.getByRole('link', { name: '(918) 555-0177' })).toHaveAttribute('href', 'tel:9185550177')
  const money = within(screen.getByRole('region', { name: 'Money' }))
  expect(money.getByText('We release your share 14 days after delivery.')).toBeVisible()
  expect(money.getByText('$3.64, paid by us')).toBeVisible()
  expect(money.getByText('−$9.50')).toBeVisible()

  const download = nextDownload()
  await user.click(screen.getByRole('button', { name: 'Packing slip' }))
  expect(await download).toEqual({ name: 'packing-slip-PH-100234.pdf', text: '%PDF' })

  await user.click(screen.getByRole('button', { name: 'Refund, order PH-100234' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Refund order PH-100234' }))
  expect(dialog.getByLabelText('Part, dollars to refund')).toHaveValue('95')
  expect(dialog.getByLabelText('Shipping, dollars to refund')).toHaveValue('15')
  await user.click(dialog.getByRole('checkbox', { name: 'Shipping' }))
  await user.clear(dialog.getByLabelText('Part, dollars to refund'))
  await user.type(dialog.getByLabelText('Part, dollars to refund'), '20.25')
  await user.clear(dialog.getByLabelText('Reason'))
  await user.type(dialog.getByLabelText('Reason'), 'A scratch we did not show')
  await user.click(dialog.getByRole('button', { name: 'Refund $20.25' }))
  await screen.findByText('Refund started')
  expect(server.asked('refundOrder').at(-1)?.body).toEqual({
    lines: [{ kind: 'part', amount: 20.25 }],
    reason: 'A scratch we did not show',
  })
})

test('nothing is refunded without a line, or with more than was paid', async () => {
  const order = asConfirmed()
  const { user, server } = await openApp(`${orders}/${order.id}`, {
    as: makeUser(),
    server: { readSellerOrder: () => order },
  })
  await user.click(await screen.findByRole('button', { name: 'Refund, order PH-100234' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.clear(dialog.getByLabelText('Part, dollars to refund'))
  await user.type(dialog.getByLabelText('Part, dollars to refund'), '95.01')
  await user.click(dialog.getByRole('button', { name: /^Refund/ }))
  expect(dialog.getByText('Enter each amount')).toBeVisible()
  await user.click(dialog.getByRole('checkbox', { name: 'Part' }))
  await user.click(dialog.getByRole('checkbox', { name: 'Shipping' }))
  await user.click(dialog.getByRole('button', { name: /^Refund/ }))
  expect(dialog.getByText('Choose what to refund')).toBeVisible()
  expect(server.asked('refundOrder')).toHaveLength(0)
})

test('before it is confirmed, an order shows no street and has no slip', async () => {
  const order = makeOrder()
  await openApp(`${orders}/${order.id}`, { as: makeUser(), server: { readSellerOrder: order } })
  expect(await screen.findByText('Street, phone and email appear once the order is confirmed.')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Packing slip' })).toBeNull()
  expect(screen.getByText('Nothing taken yet')).toBeVisible()
})

test('after a refund, the yard says where the part is; one that turned up is on sale again', async () => {
  const order = asConfirmed({ state: 'refunded', actions: ['restock'] })
  const { user, server } = await openApp(`${orders}/${order.id}`, {
    as: makeUser(),
    server: {
      readSellerOrder: order,
      restockOrder: () => asConfirmed({ id: order.id, state: 'refunded', actions: [] }),
    },
  })
  expect(await screen.findByText('Is the part back on the shelf, or scrapped?')).toBeVisible()
  await user.click(screen.getByRole('button', { name: /^Scrapped/ }))
  await screen.findByText('Part scrapped')
  expect(server.asked('restockOrder').at(-1)?.body).toEqual({ answer: 'scrap' })

  const missed = makeOrder({ state: 'not-found', actions: ['restock'] })
  const again = await openApp(`${orders}/${missed.id}`, {
    as: makeUser(),
    server: { readSellerOrder: missed, restockOrder: missed },
  })
  await again.user.click(await screen.findByRole('button', { name: /^It turned up/ }))
  await screen.findByText('Back on sale')
  expect(screen.queryByRole('button', { name: /^Scrapped/ })).toBeNull()
  expect(again.server.asked('restockOrder').at(-1)?.body).toEqual({ answer: 'sell' })
})

test('somebody else’s order is missing, and a step that came too late says why', async () => {
  const { user, server } = await openApp(`${orders}/${newId()}`, {
    as: makeUser(),
    server: {
      readSellerOrder: refuse(404, 'NOT_FOUND', 'There is no such order'),
      listSellerOrders: () => pageOf([makeOrder()]),
      confirmOrder: refuse(409, 'STATE', 'This order was canceled meanwhile.'),
    },
  })
  await user.click(await screen.findByRole('link', { name: 'See all orders' }))
  expect(address()).toBe(`${orders}?show=all`)
  const row = await rowOf('2012 Toyota Camry Starter')
  const before = server.asked('listSellerOrders').length
  await user.click(row.getByRole('button', { name: /^Found it/ }))
  await user.click(await screen.findByRole('button', { name: 'Confirm part' }))
  expect(await screen.findByText('This order was canceled meanwhile.')).toBeVisible()
  await waitFor(() => expect(server.asked('listSellerOrders').length).toBeGreaterThan(before))
})

test('the pull list is sorted by shelf, with what is still to find', async () => {
  const at = (shelf: string | null, title: string, changes: Partial<SellerOrder> = {}) =>
    makeOrder({ shelf, number: `PH-${title}`, parts: [makePart({ title })], ...changes })
  await openApp(`${orders}/pull-list`, {
    as: makeUser(),
    server: {
      listSellerOrders: pageOf([
        at('Row 10', 'Hood'),
        at(null, 'Seat', { parts: [makePart({ title: 'Seat', stockNumber: null })] }),
        at('Row 9', 'Door'),
        asConfirmed({ number: 'PH-Done' }),
      ]),
    },
  })
  await screen.findByText('Hood')
  const rows = screen.getAllByRole('row').slice(1)
  expect(rows.map((row) => within(row).getByRole('link').textContent)).toEqual([
    'PH-Door',
    'PH-Hood',
    'PH-Seat',
  ])
  expect(within(rows[0] as HTMLElement).getByText(/Stock # A-117/)).toBeVisible()
})

test('without orders, the page leads to selling online if it is off', async () => {
  const { user, server } = await openApp(`${orders}?show=all`, {
    as: makeUser(),
    server: {
      listSellerOrders: pageOf([]),
      readSelling: {
        available: true,
        enabled: false,
        mode: 'confirm',
        days: 2,
        combinedShipping: 'each',
        problem: null,
        royaltyPercent: 10,
        royaltyFloor: 1,
        acceptedAt: null,
      },
    },
  })
  expect(await screen.findByRole('link', { name: 'Start selling online' })).toHaveAttribute(
    'href',
    '/dashboard/seller/account-settings#selling',
  )
  await user.type(screen.getByLabelText('Search orders'), 'radiator{Enter}')
  expect(await screen.findByText('No orders match this search.')).toBeVisible()
  expect(server.asked('listSellerOrders').at(-1)?.query).toMatchObject({ q: 'radiator', show: 'all' })
  await user.clear(screen.getByLabelText('Search orders'))
  await user.click(screen.getByRole('link', { name: /^To do/ }))
  expect(await screen.findByRole('heading', { name: 'Nothing to do' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Start selling online' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'See all orders' })).toBeVisible()
})

test('the seller’s menu has orders where parts are bought, with what is to do', async () => {
  const site = { listSellerOrders: pageOf([], { todo: 3, open: 5 }) }
  await openApp(orders, { as: makeUser(), server: site })
  const menu = within(await screen.findByRole('navigation', { name: 'Seller' }))
  expect(await menu.findByRole('link', { name: 'Orders 3 to do' })).toHaveAttribute('href', orders)
})

const threeParts = (changes: Partial<SellerOrder> = {}) =>
  makeOrder({
    parts: ['Starter', 'Hood', 'Door'].map((title) => makePart({ title })),
    ifMissing: 'send',
    total: 345,
    ...changes,
  })

test('of several parts, those that are found are confirmed, and the others are missing', async () => {
  const order = threeParts()
  const { user, server } = await openApp(orders, {
    as: makeUser(),
    server: { listSellerOrders: () => pageOf([order]), confirmOrder: () => asConfirmed({ id: order.id }) },
  })
  const row = await rowOf('Starter and 2 more')
  expect(row.getByText('Find the parts')).toBeVisible()
  await user.click(row.getByRole('button', { name: 'Found it, order PH-100234' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Found them?' }))
  expect(dialog.getByText(/This takes \$345\.00 from Ruth/)).toBeVisible()
  await user.click(dialog.getByRole('checkbox', { name: 'Door' }))
  expect(dialog.getByRole('group', { name: '2 of 3 found' })).toBeVisible()
  expect(dialog.getByText(/Ruth takes what you found/)).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Confirm 2 of 3' }))
  await screen.findByText('Parts confirmed')
  expect(server.asked('confirmOrder').at(-1)?.body).toEqual({
    fitsVin: false,
    lines: order.parts.slice(0, 2).map(({ id }) => id),
  })
})

test('all or nothing: a missing part ends the order; without any, the yard is sent to “Not found”', async () => {
  const order = threeParts({ ifMissing: 'cancel' })
  const { user, server } = await openApp(orders, {
    as: makeUser(),
    server: {
      listSellerOrders: () => pageOf([order]),
      confirmOrder: () => threeParts({ id: order.id, state: 'not-found', actions: ['restock'] }),
    },
  })
  const row = await rowOf('Starter and 2 more')
  await user.click(row.getByRole('button', { name: 'Found it, order PH-100234' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Found them?' }))
  for (const name of ['Starter', 'Hood', 'Door']) await user.click(dialog.getByRole('checkbox', { name }))
  await user.click(dialog.getByRole('button', { name: 'End order' }))
  expect(dialog.getByRole('alert')).toHaveTextContent('choose “Not found”')
  await user.click(dialog.getByRole('checkbox', { name: 'Hood' }))
  expect(dialog.getByText(/wants all or nothing/)).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'End order' }))
  await screen.findByText('Order ended')
  expect(server.asked('confirmOrder')).toHaveLength(1)
})

test('an instant yard says what is missing of a paid order', async () => {
  const order = threeParts({ state: 'confirmed', mode: 'instant', actions: ['not-found', 'ship', 'refund'] })
  const { user, server } = await openApp(orders, {
    as: makeUser(),
    server: { listSellerOrders: () => pageOf([order]), missOrder: () => order },
  })
  const row = await rowOf('Starter and 2 more')
  await user.click(row.getByRole('button', { name: 'Not found, order PH-100234' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Parts not found?' }))
  await user.click(dialog.getByRole('button', { name: 'Not found' }))
  expect(dialog.getByRole('alert')).toHaveTextContent('Choose what is missing')
  await user.click(dialog.getByRole('checkbox', { name: 'Hood' }))
  expect(dialog.getByText(/Ruth gets the money for what is missing back/)).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Not found' }))
  await screen.findByText('Refund started')
  expect(server.asked('missOrder').at(-1)?.body).toMatchObject({ lines: [order.parts[1]?.id] })
})

test('a refund gives sales tax back with what it was paid for, and nobody chooses it', async () => {
  const order = asConfirmed({
    lines: [
      { kind: 'part', amount: 100 },
      { kind: 'shipping', amount: 15 },
      { kind: 'tax', amount: 9.2 },
    ],
    actions: ['refund'],
  })
  const { user, server } = await openApp(`${orders}/${order.id}`, {
    as: makeUser(),
    server: { readSellerOrder: order, refundOrder: order },
  })
  await user.click(await screen.findByRole('button', { name: 'Refund, order PH-100234' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Refund order PH-100234' }))
  expect(dialog.queryByRole('checkbox', { name: 'Sales tax' })).toBeNull()
  expect(dialog.getByRole('button', { name: 'Refund $124.20' })).toBeVisible()
  await user.click(dialog.getByRole('checkbox', { name: 'Shipping' }))
  await user.clear(dialog.getByLabelText('Part, dollars to refund'))
  await user.type(dialog.getByLabelText('Part, dollars to refund'), '25')
  expect(dialog.getByText('$2.00 of the sales tax goes back with it.')).toBeVisible()
  await user.type(dialog.getByLabelText('Reason'), 'A scratch')
  await user.click(dialog.getByRole('button', { name: 'Refund $27.00' }))
  await screen.findByText('Refund started')
  expect(server.asked('refundOrder')[0]?.body).toMatchObject({ lines: [{ kind: 'part', amount: 25 }] })
})

test('after a dialog, the keyboard goes on where it was, or at the next order if that one is gone', async () => {
  const [first, second] = [
    makeOrder(),
    makeOrder({ number: 'PH-100235', parts: [makePart({ title: 'Hood' })] }),
  ]
  let items = [first, second]
  const { user } = await openApp(orders, {
    as: makeUser(),
    server: {
      listSellerOrders: () => pageOf(items),
      missOrder: () => {
        items = [second]
        return makeOrder({ id: first.id, state: 'not-found', actions: ['restock'] })
      },
    },
  })
  const row = await rowOf('2012 Toyota Camry Starter')
  const missing = row.getByRole('button', { name: 'Not found, order PH-100234' })
  await user.click(missing)
  await screen.findByRole('dialog', { name: 'Part not found?' })
  await user.keyboard('{Escape}')
  await waitFor(() => expect(missing).toHaveFocus())

  await user.keyboard('{Enter}')
  const dialog = within(await screen.findByRole('dialog', { name: 'Part not found?' }))
  await user.click(dialog.getByRole('button', { name: 'Not found' }))
  await waitFor(() => expect(screen.queryByRole('link', { name: '2012 Toyota Camry Starter' })).toBeNull())
  await waitFor(() => expect(screen.getByRole('link', { name: 'Hood' })).toHaveFocus())
})

test('on the page of an order, the keyboard goes on at what happens next', async () => {
  const order = makeOrder()
  const { user } = await openApp(`${orders}/${order.id}`, {
    as: makeUser(),
    server: {
      readSellerOrder: order,
      confirmOrder: asConfirmed({ id: order.id, state: 'capturing', actions: [] }),
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Found it, order PH-100234' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Found it?' }))
  await user.click(dialog.getByRole('button', { name: 'Confirm part' }))
  await waitFor(() => expect(document.activeElement).toHaveAttribute('id', 'next'))
})
