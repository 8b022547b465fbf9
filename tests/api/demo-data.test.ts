import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { User } from '#contract/account/accounts.ts'
import type { Lead } from '#contract/leads.ts'
import type { Listing } from '#contract/listings.ts'
import { addDemoParts } from '#server/features/running/demo/add-demo-parts.ts'
import { loadDemo } from '#server/features/running/demo/load-demo.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()

const signIn = async (who: string) => {
  const person = { email: `${who}@partharbor.example`, password: 'harbor-demo-1' }
  const { body } = await app.visitor.post<{ token: string; user: User }>('/login', person)
  return { ...body, api: app.visitor.as({ token: body.token }) }
}

type Page = { items: Listing[]; total: number }

const killedAt = (statement: string) =>
  app.db.withPlugin({
    transformQuery: ({ node }) => {
      if (JSON.stringify(node).includes(statement)) throw new Error('killed')
      return node
    },
    transformResult: async ({ result }) => result,
  })

test('an interrupted load leaves nothing, and the next one loads everything', async () => {
  const full: FileStore = { ...app.files, put: () => Promise.reject(new Error('cut off')) }
  await expect(loadDemo(app.db, full, new Date())).rejects.toThrow('cut off')
  await expect(loadDemo(killedAt('insert into listing_change'), app.files, new Date())).rejects.toThrow(
    'killed',
  )
  for (const table of ['listing', 'app_user', 'seller', 'listing_image', 'change_set', 'lead'] as const) {
    const { rows } = await sql<{ count: number }>`
      select count(*) from ${sql.table(table)}
      where ${table === 'change_set' ? sql`reason like '%demo%'` : sql`true`}
    `.execute(app.db)
    expect(rows, table).toEqual([{ count: 0 }])
  }
  expect(await loadDemo(app.db, app.files, new Date())).toBe(true)
}, 60_000)

test('a load beside other data is refused if somebody already has the email of a demo user', async () => {
  const loaded = await app.db.selectFrom('loaded_data').selectAll().execute()
  await app.db.deleteFrom('loaded_data').execute()
  await expect(loadDemo(app.db, app.files, new Date())).rejects.toThrow(
    /^The demo data needs .*pro@partharbor\.example.*, which is already registered\. Use another DATA_DIR/,
  )
  await app.db.insertInto('loaded_data').values(loaded).execute()
})

test('two loads at once and every later start find the data already loaded', async () => {
  expect(await Promise.all([1, 2].map(() => loadDemo(app.db, app.files, new Date())))).toEqual([false, false])
  const began = performance.now()
  await loadDemo(app.db, app.files, new Date())
  expect(performance.now() - began).toBeLessThan(500)
})

test('the three demo users sign in with the printed password, and no one else does', async () => {
  expect((await signIn('admin')).user).toMatchObject({ role: 1, sellerTier: 'FREE' })
  expect((await signIn('free')).user).toMatchObject({
    role: 0,
    sellerTier: 'FREE',
    connectStatus: 'NOT_STARTED',
  })
  expect((await signIn('pro')).user).toMatchObject({
    role: 0,
    sellerTier: 'PAID',
    subscriptionStatus: 'ACTIVE',
    connectStatus: 'VERIFIED',
    stripe_seller: { charges_enabled: true },
  })
  const { rows } = await sql<{ hashes: number; people: number }>`
    select count(distinct password_hash) as hashes, count(*) as people from app_user
  `.execute(app.db)
  expect(rows).toEqual([{ hashes: 2, people: 43 }])
})

test('5,000 parts are listed: 87 of the Pro seller and 12 of the free seller', async () => {
  expect((await app.visitor.get('/auto-parts-count')).body).toBe(5_000)
  const pro = await signIn('pro')
  const page = (await pro.api.get<Page>('/seller/parts?perPage=48')).body
  expect(page.total).toBe(87)
  expect(page.items.every(({ status, endedAt }) => status === 'ACTIVE' && endedAt === null)).toBe(true)
  const times = page.items.map(({ createdAt }) => createdAt)
  expect(times).toEqual([...times].sort().reverse())
  expect((await (await signIn('free')).api.get<Page>('/seller/parts')).body.total).toBe(12)
})

test('the demo sellers’ figures have the intended values, from real messages and views', async () => {
  const pro = await signIn('pro')
  expect((await pro.api.get('/seller/figures')).body).toEqual({
    activeListings: 87,
    views: 300,
    leads: 42,
    conversionPercent: 14,
  })
  const inbox = (await pro.api.get<{ counts: Record<string, number> }>('/seller/leads')).body
  expect(inbox.counts).toMatchObject({ new: 5 })
  const free = await signIn('free')
  expect((await free.api.get('/seller/leads')).body).toMatchObject({ total: 3, counts: { new: 1 } })
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from lead where created_at > now() or answered_at > now()) as "inFuture",
           (select count(*) from lead_message where created_at > now()) as "answeredInFuture",
           (select count(*) from lead_message a join lead l on l.id = a.lead_id
            join seller_member m on m.seller_id = l.seller_id and m.user_id = a.author_user_id) as "byOwners",
           (select count(*) from lead_message where sender = 'seller') as answers,
           (select count(*) from lead l join seller_member m using (seller_id) join app_user u on u.id = m.user_id
            where u.email = 'pro@partharbor.example'
              and exists (select from lead_message a where a.lead_id = l.id and kind = 'offer')) as "withOffers",
           (select count(*) from listing_view where seller_id is null) as "viewsOfNobody"
  `.execute(app.db)
  const [found] = rows
  expect(found).toMatchObject({ inFuture: 0, answeredInFuture: 0, viewsOfNobody: 0, withOffers: 6 })
  expect(found?.answers).toBeGreaterThan(60)
  expect(found?.byOwners).toBe(found?.answers)
})

test('a Pro seller’s conversations show every state of an offer', async () => {
  const pro = await signIn('pro')
  const states: string[] = []
  for (let page = 1; page <= 5; page += 1) {
    const { body } = await pro.api.get<{ items: Lead[] }>(`/seller/leads?page=${page}&perPage=24`)
    states.push(
      ...body.items.flatMap(({ messages }) => messages.flatMap(({ offerState }) => offerState ?? [])),
    )
  }
  expect(states.toSorted()).toEqual([
    'accepted',
    'declined',
    'expired',
    'lapsed',
    'open',
    'open',
    'replaced',
    'replaced',
    'replaced',
  ])
})

test('every listing has a category, a manufacturer, a model, a history and search words', async () => {
  const { rows } = await sql<Record<string, number>>`
    select count(*) filter (where l.category_id is null or l.manufacturer_id is null or l.car_model_id is null) as unresolved,
           count(*) filter (where dealer_phone_e164 is null) as undialable,
           count(*) filter (where created_at > now()) as "inFuture",
           count(s.listing_id) as searchable, count(c.listing_id) as remembered
    from listing l left join listing_search s on s.listing_id = l.id left join listing_change c on c.listing_id = l.id
  `.execute(app.db)
  expect(rows).toEqual([{ unresolved: 0, undialable: 0, inFuture: 0, searchable: 5_000, remembered: 5_000 }])
})

test('a part number without dashes finds its part', async () => {
  const pro = await signIn('pro')
  const { items } = (await pro.api.get<Page>('/seller/parts')).body
  const [listing] = items
  const number = listing?.partnum?.replaceAll(/[^A-Za-z0-9]/g, '') ?? ''
  const found = (await pro.api.get<Page>(`/seller/parts?q=${number}`)).body
  expect(found.items.map(({ id }) => id)).toContain(listing?.id)
})

test('pictures exist in the sizes that pages request', async () => {
  const pro = await signIn('pro')
  const { items } = (await pro.api.get<Page>('/seller/parts?perPage=48')).body
  const pictured = items.filter(({ imageUrl }) => imageUrl !== null)
  expect(pictured.length).toBeGreaterThan(30)
  const url = (pictured[0]?.imageUrl ?? '').replace(/^\/api/, '')
  const card = await app.visitor.get(`${url}&width=440`)
  expect(card.status).toBe(200)
  expect(card.headers['content-type']).toBe('image/webp')
  const { rows } = await sql<{ jobs: number; pictures: number }>`
    select (select count(*) from job where queue = 'picture-sizes') as jobs, count(distinct sha256) as pictures
    from listing_image where widths = '{440}'
  `.execute(app.db)
  // One of each group.
  expect(rows).toEqual([{ jobs: 0, pictures: 20 }])
  const { rows: counts } = await sql<{ pictures: number; listings: number; marked: number }>`
    select pictures, count(*)::int as listings, count(*) filter (where marked)::int as marked
    from (select count(*)::int as pictures, bool_or(marks <> '[]') as marked from listing_image group by listing_id)
    group by pictures order by pictures
  `.execute(app.db)
  expect(counts.map(({ pictures }) => pictures)).toEqual([1, 2, 3])
  expect(counts.slice(1).every(({ listings, marked }) => listings > 100 && marked > 20)).toBe(true)
  expect(counts.slice(1).reduce((sum, { listings }) => sum + listings, 0)).toBeGreaterThan(3_500)
  // Few files, and each picture is found by the filter for pictures.
  const { rows: totals } = await sql<Record<string, number>>`
    select (select count(distinct sha256) from listing_image) as files,
           (select count(distinct listing_id) from listing_image) as pictured,
           (select count(*) from listing_search where document @@ '''=picture''') as marked
  `.execute(app.db)
  expect(totals[0]?.files).toBeLessThanOrEqual(60)
  expect(totals[0]?.marked).toBe(totals[0]?.pictured)
})

test('a search for a year, model and part has two to five answers, and one for a replaced number finds its successor', async () => {
  const find = async (q: string) => (await app.visitor.get<Page>(`/parts?${new URLSearchParams({ q })}`)).body
  for (const q of [
    '2014 honda accord windshield',
    '2012 f150 tire',
    '2016 silverado 1500 o2 sensor',
    '2010 camry alloy wheel',
    '2013 civic alternator',
    '2015 altima headlight left',
  ]) {
    const { total } = await find(q)
    expect(total, q).toBeGreaterThanOrEqual(2)
    expect(total, q).toBeLessThanOrEqual(8)
  }
  const { rows } = await sql<{ old: string; current: string }>`
    select c.other as old, c.number as current from interchange_claim c
    where kind = 'replaces' and exists (select from listing l where l.part_number = c.number)
      and not exists (select from listing l where l.part_number = c.other)
    limit 1
  `.execute(app.db)
  const [claim] = rows
  expect((await find(claim?.old ?? '')).items.map(({ partnum }) => partnum)).toContain(claim?.current)
})

test('every yard has an address, hours and listings within its policy', async () => {
  const { rows } = await sql<Record<string, number>>`
    select count(*) as yards, count(s.hours) as "withHours", count(p.street) as "withStreet",
           count(nullif(s.policy, '{}')) as "withPolicy"
    from seller s join seller_location p on p.seller_id = s.id
    where exists (select from listing l where l.seller_id = s.id)
  `.execute(app.db)
  expect(rows).toEqual([{ yards: 42, withHours: 42, withStreet: 42, withPolicy: 37 }])
  const { rows: terms } = await sql<Record<string, number>>`
    select count(*) filter (where year_to > year_from)::int as ranges, count(fitment)::int as fitment,
           count(interchange)::int as interchange, count(warranty_days)::int as warranty, count(as_is)::int as "asIs",
           count(core_cents)::int as cores, count(*) filter (where quantity > 1)::int as several,
           count(*) filter (where shipping_kind = 'quote')::int as quoted,
           count(*) filter (where shipping_kind = 'pickup')::int as pickup
    from listing
  `.execute(app.db)
  const least = {
    ranges: 3_300,
    fitment: 3_300,
    interchange: 900,
    warranty: 3_300,
    asIs: 100,
    cores: 500,
    several: 100,
    quoted: 200,
    pickup: 200,
  }
  for (const [name, count] of Object.entries(least))
    expect(terms[0]?.[name] ?? 0, name).toBeGreaterThanOrEqual(count)
})

/* From here on there are more than the first 5,000 parts. */

const fill = (parts: number, db = app.db) => {
  const reports: number[] = []
  const report = (done: number) => void reports.push(done)
  return addDemoParts(db, { parts, now: new Date(), report }).then((total) => ({ total, reports }))
}

test('parts are added up to a total; a repeat, a retry after a kill and two runs at once add none twice', async () => {
  expect(await fill(5_000)).toEqual({ total: 5_000, reports: [] })
  await expect(fill(5_200, killedAt('demo parts to'))).rejects.toThrow('killed')
  expect((await app.visitor.get('/auto-parts-count')).body).toBe(5_000)
  expect(await fill(5_200)).toEqual({ total: 5_200, reports: [5_200] })
  expect(await fill(5_200)).toEqual({ total: 5_200, reports: [] })
  expect(await fill(5_100)).toMatchObject({ total: 5_200 })
  const both = await Promise.all([fill(6_500), fill(6_500)])
  expect(both.map(({ total }) => total)).toEqual([6_500, 6_500])
  expect((await app.visitor.get('/auto-parts-count')).body).toBe(6_500)
}, 60_000)

test('the added parts look like a marketplace: two years, a few big yards, searchable, none of the demo sellers’', async () => {
  const { rows } = await sql<Record<string, number>>`
    with added as (select l.* from listing l where not exists (select from listing_change where listing_id = l.id))
    select (select count(*) from added) as added,
           (select count(*) from added where created_at < now() - interval '700 days') as "longAgo",
           (select count(*) from added where created_at > now() - interval '30 days') as lately,
           (select count(*) from added where created_at <> uuid_extract_timestamp(id)) as "idWithoutTime",
           (select count(*) from added where created_at > now()) as "inFuture",
           (select count(*) from added a join seller s on s.id = a.seller_id where a.created_at < s.created_at) as "tooEarly",
           (select count(*) from added where dealer_phone_e164 is null or category_id is null) as incomplete,
           (select count(*) from added a join listing_search s on s.listing_id = a.id and s.live) as searchable,
           (select max(n) from (select count(*) as n from added group by seller_id) as yards) as "biggestYard",
           (select count(*) from (select from listing where stock_number is not null
                                  group by seller_id, stock_number having count(*) > 1) as twice) as "numberTwice"
  `.execute(app.db)
  const [found] = rows
  expect(found).toMatchObject({
    added: 1_500,
    idWithoutTime: 0,
    inFuture: 0,
    tooEarly: 0,
    incomplete: 0,
    searchable: 1_500,
    numberTwice: 0,
  })
  expect(found?.biggestYard).toBeGreaterThan(270)
  expect(found?.lately).toBeGreaterThan(30)
  expect(found?.longAgo).toBeGreaterThan(0)
  for (const [who, total] of [
    ['pro', 87],
    ['free', 12],
  ] as const) {
    expect((await (await signIn(who)).api.get<Page>('/seller/parts')).body.total).toBe(total)
  }
})
