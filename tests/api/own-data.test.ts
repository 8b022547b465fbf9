import { BlobReader, TextWriter, ZipReader } from '@zip.js/zip.js'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import { csvOf, newKey, partRows, proSeller, sendCsv } from '#tests/support/make-imports.ts'
import {
  formOf,
  makeQuickListing,
  pictureListing,
  someLookups,
  somePicture,
} from '#tests/support/make-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp({ PUBLIC_URL: 'https://parts.example' })
const { db, visitor } = app

type Files = Record<string, string> & { json: (name: string) => Record<string, unknown>[] }

async function exportOf({ api }: SignedIn): Promise<Files> {
  const { status, headers, bytes } = await api.get('/account/data.zip')
  expect([status, headers['content-type']]).toEqual([200, 'application/zip'])
  expect(headers['content-disposition']).toMatch(/^attachment; filename="my-data-\d{4}-\d\d-\d\d\.zip"$/)
  const zip = new ZipReader(new BlobReader(new Blob([new Uint8Array(bytes)])))
  const files: Record<string, string> = {}
  for (const entry of await zip.getEntries()) {
    if (!entry.directory) files[entry.filename] = await entry.getData(new TextWriter())
  }
  await zip.close()
  return Object.assign(files, { json: (name: string) => JSON.parse(files[name] ?? '') }) as unknown as Files
}

test('everything about a person, and nothing about anyone else', async () => {
  const [seller, other] = [await proSeller(app), await app.signUp()]
  const { api, person, user } = seller
  const theirs = await makeQuickListing(other.api, { partdealer: 'Elsewhere Salvage' })
  const listing = await makeQuickListing(api)
  const picture = { bytes: await somePicture() }
  const pictured = await api.post<{ id: string; images: { url: string }[] }>(
    '/seller/parts',
    formOf(pictureListing(await someLookups(visitor)), picture),
  )
  expect(pictured.status).toBe(201)
  const deleted = await makeQuickListing(api)
  await api.delete(`/seller/parts/${deleted.id}`)
  const buyer = { name: 'Ruth', email: 'ruth@garage.example', message: 'Is it still there?' }
  await visitor.post(`/parts/${listing.partslug}/messages`, buyer)
  const question = { name: person.name, email: person.email, message: 'Do you ship?' }
  await visitor.post(`/parts/${theirs.partslug}/messages`, question)
  await sendCsv(api, {
    file: csvOf(partRows(2)),
    fileName: 'stock.csv',
    fields: { idempotencyKey: newKey() },
  })
  await api.put('/profile', { listingDefaults: { city: 'Tulsa' } })
  const yard = {
    street: '4100 Flywheel Dr',
    city: 'Tulsa',
    state: 'OK',
    zip: '74107',
    phone: '(918) 555-0142',
    timeZone: 'America/Chicago',
    hours: null,
    policy: { shipping: '', returns: '30 days', warranty: '' },
  }
  expect((await api.put('/seller/yard', yard)).status).toBe(200)
  const { model } = await someLookups(visitor)
  const garage = {
    vehicles: [{ modelId: model.id, year: 2010, agoMs: 0 }],
    parts: [{ id: theirs.id, agoMs: 0 }],
  }
  expect((await api.put('/profile/garage', garage)).status).toBe(200)
  const { body: made } = await api.post<{ token: string }>('/api-tokens', {
    name: 'Yard',
    scopes: ['imports:write'],
    expiresInDays: 30,
  })

  const files = await exportOf(seller)
  expect(files['README.txt']).toContain(person.email)
  expect(files.json('account.json')).toMatchObject({
    id: user.id,
    email: person.email,
    listingDefaults: { city: 'Tulsa' },
    termsAcceptedAt: expect.any(String),
  })
  expect(files.json('sessions.json')).toHaveLength(1)
  expect(files.json('seller.json')).toMatchObject({
    id: user.sellerId,
    slug: user.sellerSlug,
    yourRole: 'owner',
    phone: '(918) 555-0142',
    policy: { returns: '30 days' },
    locations: [{ street: '4100 Flywheel Dr', zip: '74107' }],
  })
  const listings = files.json('listings.json')
  expect(listings.map(({ id }) => id)).toEqual([pictured.body.id, listing.id, deleted.id])
  expect(listings[0]?.images).toEqual([
    { url: `https://parts.example${pictured.body.images[0]?.url}`, alt: expect.any(String), marks: [] },
  ])
  expect(listings[2]?.deletedAt).toEqual(expect.any(String))
  expect(files.json('messages.json')).toMatchObject([{ name: 'Ruth', message: 'Is it still there?' }])
  expect(files.json('messages-sent.json')).toMatchObject([
    { messages: [{ from: 'buyer', kind: 'text', message: 'Do you ship?' }] },
  ])
  expect(files.json('imports.json')).toMatchObject([{ fileName: 'stock.csv', total: 2, receipt: null }])
  expect(files.json('second-steps.json')).toEqual([])
  expect(files.json('garage.json')).toMatchObject({
    vehicles: [{ year: 2010, make: 'Ford', model: model.carname }],
    savedParts: [{ id: theirs.id, page: `https://parts.example/parts/${theirs.partslug}` }],
  })
  expect(files.json('api-tokens.json')).toMatchObject([{ name: 'Yard', scopes: ['imports:write'] }])
  expect(files.json('mails.json').map(({ subject }) => subject)).toContain(
    'A new API token for your PartHarbor account',
  )
  expect(files.json('activity.json').map(({ action }) => action)).toContain('api-token-created')
  const whole = Object.values(files).join('\n')
  for (const secret of [made.token, api.token, 'argon2id', 'Elsewhere', other.person.email]) {
    expect(whole).not.toContain(secret)
  }
})

test('more listings than a page', async () => {
  const seller = await app.signUp()
  const one = await makeQuickListing(seller.api)
  await db.transaction().execute(async (trx) => {
    await sql`select set_config('partharbor.change_set', 'made for the test', true)`.execute(trx)
    await sql`
      insert into listing (seller_id, kind, slug, name, manufacturer_name, model_name, year_from, year_to, price_cents)
      select seller_id, kind, slug || '-' || n, name, manufacturer_name, model_name, year_from, year_to, price_cents
      from listing, generate_series(1, 1050) n where id = ${one.id}
    `.execute(trx)
  })
  const ids = (await exportOf(seller)).json('listings.json').map(({ id }) => id)
  expect(new Set(ids).size).toBe(1_051)
})

test('ten in an hour are enough', async () => {
  const seller = await app.signUp()
  await sql`
    insert into rate_window (key, window_start, used)
    select ${`own-data:${seller.user.id}`}, to_timestamp(floor(extract(epoch from now()) / 3600) * 3600 + shift), 10
    from unnest(array[0, 3600]) as shift
  `.execute(db)
  const { status, body } = await seller.api.get<ErrorReply>('/account/data.zip')
  expect([status, body.code]).toEqual([429, 'TOO_MANY'])
})
