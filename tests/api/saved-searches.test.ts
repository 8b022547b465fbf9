import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { SavedSearch } from '#contract/search/saved-searches.ts'
import { newPerson } from '#tests/support/make-rows.ts'
import { savedSearchesOf } from '#tests/support/saved-searches.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* Saving a search, confirming the address, and managing what was saved. */

const app = await startTestApp({ PUBLIC_URL: 'https://parts.example' })
const { mailsTo, tokenFor, confirmed } = savedSearchesOf(app)

type Failure = { error: string; code: string; fields?: Record<string, string> }
type Listed = Failure & { email: string; items: SavedSearch[] }

const newEmail = () => newPerson().email
const save = (body: object, api = app.visitor) =>
  api.post<Failure>('/saved-searches/new', { frequency: 'daily', ...body })
const list = (body: object, api = app.visitor) => api.post<Listed>('/saved-searches/list', body)
const HOUR_MS = 3_600_000

describe('GET /saved-searches/title', () => {
  const describeSearch = async (query: string) =>
    (
      await app.visitor.get<{ title: string; problem: string | null }>(
        `/saved-searches/title?${new URLSearchParams({ query })}`,
      )
    ).body

  test.each([
    [
      'q=2010+honda+accord+headlight+lh&priceMax=150&zip=74103&radius=100',
      '2010 Honda Accord Headlamp Assembly, left, up to $150, within 100 mi of 74103',
    ],
    ['q=08-12+camry+alternater', '2008–2012 Toyota Camry Alternator'],
    [
      'q=brembo+caliper&grade=A,B&shipping=free&hasPicture=1',
      'Brake Caliper brembo, grade A or B, free shipping, with a picture',
    ],
    ['q=27060-0V210&priceMin=20.5&priceMax=60', 'Part number 27060-0V210, $20.50 to $60'],
    ['q=f150+mirror&milesMax=90000&side=right', 'Ford F-150 Mirror, right, up to 90,000 miles on it'],
  ])('%s', async (query, title) => {
    expect(await describeSearch(query)).toEqual({ title, problem: null })
  })

  test.each(['', 'q=honda', 'year=2010&priceMax=50', 'q=left', 'zip=74103&radius=25', 'q=the'])(
    '“%s” cannot be saved',
    async (query) => {
      const { problem } = await describeSearch(query)
      expect(problem).toMatch(/^Add a part, a model|^No part can match/)
      const refused = await save({ query, email: newEmail() })
      expect([refused.status, refused.body.fields]).toEqual([422, { query: problem }])
    },
  )
})

describe('a stranger’s address', () => {
  test('gets only a link, with none of the typed text, until the link’s button is pressed', async () => {
    const email = newEmail()
    const asked = await save({ query: 'q=FREE+PILLS+winch', email })
    expect(asked).toMatchObject({ status: 201, body: { state: 'confirm', email } })
    const [mail, ...others] = await mailsTo(email)
    expect(others).toEqual([])
    expect(`${mail?.subject} ${mail?.body}`).not.toMatch(/pills|winch/i)

    const token = await tokenFor(email)
    const { body } = await app.visitor.post<Listed>('/saved-searches/link', { token })
    expect(body).toMatchObject({ email, items: [{ frequency: 'daily', query: 'q=FREE+PILLS+winch' }] })
    const ids = body.items.map(({ id }) => id)
    const clicks = await Promise.all(
      [1, 2].map(() => app.visitor.post<{ key: string }>('/saved-searches/confirm', { token, ids })),
    )
    expect(clicks.map(({ status }) => status)).toEqual([200, 200])
    const key = clicks[0]?.body.key
    expect((await list({ key })).body).toMatchObject({ email, items: [{ id: ids[0] }] })
    expect((await app.visitor.post<Listed>('/saved-searches/link', { token })).body.items).toEqual([])
  })

  test('gets one link an hour, which confirms everything saved in the meantime', async () => {
    const email = newEmail()
    for (const word of ['winch', 'horn', 'visor']) await save({ query: `q=${word}`, email })
    expect(await mailsTo(email)).toHaveLength(1)
    const token = await tokenFor(email)
    const { items } = (await app.visitor.post<Listed>('/saved-searches/link', { token })).body
    expect(items.map(({ query }) => query)).toEqual(['q=visor', 'q=horn', 'q=winch'])
    // What was not chosen is forgotten: somebody else may have asked for it.
    const chosen = items.filter(({ query }) => query === 'q=horn').map(({ id }) => id)
    const { key } = (
      await app.visitor.post<{ key: string }>('/saved-searches/confirm', { token, ids: chosen })
    ).body
    expect((await list({ key })).body.items.map(({ query }) => query)).toEqual(['q=horn'])
    expect((await app.visitor.post<Listed>('/saved-searches/link', { token })).body.items).toEqual([])
    app.clock.advance(HOUR_MS)
    await save({ query: 'q=visor', email })
    expect(await mailsTo(email)).toHaveLength(2)
    app.clock.advance(-HOUR_MS)
  })

  test('gets five links a day, however many strangers ask', async () => {
    const email = newEmail()
    for (let hour = 0; hour < 8; hour += 1) {
      await save({ query: 'q=winch', email }, app.visitor.as({ ip: `198.51.100.${hour}` }))
      app.clock.advance(HOUR_MS)
    }
    app.clock.advance(-8 * HOUR_MS)
    expect(await mailsTo(email)).toHaveLength(5)
  })

  test('has at most five searches waiting', async () => {
    const email = newEmail()
    const statuses = []
    for (const word of ['winch', 'horn', 'visor', 'grille', 'hood', 'fender']) {
      statuses.push((await save({ query: `q=${word}`, email })).status)
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 422])
  })

  test('a link works for three days, and a guessed one never', async () => {
    const email = newEmail()
    await save({ query: 'q=winch', email })
    const token = await tokenFor(email)
    app.clock.advance(72 * HOUR_MS + 1_000)
    expect(await app.visitor.post('/saved-searches/link', { token })).toMatchObject({ status: 410 })
    app.clock.advance(-72 * HOUR_MS - 1_000)
    expect((await app.visitor.post('/saved-searches/link', { token: 'x'.repeat(43) })).status).toBe(410)
  })

  test('has the frequency that was chosen last, and cannot be changed before it is confirmed', async () => {
    const email = newEmail()
    const key = await confirmed('q=winch', { email })
    app.clock.advance(HOUR_MS)
    for (const frequency of ['daily', 'hourly']) await save({ query: 'q=horn', email, frequency })
    const token = await tokenFor(email)
    const { items } = (await app.visitor.post<Listed>('/saved-searches/link', { token })).body
    expect(items).toMatchObject([{ query: 'q=horn', frequency: 'hourly' }])
    const change = { key, id: items[0]?.id, frequency: 'off' }
    expect((await app.visitor.post('/saved-searches/change', change)).status).toBe(404)
    app.clock.advance(-HOUR_MS)
  })

  test('with 20 searches learns at its link that there are too many, and a stranger does not', async () => {
    const email = newEmail()
    await confirmed('q=winch', { email })
    await sql`
      insert into saved_search
      select (jsonb_populate_record(s, jsonb_build_object('id', uuidv7(), 'query', s.query || '&priceMin=' || n))).*
      from saved_search s join saved_search_owner o on o.id = s.owner_id cross join generate_series(1, 19) n
      where o.email = ${email}
    `.execute(app.db)
    app.clock.advance(HOUR_MS)
    expect((await save({ query: 'q=horn', email })).status).toBe(201)
    const token = await tokenFor(email)
    const { items } = (await app.visitor.post<Listed>('/saved-searches/link', { token })).body
    const ids = items.map(({ id }) => id)
    const refused = await app.visitor.post<Failure>('/saved-searches/confirm', { token, ids })
    expect([refused.status, refused.body.fields?.query]).toEqual([
      422,
      'You have 20 saved searches, which is the limit. Delete one first.',
    ])
    app.clock.advance(-HOUR_MS)
  })

  test('a stranger cannot change what its owner confirmed', async () => {
    const email = newEmail()
    const key = await confirmed('q=winch', { email, frequency: 'hourly' })
    app.clock.advance(HOUR_MS)
    expect((await save({ query: 'q=winch', email })).status).toBe(201)
    app.clock.advance(-HOUR_MS)
    expect((await list({ key })).body.items).toMatchObject([{ frequency: 'hourly' }])
  })
})

describe('a signed-in person', () => {
  test('saves with one call for the confirmed address, and sees what was saved for it before', async () => {
    const { api, person, user } = await app.signUp()
    await confirmed('q=horn', { email: person.email })
    const mails = (await mailsTo(person.email)).length
    expect(await save({ query: 'q=winch' }, api)).toMatchObject({
      status: 201,
      body: { state: 'saved', email: person.email },
    })
    // The same search again changes how often it is mailed.
    await save({ query: 'q=winch', email: person.email.toUpperCase(), frequency: 'hourly' }, api)
    expect((await list({}, api)).body).toMatchObject({
      email: person.email,
      items: [
        { query: 'q=winch', frequency: 'hourly' },
        { query: 'q=horn', frequency: 'hourly' },
      ],
    })
    expect(await mailsTo(person.email)).toHaveLength(mails)
    await app.db.updateTable('app_user').set({ email_verified_at: null }).where('id', '=', user.id).execute()
    expect((await save({ query: 'q=visor' }, api)).body).toMatchObject({ state: 'confirm' })
    expect((await list({}, api)).body.items).toMatchObject([{ query: 'q=winch' }])
    app.clock.advance(HOUR_MS)
    await save({ query: 'q=grille' }, api)
    const token = await tokenFor(person.email)
    const { items } = (await app.visitor.post<Listed>('/saved-searches/link', { token })).body
    expect(items.map(({ query }) => query)).toEqual(['q=grille', 'q=visor'])
    app.clock.advance(-HOUR_MS)
  })

  test.each([
    ['q=winch&categoryId=&sort=newest', 'q=winch'],
    ['q=camry+alternater', 'q=camry+alternator'],
    ['q=1HGCM82633A004352+headlight', 'q=2003+Honda+Accord+headlight'],
  ])('“%s” is kept as “%s”', async (typed, kept) => {
    const { api } = await app.signUp()
    expect((await save({ query: typed }, api)).status).toBe(201)
    expect((await list({}, api)).body.items).toMatchObject([{ query: kept }])
  })

  test('has at most 20', async () => {
    const { api } = await app.signUp()
    const statuses = []
    for (let n = 0; n < 21; n += 1)
      statuses.push((await save({ query: `q=winch&priceMax=${n}` }, api)).status)
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 201), 422])
    expect((await list({}, api)).body.items).toHaveLength(20)
  })
})

describe('without an account', () => {
  test('the key from an email lists, changes and deletes; another key nothing', async () => {
    const key = await confirmed('q=winch', { email: newEmail() })
    const other = await confirmed('q=horn', { email: newEmail() })
    const [search] = (await list({ key })).body.items
    const change = (body: object) => app.visitor.post('/saved-searches/change', body)
    expect((await change({ key: other, id: search?.id, frequency: 'off' })).status).toBe(404)
    expect((await change({ key, id: search?.id, frequency: 'daily' })).status).toBe(200)
    expect((await list({ key })).body.items).toMatchObject([{ frequency: 'daily' }])
    const remove = (body: object) => app.visitor.post('/saved-searches/remove', body)
    expect((await remove({ key: other, id: search?.id })).status).toBe(404)
    expect((await remove({ key, id: search?.id })).status).toBe(200)
    expect((await list({ key })).body.items).toEqual([])
    expect((await list({ key: crypto.randomUUID() })).status).toBe(410)
    expect((await list({})).status).toBe(401)
  })

  test('the unsubscribe link of an email stops all of them, with one click or on its page', async () => {
    const email = newEmail()
    const key = await confirmed('q=winch', { email })
    const { rows } = await sql<{ key: string }>`
      select stop_key as key from saved_search_owner where email = ${email}
    `.execute(app.db)
    const token = `${rows[0]?.key}.savedSearches`
    const oneClick = await app.http.inject({
      method: 'POST',
      url: `/api/verify/unsubscribe/${token}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    })
    expect(oneClick.statusCode).toBe(200)
    expect((await list({ key })).body.items).toMatchObject([{ frequency: 'off' }])
    await app.visitor.post('/saved-searches/change', { key, frequency: 'hourly' })
    expect(await app.visitor.post('/verify/unsubscribe', { token })).toMatchObject({ status: 200 })
    expect((await list({ key })).body.items).toMatchObject([{ frequency: 'off' }])
    // The key of the page cannot stand in for it, nor the other way around.
    expect((await app.visitor.post('/verify/unsubscribe', { token: `${key}.savedSearches` })).status).toBe(
      410,
    )
    expect((await list({ key: rows[0]?.key })).status).toBe(410)
    // Saving it again turns it on again, once the link is followed.
    await confirmed('q=winch', { email })
    expect((await list({ key })).body.items).toMatchObject([{ frequency: 'hourly' }])
  })
})
