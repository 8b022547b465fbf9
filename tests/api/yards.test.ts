import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { User } from '#contract/account/accounts.ts'
import type { NameReview } from '#contract/admin/people.ts'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { Listing } from '#contract/listings.ts'
import type { AroundPart } from '#contract/pages/part-page.ts'
import type { PublicYard } from '#contract/pages/sellers.ts'
import type { OwnYard, Yard } from '#contract/pages/yard.ts'
import type { PartsPage } from '#contract/search/parts-search.ts'
import type { Suggestion } from '#contract/search/suggestions.ts'
import {
  hasDueNames,
  mailNameReviews,
  publishDueNames,
} from '#server/features/people/yard-names/name-reviews.ts'
import { makeQuickListing, newPerson } from '#tests/support/make-rows.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* What a yard says of itself: written by its seller, read by everyone. */

const app = await startTestApp({ PUBLIC_URL: 'https://parts.example' })
const { db, visitor } = app
let seller: SignedIn
let admin: SignedIn

const workday = { opens: '08:00', closes: '17:00' }
const hours: Yard['hours'] = {
  monday: workday,
  tuesday: workday,
  wednesday: workday,
  thursday: workday,
  friday: workday,
  saturday: { opens: '09:00', closes: '12:30' },
  sunday: null,
}
const nothing: Yard = {
  street: '',
  city: '',
  state: '',
  zip: '',
  phone: '',
  timeZone: 'America/Chicago',
  hours: null,
  policy: { shipping: '', returns: '', warranty: '' },
}
const all: Yard = {
  street: '4100 Flywheel Dr',
  city: 'Joplin',
  state: 'Missouri',
  zip: '64801',
  phone: '(417) 555-0118',
  timeZone: 'America/New_York',
  hours,
  policy: {
    shipping: 'Within a day.\nFreight by quote.',
    returns: '30 days.',
    warranty: '90 days on engines.',
  },
}

beforeAll(async () => {
  seller = await app.signUp()
  admin = await app.signUp({ role: 'admin' })
  await makeStock(db, { sellerId: seller.user.sellerId, parts: 1 }, () => ({ slug: 'a-part', city: 'Tulsa' }))
})

const save = (yard: unknown, { api }: SignedIn = seller) =>
  api.put<OwnYard & ErrorReply>('/seller/yard', yard)
const read = async ({ user }: SignedIn = seller) =>
  (await visitor.get<PublicYard>(`/sellers/${user.sellerSlug}`)).body
const open = async (path: string) => (await app.http.inject({ method: 'GET', url: path })).body

describe('reading and writing', () => {
  test('a new yard’s page is empty, and public once it lists something', async () => {
    const { api, user } = await app.signUp()
    expect((await api.get('/seller/yard')).body).toEqual({
      ...nothing,
      slug: user.sellerSlug,
      hasPage: false,
    })
    expect((await seller.api.get<OwnYard>('/seller/yard')).body.hasPage).toBe(true)
    expect(await read()).toMatchObject({
      street: null,
      zip: null,
      phone: null,
      hours: null,
      map: null,
      policy: {},
    })
  })

  test('what is saved is on the page, and gone when it is emptied', async () => {
    const saved = await save(all)
    expect(saved).toMatchObject({ status: 200, body: { ...all, state: 'MO' } })
    expect((await seller.api.get('/seller/yard')).body).toEqual(saved.body)
    const yard = await read()
    expect(yard).toMatchObject({
      street: all.street,
      city: 'Joplin',
      state: 'MO',
      zip: '64801',
      phone: all.phone,
      hours,
      timeZone: 'America/New_York',
      policy: all.policy,
    })
    const names = yard.map?.towns.map(({ name }) => name)
    expect(names).toContain('Webb City')
    expect(names).not.toContain('Joplin')

    const { slug } = saved.body
    const page = await open(`/sellers/${slug}`)
    for (const text of [
      all.street,
      '64801',
      all.phone,
      '8 AM to 5 PM',
      'Eastern time',
      'Freight by quote.',
    ]) {
      expect(page).toContain(text)
    }
    const blocks = [...page.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)]
    const things = blocks.map(([, json = '']) => JSON.parse(json))
    expect(things.find((thing) => thing['@type'] === 'AutoPartsStore')).toMatchObject({
      telephone: all.phone,
      openingHours: ['Mo-Fr 08:00-17:00', 'Sa 09:00-12:30'],
      address: {
        streetAddress: all.street,
        addressLocality: 'Joplin',
        addressRegion: 'MO',
        postalCode: '64801',
        addressCountry: 'US',
      },
    })

    const { body: around } = await visitor.get<AroundPart>('/parts/a-part/around')
    expect(around.seller).toMatchObject({ city: 'Joplin', policy: all.policy })
    expect(around.seller).not.toHaveProperty('phone')
    expect(await open('/parts/a-part')).toContain('90 days on engines.')

    expect((await save(nothing)).status).toBe(200)
    expect(await read()).toMatchObject({ street: null, city: 'Tulsa', phone: null, hours: null, policy: {} })
    const emptied = await open(`/sellers/${slug}`)
    for (const text of [all.street, all.phone, '8 AM to 5 PM', 'Freight by quote.']) {
      expect(emptied).not.toContain(text)
    }
  })

  test('a yard that is closed every day says no hours', async () => {
    const closed = Object.fromEntries(Object.keys(hours ?? {}).map((day) => [day, null]))
    expect((await save({ ...nothing, hours: closed })).body.hours).toBeNull()
  })

  test('HTML becomes the text that it shows', async () => {
    const { body } = await save({
      ...nothing,
      policy: { ...nothing.policy, returns: '<b>30</b> days<br>No cores' },
    })
    expect(body.policy.returns).toBe('30 days\nNo cores')
  })
})

describe('what is refused, at its field', () => {
  const workweek = (monday: unknown) => ({ ...hours, monday })
  test.each<[string, string, object]>([
    ['street', 'Street address can have at most 120 characters', { street: 'x'.repeat(121) }],
    ['city', 'Enter the city of the street address', { street: '1 Main St' }],
    ['zip', 'A ZIP code has 5 digits', { zip: '7410' }],
    ['zip', 'There is no ZIP code 00000. Check its digits.', { zip: '00000' }],
    ['phone', 'Enter a phone number such as (918) 555-0142', { phone: 'call us' }],
    ['timeZone', 'Choose a time zone from the list', { timeZone: 'Europe/Berlin' }],
    [
      'hours.monday.opens',
      'Monday: enter the opening time, such as 08:00',
      { hours: workweek({ opens: '', closes: '17:00' }) },
    ],
    [
      'hours.monday.closes',
      'Monday: enter the closing time, such as 17:00',
      { hours: workweek({ opens: '08:00', closes: '24:30' }) },
    ],
    [
      'hours.monday.closes',
      'Monday: the closing time is the opening time. For 24 hours, enter 12:00 AM twice.',
      { hours: workweek({ opens: '08:00', closes: '08:00' }) },
    ],
    [
      'policy.returns',
      'Returns can have at most 600 characters',
      { policy: { ...nothing.policy, returns: 'x'.repeat(601) } },
    ],
    [
      'policy.warranty',
      'Please remove inappropriate language (shit).',
      { policy: { ...nothing.policy, warranty: 'No shit sold' } },
    ],
    [
      'street',
      'Please remove inappropriate language (shit).',
      { street: '1 Shit St', city: 'Tulsa', state: 'OK' },
    ],
  ])('%s: %s', async (field, sentence, change) => {
    const { status, body } = await save({ ...nothing, ...change })
    expect([status, body.fields?.[field]]).toEqual([422, sentence])
  })
})

test('administrators see in the audit log what a seller changed; saving the same again adds no entry', async () => {
  const owner = await app.signUp()
  await save({ ...nothing, phone: '(417) 555-0118', hours }, owner)
  await save({ ...nothing, phone: '(417) 555-0119', hours }, owner)
  await save({ ...nothing, phone: '(417) 555-0119', hours }, owner)
  const { body } = await admin.api.get<{ items: { by: { email: string }; detail: object; named: object }[] }>(
    `/admin/audit?action=yard-changed&target=${owner.user.sellerId}`,
  )
  expect(body.items).toMatchObject([
    { by: { email: owner.person.email }, detail: { phone: '(417) 555-0118 → (417) 555-0119' } },
    {
      detail: { hours: expect.stringContaining('(none) → Monday 8 AM to 5 PM, ') },
      named: { kind: 'seller' },
    },
  ])
})

test('miles from a ZIP code to the yard', async () => {
  await save({ ...nothing, zip: '64801' })
  const miles = (zip: string) =>
    visitor.get<{ miles: number | null } & ErrorReply>(
      `/sellers/${seller.user.sellerSlug}/distance?zip=${zip}`,
    )
  const { body } = await miles('74107')
  expect(body.miles).toBeGreaterThan(90)
  expect(body.miles).toBeLessThan(115)
  expect((await miles('00000')).body.fields?.zip).toBe('There is no ZIP code 00000. Check its digits.')
  // Ponce, Charlotte Amalie, Hagåtña: the territories have ZIP codes, too.
  for (const zip of ['00716', '00802', '96910']) expect((await miles(zip)).status).toBe(200)
  await save(nothing)
  expect((await miles('74107')).body).toEqual({ miles: null })
  expect((await visitor.get('/sellers/nobody/distance?zip=74107')).status).toBe(404)
})

describe('a new seller that calls itself like a yard in the same city', () => {
  const tulsa = { partcity: 'Tulsa', partstate: 'OK' }
  const newYard = (name: string) => app.signUp({ isNew: true, person: newPerson({ name }) })
  const yardOf = (seller: SignedIn) =>
    app.visitor.get<{ name: string }>(`/sellers/${seller.user.sellerSlug}`).then(({ body }) => body.name)
  const dealerOf = async (slug: string, api = app.visitor) =>
    (await api.get<Listing>(`/auto-part/${slug}`)).body.dealername
  const reviews = async (admin: SignedIn) =>
    (await admin.api.get<{ items: NameReview[] }>('/admin/name-reviews')).body.items
  const decide = (admin: SignedIn, name: string, decision: string, sellerId: string) =>
    admin.api.post('/admin/name-reviews', { sellerId, name, decision })

  test('goes live under a neutral name until an administrator decides or two working days are over', async () => {
    const admin = await app.signUp({ role: 'admin' })
    const known = await app.signUp()
    await makeQuickListing(known.api, { ...tulsa, partdealer: 'Cimarron Auto Parts' })
    const impostor = await newYard('Ray Ortiz')
    const { partslug } = await makeQuickListing(impostor.api, {
      ...tulsa,
      partdealer: 'CIMARR\u041eN AUTOPARTS',
    })
    expect([await dealerOf(partslug), await yardOf(impostor)]).toEqual([
      'Yard in Tulsa, OK',
      'Yard in Tulsa, OK',
    ])
    const { items } = (await app.visitor.get<PartsPage>(`/parts?seller=${impostor.user.sellerSlug}`)).body
    expect(items.map(({ dealername }) => dealername)).toEqual(['Yard in Tulsa, OK'])
    expect(await dealerOf(partslug, impostor.api)).toBe('CIMARR\u041eN AUTOPARTS')
    expect(await yardOf(known)).toBe('Cimarron Auto Parts')
    const [review] = await reviews(admin)
    expect(review).toMatchObject({ likeName: 'Cimarron Auto Parts', likeSlug: known.user.sellerSlug })
    await mailNameReviews(app.db, app.config)
    const mails = await app.db
      .selectFrom('mail')
      .select(['recipient', 'subject'])
      .where('subject', 'ilike', '%name%cimarr%')
      .execute()
    expect(mails.map(({ recipient }) => recipient)).toEqual(
      expect.arrayContaining([impostor.person.email, admin.person.email]),
    )
    const name = review?.name ?? ''
    expect((await decide(admin, name, 'refused', impostor.user.sellerId)).status).toBe(200)
    expect((await decide(admin, name, 'published', impostor.user.sellerId)).status).toBe(409)
    expect([await dealerOf(partslug), await reviews(admin)]).toEqual(['Yard in Tulsa, OK', []])
    await impostor.api.put(
      `/seller/parts/${(await app.visitor.get<Listing>(`/auto-part/${partslug}`)).body.id}`,
      {
        partdealer: 'Arrow Used Parts',
      },
    )
    expect(await dealerOf(partslug)).toBe('Arrow Used Parts')
  })

  test('shows the name in no address, suggestion or search, whatever place its parts name', async () => {
    const known = await app.signUp()
    await makeQuickListing(known.api, { ...tulsa, partdealer: 'Deep Fork Salvage' })
    const places = [tulsa, { partcity: 'Tusla', zipcode: '74103' }]
    for (const place of places) {
      const impostor = await newYard('DEEP-FORK SALVAGE, INC.')
      const more = { ...tulsa, ...place, partdealer: 'Whitfield’s' }
      const { partslug, id } = await makeQuickListing(impostor.api, more)
      const { sellerSlug } = (await impostor.api.get<User>('/profile/me')).body
      expect(sellerSlug).toMatch(/^yard-[\da-f]{12}$/)
      const { items } = (await app.visitor.get<PartsPage>(`/parts?seller=${sellerSlug}`)).body
      expect(items.map((item) => [item.id, item.sellerSlug])).toEqual([[id, sellerSlug]])
      const [page, yard] = await Promise.all([open(`/parts/${partslug}`), open(`/sellers/${sellerSlug}`)])
      for (const html of [page, yard]) expect(/.{0,80}deep-fork.{0,20}/i.exec(html)?.[0]).toBeUndefined()
    }
    const { suggestions } = (
      await app.visitor.get<{ suggestions: Suggestion[] }>('/search/suggestions?q=deep%20fork')
    ).body
    expect(suggestions.filter(({ kind }) => kind === 'seller')).toEqual([])
  })

  test('takes from no other city what buyers find by the name of the yard', async () => {
    const named = { person: newPerson({ name: 'Wapanucka Recyclers' }) }
    const known = await app.signUp(named)
    const { id } = await makeQuickListing(known.api, tulsa)
    const find = async () => {
      const { items } = (await app.visitor.get<PartsPage>('/parts?q=wapanucka%20recyclers')).body
      return items.map((item) => item.id)
    }
    expect(await find()).toEqual([id])
    const other = await newYard('Wapanucka Recyclers')
    await makeQuickListing(other.api, { partcity: 'Dallas', partstate: 'TX', zipcode: '75201' })
    app.clock.advance(3_000)
    expect(await find()).toEqual([id])
  })

  test('is shown after its time on kept pages as well, elsewhere at once, and an established yard always', async () => {
    const person = newPerson({ name: 'Verdigris Salvage' })
    const known = await app.signUp({ person: newPerson({ name: 'Verdigris Salvage' }) })
    await makeQuickListing(known.api, { ...tulsa, partdealer: 'Verdigris Salvage' })
    const late = await app.signUp({ isNew: true, person })
    const { partslug } = await makeQuickListing(late.api, { ...tulsa, partdealer: 'Verdigris Salvage' })
    // Neutral since its name is reviewed.
    const { sellerSlug } = (await late.api.get<User>('/profile/me')).body
    const list = `/parts?seller=${sellerSlug}`
    const shown = async () => {
      const { items, understood } = (await app.visitor.get<PartsPage>(list)).body
      const pages = await Promise.all([list, `/sellers/${sellerSlug}`, `/parts/${partslug}`].map(open))
      return [
        await dealerOf(partslug),
        await yardOf({ ...late, user: { ...late.user, sellerSlug } }),
        ...items.map(({ dealername }) => dealername),
        ...understood.map(({ label }) => label.replace('From ', '')),
        ...pages.map((page) => /Verdigris Salvage|Yard in Tulsa, OK/.exec(page)?.[0]),
      ]
    }
    const suggested = async () =>
      JSON.stringify((await app.visitor.get('/search/suggestions?q=verdigris')).body).includes(sellerSlug)
    expect(await suggested()).toBe(false)
    await app.db
      .updateTable('name_review')
      .set({ due_at: sql`now() + interval '1 second'` })
      .where('seller_id', '=', late.user.sellerId)
      .execute()
    expect(new Set(await shown())).toEqual(new Set(['Yard in Tulsa, OK']))
    await expect.poll(() => hasDueNames(app.db)).toBe(true)
    await Promise.all([publishDueNames(app.db), publishDueNames(app.db)])
    expect(await hasDueNames(app.db)).toBe(false)
    await expect
      .poll(async () => [...new Set(await shown())], { timeout: 5_000 })
      .toEqual(['Verdigris Salvage'])
    app.clock.advance(60_000)
    await expect.poll(suggested, { timeout: 5_000 }).toBe(true)
    const far = await newYard('Al Moss')
    const inDallas = {
      partcity: 'Dallas',
      partstate: 'TX',
      zipcode: '75201',
      partdealer: 'Verdigris Salvage',
    }
    expect(await dealerOf((await makeQuickListing(far.api, inDallas)).partslug)).toBe('Verdigris Salvage')
    const old = await app.signUp()
    const { partslug: own } = await makeQuickListing(old.api, { ...tulsa, partdealer: 'Verdigris Salvage' })
    expect(await dealerOf(own)).toBe('Verdigris Salvage')
  })

  test('that says no town is compared with yards anywhere, until its address says where it is', async () => {
    const known = await app.signUp()
    await makeQuickListing(known.api, { ...tulsa, partdealer: 'Osage Hills Salvage' })
    /** As a file lists it: the form asks for a town. */
    const listWithout = async ({ user: { sellerId } }: SignedIn) => {
      const place = { city: '', state: '', dealer_name: 'Osage Hills Salvage' }
      const [id] = await makeStock(db, { sellerId, parts: 1 }, () => place)
      return `part-${id}`
    }
    const nowhere = await app.signUp({ isNew: true })
    const slug = await listWithout(nowhere)
    expect(await dealerOf(slug)).toBe('New yard')
    await save({ ...nothing, phone: '(417) 555-0118' }, nowhere)
    expect(await dealerOf(slug)).toBe('New yard')
    await save({ ...nothing, city: 'Dallas', state: 'TX' }, nowhere)
    expect(await dealerOf(slug)).toBe('Osage Hills Salvage')
    expect(await dealerOf(await listWithout(nowhere))).toBe('Osage Hills Salvage')

    const inTown = await app.signUp({ isNew: true })
    await save({ ...nothing, city: 'Tulsa', state: 'OK' }, inTown)
    expect(await dealerOf(await listWithout(inTown))).toBe('Yard in Tulsa, OK')
  })
})
