import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import type { Listing } from '#contract/listings.ts'
import { address, openApp } from './support/app.tsx'
import {
  type Handlers,
  lookups,
  makeAround,
  makeCard,
  makeListing,
  makeUser,
  newId,
  refuse,
} from './support/fake-server.ts'
import { cleanup } from './support/page.ts'

const nothingElse = { items: [], understood: [], total: 0, lastPage: 1, page: 1, perPage: 4 }

const partPage = (listing: ReturnType<typeof makeListing>): Handlers => ({
  readPublic: listing,
  countView: { ok: true },
  readAroundPart: makeAround(),
})

test('the message form shows the server’s problems at their fields, keeps what was typed, and then says it was sent', async () => {
  const listing = makeListing({ partname: 'Alternator', dealername: 'Green Country Salvage' })
  const { user, server } = await openApp(`/parts/${listing.partslug}`, { server: partPage(listing) })
  const contact = within(await screen.findByRole('region', { name: 'Contact' }))
  server.answer({
    writeToSeller: refuse(422, 'VALIDATION_FAILED', 'Name is required', {
      fields: { name: 'Name is required' },
    }),
  })
  await user.type(contact.getByLabelText('Email'), 'maria@buyer.example')
  await user.click(contact.getByRole('button', { name: 'Send message' }))
  expect(await contact.findByText('Name is required', { selector: 'p' })).toBeVisible()
  expect(contact.getByLabelText('Name')).toHaveFocus()
  expect(contact.getByLabelText('Name')).toHaveAccessibleDescription('Name is required')
  expect(contact.getByLabelText('Email')).toHaveValue('maria@buyer.example')
  expect(screen.queryByRole('alert')).toBeNull()

  server.answer({ writeToSeller: { ok: true } })
  await user.type(contact.getByLabelText('Name'), 'Maria Lopez')
  expect(contact.getByLabelText('Name')).toBeValid()
  expect(contact.queryByText('Name is required')).toBeNull()
  const send = contact.getByRole('button', { name: 'Send message' })
  await waitFor(() => expect(send).not.toHaveAttribute('aria-busy'))
  await user.click(send)
  const sent = await contact.findByRole('heading', { name: 'Message sent' })
  expect(sent).toHaveFocus()
  expect(contact.getByText(/They will reply to maria@buyer\.example\./)).toBeVisible()
  expect(server.asked('writeToSeller').at(-1)?.body).toMatchObject({
    name: 'Maria Lopez',
    email: 'maria@buyer.example',
    phone: '',
  })

  await user.click(contact.getByRole('button', { name: 'Write another message' }))
  expect(contact.getByLabelText('Message')).toBeVisible()
})

test('an error without a field, and a broken connection, are shown once for the whole form', async () => {
  const listing = makeListing()
  const { user, server } = await openApp(`/parts/${listing.partslug}`, { server: partPage(listing) })
  const contact = within(await screen.findByRole('region', { name: 'Contact' }))
  server.answer({ writeToSeller: refuse(404, 'NOT_FOUND', 'There is no such part.') })
  await user.click(contact.getByRole('button', { name: 'Send message' }))
  expect(await contact.findByRole('alert')).toHaveTextContent('There is no such part.')
  server.answer({
    writeToSeller: () => {
      throw new TypeError('Failed to fetch')
    },
  })
  await user.click(contact.getByRole('button', { name: 'Send message' }))
  await waitFor(() =>
    expect(contact.getByRole('alert')).toHaveTextContent('It could not be sent. Please try again.'),
  )
})

test('a sent offer is confirmed with its price', async () => {
  const listing = makeListing({ takesOffers: true })
  const { user, server } = await openApp(`/parts/${listing.partslug}`, { server: partPage(listing) })
  const contact = within(await screen.findByRole('region', { name: 'Contact' }))
  server.answer({ writeToSeller: { ok: true } })
  await user.click(contact.getByText('Make an offer (expires in 48 hours)'))
  await user.type(contact.getByLabelText(/^Your offer/), '$ 95')
  await user.click(contact.getByRole('button', { name: 'Send message' }))
  expect(await contact.findByText('$95.00, expires in 48 hours')).toBeVisible()
})

test('a double click sends a message once', async () => {
  const listing = makeListing()
  const { user, server } = await openApp(`/parts/${listing.partslug}`, { server: partPage(listing) })
  const contact = within(await screen.findByRole('region', { name: 'Contact' }))
  server.answer({ writeToSeller: { ok: true } })
  await user.type(contact.getByLabelText('Name'), 'Maria Lopez')
  await user.dblClick(contact.getByRole('button', { name: 'Send message' }))
  expect(await contact.findByRole('heading', { name: 'Message sent' })).toBeVisible()
  expect(server.asked('writeToSeller')).toHaveLength(1)
})

test('a part is shared by its address, which is copied where the device has no sheet for it', async () => {
  const listing = makeListing()
  const { user } = await openApp(`/parts/${listing.partslug}?from=mail`, { server: partPage(listing) })
  await user.tab()
  await user.click(await screen.findByRole('button', { name: 'Share' }))
  expect(await screen.findByText('Link copied')).toBeVisible()
  expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/parts/${listing.partslug}`)
})

test('a former slug redirects to the current one, and views count once per visit', async () => {
  const listing = makeListing({ partslug: '2014-toyota-camry-alternator-a1b2c3' })
  const { server } = await openApp('/parts/its-former-slug', { server: partPage(listing) })
  await screen.findByRole('heading', { level: 1 })
  expect(address()).toBe(`/parts/${listing.partslug}`)
  await waitFor(() => expect(server.asked('countView')).toHaveLength(1))
})

test('a sold part says so, takes no messages, and offers others', async () => {
  const listing = makeListing({ endedAt: '2026-01-02T10:00:00.000Z', endedReason: 'sold-here' })
  const other = { ...makeCard({ partname: 'Alternator, rebuilt' }), sellerSlug: 'green-country' }
  await openApp(`/parts/${listing.partslug}`, {
    server: { ...partPage(listing), readAroundPart: makeAround({ similar: [other] }) },
  })
  expect(await screen.findByText(/This part is no longer for sale\./)).toBeVisible()
  expect(screen.queryByRole('region', { name: 'Contact' })).toBeNull()
  const others = within(screen.getByRole('region', { name: 'Similar parts for sale' }))
  expect(others.getByRole('link', { name: /Alternator, rebuilt/ })).toBeVisible()
})

/** The i-th of a part's pictures. */
const pictureOf = (at: number): Listing['images'][number] => ({
  id: newId(),
  url: `/api/auto-part/image/${at}`,
  alt: '2012 Toyota Camry Starter',
  width: 1600,
  height: 1200,
  marks: [],
})

test('a click on a picture opens it full screen, where it can be zoomed', async () => {
  const listing = makeListing({ images: [pictureOf(1), pictureOf(2), pictureOf(3)] })
  const { user } = await openApp(`/parts/${listing.partslug}`, { server: partPage(listing) })
  const pictures = within(await screen.findByRole('region', { name: 'Pictures' }))
  await user.click(
    pictures.getByRole('link', { name: '2012 Toyota Camry Starter, picture 1 of 3, full screen' }),
  )
  const dialog = within(await screen.findByRole('dialog', { name: 'Pictures' }))
  expect(dialog.getByText('Picture 1 of 3')).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Zoom in' }))
  expect(await dialog.findByRole('button', { name: 'Zoom out' })).toBeVisible()
  await user.keyboard('-')
  expect(await dialog.findByRole('button', { name: 'Zoom in' })).toBeVisible()
  // As people do on a phone.
  await user.dblClick(dialog.getByRole('link', { name: /picture 1 of 3, zoom in$/ }))
  const zoomOut = await dialog.findByRole('button', { name: 'Zoom out' })
  const large = dialog.getAllByRole('img').at(-1)
  if (large) await user.dblClick(large)
  expect(zoomOut).toHaveAccessibleName('Zoom in')
  await user.click(dialog.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Pictures' })).toBeNull())
})

test('damage marks are numbered across all pictures, with their notes below', async () => {
  const marked = {
    ...pictureOf(2),
    marks: [
      { x: 0.2, y: 0.4, note: 'Scratch on the housing' },
      { x: 0.9, y: 0.1, note: 'Bent tab' },
    ],
  }
  const listing = makeListing({ images: [pictureOf(1), marked] })
  await openApp(`/parts/${listing.partslug}`, { server: partPage(listing) })
  const notes = within(await screen.findByRole('list', { name: 'Marked in the pictures' }))
  expect(notes.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Scratch on the housing Picture 2',
    'Bent tab Picture 2',
  ])
})

test('the ZIP code is asked for once and kept on the device', async () => {
  const listing = makeListing({ shippingKind: 'pickup' })
  const server = { ...partPage(listing), readDistance: { miles: 14.2 } }
  const { user, server: first } = await openApp(`/parts/${listing.partslug}`, { server })
  first.answer({
    readDistance: refuse(422, 'VALIDATION_FAILED', 'There is no ZIP code 00000. Check its digits.'),
  })
  await user.click(await screen.findByRole('button', { name: 'How far?' }))
  await user.type(await screen.findByLabelText('Your ZIP code'), '00000{Enter}')
  expect(await screen.findByText('There is no ZIP code 00000. Check its digits.')).toBeVisible()
  expect(localStorage.getItem('zip')).toBeNull()
  first.answer({ readDistance: { miles: 14.2 } })
  await user.clear(screen.getByLabelText('Your ZIP code'))
  await user.type(screen.getByLabelText('Your ZIP code'), '74103{Enter}')
  expect(await screen.findByText(/14 mi from 74103/)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Change ZIP code' })).toHaveFocus()
  cleanup()

  const again = await openApp(`/parts/${listing.partslug}`, { server, kept: true })
  expect(await screen.findByText(/14 mi from 74103/)).toBeVisible()
  expect(again.server.asked('readDistance').map(({ query }) => query)).toEqual([{ zip: '74103' }])
})

test('a part links to its seller, who replies fast, and to the yard’s other parts from the same car', async () => {
  const listing = makeListing()
  const hood = { ...makeCard({ partname: 'Hood' }), sellerSlug: 'whitfield-auto-salvage' }
  const around = makeAround({ vehicle: { isSame: true, parts: [hood] } })
  const seller = { ...around.seller, answersWithinHours: 2.2 }
  await openApp(`/parts/${listing.partslug}`, {
    server: { ...partPage(listing), readAroundPart: { ...around, seller } },
  })
  const card = within(await screen.findByRole('region', { name: /^Seller:/ }))
  expect(card.getByRole('link', { name: 'Whitfield Auto Salvage' })).toHaveAttribute(
    'href',
    '/sellers/whitfield-auto-salvage',
  )
  expect(card.getByText('Usually replies within 3 hours')).toBeVisible()
  expect(card.getByRole('link', { name: '87 parts for sale' })).toBeVisible()
  const others = within(screen.getByRole('region', { name: 'Same vehicle, same yard' }))
  expect(others.getByRole('link', { name: /Hood/ })).toBeVisible()
})

const homeReplies: Handlers = {
  listTopNames: {
    categories: [
      { id: lookups.alternator, name: 'Alternator', group: 'Electrical', slug: 'alternator', count: 320 },
      { id: lookups.door, name: 'Front Door', group: 'Body', slug: null, count: 12 },
    ],
    manufacturers: [{ id: lookups.toyota, name: 'Toyota', slug: null, count: 900 }],
  },
  searchPublic: nothingElse,
}

test('the home page links to a category’s page, or to its list until it has one', async () => {
  await openApp('/', { server: homeReplies })
  const categories = within(await screen.findByRole('region', { name: 'Browse by category' }))
  expect(categories.getByRole('link', { name: 'Alternator' })).toHaveAttribute(
    'href',
    '/parts/category/alternator',
  )
  expect(categories.getByRole('link', { name: 'Front Door' })).toHaveAttribute(
    'href',
    '/parts?category=front-door',
  )
})

test('the picker offers the models of the make and year, and searches for what is filled in', async () => {
  const { user, server } = await openApp('/', { server: homeReplies })
  await screen.findByRole('heading', { name: 'Looking for a part?' })
  const form = screen
  expect(form.getByLabelText('Model')).toBeDisabled()
  await user.selectOptions(form.getByLabelText('Year'), '2014')
  await user.selectOptions(form.getByLabelText('Make'), 'Toyota')
  await waitFor(() => expect(form.getByLabelText('Model')).toBeEnabled())
  expect(server.asked('carModels').at(-1)?.query).toEqual({ manuId: lookups.toyota, year: '2014' })
  await user.selectOptions(form.getByLabelText('Model'), 'Camry')
  await user.click(form.getByRole('button', { name: 'Find parts' }))
  await waitFor(() => expect(address()).toMatch(/^\/parts\?/))
  expect(Object.fromEntries(new URLSearchParams(window.location.search))).toEqual({
    year: '2014',
    make: 'toyota',
    model: 'camry',
  })
})

test('a search from the home page is of the buyer’s vehicle, and a picked one wins', async () => {
  const { user } = await openApp('/', {
    server: { ...homeReplies, readSuggestions: { suggestions: [], isOfAnyVehicle: true } },
  })
  await screen.findByRole('heading', { name: 'Looking for a part?' })
  const at = Date.parse('2026-11-29T10:00:00Z')
  const camry = {
    year: 2014,
    manuId: lookups.toyota,
    make: 'Toyota',
    modelId: lookups.camry,
    model: 'Camry',
    at,
  }
  localStorage.setItem('garage', JSON.stringify({ vehicles: [camry] }))
  await user.type(screen.getByLabelText('Part or part number'), 'hood')
  // The field has become one with suggestions, with what was typed.
  expect(await screen.findByRole('combobox', { name: 'Part or part number' })).toHaveValue('hood')
  await user.click(screen.getByRole('button', { name: 'Find parts' }))
  await waitFor(() => expect(address()).toBe('/parts?q=hood&make=toyota&model=camry&year=2014'))
  window.history.back()
  await waitFor(() => expect(address()).toBe('/'))
  await screen.findByRole('heading', { name: 'Looking for a part?' })
  await user.selectOptions(screen.getByLabelText('Year'), '2010')
  await user.clear(screen.getByLabelText('Part or part number'))
  await user.type(await screen.findByRole('combobox', { name: 'Part or part number' }), 'hood')
  await user.click(screen.getByRole('button', { name: 'Find parts' }))
  await waitFor(() => expect(address()).toBe('/parts?year=2010&q=hood'))
})

test('a list without parts is named by its filters, and offers to remove the one that emptied it', async () => {
  const filter = { kind: 'filter' as const, name: 'grade', label: 'Grade A', without: 'make=toyota' }
  const unknown = { ...filter, name: 'model', label: 'Model “camri” not found', isUnknown: true as const }
  await openApp('/parts?make=toyota&model=camri&grade=A', {
    server: {
      searchPublic: {
        ...nothingElse,
        title: 'Toyota parts, grade A',
        understood: [unknown, filter],
        offers: [{ label: 'Grade A', without: 'make=toyota', total: 12 }],
      },
    },
  })
  expect(await screen.findByRole('heading', { level: 1, name: 'Toyota parts, grade A' })).toBeVisible()
  expect(screen.getByRole('heading', { name: 'No parts match your filters.' })).toBeVisible()
  const offers = within(screen.getByRole('list', { name: 'Filters to remove' }))
  expect(offers.getByRole('link', { name: 'Remove “Grade A”: 12 parts' })).toHaveAttribute(
    'href',
    '/parts?make=toyota',
  )
  expect(screen.getByRole('link', { name: 'Remove Model “camri” not found' })).toBeVisible()
})

test('Logout goes to the home page and says so; the links are a visitor’s again', async () => {
  const { user, server } = await openApp('/help', {
    as: makeUser(),
    server: { ...homeReplies, logout: { ok: true } },
  })
  await user.click(await screen.findByRole('button', { name: 'Logout' }))
  expect(await screen.findByText('Signed out')).toBeVisible()
  await waitFor(() => expect(screen.getAllByRole('link', { name: 'Login To Your Account' })).not.toEqual([]))
  expect(address()).toBe('/')
  expect(server.asked('logout')).toHaveLength(1)
})

test('an unknown page says so and links onward', async () => {
  await openApp(`/no/such/${newId()}`)
  expect(await screen.findByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Find auto parts' })).toHaveAttribute('href', '/parts')
})

test('a ZIP code that does not exist has an error at its field, and the list ignores it', async () => {
  const sentence = 'There is no ZIP code 00000. Check its digits.'
  await openApp('/parts?zip=00000&q=door', {
    server: {
      searchPublic: ({ query }) =>
        query.zip ? refuse(422, 'VALIDATION_FAILED', sentence, { fields: { zip: sentence } }) : nothingElse,
    },
  })
  expect(await screen.findByLabelText('ZIP code')).toHaveAccessibleDescription(sentence)
  expect(screen.getByText('0 product(s) found')).toBeVisible()
  expect(screen.getByText('Filters')).toBeVisible()
})

test('a part that is gone or hidden links to parts like it', async () => {
  await openApp('/parts/2014-ford-f-150-alternator-a1b2c3', {
    server: {
      readPublic: refuse(404, 'NOT_FOUND', 'There is no such part'),
      readAroundPart: refuse(404, 'NOT_FOUND', 'There is no such part'),
    },
  })
  expect(await screen.findByRole('link', { name: 'Find parts like it' })).toHaveAttribute(
    'href',
    '/parts?q=2014+ford+f+150+alternator',
  )
})

test('a seller’s own hidden part is shown without asking what is around it', async () => {
  const listing = makeListing({ partname: 'Alternator', status: 'HIDDEN', mine: true })
  const { server } = await openApp(`/parts/${listing.partslug}`, {
    as: makeUser(),
    server: { readPublic: listing, countView: { ok: true } },
  })
  expect(await screen.findByText('This is your own part')).toBeVisible()
  expect(server.asked('readAroundPart')).toEqual([])
})
