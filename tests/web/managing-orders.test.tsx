import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import type { AdminOrder } from '#contract/order/order-views.ts'
import type { OpenApp } from './support/app.tsx'
import { address, openApp } from './support/app.tsx'
import { admin, everyPage, type Handlers, newId, refuse } from './support/fake-server.ts'
import { asAdmin, asConfirmed, makeOrder, makePart } from './support/orders.ts'

const orders = '/dashboard/admin/orders'

const siteWith = (orders: boolean): Handlers => ({
  site: { ...(everyPage(undefined).site as object), orders } as NonNullable<Handlers['site']>,
})

const pageOf = (items: AdminOrder[], attention = 0) => ({
  items,
  total: items.length,
  page: 1,
  perPage: 24,
  counts: { attention },
})

const openOrders = (path: string, server: Handlers): Promise<OpenApp> =>
  openApp(path, { as: admin(), server: { ...siteWith(true), listAllOrders: pageOf([]), ...server } })

test('what needs attention comes first; the others are searched and filtered by state', async () => {
  const fine = asAdmin(asConfirmed())
  const stuck = asAdmin(
    makeOrder({ number: 'PH-100300', needsAttention: true, parts: [makePart({ title: 'Hood' })] }),
    {
      attention: 'A refund of $115.00 failed.',
    },
  )
  const { user, server } = await openOrders(orders, {
    listAllOrders: ({ query }) => (query.attention ? pageOf([stuck], 1) : pageOf([stuck, fine], 1)),
  })
  const first = within(await screen.findByRole('region', { name: 'Needs attention (1)' }))
  expect(first.getByText('A refund of $115.00 failed.')).toBeVisible()
  expect(first.getByRole('link', { name: 'PH-100300' })).toHaveAttribute('href', `${orders}/${stuck.id}`)
  expect(await screen.findByText('2 orders')).toBeVisible()
  expect(screen.getByText('ruth@buyer.example')).toBeVisible()
  const menu = within(screen.getByRole('navigation', { name: 'Admin menu' }))
  expect(menu.getByRole('link', { name: 'Manage Orders 1 to check' })).toBeVisible()

  await user.type(screen.getByLabelText('Search'), 'pi_1{Enter}')
  await user.selectOptions(screen.getByLabelText('State'), 'Confirmed')
  await waitFor(() =>
    expect(server.asked('listAllOrders').at(-1)?.query).toMatchObject({ q: 'pi_1', state: 'confirmed' }),
  )
  expect(screen.queryByRole('region', { name: 'Needs attention (1)' })).toBeNull()
  server.answer({ listAllOrders: pageOf([]) })
  await user.selectOptions(screen.getByLabelText('State'), 'Shipped')
  await user.click(await screen.findByRole('button', { name: 'Clear filters' }))
  expect(address()).toBe(orders)
})

test('an order is held with a reason and released; its ledger and ids are there', async () => {
  const order = asAdmin(asConfirmed())
  const held = { ...order, held: true, heldReason: 'Early fraud warning', actions: ['release' as const] }
  const { user, server } = await openOrders(`${orders}/${order.id}`, {
    readAnyOrder: order,
    readOrderLedger: {
      entries: [
        {
          account: 'provider',
          amount: 115,
          at: '2026-03-01T12:00:00.000Z',
          why: 'capture',
          provider: 'ch_1',
        },
        { account: 'held', amount: -105.5, at: '2026-03-01T12:00:00.000Z', why: 'capture', provider: 'ch_1' },
        {
          account: 'royalty',
          amount: -9.5,
          at: '2026-03-01T12:00:00.000Z',
          why: 'capture',
          provider: 'ch_1',
        },
      ],
      balances: { provider: 115, held: -105.5, royalty: -9.5 },
      balance: 0,
    },
    holdOrder: refuse(422, 'VALIDATION_FAILED', 'Reason is required', {
      fields: { reason: 'Reason is required' },
    }),
    releaseOrder: order,
  })
  expect(await screen.findByRole('heading', { level: 1, name: 'Order PH-100234' })).toBeVisible()
  const balances = within(await screen.findByRole('table', { name: 'Balances' }))
  expect(balances.getByRole('row', { name: /Held for the yard until it is released/ })).toHaveTextContent(
    '-$105.50',
  )
  expect(balances.getByRole('row', { name: /^Balance/ })).toHaveTextContent('$0.00')
  expect(screen.getByText('pi_1')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Edit listing' })).toHaveAttribute(
    'href',
    '/dashboard/admin/manage-products/auto-parts/starter-1/edit',
  )
  expect(screen.getByRole('link', { name: 'Whitfield Auto Salvage' })).toHaveAttribute(
    'href',
    '/dashboard/admin/users?q=Whitfield+Auto+Salvage',
  )

  await user.click(screen.getByRole('button', { name: 'Hold order' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Hold order PH-100234' }))
  await user.click(dialog.getByRole('button', { name: 'Hold order' }))
  expect(await dialog.findByText('Reason is required')).toBeVisible()
  server.answer({ holdOrder: held, readAnyOrder: held })
  await user.type(dialog.getByLabelText('Reason'), 'Early fraud warning')
  await user.click(dialog.getByRole('button', { name: 'Hold order' }))
  expect(await screen.findByText('Early fraud warning', { selector: '.mantine-Alert-message' })).toBeVisible()
  expect(server.asked('holdOrder').at(-1)?.body).toEqual({ reason: 'Early fraud warning' })

  server.answer({ readAnyOrder: order })
  await user.click(screen.getByRole('button', { name: 'Release order' }))
  await user.click(
    within(await screen.findByRole('dialog', { name: 'Release order PH-100234?' })).getByRole('button', {
      name: 'Release order',
    }),
  )
  await screen.findByText('Order released')
  expect(await screen.findByRole('button', { name: 'Hold order' })).toBeVisible()
})

test('a refund asks for the password if the sign-in is old', async () => {
  const order = asAdmin(asConfirmed())
  let isFresh = false
  const { user, server } = await openOrders(`${orders}/${order.id}`, {
    readAnyOrder: order,
    readOrderLedger: { entries: [], balances: {}, balance: 0 },
    reauth: () => {
      isFresh = true
      return { ok: true }
    },
    refundAnyOrder: () =>
      isFresh ? order : refuse(403, 'REAUTH_NEEDED', 'Please confirm your password to do this.'),
  })
  await screen.findByText('No entries: no money was taken.')
  await user.click(screen.getByRole('button', { name: 'Refund' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Refund order PH-100234' }))
  await user.type(dialog.getByLabelText('Reason'), 'The part was lost')
  await user.click(dialog.getByRole('button', { name: 'Refund $115.00' }))
  const asking = within(await screen.findByRole('dialog', { name: 'Confirm it’s you' }))
  await user.type(asking.getByLabelText('Password'), 'Sable-quay-and-lantern{Enter}')
  await screen.findByText('Refund started')
  expect(server.asked('refundAnyOrder')).toHaveLength(2)
  expect(server.asked('refundAnyOrder').at(-1)?.body).toEqual({
    lines: [
      { kind: 'part', amount: 95 },
      { kind: 'shipping', amount: 20 },
    ],
    reason: 'The part was lost',
  })
})

test('an order that does not exist, and a ledger that does not add up', async () => {
  await openOrders(`${orders}/${newId()}`, {
    readAnyOrder: refuse(404, 'NOT_FOUND', 'There is no such order'),
  })
  expect(await screen.findByRole('heading', { name: 'There is no such order' })).toBeVisible()
  const order = asAdmin(asConfirmed())
  await openOrders(`${orders}/${order.id}`, {
    readAnyOrder: order,
    readOrderLedger: {
      entries: [{ account: 'held', amount: -1, at: '2026-03-01T12:00:00.000Z', why: 'capture' }],
      balances: { held: -1 },
      balance: -1,
    },
  })
  expect(await screen.findByText(/do not add up to zero/)).toBeVisible()
})

test('where nothing can be bought, it is coming soon, also at its former address', async () => {
  await openApp('/dashboard/admin/manage-orders', { as: admin(), server: siteWith(false) })
  expect(await screen.findByRole('heading', { name: 'Coming soon' })).toBeVisible()
  expect(address()).toBe(orders)
  expect(within(screen.getByRole('navigation', { name: 'Admin menu' })).getByText('Soon')).toBeVisible()
})

test('the trial balance of a day has each account with its side', async () => {
  const readTrialBalance = {
    day: '2026-03-31',
    accounts: [
      {
        account: 'provider' as const,
        meaning: 'Money at the payment provider',
        debit: 143,
        credit: 4.45,
        balance: 138.55,
      },
      {
        account: 'held' as const,
        meaning: 'Held for the yard until it is released',
        debit: 0,
        credit: 138.55,
        balance: -138.55,
      },
    ],
    debit: 143,
    credit: 143,
  }
  const { user, server } = await openOrders(orders, { readTrialBalance })
  const day = await screen.findByLabelText('Trial balance until the end of')
  await user.clear(day)
  await user.type(day, '2026-03-31')
  await user.click(screen.getByRole('button', { name: 'Show' }))
  const table = within(await screen.findByRole('table', { name: 'Trial balance' }))
  expect(table.getByRole('row', { name: /^provider.* \$143\.00 \$4\.45 \$138\.55 debit$/ })).toBeVisible()
  expect(table.getByRole('row', { name: /^held.* \$0\.00 \$138\.55 \$138\.55 credit$/ })).toBeVisible()
  expect(server.asked('readTrialBalance')[0]?.query).toEqual({ day: '2026-03-31' })
})
