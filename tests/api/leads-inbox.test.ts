import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Lead, LeadState } from '#contract/leads.ts'
import type { Listing } from '#contract/listings.ts'
import { makeQuickListing } from '#tests/support/make-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

type Inbox = {
  items: Lead[]
  total: number
  page: number
  perPage: number
  counts: Record<LeadState, number>
}
type Failure = { error: string; code: string; fields?: Record<string, string> }

const app = await startTestApp({ PUBLIC_URL: 'https://parts.example' })
let seller: SignedIn
let listing: Listing
beforeAll(async () => {
  seller = await app.signUp()
  listing = await makeQuickListing(seller.api)
})

type Buyer = { name?: string; email?: string | null; phone?: string | null; message?: string }

/** A message as the seller receives it, newest last. */
async function makeLead(buyer: Buyer = {}, to = seller, about = listing): Promise<string> {
  const {
    name = 'Ruth Amador',
    email = 'ruth@garage.example',
    phone = null,
    message = 'Still there?',
  } = buyer
  const { rows } = await sql<{ id: string }>`
    with lead as (
      insert into lead (seller_id, listing_id, listing_title, name, email, phone, confirmed_at)
      values (${to.user.sellerId}, ${about.id}, 'As it was called', ${name}, ${email}, ${phone}, now())
      returning id
    )
    insert into lead_message (lead_id, sender, body, mailed_at) select id, 'buyer', ${message}, now() from lead
    returning lead_id as id`.execute(app.db)
  return rows[0]?.id ?? ''
}

const inboxOf = async ({ api }: SignedIn, query = '') => (await api.get<Inbox>(`/seller/leads${query}`)).body
const read = (id: string) => seller.api.get<Lead>(`/seller/leads/${id}`)
const setState = (id: string, state: unknown) => seller.api.put<Lead>(`/seller/leads/${id}`, { state })
const answer = (id: string, message: unknown, api = seller.api) =>
  api.post<Lead & Failure>(`/seller/leads/${id}/answers`, { message })
const mailsTo = (recipient: string) =>
  app.db.selectFrom('mail').selectAll().where('recipient', '=', recipient).orderBy('id').execute()

describe('GET /seller/leads', () => {
  let yard: SignedIn
  let ids: string[]
  beforeAll(async () => {
    yard = await app.signUp()
    const part = await makeQuickListing(yard.api)
    ids = []
    for (let n = 0; n < 5; n += 1) ids.unshift(await makeLead({ name: `Buyer ${n}` }, yard, part))
    await yard.api.put(`/seller/leads/${ids[0]}`, { state: 'closed' })
    await yard.api.put(`/seller/leads/${ids[3]}`, { state: 'answered' })
  })

  test('returns the newest first, page by page, with the counts of all', async () => {
    const counts = { new: 3, answered: 1, closed: 1 }
    const first = await inboxOf(yard, '?perPage=2')
    expect(first).toMatchObject({ total: 5, page: 1, perPage: 2, counts })
    const third = await inboxOf(yard, '?perPage=2&page=3')
    expect(third).toMatchObject({ total: 5, page: 3, counts })
    const second = await inboxOf(yard, '?perPage=2&page=2')
    expect([...first.items, ...second.items, ...third.items].map(({ id }) => id)).toEqual(ids)
  })

  test('filters by state and returns none of another seller’s', async () => {
    const found = await inboxOf(yard, '?state=new')
    expect(found.items.map(({ id }) => id)).toEqual([ids[1], ids[2], ids[4]])
    expect(found).toMatchObject({ total: 3, counts: { new: 3, answered: 1, closed: 1 } })
    expect(await inboxOf(await app.signUp())).toMatchObject({
      items: [],
      total: 0,
      counts: { new: 0, answered: 0, closed: 0 },
    })
  })

  test.each(['state=open', 'page=0', 'perPage=101'])('%s is malformed', async (query) => {
    expect((await yard.api.get(`/seller/leads?${query}`)).status).toBe(400)
  })
})

describe('GET /seller/leads/{id}', () => {
  test('returns the part’s current name, or its last name once it is deleted', async () => {
    const part = await makeQuickListing(seller.api)
    const id = await makeLead({}, seller, part)
    await seller.api.put(`/seller/parts/${part.id}`, { partname: 'Alternator, tested' })
    expect((await read(id)).body).toMatchObject({
      listingTitle: 'As it was called',
      listing: { slug: part.partslug, title: `2014 Ford ${part.partmodel} Alternator, tested` },
    })
    await seller.api.delete(`/seller/parts/${part.id}`)
    expect((await read(id)).body).toMatchObject({ listingTitle: 'As it was called', listing: null })
  })
})

describe('PUT /seller/leads/{id}', () => {
  test('closes, reopens, and records when a message was answered by phone', async () => {
    const id = await makeLead()
    expect((await setState(id, 'closed')).body).toMatchObject({ id, state: 'closed', answeredAt: null })
    expect((await setState(id, 'new')).body).toMatchObject({ state: 'new', answeredAt: null })
    const { answeredAt } = (await setState(id, 'answered')).body
    expect(Date.parse(answeredAt ?? '')).toBeGreaterThan(Date.now() - 60_000)
    expect((await setState(id, 'closed')).body).toMatchObject({ state: 'closed', answeredAt })
    expect((await read(id)).body.state).toBe('closed')
  })

  test('rejects an unknown state at its field', async () => {
    const refused = await setState(await makeLead(), 'lost')
    expect(refused).toMatchObject({
      status: 422,
      body: { fields: { state: 'Choose one of new, answered, closed' } },
    })
  })
})

describe('POST /seller/leads/{id}/answers', () => {
  test('mails the buyer, sets reply-to to the person who wrote, and keeps the answer with the message', async () => {
    const email = 'mona@garage.example'
    const id = await makeLead({ email, name: 'Mona Reyes', message: 'Still there?\nFrom: you' })
    await setState(id, 'closed')
    const given = await answer(id, 'Yes, on the shelf.\n\nCome by until six.')
    expect(given.status).toBe(201)
    expect(given.body).toMatchObject({
      state: 'answered',
      answeredAt: expect.any(String),
      answers: [{ message: 'Yes, on the shelf.\n\nCome by until six.', by: 'Dana Whitfield' }],
    })
    expect((await answer(id, 'And it is tested.')).body.answers.map(({ message }) => message)).toEqual([
      'Yes, on the shelf.\n\nCome by until six.',
      'And it is tested.',
    ])
    const [mail, ...others] = await mailsTo(email)
    expect(others).toHaveLength(1)
    const title = `2014 Ford ${listing.partmodel} Alternator`
    expect(mail).toMatchObject({ reply_to: seller.person.email, subject: `Re: ${title}`, state: 'queued' })
    for (const part of [
      `Whitfield Auto Salvage replied to your message about ${title} on PartHarbor:`,
      'Hello Mona Reyes,\n\nYes, on the shelf.\n\nCome by until six.\n\nDana Whitfield',
      `You wrote:\n> Still there?\n> From: you`,
      `https://parts.example/parts/${listing.partslug}`,
    ]) {
      expect(mail?.body).toContain(part)
    }
  })

  test('returns times in the usual format', async () => {
    const { body } = await answer(await makeLead(), 'Yes')
    const [{ createdAt } = { createdAt: '' }] = body.answers
    expect(new Date(createdAt).toISOString()).toBe(createdAt)
    expect(Math.abs(Date.now() - Date.parse(createdAt))).toBeLessThan(60_000)
  })

  test('keeps the time of the first answer when a second follows', async () => {
    const id = await makeLead()
    const { answeredAt } = (await answer(id, 'Yes')).body
    expect(answeredAt).not.toBeNull()
    const { body } = await answer(id, 'And it is tested.')
    expect(body).toMatchObject({ state: 'answered', answeredAt })
    expect(body.answers).toHaveLength(2)
  })

  test('asks for a call when the buyer left no email, whatever was typed', async () => {
    const id = await makeLead({ email: null, phone: '(918) 555-0107' })
    const refused = await answer(id, '')
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', error: 'Ruth Amador left no email address. Call them at (918) 555-0107.' },
    })
    expect((await read(id)).body).toMatchObject({ state: 'new', answers: [] })
  })

  test('rejects an empty answer at its field and sends no mail', async () => {
    const email = 'quiet@garage.example'
    const refused = await answer(await makeLead({ email }), '  ')
    expect(refused).toMatchObject({ status: 422, body: { fields: { message: 'Answer is required' } } })
    expect(await mailsTo(email)).toEqual([])
  })

  test('rejects the 21st answer to one message in a day and sends no mail; another message has its own limit', async () => {
    const email = 'often@garage.example'
    const id = await makeLead({ email })
    // All but one of the day’s answers, on whichever side of midnight this runs.
    await sql`
      insert into rate_window (key, window_start, used)
      select ${`answer:${id}`}, to_timestamp(floor(extract(epoch from now()) / 86400 + day) * 86400), 19
      from generate_series(0, 1) day`.execute(app.db)
    expect((await answer(id, ' ')).status).toBe(422)
    expect((await answer(id, 'The 20th')).status).toBe(201)
    const refused = await answer(id, 'The 21st')
    expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY' } })
    expect(refused.body.error).toMatch(
      /^You have answered this message 20 times today\. Write to often@garage\.example yourself, or try again in \d+ /,
    )
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await read(id)).body.answers).toHaveLength(1)
    expect(await mailsTo(email)).toHaveLength(1)
    expect((await answer(await makeLead({ email }), 'Yes')).status).toBe(201)
  })

  test('a part is sold however often its buyer was answered; the mail is what the limit keeps back', async () => {
    const yard = await app.signUp()
    const part = await makeQuickListing(yard.api)
    const email = 'eager@garage.example'
    const id = await makeLead({ email }, yard, part)
    await sql`
      insert into rate_window (key, window_start, used)
      select ${`answer:${id}`}, to_timestamp(floor(extract(epoch from now()) / 86400 + day) * 86400), 20
      from generate_series(0, 1) day`.execute(app.db)
    expect((await answer(id, 'The 21st', yard.api)).status).toBe(429)
    const sold = await yard.api.post<{ told: number; listingEnded: boolean }>(`/seller/leads/${id}/sold`, {
      endListing: true,
    })
    expect(sold).toMatchObject({ status: 201, body: { told: 0, listingEnded: true } })
    expect(await mailsTo(email)).toEqual([])
  })

  test('sending twice with one key makes one answer and one mail', async () => {
    const email = 'twice@garage.example'
    const id = await makeLead({ email })
    const key = { 'idempotency-key': 'answer-1' }
    const [first, second] = [
      await seller.api.post<Lead>(`/seller/leads/${id}/answers`, { message: 'Yes' }, key),
      await seller.api.post<Lead>(`/seller/leads/${id}/answers`, { message: 'Yes' }, key),
    ]
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(second.body).toEqual(first.body)
    expect((await read(id)).body.answers).toHaveLength(1)
    expect(await mailsTo(email)).toHaveLength(1)
  })
})

test('another seller’s message is not found, whether to read, close or answer it', async () => {
  const id = await makeLead({ email: 'ours@garage.example' })
  const other = await app.signUp({ tier: 'PAID' })
  const admin = await app.signUp({ role: 'admin' })
  for (const { api } of [other, admin]) {
    const answers = [
      await api.get<Failure>(`/seller/leads/${id}`),
      await api.put<Failure>(`/seller/leads/${id}`, { state: 'nonsense' }),
      await api.post<Failure>(`/seller/leads/${id}/answers`, { message: 'Hello' }),
    ]
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(Array(3).fill([404, 'NOT_FOUND']))
  }
  expect((await read(id)).body).toMatchObject({ state: 'new', answers: [] })
  expect(await mailsTo('ours@garage.example')).toEqual([])
})

test('a buyer sees the phone number only where it is shown, and always sees the seller’s preferred contact method', async () => {
  const yard = await app.signUp()
  const part = await makeQuickListing(yard.api)
  const shown = async () => {
    const { dealerphone, preferredContact } = (await app.visitor.get<Listing>(`/auto-part/${part.partslug}`))
      .body
    const listed = (await app.visitor.get<Listing[]>('/list-auto-parts/1?perPage=100')).body
    expect(listed.find(({ id }) => id === part.id)).toMatchObject({ dealerphone, preferredContact })
    return [dealerphone, preferredContact]
  }
  expect(await shown()).toEqual([null, 'email'])
  await yard.api.put('/profile', { communicationPrefs: { preferredContact: 'phone' } })
  expect(await shown()).toEqual([null, 'phone'])
  await yard.api.put('/profile', { communicationPrefs: { showPhonePublicly: true } })
  expect(await shown()).toEqual(['(918) 555-0142', 'phone'])
  await yard.api.put('/profile', {
    communicationPrefs: { showPhonePublicly: false, preferredContact: 'email' },
  })
  expect(await shown()).toEqual([null, 'email'])
})
