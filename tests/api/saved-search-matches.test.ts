import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { SavedSearch, WantedPart } from '#contract/search/saved-searches.ts'
import { MAX_WAITING, mailFoundQueue } from '#server/features/finding/saved-searches/found-mails.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { writeSearchRows } from '#server/features/market/listings/search-row/search-rows.ts'
import { lookupDesk, startRelabeling } from '#tests/support/admin-lookups.ts'
import { untilStatus } from '#tests/support/job-bench.ts'
import { makeQuickListing, newPerson, someLookups } from '#tests/support/make-rows.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { savedSearchesOf } from '#tests/support/saved-searches.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* What comes in is matched against saved searches, and mailed as often as the buyer chose. */

const app = await startTestApp({ PUBLIC_URL: 'https://parts.example' })
const { match, mail, mailsTo, confirmed } = savedSearchesOf(app)
const HOUR_MS = 3_600_000

let yard: SignedIn
// For each test, since days pass in some, and a sign-in ends.
beforeEach(async () => {
  yard = await app.signUp()
})

// No two alike, or the search would take one for a typo of the other.
const unused =
  'zanzibar quixotry jabberwock fandango kumquat halcyon pumpernickel lollygag wigwam bamboozle hullabaloo gobbledygook rigmarole skedaddle flibbertigibbet cattywampus brouhaha widdershins kerfuffle taradiddle mugwump nincompoop codswallop wabbit snollygoster gallimaufry'.split(
    ' ',
  )
/** A word that no other test uses. */
const newWord = () => unused.pop() ?? 'none left'
const newEmail = () => newPerson().email
const list = (word: string, more: object = {}) =>
  makeQuickListing(yard.api, { partname: `Hood ${word}`, ...more })
/** How often each email to an address names the part. */
const told = async (email: string, text: string) =>
  (await mailsTo(email)).map(({ body }) => body.split(text).length - 1)

const mailJobs = async () =>
  (await app.db.selectFrom('job').select('id').where('queue', '=', mailFoundQueue.name).execute()).length

/** Matches and mails, far enough from the last email. */
async function tellAll() {
  await match()
  app.clock.advance(25 * HOUR_MS)
  const { mails } = await mail()
  return mails
}

describe('a listing is news', () => {
  test('when it comes in, once', async () => {
    const [word, email] = [newWord(), newEmail()]
    await list(word)
    await match()
    await confirmed(`q=${word}`, { email })
    // It was there before: the buyer saw it.
    await sql`update saved_search set created_at = now() + interval '5 minutes'`.execute(app.db)
    expect(await tellAll()).toBe(0)
    await sql`update saved_search set created_at = now() - interval '5 minutes'`.execute(app.db)
    const before = await mailJobs()
    await match()
    expect(await mailJobs()).toBe(before)
    const { partslug } = await list(word, { partprice: '120' })
    expect(await tellAll()).toBe(1)
    expect(await mailJobs()).toBe(before + 1)
    const [, sent] = await mailsTo(email)
    expect(sent?.subject).toBe(`New: 2014 Ford Aerostar Hood ${word}, $120.00`)
    expect(sent?.body).toContain(`https://parts.example/parts/${partslug}\n`)
    expect(await tellAll()).toBe(0)
  })

  test('and its words are in the index, where every search finds them fast', async () => {
    const merged = async () => {
      const { rows } = await sql<{ pages: number }>`
        select gin_clean_pending_list('listing_search_all')::int as pages
      `.execute(app.db)
      return rows[0]?.pages
    }
    await list('one')
    expect(await merged()).toBeGreaterThan(0)
    await list('another')
    await match()
    expect(await merged()).toBe(0)
  })

  test('when it came from another car but fits the one that is asked for', async () => {
    const [word, email] = [newWord(), newEmail()]
    const { manufacturer, model } = await someLookups(app.visitor)
    const vehicle = `manuId=${manufacturer.id}&modelId=${model.id}`
    await confirmed(`${vehicle}&year=2031`, { email })
    const fitting = `2030-2032 ${manufacturer.manuname} ${model.carname}`
    await list(word, { partyear: '2001', fitment: `${fitting}; 2031 Zorp Zing` })
    await list(word, { partyear: '2001', fitment: '2031 Zorp Zing' })
    expect(await tellAll()).toBe(1)
    expect((await told(email, `Hood ${word}`)).at(-1)).toBe(1)
  })

  test('when it is shown, restored or gets cheap enough, but not when it gets dearer or cheaper still', async () => {
    const [word, email] = [newWord(), newEmail()]
    const part = await list(word, { partprice: '200' })
    await match()
    await confirmed(`q=${word}&priceMax=150`, { email })
    await sql`update saved_search set created_at = now() + interval '5 minutes'`.execute(app.db)
    const price = (partprice: string) => yard.api.put(`/seller/parts/${part.id}`, { partprice })
    await price('160')
    expect(await tellAll()).toBe(0)
    await sql`update saved_search set created_at = now()`.execute(app.db)
    await price('140')
    expect(await tellAll()).toBe(1)
    await price('130')
    await price('170')
    await price('120')
    expect(await tellAll()).toBe(0)

    const other = await list(word, { partprice: '100' })
    await yard.api.post(`/seller/parts/${other.id}/end`, {})
    expect(await tellAll()).toBe(0)
    await yard.api.post(`/seller/parts/${other.id}/restore`)
    expect(await tellAll()).toBe(1)
    expect((await told(email, other.partslug)).at(-1)).toBe(1)
  })

  test('not when it got cheap enough before the search was saved', async () => {
    const [word, email] = [newWord(), newEmail()]
    const part = await list(word, { partprice: '200' })
    await match()
    await yard.api.put(`/seller/parts/${part.id}`, { partprice: '140' })
    await confirmed(`q=${word}&priceMax=150`, { email })
    await sql`update saved_search set created_at = now() + interval '5 minutes'`.execute(app.db)
    expect(await tellAll()).toBe(0)
    await sql`update saved_search set created_at = now()`.execute(app.db)
  })

  test('once it may be read again what words mean, and waits until then', async () => {
    const [word, email] = [newWord(), newEmail()]
    await confirmed(`q=${word}`, { email })
    await match()
    await sql`
      update saved_search_reading set version = 'an older one', read_at = ${new Date(app.clock.now().getTime() + HOUR_MS)}
    `.execute(app.db)
    await list(word)
    expect(await match()).toEqual({ listings: 0, hits: 0 })
    app.clock.advance(2 * HOUR_MS)
    expect(await tellAll()).toBe(1)
  })

  test('when it is corrected to fit, if it came in after the search was saved', async () => {
    const [word, email] = [newWord(), newEmail()]
    const created_at = new Date(Date.now() - HOUR_MS)
    const [id = ''] = await makeStock(app.db, { sellerId: yard.user.sellerId, parts: 1 }, () => ({
      created_at,
    }))
    const old = { id, partslug: `part-${id}` }
    await match()
    await confirmed(`q=${word}`, { email })
    const recent = await list('recent')
    expect(await tellAll()).toBe(0)
    for (const { id } of [old, recent])
      await yard.api.put(`/seller/parts/${id}`, { partname: `Hood ${word}` })
    expect(await tellAll()).toBe(1)
    expect([await told(email, recent.partslug), await told(email, old.partslug)]).toEqual([
      [0, 1],
      [0, 0],
    ])
  })

  test('not for its own seller, and not when it was sold before the email went out', async () => {
    const word = newWord()
    await yard.api.post('/saved-searches/new', { query: `q=${word}`, frequency: 'hourly' })
    const email = newEmail()
    await confirmed(`q=${word}`, { email })
    const part = await list(word)
    await match()
    await yard.api.post(`/seller/parts/${part.id}/end`, {})
    expect(await tellAll()).toBe(0)
    await list(word)
    expect(await tellAll()).toBe(1)
    expect(await mailsTo(yard.person.email)).toEqual([])
  })

  test('for a model that is no lookup, by its words', async () => {
    const email = newEmail()
    await confirmed('q=crv+horn', { email })
    const [id = ''] = await makeStock(app.db, { sellerId: yard.user.sellerId, parts: 1 }, () => ({
      name: 'Horn',
      model_name: 'CR-V EX special',
    }))
    await withChangeSet(app.db, { actorKind: 'system', reason: 'name the part' }, async (trx) => {
      await sql`update listing set category_id = (select id from category where name = 'Horn') where id = ${id}`.execute(
        trx,
      )
      await writeSearchRows(trx, [id])
    })
    expect(await tellAll()).toBe(1)
  })
})

describe('emails', () => {
  test('come at most once an hour, for all searches of an address together', async () => {
    const [word, other, email] = [newWord(), newWord(), newEmail()]
    await confirmed(`q=${word}`, { email })
    app.clock.advance(HOUR_MS)
    await confirmed(`q=${other}`, { email })
    await list(word)
    await list(other)
    await match()
    expect((await mail()).mails).toBe(1)
    const [, , first] = await mailsTo(email)
    expect(first?.subject).toBe('2 new parts for your saved searches')
    await list(word)
    await match()
    app.clock.advance(HOUR_MS / 2)
    expect((await mail()).mails).toBe(0)
    app.clock.advance(HOUR_MS / 2)
    expect((await mail()).mails).toBe(1)
  })

  /** Moves the clock to the next time it is this hour (UTC). */
  function advanceTo(hour: number) {
    const now = app.clock.now()
    const then = new Date(now)
    then.setUTCHours(hour, 0, 0, 0)
    if (then <= now) then.setUTCDate(then.getUTCDate() + 1)
    app.clock.advance(then.getTime() - now.getTime())
  }

  /** How many emails go out at each hour, after a part was listed for these searches. */
  async function mailsAt(hours: readonly (readonly [hour: number, ...words: string[]])[]) {
    const mails = []
    for (const [hour, ...words] of hours) {
      advanceTo(hour)
      for (const word of words) await list(word)
      await match()
      mails.push((await mail()).mails)
    }
    return mails
  }

  /** Saves daily searches of one address, each more than an hour after its last link. */
  async function daily(email: string, words: readonly string[]) {
    for (const word of words) {
      app.clock.advance(HOUR_MS)
      await confirmed(`q=${word}`, { email, frequency: 'daily' })
    }
  }

  test('come in the morning if the buyer wants them once a day', async () => {
    const [word, email] = [newWord(), newEmail()]
    await daily(email, [word])
    expect(await mailsAt([[13, word], [14], [23, word], [11], [12]])).toEqual([0, 0, 0, 0, 1])
    expect((await told(email, `Hood ${word}`)).at(-1)).toBe(2)
    expect((await mailsTo(email)).at(-1)?.body).toContain('at most once a day.')
    expect(await mailsAt([[13, word], [20], [12], [13]])).toEqual([0, 0, 1, 0])
  })

  test('come in the morning after days without one, too', async () => {
    const [word, email] = [newWord(), newEmail()]
    await daily(email, [word])
    advanceTo(12)
    advanceTo(12)
    expect(await mailsAt([[15, word], [23], [11], [12]])).toEqual([0, 0, 0, 1])
  })

  test('come once a day for all daily searches of an address together', async () => {
    const [word, other, email] = [newWord(), newWord(), newEmail()]
    await daily(email, [word, other])
    expect(await mailsAt([[10, word], [12], [14, other], [11, word], [12], [13]])).toEqual([0, 1, 0, 0, 1, 0])
    expect((await mailsTo(email)).at(-1)?.subject).toBe('2 new parts for your saved searches')
  })

  test('come in the morning after the search was confirmed', async () => {
    const [word, email] = [newWord(), newEmail()]
    await app.visitor.post('/saved-searches/new', { query: `q=${word}`, email, frequency: 'daily' })
    expect(await mailsAt([[11, word], [13]])).toEqual([0, 0])
    await daily(email, [word])
    expect(await mailsAt([[18], [12]])).toEqual([0, 1])
  })

  test('have daily searches too if another one is mailed at once', async () => {
    const [word, other, email] = [newWord(), newWord(), newEmail()]
    await daily(email, [word])
    await confirmed(`q=${other}`, { email, frequency: 'hourly' })
    expect(await mailsAt([[13, word, other], [14], [15, other], [11], [12], [13]])).toEqual([
      1, 0, 1, 0, 1, 0,
    ])
    expect(await told(email, `Hood ${word}`)).toEqual([0, 0, 0, 1])
    const often = (await mailsTo(email)).map(({ body }) => /at most (once .*?)\./.exec(body)?.[1])
    expect(often.slice(2)).toEqual(['once an hour', 'once a day'])
  })

  test('come in the morning even if more was found before it was sent', async () => {
    const [word, email] = [newWord(), newEmail()]
    await daily(email, [word])
    for (const hour of [11, 13]) {
      advanceTo(hour)
      await list(word)
      await match()
    }
    expect((await mail()).mails).toBe(1)
    expect((await told(email, `Hood ${word}`)).at(-1)).toBe(2)
  })

  test('name a part once that two searches found, and none that costs more by now', async () => {
    const [word, email] = [newWord(), newEmail()]
    await confirmed(`q=${word}`, { email })
    app.clock.advance(HOUR_MS)
    await confirmed(`q=${word}&priceMax=150`, { email })
    const other = newEmail()
    await confirmed(`q=${word}&priceMax=150`, { email: other })
    const { id, partslug } = await list(word, { partprice: '140' })
    await match()
    await yard.api.put(`/seller/parts/${id}`, { partprice: '160' })
    expect(await tellAll()).toBe(1)
    expect((await told(email, partslug)).at(-1)).toBe(1)
    expect((await mailsTo(other)).length).toBe(1)
    const { partslug: next } = await list(word, { partprice: '140' })
    expect(await tellAll()).toBe(2)
    expect([(await told(email, next)).at(-1), (await told(other, next)).at(-1)]).toEqual([1, 1])
  })

  test('wait while their account is disabled, closed or without a confirmed address', async () => {
    const word = newWord()
    const { api, user, person } = await app.signUp()
    await api.post('/saved-searches/new', { query: `q=${word}`, frequency: 'hourly' })
    await list(word)
    await match()
    const sent = async () => (await mail()).mails
    const set = (columns: { disabled_at?: Date | null; email_verified_at?: Date | null }) =>
      app.db.updateTable('app_user').set(columns).where('id', '=', user.id).execute()
    const now = new Date()
    await set({ disabled_at: now })
    expect(await sent()).toBe(0)
    await set({ disabled_at: null, email_verified_at: null })
    expect(await sent()).toBe(0)
    await set({ email_verified_at: now })
    await app.db
      .insertInto('account_closure')
      .values({ user_id: user.id, asked_at: now, erase_after: now, taken_down_at: now })
      .execute()
    expect(await sent()).toBe(0)
    await app.db.deleteFrom('account_closure').where('user_id', '=', user.id).execute()
    expect(await sent()).toBe(1)
    expect((await told(person.email, `Hood ${word}`)).at(-1)).toBe(1)
  })

  test('have what was found before the buyer chose another frequency', async () => {
    const [word, email] = [newWord(), newEmail()]
    const key = await confirmed(`q=${word}`, { email })
    await list(word)
    await match()
    await app.visitor.post('/saved-searches/change', { key, frequency: 'daily' })
    app.clock.advance(25 * HOUR_MS)
    expect((await mail()).mails).toBe(1)
    expect((await told(email, `Hood ${word}`)).at(-1)).toBe(1)
  })

  test('stop; what was found meanwhile is not sent later', async () => {
    const [word, email] = [newWord(), newEmail()]
    const key = await confirmed(`q=${word}`, { email })
    await list(word)
    await match()
    const change = (frequency: string) => app.visitor.post('/saved-searches/change', { key, frequency })
    await change('off')
    const { rows } = await sql<object>`
      select waiting, waiting_since from saved_search where query = ${`q=${word}`}
    `.execute(app.db)
    expect(rows).toEqual([{ waiting: 0, waiting_since: null }])
    await list(word)
    expect(await tellAll()).toBe(0)
    await change('hourly')
    expect(await tellAll()).toBe(0)
    const { id } = await list(word)
    expect(await tellAll()).toBe(1)
    expect((await told(email, `Hood ${word}`)).at(-1)).toBe(1)
    // What was sent before is no news after a pause either.
    for (const frequency of ['off', 'hourly']) await change(frequency)
    await yard.api.post(`/seller/parts/${id}/end`, {})
    await yard.api.post(`/seller/parts/${id}/restore`)
    expect(await tellAll()).toBe(0)
    const unsubscribe = (await mailsTo(email)).at(-1)?.unsubscribe_url ?? ''
    expect(unsubscribe).toMatch(/\/api\/verify\/unsubscribe\/[\da-f-]{36}\.savedSearches$/)
    expect(unsubscribe).not.toContain(key)
  })

  test('name a few parts and link to the others; a search keeps no more than it needs', async () => {
    const [word, email] = [newWord(), newEmail()]
    const key = await confirmed(`q=${word}&priceMax=500`, { email })
    for (const parts of [MAX_WAITING - 5, 25]) {
      await makeStock(app.db, { sellerId: yard.user.sellerId, parts }, () => ({ name: `Hood ${word}` }))
      await match()
    }
    expect(await tellAll()).toBe(1)
    const [, sent] = await mailsTo(email)
    expect(sent?.subject).toBe(
      `20+ new parts: ${word}, up to $500`.replace(word, word.charAt(0).toUpperCase() + word.slice(1)),
    )
    expect(sent?.body.match(/parts\/part-/g)).toHaveLength(8)
    expect(sent?.body).toContain(
      `12 or more others: https://parts.example/parts?q=${word}&priceMax=500&sort=newest\n`,
    )
    expect(sent?.body).toContain(`https://parts.example/saved-searches#${key}\n`)
    const { rows } = await sql<{ hits: number }>`
      select count(*)::int as hits from saved_search_hit h join saved_search s on s.id = h.search_id where s.query like ${`%${word}%`}
    `.execute(app.db)
    expect(rows[0]?.hits).toBe(MAX_WAITING)
  })
})

test('a search follows what its words mean', async () => {
  const [word, email] = [newWord(), newEmail()]
  const admin = await app.signUp({ role: 'admin' })
  const key = await confirmed(`q=${word}+f150`, { email })
  await match()
  const { category } = await someLookups(app.visitor)
  await admin.api.post('/admin/search/words', { word, kind: 'part', means: category.name })
  app.clock.advance(HOUR_MS)
  const manuId = (await someLookups(app.visitor)).manufacturer.id
  const models = await app.visitor.get<{ id: string; carname: string }[]>(`/carmodels?manuId=${manuId}`)
  const model = models.body.find(({ carname }) => carname === 'F-150')
  // Its words are nowhere in it: it is that part of that vehicle.
  await makeQuickListing(yard.api, { partname: 'Thing', partmodel: 'F-150', partmodelId: model?.id ?? '' })
  expect(await tellAll()).toBe(1)
  const { items } = (await app.visitor.post<{ items: SavedSearch[] }>('/saved-searches/list', { key })).body
  expect(items).toMatchObject([{ title: `Ford F-150 ${category.name}` }])
})

test.each([
  ['while its listings are still moving', false],
  ['when nothing of it is left', true],
])('a search for a merged make names the other one and finds its parts, %s', async (_when, isGone) => {
  const [word, email] = [newWord(), newEmail()]
  const admin = await app.signUp({ role: 'admin' })
  const { manufacturer, model, merge } = lookupDesk(() => admin)
  const [from, into] = [await manufacturer(`Zorp ${word}`), await manufacturer(`Vexel ${word}`)]
  const car = await model(into.id, 'Comet')
  const key = await confirmed(`q=${word}&manuId=${from.id}`, { email })
  await match()
  const jobId = await merge('manufacturer', from, into)
  if (isGone) {
    const worker = await startRelabeling(app)
    await untilStatus(app, jobId, 'completed')
    await worker.close()
  }
  app.clock.advance(HOUR_MS)
  await list(word, { partmanuId: into.id, partmodelId: car.id, partmodel: 'Comet' })
  expect(await tellAll()).toBe(1)
  const { items } = (await app.visitor.post<{ items: SavedSearch[] }>('/saved-searches/list', { key })).body
  expect(items).toMatchObject([
    { query: `q=${word}&manuId=${into.id}`, title: expect.stringContaining(`Vexel ${word}`) },
  ])
})

test('a search for a merged category or model follows it, too', async () => {
  const [word, email] = [newWord(), newEmail()]
  const admin = await app.signUp({ role: 'admin' })
  const { category, manufacturer, model, merge } = lookupDesk(() => admin)
  const make = await manufacturer(`Zorp ${word}`)
  const [category1, category2] = [await category(`Zorp ${word}`), await category(`Vexel ${word}`)]
  const [model1, model2] = [await model(make.id, `Zorp ${word}`), await model(make.id, `Vexel ${word}`)]
  const key = await confirmed(`categoryId=${category1.id}&modelId=${model1.id}`, { email })
  await merge('category', category1, category2)
  await merge('car-model', model1, model2)
  app.clock.advance(HOUR_MS)
  await list(word, {
    partcategoryId: category2.id,
    partmanuId: make.id,
    partmodelId: model2.id,
    partmodel: model2.carname,
  })
  expect(await tellAll()).toBe(1)
  const { items } = (await app.visitor.post<{ items: SavedSearch[] }>('/saved-searches/list', { key })).body
  expect(items).toMatchObject([{ query: `categoryId=${category2.id}&modelId=${model2.id}` }])
})

describe('GET /seller/wanted', () => {
  test('counts what buyers near a seller wait for, without anything of theirs', async () => {
    const dealer = await app.signUp()
    const read = async (query = '') =>
      (await dealer.api.get<{ items: WantedPart[]; place: string | null }>(`/seller/wanted${query}`)).body
    await sql`delete from saved_search`.execute(app.db)
    await confirmed('q=2010+civic+alternator+secretword&zip=74103&radius=100', { email: newEmail() })
    await confirmed('q=2012+civic+alternator&zip=73102', { email: newEmail() })
    await confirmed('q=camry+door+mirror', { email: newEmail() })
    await confirmed('q=brembo', { email: newEmail() })
    expect((await read()).place).toBeNull()
    await makeQuickListing(dealer.api)
    const today = expect.stringMatching(/^\d{4}-\d\d-\d\d$/)
    const civic = {
      part: 'Alternator',
      vehicle: 'Honda Civic',
      years: '2010–2012',
      buyers: 2,
      withinMiles: 25,
      since: today,
      starts: expect.objectContaining({ partmanuname: 'Honda', partmodel: 'Civic' }),
    }
    const camry = expect.objectContaining({
      vehicle: 'Toyota Camry',
      buyers: 1,
      withinMiles: null,
      years: null,
    })
    expect(await read()).toMatchObject({ place: 'Tulsa, OK', items: [civic, camry], total: 2 })
    // Oklahoma City is 97 miles from Tulsa.
    expect((await read('?radius=50')).items).toEqual([{ ...civic, years: '2010', buyers: 1 }])
    expect((await read('?ownMakes=1')).items).toEqual([])
    expect(JSON.stringify(await read())).not.toMatch(/secretword|74103|@/)
  })

  test('counts only what a part of this seller could be sent for', async () => {
    const [dealer, other] = [await app.signUp(), await app.signUp()]
    await makeQuickListing(dealer.api)
    await sql`delete from saved_search`.execute(app.db)
    await confirmed('q=camry+alternator', { email: newEmail() })
    await confirmed(`q=ranger+alternator&seller=${dealer.user.sellerSlug}`, { email: newEmail() })
    await confirmed(`q=corolla+alternator&seller=${other.user.sellerSlug}`, { email: newEmail() })
    await confirmed('q=accord+alternator&zip=10001&radius=50', { email: newEmail() })
    const key = await confirmed('q=altima+alternator', { email: newEmail() })
    await app.visitor.post('/saved-searches/change', { key, frequency: 'off' })
    const unconfirmed = { query: 'q=civic+alternator', email: newEmail(), frequency: 'hourly' }
    expect((await app.visitor.post('/saved-searches/new', unconfirmed)).status).toBe(201)
    const { items } = (await dealer.api.get<{ items: WantedPart[] }>('/seller/wanted')).body
    expect(items.map(({ vehicle }) => vehicle).toSorted()).toEqual(['Ford Ranger', 'Toyota Camry'])
  })

  test('names each vehicle, the side, and what a listing of it starts with', async () => {
    const dealer = await app.signUp()
    const read = async (query = '') =>
      (await dealer.api.get<{ items: WantedPart[] }>(`/seller/wanted${query}`)).body.items
    await sql`delete from saved_search`.execute(app.db)
    await confirmed('q=2010+ford+f150+headlight+left', { email: newEmail() })
    await confirmed('q=2010+ford+f150+headlight&side=right', { email: newEmail() })
    await confirmed('q=e350+alternator', { email: newEmail() })
    await confirmed('q=camry+alternator', { email: newEmail() })
    const { manufacturer } = await someLookups(app.visitor)
    const wanted = await read()
    expect(wanted.map(({ part, vehicle }) => `${vehicle} ${part}`).toSorted()).toEqual([
      'Ford E-350 or Mercedes-Benz E350 Alternator',
      'Ford F-150 Headlamp Assembly, left',
      'Ford F-150 Headlamp Assembly, right',
      'Toyota Camry Alternator',
    ])
    expect(wanted.find(({ part }) => part === 'Headlamp Assembly, left')?.starts).toEqual({
      partname: 'Headlamp Assembly, left',
      partcategoryId: expect.any(String),
      partmanuId: manufacturer.id,
      partmanuname: 'Ford',
      partmodelId: expect.any(String),
      partmodel: 'F-150',
      partyear: '2010',
    })
    expect(wanted.find(({ vehicle }) => vehicle?.startsWith('Ford E-350 or'))?.starts).toEqual({
      partname: 'Alternator',
      partcategoryId: expect.any(String),
    })
    await makeQuickListing(dealer.api)
    expect((await read('?ownMakes=1')).map(({ vehicle }) => vehicle).toSorted()).toEqual([
      'Ford E-350 or Mercedes-Benz E350',
      'Ford F-150',
      'Ford F-150',
    ])
  })
})
