import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { gapNames, type ListingGap } from '#contract/listing/seller-check.ts'
import { address, openApp } from './support/app.tsx'
import { listOf, makeListing, makeUser, refuse } from './support/fake-server.ts'

const path = '/dashboard/seller/my-quick-listings'
const starter = makeListing({ partname: 'Starter', partprice: 40, mine: true })
const mirror = makeListing({ partname: 'Mirror', partprice: 60, mine: true, availability: 'in-cart' })
const order = { id: crypto.randomUUID(), number: 'PH-100001', state: 'pending' as const }
const figures = {
  [starter.id]: { views: 12, messages: 3, unanswered: 1, order: null },
  [mirror.id]: { views: 0, messages: 0, unanswered: 0, order },
}
const openList = async () => {
  const app = await openApp(path, {
    as: makeUser(),
    server: {
      listOwn: ({ query }) => ({ ...listOf([starter, mirror], query), figures, yardHasTerms: false }),
      changeOwnListings: ({ body }) => ({
        ok: true,
        updated: body.ids.length,
        changeSetId: starter.id,
        kept: [],
      }),
      undoOwnChange: { ok: true, undone: 2, kept: [] },
      listLeads: { items: [], total: 3, page: 1, perPage: 1, counts: { new: 3, answered: 0, closed: 0 } },
    },
  })
  await app.user.click(await screen.findByRole('radio', { name: 'Table' }))
  return { ...app, table: await screen.findByRole('table') }
}

test('the table shows views and messages, and sorts by its headers', async () => {
  const { user, server, table } = await openList()
  const [, row] = within(table).getAllByRole('row')
  expect(row).toHaveTextContent(/Starter.*\$40\.00.*12.*3.*1 new/)
  await user.click(within(table).getByRole('button', { name: 'Price' }))
  await waitFor(() => expect(server.asked('listOwn').at(-1)?.query).toMatchObject({ sort: 'price-high' }))
  await user.click(within(await screen.findByRole('table')).getByRole('button', { name: 'Price' }))
  await waitFor(() => expect(server.asked('listOwn').at(-1)?.query).toMatchObject({ sort: 'price-low' }))
})

test('selected listings get a new price in one call, which can be undone', async () => {
  const { user, server, table } = await openList()
  await user.click(within(table).getByRole('checkbox', { name: 'Select every listing on this page' }))
  const bar = screen.getByRole('region', { name: 'Selected listings' })
  expect(bar).toHaveTextContent('2 listings selected')
  await user.click(within(bar).getByRole('button', { name: 'Change price' }))
  const dialog = await screen.findByRole('dialog', { name: 'Change the price of 2 listings' })
  await user.type(within(dialog).getByLabelText('Percent'), '-10')
  await user.click(within(dialog).getByRole('button', { name: 'Change price' }))
  expect(await screen.findByText('Price changed: 2 listings.')).toBeInTheDocument()
  expect(server.asked('changeOwnListings').map(({ body }) => body)).toEqual([
    { action: 'price', ids: [starter.id, mirror.id], how: 'percent', value: -10 },
  ])
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Undone: 2 listings.')).toBeInTheDocument()
  expect(server.asked('undoOwnChange')[0]?.params).toEqual({ id: starter.id })
})

test.each([
  ['19.75', 19.75],
  ['$1,299.50', 1299.5],
  ['19,75', 19.75],
])('a price typed as %s is that price', async (typed, value) => {
  const { user, server, table } = await openList()
  await user.click(within(table).getByRole('checkbox', { name: 'Select every listing on this page' }))
  await user.click(screen.getByRole('button', { name: 'Change price' }))
  const dialog = await screen.findByRole('dialog', { name: 'Change the price of 2 listings' })
  await user.click(within(dialog).getByText('To a price'))
  const input = within(dialog).getByLabelText('Price')
  await user.type(input, typed)
  expect(input).toHaveValue(typed)
  await user.click(within(dialog).getByRole('button', { name: 'Change price' }))
  await screen.findByText('Price changed: 2 listings.')
  expect(server.asked('changeOwnListings')[0]?.body).toMatchObject({ how: 'set', value })
})

test('what is no price cannot be saved, and says why', async () => {
  const { user, table } = await openList()
  await user.click(within(table).getByRole('checkbox', { name: 'Select every listing on this page' }))
  await user.click(screen.getByRole('button', { name: 'Change price' }))
  const dialog = await screen.findByRole('dialog', { name: 'Change the price of 2 listings' })
  await user.type(within(dialog).getByLabelText('Percent'), '-1,29,9')
  expect(within(dialog).getByText(/^Enter a number from -100 to 1,000/)).toBeInTheDocument()
  expect(within(dialog).getByRole('button', { name: 'Change price' })).toBeDisabled()
})

test('the sidebar shows how many messages are waiting, on every seller page', async () => {
  await openList()
  const menu = screen.getByRole('navigation', { name: 'Seller' })
  expect(await within(menu).findByText('3 new')).toBeInTheDocument()
  expect(within(menu).getByRole('link', { name: 'My Listings' })).toHaveAttribute('aria-current', 'page')
})

test('a used password link says so at once', async () => {
  const sentence = 'This link was already used or is older than 30 minutes.'
  await openApp('/reset-password#a-token', {
    server: { checkPasswordLink: () => refuse(410, 'LINK_EXPIRED', sentence) },
  })
  expect(await screen.findByText(/already used or is older/)).toBeInTheDocument()
  expect(screen.queryByLabelText('New password')).toBeNull()
})

test('a part in an order says so, and leads to it, in the table and as a card', async () => {
  const { user, table } = await openList()
  const row = within(table).getByRole('row', { name: /Mirror/ })
  expect(row).toHaveTextContent('In a cart')
  const link = { name: 'Order PH-100001' }
  const address = `/dashboard/seller/orders/${order.id}`
  expect(within(row).getByRole('link', link)).toHaveAttribute('href', address)
  await user.click(screen.getByRole('radio', { name: 'Cards' }))
  expect(await screen.findByRole('link', link)).toHaveAttribute('href', address)
  expect(screen.getAllByText('In a cart')).toHaveLength(1)
})

test('listings that lack something are found with their count, and all pages of them selected', async () => {
  const others = Array.from({ length: 28 }, () => crypto.randomUUID())
  const { user, server } = await openList()
  server.answer({
    listOwn: ({ query }) => ({
      ...listOf([starter, mirror], query),
      total: 30,
      figures,
      yardHasTerms: false,
    }),
    countOwnGaps: {
      counts: Object.fromEntries(gapNames.map((gap) => [gap, 30])) as Record<ListingGap, number>,
      isPartial: false,
    },
    listOwnIds: { ids: [starter.id, mirror.id, ...others] },
  })
  expect(server.asked('countOwnGaps')).toEqual([])
  await user.click(screen.getByRole('combobox', { name: 'Needs attention' }))
  await user.click(await screen.findByRole('option', { name: 'No grade (30)', hidden: true }))
  await waitFor(() => expect(address()).toBe(`${path}?missing=grade`))
  await waitFor(() => expect(server.asked('listOwn').at(-1)?.query).toMatchObject({ missing: 'grade' }))

  const table = await screen.findByRole('table')
  await user.click(within(table).getByRole('checkbox', { name: 'Select every listing on this page' }))
  const bar = screen.getByRole('region', { name: 'Selected listings' })
  await user.click(await within(bar).findByRole('button', { name: 'Select all 30 listings' }))
  await waitFor(() => expect(bar).toHaveTextContent('30 listings selected'))
  expect(server.asked('listOwnIds')[0]?.query).toMatchObject({ missing: 'grade', state: 'active' })
})

test('Back after a search is the list before it', async () => {
  const { user } = await openList()
  const search = screen.getByRole('searchbox', { name: 'Search' })
  await user.type(search, 'star')
  await waitFor(() => expect(address()).toBe(`${path}?q=star`))
  await user.type(search, 'ter')
  await waitFor(() => expect(address()).toBe(`${path}?q=starter`))
  window.history.back()
  await waitFor(() => expect(address()).toBe(path))
  await waitFor(() => expect(search).toHaveValue(''))
})
