import { screen, waitFor, within } from '@testing-library/dom'
import type { UserEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from './support/app.tsx'
import { lookups, makeListing, makeUser, refuse } from './support/fake-server.ts'

const quick = '/dashboard/seller/create-data-table-listing'

async function openQuickForm(server: Parameters<typeof openApp>[1] = {}) {
  const app = await openApp(quick, { as: makeUser(), ...server })
  const form = await screen.findByRole('form', { name: 'Quick listing' })
  const send = within(form).getByRole('button', { name: 'Create Listing' })
  const field = (name: string) => form.querySelector(`[name=${name}]`) as HTMLInputElement
  return { ...app, form, send, field }
}
type QuickForm = Awaited<ReturnType<typeof openQuickForm>>

/** Leaving the field picks the only option that matches what was typed. */
async function choose(user: UserEvent, form: HTMLElement, label: string, name: string): Promise<void> {
  const field = within(form).getByLabelText(new RegExp(`^${label}`), { selector: 'input:not([type=hidden])' })
  await user.type(field, name)
  await user.tab()
  await waitFor(() => expect(field).toHaveValue(name))
}

async function fillIn({ user, form, field }: QuickForm, changes: Record<string, string> = {}): Promise<void> {
  await choose(user, form, 'Category', 'Alternator')
  await user.click(form.querySelector('input[type=radio][value=A]') as HTMLElement)
  await choose(user, form, 'Manufacturer', 'Toyota')
  await choose(user, form, 'Model', 'Camry')
  const texts = {
    partname: 'Alternator, tested',
    partnum: '27060-28321',
    partdesc: 'Bench tested, plug intact.',
    partprice: '85',
    partcity: 'Tulsa',
    partstate: 'OK',
    partdealer: 'Whitfield Auto Salvage',
    phonea: '(918) 555-0142',
    partyear: '2011',
    parttrim: 'LE',
    partmiles: '92000',
    partdamage: 'None',
    zipcode: '74103',
    ...changes,
  }
  for (const [name, text] of Object.entries(texts)) {
    await user.click(field(name))
    await user.paste(text)
  }
}

test('a quick listing asks for everything it needs before it is sent, then the form is cleared', async () => {
  const saved = makeListing({ partname: 'Alternator, tested', mine: true })
  const app = await openQuickForm({ server: { createQuickListing: saved } })
  const { user, server, send, field } = app
  await user.click(send)
  const sentence = /^Missing required: Title, Description/
  expect((await screen.findAllByRole('alert')).some(({ textContent }) => sentence.test(textContent))).toBe(
    true,
  )
  expect(field('partname')).toHaveFocus()

  await fillIn(app, { zipcode: '7410' })
  await user.click(send)
  expect((await screen.findAllByText(/Invalid zipcode format/)).length).toBeGreaterThan(0)
  expect(server.asked('createQuickListing')).toEqual([])

  await user.type(field('zipcode'), '3')
  await user.click(send)
  expect(await screen.findByRole('link', { name: 'View listing' })).toHaveAttribute(
    'href',
    `/parts/${saved.partslug}`,
  )
  expect(server.asked('createQuickListing')).toHaveLength(1)
  expect(server.asked('createQuickListing')[0]?.body).toMatchObject({
    partname: 'Alternator, tested',
    partcategoryId: lookups.alternator,
    partmanuId: lookups.toyota,
    zipcode: '74103',
  })
  await waitFor(() => expect(field('partname')).toHaveValue(''), { timeout: 8_000 })
})

test('a price and a state are normalized, and the next form remembers town, phone and dealer', async () => {
  const saved = makeListing({ partname: 'Alternator, tested', mine: true })
  const app = await openQuickForm({ server: { createQuickListing: saved } })
  const { user, server, send, field } = app
  await fillIn(app, { partprice: '1,125', partstate: 'oklahoma' })
  await user.click(field('zipcode'))
  expect([field('partprice').value, field('partstate').value]).toEqual(['1125', 'OK'])
  await user.click(send)
  await screen.findByRole('link', { name: 'View listing' })
  expect(server.asked('createQuickListing')[0]?.body).toMatchObject({ partprice: '1125', partstate: 'OK' })
  await waitFor(() => expect(field('partname')).toHaveValue(''), { timeout: 8_000 })
  expect(
    ['partcity', 'partstate', 'zipcode', 'partdealer', 'phonea'].map((name) => field(name).value),
  ).toEqual(['Tulsa', 'OK', '74103', 'Whitfield Auto Salvage', '(918) 555-0142'])
})

test('a listing sent again after a broken response has the same key; what the server then refuses is shown at its field', async () => {
  const sentence = 'Please remove inappropriate language (shit).'
  const app = await openQuickForm({
    server: {
      createQuickListing: () => {
        throw new TypeError('Failed to fetch')
      },
    },
  })
  const { user, server, send, field } = app
  await fillIn(app, { partname: 'A shit alternator', phonea: 'call me' })
  await user.click(send)
  expect((await screen.findAllByText(/Enter a phone number/)).length).toBe(2)
  await user.clear(field('phonea'))
  await user.type(field('phonea'), '555-0142')
  await user.click(send)
  await screen.findAllByRole('alert')
  server.answer({
    createQuickListing: () => refuse(400, 'VALIDATION_FAILED', sentence, { fields: { partname: sentence } }),
  })
  await user.click(send)
  expect((await screen.findAllByText(sentence)).length).toBeGreaterThan(0)
  expect(screen.queryByText(/Enter a phone number/)).toBeNull()
  await waitFor(() => expect(field('partname')).toHaveFocus())
  expect(field('partname')).toHaveValue('A shit alternator')
  const keys = server.asked('createQuickListing').map(({ headers }) => headers.get('idempotency-key'))
  expect(keys).toHaveLength(2)
  expect(keys[0]).toMatch(/./)
  expect(keys[1]).toBe(keys[0])
})

test('a VIN fills in the car and shows where the form differs', async () => {
  const decoded = {
    vin: '4T1BF3EK5BU123456',
    valid: true,
    problems: [],
    suggestions: [],
    year: 2011,
    make: 'Toyota',
    model: 'Camry',
    series: null,
    trim: 'LE',
    body: 'Sedan',
    doors: 4,
    engine: '2.5L I4',
    engineParts: null,
    fuel: 'Gasoline',
    drive: null,
    transmission: null,
    makeId: lookups.toyota,
    modelId: lookups.camry,
    certainty: { year: 1, make: 1, model: 1, trim: 0.5, body: 1 },
  }
  const { user, form, field } = await openQuickForm({ server: { decodeVin: decoded } })
  await user.click(field('partyear'))
  await user.paste('2014')
  await user.click(field('vin'))
  await user.paste('4t1bf3ek5 bu123456')
  await user.tab()
  expect(await within(form).findByText('The VIN says 2011; the year here is 2014.')).toBeInTheDocument()
  expect(field('vin')).toHaveValue('4T1BF3EK5BU123456')
  const shown = (label: RegExp) =>
    within(form).getByLabelText(label, { selector: 'input:not([type=hidden])' })
  await waitFor(() => expect(shown(/^Manufacturer/)).toHaveValue('Toyota'))
  await waitFor(() => expect(shown(/^Model/)).toHaveValue('Camry'))
  expect(field('bodystyle')).toHaveValue('Sedan')
  expect(field('parttrim')).toHaveValue('')
  expect(field('partyear')).toHaveValue('2014')

  await user.clear(field('vin'))
  await user.type(field('vin'), '4T1BF3EK5BUO23456')
  await user.tab()
  await user.click(await within(form).findByRole('button', { name: 'Use 4T1BF3EK5BU023456' }))
  expect(field('vin')).toHaveValue('4T1BF3EK5BU023456')
})

test('a part that buyers want begins a listing of it', async () => {
  const { user } = await openApp('/dashboard/seller/wanted', {
    as: makeUser(),
    server: {
      listWanted: {
        items: [
          {
            part: 'Alternator, left',
            vehicle: 'Toyota Camry',
            years: '2012',
            buyers: 2,
            withinMiles: 25,
            since: '2026-11-20',
            starts: {
              partname: 'Alternator, left',
              partcategoryId: lookups.alternator,
              partmanuId: lookups.toyota,
              partmanuname: 'Toyota',
              partmodel: 'Camry',
              partyear: '2012',
            },
          },
        ],
        total: 1,
        page: 1,
        perPage: 24,
        place: 'Tulsa, OK',
      },
    },
  })
  await user.click(
    await screen.findByRole('link', { name: 'Create a listing: Toyota Camry Alternator, left' }),
  )
  const form = await screen.findByRole('form', { name: 'E-commerce listing' })
  expect(form).toHaveFormValues({ partname: 'Alternator, left', partyear: '2012' })
  const category = within(form).getByLabelText(/^Category/, { selector: 'input:not([type=hidden])' })
  await waitFor(() => expect(category).toHaveValue('Alternator'))
  expect(within(form).getByLabelText(/^Model/, { selector: 'input:not([type=hidden])' })).toHaveValue('Camry')
})
