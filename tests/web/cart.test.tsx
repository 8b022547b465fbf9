import { screen, waitFor, within } from '@testing-library/dom'
import type { UserEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from './support/app.tsx'
import { type Handlers, makeAround, makeListing, refuse } from './support/fake-server.ts'

const starter = makeListing({
  partslug: 'starter-1',
  partname: 'Starter',
  soldOnline: true,
  availability: 'now',
})
const hood = makeListing({ partslug: 'hood-2', partname: 'Hood', soldOnline: true, availability: 'now' })
const readPublic = ({ params }: { params: Record<string, string> }) =>
  [starter, hood].find(({ partslug }) => partslug === params.slug) ??
  refuse(404, 'NOT_FOUND', 'There is no such part.')
const quote = {
  needsQuote: false,
  lines: [
    { kind: 'part' as const, amount: 200 },
    { kind: 'shipping' as const, amount: 30 },
  ],
  total: 230,
  delivery: ['ship' as const],
  shipsBy: '2026-12-05T18:00:00Z',
  terms: [],
  taxAdded: false,
  mode: 'confirm' as const,
  parts: [],
}
const openCart = (slugs: readonly string[], handlers: Handlers) => {
  localStorage.clear()
  localStorage.setItem('cart', JSON.stringify({ whitfield: slugs }))
  return openApp('/cart', { server: handlers, kept: true })
}
const server = {
  readPublic,
  countView: { ok: true as const },
  readAroundPart: makeAround(),
  quoteParts: quote,
}

test('an empty cart leads to parts', async () => {
  await openApp('/cart', { server })
  expect(await screen.findByRole('heading', { name: 'Your cart is empty' })).toBeVisible()
})

async function fillIn(user: UserEvent): Promise<void> {
  for (const [label, text] of [
    ['Street address', '12 Elm St'],
    ['City', 'Tulsa'],
    ['Name', 'Maria Lopez'],
    ['Email', 'maria@buyer.example'],
  ] as const) {
    await user.type(screen.getByLabelText(label), text)
  }
  await user.selectOptions(screen.getByLabelText('State'), 'Oklahoma')
  await user.type(screen.getByLabelText('ZIP code'), '74103')
}

test('parts of one yard are bought in one order, with a choice for what is missing', async () => {
  const opened = await openCart(['starter-1', 'hood-2'], {
    ...server,
    placeOrderOfParts: refuse(409, 'HOLD_LIMIT', 'You already have 2 orders.'),
  })
  const { user } = opened
  expect(await screen.findByRole('row', { name: 'Total $230.00' })).toBeVisible()
  await fillIn(user)
  await user.click(screen.getByRole('radio', { name: /^Cancel everything/ }))
  await waitFor(() => expect(opened.server.asked('quoteParts').at(-1)?.body).toMatchObject({ zip: '74103' }))
  await user.click(await screen.findByRole('button', { name: 'Continue to payment' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('You already have 2 orders.')
  expect(opened.server.asked('placeOrderOfParts').at(-1)?.body).toMatchObject({
    items: [{ slug: 'starter-1' }, { slug: 'hood-2' }],
    ifMissing: 'cancel',
    expectedTotal: 230,
  })
})

test('with sales tax, what is missing is no choice, and the total is without it', async () => {
  const opened = await openCart(['starter-1', 'hood-2'], {
    ...server,
    quoteParts: { ...quote, taxAdded: true },
    placeOrderOfParts: refuse(409, 'HOLD_LIMIT', 'You already have 2 orders.'),
  })
  const { user } = opened
  expect(await screen.findByRole('row', { name: 'Total before sales tax $230.00' })).toBeVisible()
  expect(screen.getByText('Sales tax is added on the payment page.')).toBeVisible()
  expect(screen.queryByRole('radio', { name: /^Send the rest/ })).toBeNull()
  await fillIn(user)
  await user.click(await screen.findByRole('button', { name: 'Continue to payment' }))
  await screen.findByRole('alert')
  expect(opened.server.asked('placeOrderOfParts').at(-1)?.body).toMatchObject({ ifMissing: 'cancel' })
})

test('a part that was taken meanwhile is named, and removed; what was typed stays', async () => {
  const taken = refuse(409, 'PART_TAKEN', 'Another buyer has this part', {
    fields: { 'items.1': 'Another buyer has this part right now' },
  })
  const opened = await openCart(['starter-1', 'hood-2'], {
    ...server,
    quoteParts: taken,
    readQuote: { ...quote, total: 115 },
  })
  const { user } = opened
  const parts = within(await screen.findByRole('region', { name: 'Parts in your cart' }))
  expect(await parts.findByRole('alert')).toHaveTextContent('Another buyer has this part right now.')
  expect(await screen.findByText(/Remove what is marked in your cart/)).toBeVisible()
  await user.type(screen.getByLabelText('Name'), 'Maria')
  await user.click(parts.getByRole('button', { name: /Remove .*Hood/ }))
  expect(await screen.findByRole('row', { name: 'Total $115.00' })).toBeVisible()
  expect(screen.getByLabelText('Name')).toHaveValue('Maria')
  expect(localStorage.getItem('cart')).toBe('{"whitfield":["starter-1"]}')
})

test('a part is added on its page, and the cart counts it', async () => {
  const { user } = await openApp('/parts/starter-1', { server: { ...server, readQuote: quote } })
  await user.click(await screen.findByRole('button', { name: 'Add to cart' }))
  expect(screen.getByRole('link', { name: 'In your cart, 1 part' })).toBeVisible()
})

test('a part that ships by quote can be picked up at its price, without a quote', async () => {
  const door = { ...starter, shippingKind: 'quote' as const }
  const byQuote = ({ query }: { query: Record<string, string | undefined> }) =>
    query.delivery === 'pickup'
      ? {
          ...quote,
          delivery: ['ship' as const, 'pickup' as const],
          lines: [{ kind: 'part' as const, amount: 95 }],
          total: 95,
        }
      : { ...quote, needsQuote: true, lines: [], total: null }
  const { user } = await openApp('/parts/starter-1', {
    server: { ...server, readPublic: door, readQuote: byQuote },
  })
  await user.click(await screen.findByRole('link', { name: 'Pick it up instead, at its price' }))
  expect(await screen.findByRole('row', { name: 'Total $95.00' })).toBeVisible()
  expect(screen.getByRole('radio', { name: /pick it up/ })).toBeChecked()
})
