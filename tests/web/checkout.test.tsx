import { screen, waitFor, within } from '@testing-library/dom'
import type { UserEvent } from '@testing-library/user-event'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Listing } from '#contract/listings.ts'
import type { PartFit } from '#contract/pages/part-page.ts'
import type { VinVehicle } from '#contract/vehicle/vin.ts'
import { address, openApp } from './support/app.tsx'
import { makeBuyerOrder, makeQuote } from './support/bought-orders.ts'
import {
  breakOff,
  type Handlers,
  makeAround,
  makeListing,
  makeUser,
  newId,
  refuse,
} from './support/fake-server.ts'

const sold = (changes: Partial<Listing> = {}) =>
  makeListing({
    partname: 'Starter',
    dealername: 'Green Country',
    partprice: 100,
    shippingKind: 'flat',
    partshipping: 20,
    soldOnline: true,
    ...changes,
  })

const pageOf = (listing: Listing): Handlers => ({
  readPublic: listing,
  countView: { ok: true },
  readAroundPart: makeAround(),
  readQuote: makeQuote(),
  decodeVin: camry,
})

/** Where the page sends the browser, instead of leaving the test. */
function catchLeaving(): { to: string | undefined } {
  const left: { to: string | undefined } = { to: undefined }
  const spy = vi.spyOn(window.location, 'assign').mockImplementation((url) => {
    left.to = String(url)
  })
  onTestFinished(() => spy.mockRestore())
  return left
}

async function fillIn(user: UserEvent): Promise<void> {
  await user.type(screen.getByLabelText('Street address'), '12 Elm St')
  await user.type(screen.getByLabelText('City'), 'Tulsa')
  await user.selectOptions(screen.getByLabelText('State'), 'OK')
  await user.type(screen.getByLabelText('ZIP code'), '74103')
  await user.type(screen.getByLabelText('Name'), 'Maria Lopez')
  await user.type(screen.getByLabelText('Email'), 'maria@buyer.example')
}

const placed = (changes: object = {}) => ({
  order: {
    id: newId(),
    number: 'PH-100234',
    state: 'pending' as const,
    lines: [],
    total: 135,
    taxAdded: false,
    expiresAt: null,
    ...changes,
  },
  url: 'https://pay.example/session',
  token: 'a-token-of-an-order',
})

const buyButton = () => screen.findByRole('button', { name: 'Continue to payment' })

const camry: VinVehicle = {
  vin: '4T1BF1FK5GU123456',
  valid: true,
  problems: [],
  suggestions: [],
  year: 2016,
  make: 'Toyota',
  model: 'Camry',
  series: null,
  trim: null,
  body: null,
  doors: null,
  engine: null,
  engineParts: null,
  fuel: null,
  drive: null,
  transmission: null,
  makeId: null,
  modelId: null,
  certainty: {},
}

test('the part’s page leads to the checkout and shows the total to a ZIP code first', async () => {
  const listing = sold()
  const { user, server } = await openApp(`/parts/${listing.partslug}`, { server: pageOf(listing) })
  await user.click(await screen.findByRole('button', { name: 'Show the total to my ZIP code' }))
  const field = await screen.findByLabelText('Your ZIP code')
  await waitFor(() => expect(field).toHaveFocus())
  await user.type(field, '741{Enter}')
  expect(await screen.findByText('A ZIP code has 5 digits, such as 74101')).toBeVisible()
  expect(server.asked('readQuote')).toEqual([])
  await user.clear(field)
  await user.type(field, '74103{Enter}')
  const total = within(await screen.findByRole('table', { name: 'What you pay' }))
  expect(total.getByRole('row', { name: 'Total $135.00' })).toBeVisible()
  expect(server.asked('readQuote').at(-1)?.query).toEqual({ zip: '74103', delivery: 'ship', quantity: '1' })
  await user.click(screen.getAllByRole('link', { name: 'Buy' })[0] as HTMLElement)
  await waitFor(() => expect(address()).toBe(`/parts/${listing.partslug}/buy`))
  expect(await screen.findByLabelText('ZIP code')).toHaveValue('74103')
})

test('a guest buys: problems at their fields, then the payment page, with the order’s token kept', async () => {
  const listing = sold()
  const leaving = catchLeaving()
  const { user, server } = await openApp(`/parts/${listing.partslug}/buy`, { server: pageOf(listing) })
  await user.click(await buyButton())
  const street = screen.getByLabelText('Street address')
  await waitFor(() => expect(street).toHaveFocus())
  expect(street).toHaveAccessibleDescription('Street address is required')
  expect(screen.getByLabelText('State')).toHaveAccessibleDescription('State is required')
  expect(server.asked('placeOrder')).toEqual([])

  await fillIn(user)
  expect(street).toBeValid()
  server.answer({
    placeOrder: refuse(422, 'VALIDATION_FAILED', 'The ZIP code is not in OK', {
      fields: { 'address.zip': 'The ZIP code is not in OK' },
    }),
  })
  await user.click(await buyButton())
  const zip = screen.getByLabelText('ZIP code')
  await waitFor(() => expect(zip).toHaveFocus())
  expect(zip).toHaveAccessibleDescription('The ZIP code is not in OK')
  expect(screen.queryByRole('alert')).toBeNull()

  const reply = placed()
  server.answer({ placeOrder: Response.json(reply, { status: 201 }) })
  await user.type(screen.getByLabelText('VIN (optional)'), '1HGCM 82633A004352')
  await user.click(await buyButton())
  await waitFor(() => expect(leaving.to).toBe('https://pay.example/session'))
  expect(JSON.parse(localStorage.getItem('orders') ?? '')).toEqual({
    [reply.order.id]: 'a-token-of-an-order',
  })
  const sent = server.asked('placeOrder').at(-1)
  expect(sent?.body).toEqual({
    email: 'maria@buyer.example',
    name: 'Maria Lopez',
    delivery: 'ship',
    address: { line1: '12 Elm St', line2: '', city: 'Tulsa', state: 'OK', zip: '74103' },
    vin: '1HGCM82633A004352',
    quantity: 1,
    expectedTotal: 135,
  })
  expect(sent?.headers.get('idempotency-key')).toBeTruthy()
})

test('trying again after a broken connection or without the provider uses the same key', async () => {
  const listing = sold()
  const leaving = catchLeaving()
  const { user, server } = await openApp(`/parts/${listing.partslug}/buy`, {
    server: { ...pageOf(listing), placeOrder: breakOff },
  })
  await buyButton()
  await fillIn(user)
  await user.click(await buyButton())
  expect(await screen.findByRole('alert')).toHaveTextContent('You have not paid anything.')
  server.answer({ placeOrder: refuse(503, 'PAYMENTS_UNREACHABLE', 'Payments are down. Try again soon.') })
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Payments are down.'))
  server.answer({ placeOrder: placed() })
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(leaving.to).toBeDefined())
  const keys = server.asked('placeOrder').map(({ headers }) => headers.get('idempotency-key'))
  expect(keys).toHaveLength(3)
  expect(new Set(keys).size).toBe(1)
})

test('a changed price is shown with the old one and bought only after another press', async () => {
  const listing = sold()
  const leaving = catchLeaving()
  const quote = makeQuote({ lines: [{ kind: 'part', amount: 140 }], total: 140 })
  const changed = () =>
    Response.json(
      { ok: false, error: 'The price has changed', code: 'PRICE_CHANGED', quote },
      { status: 409 },
    )
  const { user, server } = await openApp(`/parts/${listing.partslug}/buy`, {
    server: { ...pageOf(listing), placeOrder: changed },
  })
  await buyButton()
  await fillIn(user)
  await user.click(await buyButton())
  const alert = await screen.findByRole('alert')
  expect(alert).toHaveTextContent('You saw $135.00. The total is now $140.00.')
  server.answer({ placeOrder: placed() })
  await user.click(within(alert).getByRole('button', { name: 'Buy for $140.00' }))
  await waitFor(() => expect(leaving.to).toBeDefined())
  expect(server.asked('placeOrder').map(({ body }) => body.expectedTotal)).toEqual([135, 140])
})

test('a part that another buyer took says so; a buyer’s own unpaid order is offered instead', async () => {
  const listing = sold()
  const own = makeBuyerOrder({ state: 'pending' })
  Object.assign(own.parts[0] ?? {}, { slug: listing.partslug })
  const { user } = await openApp(`/parts/${listing.partslug}/buy`, {
    server: {
      ...pageOf(listing),
      placeOrder: () => refuse(409, 'PART_TAKEN', 'Someone else is buying this part.'),
      readOrder: own,
    },
  })
  await buyButton()
  await fillIn(user)
  await user.click(await buyButton())
  expect(await screen.findByRole('alert')).toHaveTextContent('Someone else is buying this part.')
  expect(screen.getByRole('link', { name: 'Tell me if it comes back' })).toHaveAttribute(
    'href',
    `/parts/${listing.partslug}`,
  )
  localStorage.setItem('orders', JSON.stringify({ [own.id]: 'its-token' }))
  await user.click(await buyButton())
  const link = await screen.findByRole('link', { name: 'Continue with your order' })
  expect(link).toHaveAttribute('href', `/orders?order=${own.id}`)
})

test('a part with shipping by quote asks the yard for a price and leads to the order', async () => {
  const listing = sold({ shippingKind: 'quote', partshipping: null })
  const reply = placed({ state: 'quoting', total: null })
  const { user, server } = await openApp(`/parts/${listing.partslug}/buy`, {
    server: {
      ...pageOf(listing),
      readQuote: makeQuote({ needsQuote: true, lines: [], total: null }),
      placeOrder: { order: reply.order, token: reply.token },
      readOrder: makeBuyerOrder({ id: reply.order.id, state: 'quoting', total: null, lines: [] }),
    },
  })
  const button = await screen.findByRole('button', { name: 'Ask for a shipping price' })
  expect(screen.getByText(/Green Country has 72 hours to name a shipping price/)).toBeVisible()
  await fillIn(user)
  await user.click(button)
  await waitFor(() => expect(address()).toBe(`/orders?order=${reply.order.id}`))
  expect(server.asked('placeOrder').at(-1)?.body.expectedTotal).toBeNull()
  expect(await screen.findByRole('heading', { name: 'Order PH-100234' })).toBeVisible()
  expect(server.asked('readOrder').at(-1)?.body).toEqual({ token: reply.token })
})

test('the page of a part with shipping by quote promises no purchase at its price', async () => {
  const listing = sold({ shippingKind: 'quote', partshipping: null })
  await openApp(`/parts/${listing.partslug}`, { server: pageOf(listing) })
  expect(await screen.findByRole('link', { name: 'Ask for a shipping price' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Get a quote' })).toHaveAttribute(
    'href',
    `/parts/${listing.partslug}/buy`,
  )
  expect(screen.queryByRole('link', { name: 'Buy' })).toBeNull()
})

test('pickup asks for no address, and a restricted part cannot be bought', async () => {
  const listing = sold({ shippingKind: 'pickup', partshipping: null })
  const { server, user } = await openApp(`/parts/${listing.partslug}/buy`, {
    as: makeUser({ name: 'Maria Lopez', email: 'maria@buyer.example' }),
    server: { ...pageOf(listing), readQuote: makeQuote({ delivery: ['pickup', 'ship'] }) },
  })
  await buyButton()
  expect(screen.queryByLabelText('Street address')).toBeNull()
  expect(screen.getByLabelText('Name')).toHaveValue('Maria Lopez')
  expect(screen.getByLabelText('Email')).toHaveValue('maria@buyer.example')
  server.answer({ readQuote: makeQuote({ restricted: 'Air bags are not shipped to New York.' }) })
  await user.click(screen.getByRole('radio', { name: 'Ship it to me' }))
  expect(await screen.findByText('Air bags are not shipped to New York.')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Continue to payment' })).toBeNull()
})

test('the part’s page says who holds it, and offers to tell when it comes back', async () => {
  const heldUntil = new Date(Date.now() + 24 * 60_000).toISOString()
  const listing = sold({ availability: 'in-cart', heldUntil })
  await openApp(`/parts/${listing.partslug}`, { server: pageOf(listing) })
  const clock = new Intl.DateTimeFormat('en-US', { timeStyle: 'short' }).format(new Date(heldUntil))
  expect(await screen.findByText(`In someone’s cart until ${clock}`)).toBeVisible()
  expect(screen.queryByRole('link', { name: 'Buy' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Tell me if it comes back' })).toBeVisible()
})

test('nothing is sold where orders are off', async () => {
  const listing = sold()
  await openApp(`/parts/${listing.partslug}`, {
    server: {
      ...pageOf(listing),
      site: {
        productName: 'PartHarbor',
        findPartsUrl: null,
        proPrice: '$149',
        demo: true,
        orders: false,
        payments: 'test',
        adminPreview: true,
        counts: { listings: 1, manufacturers: 1, models: 1, sellers: 1 },
      },
    },
  })
  expect(await screen.findByRole('region', { name: 'Contact' })).toBeVisible()
  expect(screen.queryByRole('link', { name: 'Buy' })).toBeNull()
})

test('a VIN says whether the part fits its vehicle', async () => {
  const listing = sold()
  const modelId = newId()
  let items: { id: string; fits: PartFit[] }[] = [
    {
      id: listing.id,
      fits: [{ from: 2012, to: 2014, vehicle: 'Toyota Camry', details: '', source: 'seller', modelId }],
    },
  ]
  const { user } = await openApp(`/parts/${listing.partslug}/buy`, {
    server: {
      ...pageOf(listing),
      decodeVin: ({ params }) => ({
        ...camry,
        modelId,
        ...(params.vin?.endsWith('7') && { valid: false, problems: ['The check digit is wrong.'] }),
      }),
      readFits: () => ({ items }),
    },
  })
  const field = await screen.findByLabelText('VIN (optional)')
  await user.type(field, '4t1bf1fk5gu123456')
  expect(
    await screen.findByText('Doesn’t fit your 2016 Toyota Camry. The seller lists 2012–2014 Toyota Camry.'),
  ).toBeVisible()
  await user.clear(field)
  await user.type(field, '4T1BF1FK5GU123457')
  expect(await screen.findByText('The check digit is wrong.')).toBeVisible()
  items = []
  await user.clear(field)
  await user.type(field, '4T1BF1FK5GU123456')
  expect(
    await screen.findByText(/The seller doesn’t list this part for it: ask before you buy\./),
  ).toBeVisible()
})

test('a signed-in buyer uses an address again', async () => {
  const address = { line1: '12 Elm St', line2: 'Apt 4', city: 'Tulsa', state: 'OK', zip: '74103' }
  const items = [makeBuyerOrder({ address }), makeBuyerOrder({ address: null }), makeBuyerOrder({ address })]
  const listing = sold()
  const { user } = await openApp(`/parts/${listing.partslug}/buy`, {
    as: makeUser(),
    server: { ...pageOf(listing), listOrders: { items, total: 3, page: 1, perPage: 24 } },
  })
  const known = within(await screen.findByRole('group', { name: 'Addresses of your orders' }))
  expect(known.getAllByRole('button')).toHaveLength(1)
  await user.click(known.getByRole('button', { name: 'Use 12 Elm St, Apt 4, Tulsa' }))
  const shown = ['Street address', 'Apartment or suite (optional)', 'City', 'State', 'ZIP code'].map(
    (label) => (screen.getByLabelText(label) as HTMLInputElement).value,
  )
  expect(shown).toEqual(['12 Elm St', 'Apt 4', 'Tulsa', 'OK', '74103'])
})
