import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import type { Garage, GarageChanges } from '#contract/account/garage.ts'
import type { Facets } from '#contract/search/parts-search.ts'
import { address, openApp } from './support/app.tsx'
import { type Handlers, lookups, makeCard, makeUser, refuse } from './support/fake-server.ts'

const cardOf = (changes: Parameters<typeof makeCard>[0]) => ({
  position: '',
  ...makeCard(changes),
  status: 'ACTIVE' as const,
  sellerSlug: 'whitfield',
})
type LiveCard = ReturnType<typeof cardOf>
const starter = cardOf({
  partname: 'Starter',
  partprice: 41,
  partmiles: 90_000,
  partshipping: 20,
  shippingKind: 'flat',
})
const pump = cardOf({
  partname: 'Fuel pump',
  partprice: 75,
  partmiles: 41_000,
  parttrim: null,
  partshipping: 0,
  shippingKind: 'free',
  dealername: 'Green Country',
})
const door = cardOf({ partname: 'Front door', partprice: 310 })

const camries: Facets = {
  categories: [],
  makes: [{ id: lookups.toyota, slug: 'toyota', name: 'Toyota', count: 1 }],
  models: [{ id: lookups.camry, slug: 'camry', name: 'Camry', count: 1 }],
  years: [{ value: '2012', count: 1 }],
  sides: [],
  grades: [],
  prices: [],
  shipping: [],
  withPicture: 0,
}

/** A server with these parts, of which some are gone. */
const shop = (...items: LiveCard[]): Handlers => ({
  searchPublic: {
    items,
    understood: [],
    total: items.length,
    lastPage: 1,
    page: 1,
    perPage: 12,
    facets: camries,
  },
  readCards: ({ query: { ids = '', zip } }) => {
    if (zip === '00000') {
      const sentence = 'There is no ZIP code 00000. Check its digits.'
      return refuse(422, 'VALIDATION_FAILED', sentence, { fields: { zip: sentence } })
    }
    const found = ids.split(',').flatMap((id) => items.find((item) => item.id === id) ?? [])
    return { items: found.map((item) => (zip ? { ...item, distanceMiles: 100 } : item)) }
  },
  readSuggestions: { suggestions: [] },
  listTopNames: { categories: [], manufacturers: [] },
})

const press = (name: string | RegExp) => screen.findByRole('button', { name })
const vehicles = () => screen.findByRole('list', { name: 'Your vehicles' })

test('parts are compared side by side with the best of each row marked, and one key goes back', async () => {
  const { user } = await openApp('/parts', { server: shop(starter, pump, door) })
  // Nobody has touched the page yet.
  await user.click(await press('Compare 2012 Toyota Camry Starter'))
  expect(await press('Compare parts')).toBeDisabled()
  await user.click(await press('Compare 2012 Toyota Camry Fuel pump'))
  expect(screen.getByRole('button', { name: 'Compare 2012 Toyota Camry Starter' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await user.click(await press('Compare parts'))
  const table = within(await screen.findByRole('table'))
  const row = async (name: string) =>
    within(await table.findByRole('row', { name: new RegExp(`^${name}`) }))
      .getAllByRole('cell')
      .map(({ textContent }) => textContent)
  expect(await table.findByRole('columnheader', { name: /Fuel pump/ })).toBeVisible()
  expect(await row('Price')).toEqual(['$41.00', '$75.00'])
  expect(await row('Miles')).toEqual(['90,000', '41,000Fewest'])
  expect(await row('With shipping')).toEqual(['$61.00Lowest', '$75.00'])
  expect(await row('Trim')).toEqual(['LE', 'Not given'])
  expect(await row('Grade All the same')).toEqual(['Grade B, good', 'Grade B, good'])
  // No part has one.
  expect(table.queryByRole('row', { name: /^Body style/ })).toBeNull()
  expect(await row('Distance')).toEqual(['Enter your ZIP code', 'Enter your ZIP code'])

  const zip = screen.getByLabelText('Distance from ZIP code')
  await user.type(zip, '00000{Enter}')
  expect(await screen.findByRole('alert')).toHaveTextContent('There is no ZIP code 00000. Check its digits.')
  expect(zip).toHaveAccessibleDescription('There is no ZIP code 00000. Check its digits.')
  expect(zip).toBeInvalid()
  await user.clear(zip)
  await user.type(zip, '73101{Enter}')
  await waitFor(async () => expect(await row('Distance')).toEqual(['100 miles', '100 miles']))
  await user.click(table.getByRole('button', { name: /Remove .* Starter/ }))
  expect(await row('Price')).toEqual(['$75.00'])
  await user.click(screen.getByRole('button', { name: 'Close' }))
  expect(screen.queryByRole('table')).toBeNull()
  expect(address()).toBe('/parts')
})

test('a list is shared with its search and filters', async () => {
  const { user } = await openApp('/parts?q=starter&grade=A', { server: shop(starter) })
  await user.click(await press('Share'))
  expect(await screen.findByText('Link copied')).toBeVisible()
  expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/parts?q=starter&grade=A`)
})

test('a vehicle picked in the filters is added, and one click narrows the list to it or widens it again', async () => {
  const picked = 'make=toyota&model=camry&year=2012'
  const { user } = await openApp(`/parts?q=starter&${picked}`, { server: shop(starter) })
  await user.tab()
  await user.click(await press('Add to garage'))
  expect(await screen.findByText('Vehicle added')).toBeVisible()
  await user.click(await within(await vehicles()).findByRole('link', { name: 'Remove 2012 Camry' }))
  await waitFor(() => expect(address()).toBe('/parts?q=starter'))
  await user.click(await within(await vehicles()).findByRole('link', { name: 'Show for my 2012 Camry' }))
  await waitFor(() => expect(address()).toBe(`/parts?q=starter&${picked}`))

  // In the search of any page, too.
  await user.click(screen.getByLabelText('Search', { selector: 'input' }))
  const box = await screen.findByRole('combobox', { name: 'Search' })
  await user.clear(box)
  await user.type(box, 'fuel pump')
  await user.click(await screen.findByRole('option', { name: /fuel pump for your 2012 Camry/ }))
  await waitFor(() => expect(address()).toBe(`/parts?q=fuel+pump&${picked}`))
})

test('the garage has saved and recently seen parts; one no longer for sale says so and can be removed', async () => {
  const { user, server } = await openApp('/parts', { server: shop(starter, pump) })
  await user.tab()
  await user.click(await press('Save 2012 Toyota Camry Starter'))
  await user.click(await press('Save 2012 Toyota Camry Fuel pump'))
  await waitFor(() => expect(screen.getByRole('link', { name: 'Garage 2 saved' })).toBeVisible())
  server.answer(shop(pump))
  await user.click(screen.getByRole('link', { name: 'Garage 2 saved' }))
  const saved = within(await screen.findByRole('region', { name: 'Saved parts' }))
  expect(await saved.findByRole('link', { name: '2012 Toyota Camry Fuel pump' })).toBeVisible()
  expect(await saved.findByText('2012 Toyota Camry Starter is no longer for sale.')).toBeVisible()
  await user.click(saved.getByRole('button', { name: 'Remove 2012 Toyota Camry Starter' }))
  expect(saved.queryByText(/no longer for sale/)).toBeNull()
  // A mistake can be undone as long as the page is open.
  const heart = saved.getByRole('button', { name: 'Save 2012 Toyota Camry Fuel pump' })
  await user.click(heart)
  expect(heart).toHaveAttribute('aria-pressed', 'false')
  expect(heart).toHaveFocus()
  await user.click(heart)
  expect(screen.getByRole('link', { name: 'Garage 1 saved' })).toBeVisible()

  await user.selectOptions(await screen.findByLabelText('Year'), '2012')
  await user.selectOptions(screen.getByLabelText('Make'), 'Toyota')
  await waitFor(() => expect(screen.getByLabelText('Model')).toBeEnabled())
  await user.selectOptions(screen.getByLabelText('Model'), 'Camry')
  await user.click(screen.getByRole('button', { name: 'Add vehicle' }))
  const list = within(await screen.findByRole('list', { name: 'Vehicles' }))
  expect(list.getByRole('link', { name: 'Find parts for 2012 Toyota Camry' })).toHaveAttribute(
    'href',
    '/parts?make=toyota&model=camry&year=2012',
  )
  await user.click(list.getByRole('button', { name: 'Remove 2012 Toyota Camry' }))
  expect(await screen.findByText(/Add the car you need parts for/)).toBeVisible()
})

test('signing in merges the garage of this device and the account; logging out clears it here', async () => {
  const dana = makeUser()
  const car = {
    year: 2004,
    manuId: lookups.toyota,
    make: 'Toyota',
    modelId: lookups.corolla,
    model: 'Corolla',
  }
  const account: Garage = {
    vehicles: [{ ...car, usedAt: '2026-11-01T10:00:00.000Z' }],
    parts: [{ id: pump.id, savedAt: '2026-11-01T10:00:00.000Z' }],
  }
  const sent: GarageChanges[] = []
  const server: Handlers = {
    ...shop(starter, pump),
    readGarage: account,
    changeGarage: ({ body }) => {
      sent.push(body)
      return {
        ...account,
        parts: [{ id: starter.id, savedAt: '2026-11-23T10:00:00.000Z' }, ...account.parts],
      }
    },
    logout: { ok: true },
  }
  const first = await openApp('/parts', { server })
  await first.user.tab()
  await first.user.click(await press('Save 2012 Toyota Camry Starter'))
  await screen.findByRole('link', { name: 'Garage 1 saved' })

  const { user } = await openApp('/parts', { as: dana, server, kept: true })
  expect(await screen.findByRole('link', { name: 'Garage 2 saved' })).toBeVisible()
  expect(
    await within(await vehicles()).findByRole('link', { name: 'Show for my 2004 Corolla' }),
  ).toBeVisible()
  expect(sent).toMatchObject([{ vehicles: [], parts: [{ id: starter.id, removed: false }] }])

  const [logOut] = screen.getAllByRole('button', { name: 'Logout' })
  if (logOut) await user.click(logOut)
  await waitFor(() => expect(localStorage.getItem('garage')).toBeNull())
  expect(screen.queryByRole('link', { name: /Garage \d/ })).toBeNull()
})

test('cards and the comparison say whether a part fits the buyer’s vehicle, in one call for all', async () => {
  const row = { source: 'seller' as const, vehicle: 'Toyota Camry', details: '', modelId: lookups.camry }
  const fitsOf = new Map([
    [starter.id, [{ ...row, from: 2010, to: 2014 }]],
    [pump.id, [{ ...row, from: 2002, to: 2006 }]],
  ])
  const picked = 'make=toyota&model=camry&year=2012'
  const { user, server } = await openApp(`/parts?${picked}`, {
    server: {
      ...shop(starter, pump, door),
      readFits: ({ query: { ids = '' } }) => ({
        items: ids.split(',').map((id) => ({ id, fits: fitsOf.get(id) ?? [] })),
      }),
    },
  })
  await user.tab()
  expect(server.asked('readFits')).toEqual([])
  await user.click(await press('Add to garage'))
  const card = (name: string) => within(screen.getByRole('link', { name }).closest('article') as HTMLElement)
  expect(await card('2012 Toyota Camry Starter').findByText('Fits your 2012 Camry')).toBeVisible()
  expect(card('2012 Toyota Camry Fuel pump').getByText('Doesn’t fit your 2012 Camry')).toBeVisible()
  expect(card('2012 Toyota Camry Front door').queryByText(/your 2012 Camry/)).toBeNull()
  expect(server.asked('readFits')).toHaveLength(1)

  await user.click(await press('Compare 2012 Toyota Camry Starter'))
  await user.click(await press('Compare 2012 Toyota Camry Front door'))
  await user.click(await press('Compare parts'))
  const fits = within(await screen.findByRole('row', { name: /^Fits your car/ })).getAllByRole('cell')
  await waitFor(() =>
    expect(fits.map(({ textContent }) => textContent)).toEqual([
      'Fits your 2012 Camry',
      'Not confirmed for your 2012 Camry',
    ]),
  )
})
