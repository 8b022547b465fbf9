import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, describe, expect, test, vi } from 'vitest'
import type { SignedIn as SessionReply } from '#contract/account/accounts.ts'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { Listing } from '#contract/listings.ts'
import { billingJobs } from '#server/features/money/billing/jobs.ts'
import { eraseAccounts } from '#server/features/people/closing/erase-account.ts'
import { closingJobs } from '#server/features/people/closing/jobs.ts'
import { promotionJobs } from '#server/features/stock-files/jobs.ts'
import type { Db } from '#server/platform/database/database.ts'
import { startJobEngine } from '#server/platform/jobs/job-engine.ts'
import { QUICK } from '#tests/support/job-bench.ts'
import { csvOf, newKey, partRows, sendCsv } from '#tests/support/make-imports.ts'
import { makeOrder, sellHere } from '#tests/support/make-orders.ts'
import { makeQuickListing, newPerson, type Person, someLookups } from '#tests/support/make-rows.ts'
import { buyPro, stripeOf, untilUser } from '#tests/support/payments.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/** Every place of the database, as `table.column`, where one of these words stands in a text, however it is written. */
async function placesWith(db: Db, words: readonly string[]): Promise<string[]> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
  `.execute(db)
  const places: string[] = []
  for (const { schema, name } of tables) {
    const { rows } = await sql<{ column: string }>`
      with line as materialized (select to_jsonb(t) as cells, lower(t::text) as text from ${sql.table(`${schema}.${name}`)} t),
           hit as materialized (
             select cells, lower(word) as word from line, unnest(${words}::text[]) word where strpos(text, lower(word)) > 0)
      select distinct field.key as column
      from hit, jsonb_each_text(cells) field where strpos(lower(field.value), word) > 0
    `.execute(db)
    // Months are partitions of one table.
    places.push(...rows.map(({ column }) => `${name.replace(/_(\d{6}|rest)$/, '')}.${column}`))
  }
  return [...new Set(places)].sort()
}

const simulator = await startTestSimulator()
const app = await startTestApp(simulator.settings)
const { db, clock, visitor, config } = app
const stripe = stripeOf(app)
const url = config.databaseUrl ?? ''
const policy = { reviewsNothing: true, firstImport: { live: 500, waitMinutes: 0 } }
const engine = await startJobEngine({
  url,
  directUrl: url,
  db,
  log: pino({ level: 'silent' }),
  definitions: [
    ...billingJobs({
      db,
      stripe,
      letterhead: config,
      priceText: '$149',
      readOrder: async () => undefined,
      now: clock.now,
    }),
    ...closingJobs({ db, stripe, letterhead: config, now: clock.now }),
    ...promotionJobs({ db, plans: db, files: app.files, now: clock.now, letterhead: config, ...policy }),
  ],
  periodic: [],
  times: QUICK,
})
afterAll(() => engine.close())
await simulator.deliverTo(app.http)

const DAY_MS = 24 * 60 * 60_000
const erase = () => eraseAccounts(db, { now: clock.now(), signal: new AbortController().signal })

const close = ({ api }: SignedIn) => api.post<{ eraseAfter: string } & ErrorReply>('/account/close')

async function signIn({ email, password }: Person) {
  const { status, body } = await visitor.post<SessionReply>('/login', { email, password })
  return { status, user: body.user, reopened: body.reopened, api: visitor.as({ token: body.token }) }
}

const stateOf = async ({ id }: Pick<Listing, 'id'>) => {
  const { rows } = await sql<{ reason: string | null }>`
    select ended_reason as reason from listing where id = ${id}`.execute(db)
  return rows[0] ? (rows[0].reason ?? 'live') : 'gone'
}
const untilState = (listing: Listing, state: string) =>
  vi.waitFor(async () => expect(await stateOf(listing)).toBe(state), { timeout: 15_000, interval: 30 })

const mailsTo = async (email: string) => {
  const { rows } = await sql<{ subject: string; body: string }>`
    select subject, body from mail where recipient = ${email} order by id`.execute(db)
  return rows
}

describe('closing an account', () => {
  test('signs out devices and tokens, takes listings down and ends the subscription; signing in reopens it', async () => {
    const seller = await app.signUp()
    const [live, sold] = [await makeQuickListing(seller.api), await makeQuickListing(seller.api)]
    await seller.api.post(`/seller/parts/${sold.id}/end`, { reason: 'sold-here' })
    await buyPro(seller)
    const { stripeCustomerId } = await untilUser(seller, { sellerTier: 'PAID' })
    const wanted = { name: 'Yard', scopes: ['listings:read'], expiresInDays: null }
    const { body: made } = await seller.api.post<{ token: string }>('/api-tokens', wanted)
    const token = visitor.as({ token: made.token })
    expect((await token.get('/seller/parts')).status).toBe(200)

    const { status, body } = await close(seller)
    expect(status).toBe(200)
    expect(Date.parse(body.eraseAfter) - clock.now().getTime()).toBeCloseTo(14 * DAY_MS, -5)
    for (const api of [seller.api, token]) expect((await api.get('/seller/parts')).status).toBe(401)
    await untilState(live, 'withdrawn')
    expect(await stateOf(sold)).toBe('sold-here')
    await vi.waitFor(async () => {
      const { data } = await simulator
        .sdk()
        .subscriptions.list({ customer: String(stripeCustomerId), status: 'all' })
      expect(data.map(({ status }) => status)).toEqual(['canceled'])
    })
    expect((await mailsTo(seller.person.email)).at(-1)?.subject).toBe('Your PartHarbor account is closed')

    // Not yet: its time is not over.
    expect(await erase()).toEqual({ erased: 0 })
    const back = await signIn(seller.person)
    expect([back.status, back.user.id, back.reopened]).toEqual([200, seller.user.id, true])
    expect((await signIn(seller.person)).reopened).toBeUndefined()
    await untilState(live, 'live')
    expect(await stateOf(sold)).toBe('sold-here')
    await vi.waitFor(async () => {
      const last = (await mailsTo(seller.person.email)).at(-1)
      expect(last?.subject).toBe('Your PartHarbor account stays open')
      expect(last?.body).toContain('live again: 1.\n\nYour Pro plan ended')
    })
    clock.advance(15 * DAY_MS)
    expect(await erase()).toEqual({ erased: 0 })
    clock.advance(-15 * DAY_MS)
    expect((await back.api.get('/auth-check')).status).toBe(200)
    expect((await token.get('/seller/parts')).status).toBe(401)
  })

  test('the last administrator stays', async () => {
    const [one, two] = [await app.signUp({ role: 'admin' }), await app.signUp({ role: 'admin' })]
    const answers = await Promise.all([close(one), close(two)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body.error).toBe(
      'You are the last administrator. Make someone else an administrator, then close your account.',
    )
    // Whoever is left can neither step down nor be disabled while the other one is closing.
    const left = answers[0]?.status === 409 ? one : two
    expect((await left.api.put(`/admin/users/${left.user.id}`, { role: 0 })).status).toBe(409)
    clock.advance(15 * DAY_MS)
    expect(await erase()).toEqual({ erased: 1 })
  })
})

const quenby = { name: 'Quenby Marlowe', words: ['quenby', 'marlowe', '5550177', '555-0177'] }

/** Someone who left their name wherever one can be left. */
async function leaveTraces(other: SignedIn, theirs: Listing): Promise<SignedIn> {
  const person = newPerson({ name: quenby.name, password: 'Sable-harbor-and-lantern' })
  person.email = person.email.replace('dana', 'quenby')
  const { email, password } = person
  const registered = { name: person.name, email, password }
  expect((await visitor.post('/register', registered, { 'idempotency-key': newKey() })).status).toBe(201)
  const { api, user } = await signIn(person)
  const seller = { api, person, user }
  const listingDefaults = { dealerName: 'Marlowe Salvage', dealerPhone: '(918) 555-0177', city: 'Tulsa' }
  expect((await api.put('/profile', { listingDefaults })).status).toBe(200)
  await sql`update seller set tier = 'PAID', connect_status = 'VERIFIED' where id = ${user.sellerId}`.execute(
    db,
  )

  const yard = {
    street: '1 Marlowe Rd',
    city: 'Tulsa',
    state: 'OK',
    zip: '74107',
    phone: '(918) 555-0177',
    timeZone: 'America/Chicago',
    hours: null,
    policy: { shipping: '', returns: 'Ask Quenby.', warranty: '' },
  }
  expect((await api.put('/seller/yard', yard)).status).toBe(200)

  const part = {
    partdealer: 'Marlowe Salvage',
    phonea: '(918) 555-0177',
    partdesc: 'Ask for Quenby at the counter.',
  }
  const listing = await makeQuickListing(api, part)
  expect((await api.put(`/seller/parts/${listing.id}`, { partdealer: 'Quenby’s yard' })).status).toBe(200)
  const ended = await makeQuickListing(api, part)
  await api.post(`/seller/parts/${ended.id}/end`, { reason: 'scrapped' })
  const deleted = await makeQuickListing(api, part)
  await api.delete(`/seller/parts/${deleted.id}`)

  const fields = {
    idempotencyKey: newKey(),
    defaults: { dealername: 'Marlowe Salvage', dealerphone: '(918) 555-0177' },
  }
  expect((await sendCsv(api, { file: csvOf(partRows(3)), fileName: 'quenby.csv', fields })).status).toBe(200)
  await vi.waitFor(
    async () => expect((await api.get<{ total: number }>('/seller/parts')).body.total).toBeGreaterThan(3),
    { timeout: 15_000 },
  )
  const template = { name: 'Quenby’s columns', scope: 'USER', mapping: { partname: 'Quenby' } }
  await api.post('/pro/mappings', template)

  const buyer = { name: 'Ruth', email: 'ruth@garage.example', message: 'Hello Quenby, is it there?' }
  expect((await visitor.post(`/parts/${listing.partslug}/messages`, buyer)).status).toBe(201)
  const inbox = await api.get<{ items: { id: string }[] }>('/seller/leads')
  const lead = inbox.body.items[0]?.id
  expect((await api.post(`/seller/leads/${lead}/answers`, { message: 'Yes. Quenby' })).status).toBe(201)
  const question = {
    name: quenby.name,
    email,
    phone: '(918) 555-0177',
    message: `Write to ${email}. Quenby Marlowe`,
  }
  expect((await visitor.post(`/parts/${theirs.partslug}/messages`, question)).status).toBe(201)
  const asked = (await other.api.get<{ items: { id: string }[] }>('/seller/leads')).body.items[0]?.id
  const reply = { message: 'It is here, Quenby Marlowe.' }
  expect((await other.api.post(`/seller/leads/${asked}/answers`, reply)).status).toBe(201)
  expect((await api.put('/seller/quick-replies', { replies: ['Ask for Quenby.'] })).status).toBe(200)
  const report = { reason: 'other', text: 'Quenby Marlowe saw it', email }
  expect((await visitor.post(`/parts/${theirs.partslug}/reports`, report)).status).toBe(201)
  expect(
    (
      await api.post('/support-messages', {
        name: quenby.name,
        email,
        subject: 'Quenby',
        message: 'Quenby here',
      })
    ).status,
  ).toBe(201)
  await visitor.post('/password-reset', { email })
  const { model } = await someLookups(visitor)
  const garage = {
    vehicles: [{ modelId: model.id, year: 2010, agoMs: 0 }],
    parts: [{ id: theirs.id, agoMs: 0 }],
  }
  expect((await api.put('/profile/garage', garage)).status).toBe(200)
  // Someone else saved a part that goes with the account.
  expect((await other.api.put('/profile/garage', { parts: [{ id: listing.id, agoMs: 0 }] })).status).toBe(200)
  const wanted = { name: 'Quenby’s computer', scopes: ['listings:read'], expiresInDays: 30 }
  expect((await api.post('/api-tokens', wanted)).status).toBe(200)
  expect(other.user.id).not.toBe(user.id)
  return seller
}

describe('after 14 days', () => {
  test('no text in the database still names the person, and other people’s data stays', async () => {
    const other = await app.signUp()
    const theirs = await makeQuickListing(other.api)
    const seller = await leaveTraces(other, theirs)
    const before = await placesWith(db, quenby.words)
    expect(before).toEqual(
      expect.arrayContaining([
        'app_user.email',
        'app_user.name',
        'audit_entry.detail',
        'import.file_name',
        'lead.email',
        'lead_message.author_name',
        'lead_message.body',
        'listing.dealer_name',
        'listing.description',
        'listing_change.changes',
        'listing_report.note',
        'mail.recipient',
        'seller.policy',
        'seller.quick_replies',
        'seller.slug',
        'seller_location.street',
        'staging_file.path',
      ]),
    )
    expect((await close(seller)).status).toBe(200)
    clock.advance(15 * DAY_MS)
    expect(await erase()).toEqual({ erased: 1 })
    expect(await placesWith(db, [...quenby.words, seller.person.email])).toEqual([])

    const counts = await sql<{
      listings: number
      imports: number
      jobs: number
      leads: number
      links: number
      garage: number
      audit: number
    }>`
      select (select count(*) from listing where seller_id = ${seller.user.sellerId}) as listings,
             (select count(*) from import where seller_id = ${seller.user.sellerId}) as imports,
             (select count(*) from job where seller_id = ${seller.user.sellerId}) as jobs,
             (select count(*) from lead where seller_id = ${seller.user.sellerId}) as leads,
             (select count(*) from lead_link) as links,
             (select count(*) from garage_vehicle) + (select count(*) from saved_part) as garage,
             (select count(*) from audit_entry where actor_user_id = ${seller.user.id} and ip is null) as audit
    `.execute(db)
    expect(counts.rows[0]).toMatchObject({ listings: 0, imports: 0, jobs: 0, leads: 1, links: 0, garage: 0 })
    expect(counts.rows[0]?.audit).toBeGreaterThan(3)
    // The other seller keeps the conversation, without the name.
    const { body } = await signIn(other.person).then(({ api }) =>
      api.get<{ items: { name: string; message: string }[] }>('/seller/leads'),
    )
    expect(body.items).toMatchObject([
      { name: 'Closed account', email: null, phone: null, message: 'Write to (erased). (erased)' },
    ])
    expect(await stateOf(theirs)).toBe('live')

    // The email is free again, for a new account that has nothing of the old one.
    expect((await signIn(seller.person)).status).toBe(401)
    const { name, email, password } = seller.person
    expect((await visitor.post('/register', { name, email, password })).status).toBe(201)
    const again = await signIn(seller.person)
    expect(again.user.id).not.toBe(seller.user.id)
    expect((await again.api.get<{ total: number }>('/seller/parts')).body.total).toBe(0)
    // Running it again changes nothing.
    expect(await erase()).toEqual({ erased: 0 })
  })

  test('former addresses and sign-in methods are gone, too', async () => {
    const seller = await app.signUp()
    const { api, person, user } = seller
    const { email } = newPerson()
    expect((await api.put('/profile', { email, currentPassword: person.password })).status).toBe(200)
    const link = (await mailsTo(email)).map(({ body }) => /confirm-email#([\w-]{43})/.exec(body)?.[1])
    expect((await visitor.post('/verify/email', { token: link[0] })).status).toBe(200)
    // Leaves a known device, and a ticket.
    await signIn({ ...person, email })
    expect((await api.post('/factors/totp/start')).status).toBe(200)
    expect((await visitor.post('/verify/sign-in-links', { email })).status).toBe(200)
    expect((await close(seller)).status).toBe(200)
    clock.advance(7 * DAY_MS)
    await sql`
      insert into factor (user_id, kind, name, secret, last_step) values (${user.id}, 'totp', 'Phone', 'ABC', 1)
    `.execute(db)
    clock.advance(8 * DAY_MS)
    expect(await erase()).toEqual({ erased: 1 })
    expect(await placesWith(db, [email, person.email])).toEqual([])
    for (const table of ['known_device', 'sign_in_link', 'address_link', 'factor', 'factor_ticket']) {
      const { rows } = await sql`select from ${sql.table(table)} where user_id = ${user.id}`.execute(db)
      expect(rows, table).toEqual([])
    }
  })

  test('a stopped erasure resumes where it stopped', async () => {
    const seller = await app.signUp()
    const listing = await makeQuickListing(seller.api)
    await close(seller)
    clock.advance(15 * DAY_MS)
    const stopped = new AbortController()
    stopped.abort()
    await expect(eraseAccounts(db, { now: clock.now(), signal: stopped.signal })).rejects.toThrow()
    // Too late to come back: the erasure began.
    expect((await signIn(seller.person)).status).toBe(401)
    expect(await erase()).toEqual({ erased: 1 })
    expect(await stateOf(listing)).toBe('gone')
    const { rows } = await sql`
      select from audit_entry where action = 'account-erased' and target = ${seller.user.id}`.execute(db)
    expect(rows).toHaveLength(1)
  })

  test('an administrator cannot bring an erased account back', async () => {
    const [seller, admin] = [await app.signUp(), await app.signUp({ role: 'admin' })]
    await close(seller)
    clock.advance(15 * DAY_MS)
    await erase()
    const back = await signIn(admin.person)
    const { status, body } = await back.api.put<ErrorReply>(`/admin/users/${seller.user.id}`, {
      disabled: false,
    })
    expect([status, body.error]).toEqual([
      409,
      'Its owner closed this account, and it was erased. It cannot be restored.',
    ])
  })
})

test('the audit log still refuses every other change', async () => {
  await app.signUp()
  const rewrite = (statement: ReturnType<typeof sql>) =>
    db.transaction().execute(async (trx) => {
      await sql`select set_config('partharbor.erasing', 'on', true)`.execute(trx)
      await statement.execute(trx)
    })
  await expect(sql`update audit_entry set ip = null`.execute(db)).rejects.toThrow(
    'neither changed nor deleted',
  )
  await expect(rewrite(sql`update audit_entry set ip = null, action = 'x'`)).rejects.toThrow(
    'neither changed',
  )
  await expect(rewrite(sql`delete from audit_entry`)).rejects.toThrow('neither changed')
})

describe('an account with orders', () => {
  test('is not closed while one of them is open, of its yard or of its own', async () => {
    const [seller, buyer] = [await app.signUp(), await app.signUp()]
    const part = await makeQuickListing(seller.api)
    const { id, number } = await makeOrder(db, { listingId: part.id, state: 'shipped' })
    await sql`update part_order set buyer_user_id = ${buyer.user.id} where id = ${id}`.execute(db)
    for (const person of [seller, buyer]) {
      const { status, body } = await close(person)
      expect([status, body.code]).toEqual([409, 'CONFLICT'])
      expect(body.error).toContain(number)
    }
    await sql`update part_order set state = 'delivered' where id = ${id}`.execute(db)
    for (const person of [seller, buyer]) expect((await close(person)).status).toBe(200)
  })

  test('ends accepted offers with its listings, and keeps ordered parts without what the seller wrote', async () => {
    const seller = await app.signUp()
    const [ordered, offered] = [await makeQuickListing(seller.api), await makeQuickListing(seller.api)]
    await makeOrder(db, { listingId: ordered.id, state: 'closed' })
    await sellHere(db, ordered.id)
    await sql`
      with lead as (
        insert into lead (seller_id, listing_id, listing_title, name, email)
        select seller_id, id, name, 'Pat', 'pat@buyer.example' from listing where id = ${offered.id}
        returning id, seller_id, listing_id
      )
      insert into part_hold (listing_id, seller_id, lead_id, quantity, kind, created_at)
      select listing_id, seller_id, id, 1, 'pending', now() from lead
    `.execute(db)
    expect((await close(seller)).status).toBe(200)
    await untilState(offered, 'withdrawn')
    clock.advance(15 * DAY_MS)
    expect(await erase()).toMatchObject({ erased: expect.any(Number) })
    clock.advance(-15 * DAY_MS)
    expect([await stateOf(ordered), await stateOf(offered)]).toEqual(['sold-here', 'gone'])
    const { rows } = await sql`
      select name, description, dealer_name, dealer_phone, deleted_at is not null as deleted from listing
      where id = ${ordered.id}`.execute(db)
    const stripped = { description: '', dealer_name: '', dealer_phone: null, deleted: true }
    expect(rows).toEqual([{ name: ordered.partname, ...stripped }])
    expect((await visitor.get(`/auto-part/${ordered.partslug}`)).status).toBe(404)
  })
})
