import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { Listing, ListingPage } from '#contract/listings.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import type { Answer } from '#tests/support/api-client.ts'
import { atLength } from '#tests/support/at-length.ts'
import {
  formOf,
  type Lookups,
  makePictureListing,
  makeQuickListing,
  pictureListing,
  quickListing,
  someLookups,
  somePicture,
} from '#tests/support/make-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
let seller: SignedIn
let lookups: Lookups
beforeAll(async () => {
  seller = await app.signUp()
  lookups = await someLookups(app.visitor)
})

describe('POST /seller/quick-listings', () => {
  test('lists a part by text, with ids and names of its lookups', async () => {
    const listing = await makeQuickListing(seller.api)
    expect(listing).toMatchObject({
      kind: 'quick',
      partname: 'Alternator',
      partdescription: 'Tested on the bench, 130 A, pulley turns freely.',
      partyear: '2014',
      partmanuId: lookups.manufacturer.id,
      partmanuname: 'Ford',
      partmodelId: lookups.model.id,
      partcategory: { id: lookups.category.id, name: lookups.category.name },
      partprice: 95.5,
      partquantity: 1,
      dealername: 'Whitfield Auto Salvage',
      dealerphone: '(918) 555-0142',
      status: 'ACTIVE',
      version: 1,
      imageUrl: null,
    })
    expect(listing.partslug).toMatch(/^2014-ford-.*-alternator-[0-9a-f]{6}$/)
  })

  test('names every missing field in the spec’s words', async () => {
    const body = quickListing(lookups, { partname: '', partnum: null, parttrim: '  ' })
    const answer = await seller.api.post<ErrorReply>('/seller/quick-listings', body)
    expect(answer.status).toBe(422)
    expect(answer.body.error).toBe('Missing required: Title, Trim, Part Number')
    expect(Object.keys(answer.body.fields ?? {})).toEqual(
      expect.arrayContaining(['partname', 'parttrim', 'partnum']),
    )
  })

  test.each([
    [{ zipcode: '7410' }, 'Invalid zipcode format', 'zipcode'],
    [{ zipcode: '74103-12' }, 'Invalid zipcode format', 'zipcode'],
    [{ latitude: '90.1' }, 'Invalid coordinates', 'latitude'],
    [{ longitude: '-181' }, 'Invalid coordinates', 'longitude'],
    [{ partyear: '1899' }, 'Invalid year', 'partyear'],
    [{ partyear: String(new Date().getFullYear() + 1) }, 'Invalid year', 'partyear'],
    [{ partyear: '2O14' }, 'Invalid year', 'partyear'],
    [{ partprice: '19.999' }, 'Invalid price format', 'partprice'],
    [{ partprice: '1e21' }, 'Invalid price format', 'partprice'],
    [{ partprice: 1e21 }, 'Invalid price format', 'partprice'],
    [{ partprice: '-5' }, 'Invalid price format', 'partprice'],
    [{ partname: 'A shit alternator' }, 'Please remove inappropriate language (shit).', 'partname'],
    [{ partdesc: 'What a FUCK up' }, 'Please remove inappropriate language (fuck).', 'partdescription'],
    [
      { partcategoryId: 'no such thing' },
      'There is no such category. Choose one from the list.',
      'partcategoryId',
    ],
  ])('%j is refused', async (changes, error, field) => {
    const answer = await seller.api.post<ErrorReply>('/seller/quick-listings', quickListing(lookups, changes))
    expect(answer.status).toBe(422)
    expect(answer.body.error).toBe(error)
    expect(answer.body.fields?.[field]).toEqual(expect.any(String))
  })

  test('a price is kept to the cent', async () => {
    const listing = await makeQuickListing(seller.api, { partprice: 1234.1 })
    expect(listing.partprice).toBe(1234.1)
    const row = await app.db
      .selectFrom('listing')
      .select('price_cents')
      .where('id', '=', listing.id)
      .executeTakeFirst()
    expect(row?.price_cents).toBe(123_410)
  })

  test('fields a seller may not set are ignored', async () => {
    const listing = await makeQuickListing(seller.api, {
      status: 'HIDDEN',
      sellerId: app.config.productName,
      version: 7,
    } as object)
    expect(listing).toMatchObject({ status: 'ACTIVE', version: 1 })
  })

  test('equal titles at once get addresses of their own', async () => {
    const many = atLength({ full: 100, brief: 25 })
    const body = quickListing(lookups)
    // On a machine with other work some wait for a connection too long; they are told to come again, and do.
    const create = async (): Promise<Answer<Listing>> => {
      const answer = await seller.api.post<Listing>('/seller/quick-listings', body)
      return answer.status === 503 ? create() : answer
    }
    const answers = await Promise.all(Array.from({ length: many }, create))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ body: { partslug } }) => partslug)).size).toBe(many)
  })

  test('a taken address of the seller’s choice is refused at its field', async () => {
    const slug = `own-address-${seller.user.id.slice(-6)}`
    const first = await makeQuickListing(seller.api, { partslug: slug })
    expect(first.partslug).toBe(slug)
    const body = quickListing(lookups, { partslug: slug })
    const second = await seller.api.post<ErrorReply>('/seller/quick-listings', body)
    expect([second.status, second.body.code]).toEqual([409, 'CONFLICT'])
    expect(second.body.fields).toHaveProperty('partslug')
  })

  describe('when a generated address is taken', () => {
    /** The next inserts of listings get this address, as if their ids had drawn it. */
    async function makeCollide(slug: string, inserts: number): Promise<void> {
      await sql`create sequence drawn`.execute(app.db)
      await sql`
        create function draw_taken() returns trigger language plpgsql as $$
        begin
          -- A sequence keeps count where the insert is rolled back.
          if nextval('drawn') <= ${sql.lit(inserts)} then new.slug := ${sql.lit(slug)}; end if;
          return new;
        end $$`.execute(app.db)
      await sql`
        create trigger draw_taken before insert on listing
        for each row execute function draw_taken()`.execute(app.db)
    }
    const draws = async () =>
      (await sql<{ n: number }>`select last_value::int as n from drawn`.execute(app.db)).rows[0]?.n
    afterEach(async () => {
      await sql`drop trigger if exists draw_taken on listing`.execute(app.db)
      await sql`drop function if exists draw_taken`.execute(app.db)
      await sql`drop sequence if exists drawn`.execute(app.db)
    })

    test.each([
      ['with an Idempotency-Key', { 'idempotency-key': 'drawn-again' }],
      ['without one', {}],
    ])('another is generated, %s', async (_how, headers) => {
      const { partslug } = await makeQuickListing(seller.api)
      await makeCollide(partslug, 2)
      const made = await seller.api.post<Listing>('/seller/quick-listings', quickListing(lookups), headers)
      expect([made.status, await draws()]).toEqual([201, 3])
      expect(made.body.partslug).toMatch(/-alternator-[0-9a-f]{12}$/)
      const { body: found } = await app.visitor.get<Listing>(`/auto-part/${made.body.partslug}`)
      expect(found.id).toBe(made.body.id)
      const { rows } = await sql<{ listings: number }>`
        select count(*)::int as listings from listing_change
        where listing_id = ${made.body.id}`.execute(app.db)
      expect(rows).toEqual([{ listings: 1 }])
    })

    test('at most three are generated, and the seller is not told to choose another', async () => {
      const { partslug } = await makeQuickListing(seller.api)
      await makeCollide(partslug, 99)
      const refused = await seller.api.post<ErrorReply>('/seller/quick-listings', quickListing(lookups))
      expect([refused.status, refused.body.code, await draws()]).toEqual([500, 'INTERNAL', 3])
      expect(refused.body.fields).toBeUndefined()
    })

    test('one the seller sent, taken at the same moment, is refused at its field', async () => {
      const { partslug } = await makeQuickListing(seller.api)
      await makeCollide(partslug, 99)
      const body = quickListing(lookups, { partslug: `own-race-${seller.user.id.slice(-6)}` })
      const refused = await seller.api.post<ErrorReply>('/seller/quick-listings', body)
      expect([refused.status, refused.body.code, await draws()]).toEqual([409, 'CONFLICT', 1])
      expect(refused.body.fields).toHaveProperty('partslug')
    })
  })

  test('a manufacturer may come by a nickname, a state by its name', async () => {
    const listing = await makeQuickListing(seller.api, {
      partmanuId: null,
      partmanuname: 'chevy',
      partmodel: 'malibu',
      partmodelId: 'Malibu',
      partstate: 'Oklahoma',
      partmiles: '84,000',
    })
    expect(listing).toMatchObject({
      partmanuname: 'Chevrolet',
      partmodel: 'Malibu',
      partstate: 'OK',
      partmiles: 84_000,
    })
  })
})

describe('POST /seller/parts', () => {
  test('lists a part with a picture', async () => {
    const listing = await makePictureListing(seller.api)
    expect(listing).toMatchObject({ kind: 'ecommerce', partshipping: 20, shippingKind: 'flat' })
    expect(listing.imageUrl).toContain(listing.id)
    expect(listing.images).toHaveLength(1)
    const picture = await app.visitor.get(listing.imageUrl?.replace('/api', '') ?? '')
    expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/webp'])
  })

  test('asks for the picture', async () => {
    const answer = await seller.api.post<ErrorReply>('/seller/parts', formOf(pictureListing(lookups)))
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({
      error: 'Image is required for an e-commerce listing',
      fields: { image: 'Image is required for an e-commerce listing' },
    })
  })

  test('a phone must be valid, unless it came from a file and was not edited', async () => {
    const form = formOf(pictureListing(lookups, { dealerphone: 'call me' }), { bytes: await somePicture() })
    const answer = await seller.api.post<ErrorReply>('/seller/parts', form)
    expect(answer).toMatchObject({
      status: 422,
      body: { fields: { dealerphone: expect.stringMatching(/phone/) } },
    })
    const { id } = await makePictureListing(seller.api)
    await withChangeSet(app.db, { actorKind: 'system', reason: 'import' }, (trx) =>
      trx.updateTable('listing').set({ dealer_phone: 'ask Bob' }).where('id', '=', id).execute(),
    )
    const edit = (dealerphone: string) =>
      seller.api.put<Listing>(`/seller/parts/${id}`, { dealerphone, partprice: '12' })
    expect((await edit('ask Bob')).body).toMatchObject({ dealerphone: 'ask Bob', partprice: 12 })
    expect((await edit('ask Bill')).status).toBe(422)
  })

  test('says which fields are missing', async () => {
    const form = formOf(pictureListing(lookups, { dealerphone: '' }), { bytes: await somePicture() })
    const answer = await seller.api.post<ErrorReply>('/seller/parts', form)
    expect(answer.body).toMatchObject({
      error: 'Please fill in all required fields',
      fields: { dealerphone: expect.any(String) },
    })
  })

  test('years before 1980 belong to quick listings', async () => {
    const form = formOf(pictureListing(lookups, { partyear: '1979' }), { bytes: await somePicture() })
    expect((await seller.api.post<ErrorReply>('/seller/parts', form)).body.error).toBe('Invalid year')
  })

  test.each([
    ['Free', 0, 'free'],
    ['Flat $20', 20, 'flat'],
    ['Pickup only', null, 'pickup'],
    ['0', 0, 'free'],
  ])('shipping %s', async (partshipping, dollars, kind) => {
    const listing = await makePictureListing(seller.api, { partshipping })
    expect(listing).toMatchObject({ partshipping: dollars, shippingKind: kind })
  })

  test('a refused listing leaves nothing behind', async () => {
    const before = await app.db.selectFrom('listing_image').select('id').execute()
    const form = formOf(pictureListing(lookups, { partprice: 'cheap' }), { bytes: await somePicture() })
    expect((await seller.api.post('/seller/parts', form)).status).toBe(422)
    expect(await app.db.selectFrom('listing_image').select('id').execute()).toHaveLength(before.length)
  })
})

describe('Idempotency-Key', () => {
  test('the same request returns the same reply and creates nothing', async () => {
    const body = quickListing(lookups)
    const key = { 'idempotency-key': 'one-listing' }
    const first = await seller.api.post<Listing>('/seller/quick-listings', body, key)
    const again = await seller.api.post<Listing>('/seller/quick-listings', body, key)
    expect(again.status).toBe(201)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.body).toEqual(first.body)
  })

  test('two at once make one', async () => {
    const body = quickListing(lookups)
    const key = { 'idempotency-key': 'two-at-once' }
    const answers = await Promise.all(
      [1, 2].map(() => seller.api.post<Listing>('/seller/quick-listings', body, key)),
    )
    const made = answers.filter(({ status }) => status === 201)
    const waiting = answers.filter(({ status }) => status === 503)
    expect(made.length + waiting.length).toBe(2)
    expect(new Set(made.map((answer) => answer.body.id)).size).toBe(1)
    for (const answer of waiting) expect(answer.headers['retry-after']).toBe('1')
  })

  test('the key of another request is refused, and a failed one stays free', async () => {
    const key = { 'idempotency-key': 'reused' }
    const wrong = await seller.api.post(
      '/seller/quick-listings',
      quickListing(lookups, { partprice: 'x' }),
      key,
    )
    expect(wrong.status).toBe(422)
    const right = await seller.api.post('/seller/quick-listings', quickListing(lookups), key)
    expect(right.status).toBe(201)
    const other = quickListing(lookups, { partprice: '1' })
    const reused = await seller.api.post<ErrorReply>('/seller/quick-listings', other, key)
    expect([reused.status, reused.body.code]).toEqual([422, 'KEY_REUSED'])
  })

  test('two sellers’ keys are independent', async () => {
    const key = { 'idempotency-key': 'everybody’s'.replace('’', '') }
    const other = await app.signUp()
    const mine = await seller.api.post<Listing>('/seller/quick-listings', quickListing(lookups), key)
    const theirs = await other.api.post<Listing>('/seller/quick-listings', quickListing(lookups), key)
    expect(theirs.status).toBe(201)
    expect(theirs.body.id).not.toBe(mine.body.id)
  })
})

describe('GET /seller/parts', () => {
  let yard: SignedIn
  beforeAll(async () => {
    yard = await app.signUp()
    await makeQuickListing(yard.api, {
      partname: 'Left taillight',
      partnum: '27060-0V210',
      partdesc: 'No cracks.',
    })
    await makeQuickListing(yard.api, {
      partname: 'Radiator',
      partnum: 'BL3Z-8005-A',
      partdesc: 'Holds pressure.',
    })
    for (let n = 0; n < 11; n++)
      await makeQuickListing(yard.api, { partname: `Door ${n}`, partnum: `D-${n}` })
  })

  const find = async (query: string) => (await yard.api.get<ListingPage>(`/seller/parts?${query}`)).body

  test('pages of 12, newest first', async () => {
    const first = await find('page=1')
    expect([first.total, first.perPage, first.items.length]).toEqual([13, 12, 12])
    expect(first.items[0]?.partname).toBe('Door 10')
    expect((await find('page=2')).items.map((item) => item.partname)).toEqual(['Left taillight'])
  })

  test('an empty page size means the default', async () => {
    expect((await find('perPage=')).perPage).toBe(12)
  })

  test.each([
    ['taillights', 'Left taillight'],
    ['LEFT tail', 'Left taillight'],
    ['270600V210', 'Left taillight'],
    ['27060 0v210', 'Left taillight'],
    ['2706', 'Left taillight'],
    ['bl3z8005', 'Radiator'],
    ['ford radiator 2014', 'Radiator'],
  ])('finds by “%s”', async (q, name) => {
    expect((await find(`q=${encodeURIComponent(q)}`)).items.map((item) => item.partname)).toEqual([name])
  })

  test.each(['%', '_', "' or 1=1 --", '%_\\'])('“%s” is not a wildcard', async (q) => {
    expect((await find(`q=${encodeURIComponent(q)}`)).total).toBe(0)
  })

  test.each([
    ['page=1000000000', 200],
    ['perPage=0', 200],
    ['perPage=-1', 200],
    ['perPage=1000000', 200],
    ['perPage=abc', 400],
    ['perPage=', 200],
    [`q=${'x'.repeat(10_000)}`, 400],
    ['q=a&q=b', 400],
    ['manuId=nonsense', 400],
  ])('%s returns %i', async (query, status) => {
    expect((await yard.api.get(`/seller/parts?${query}`)).status).toBe(status)
  })
})
