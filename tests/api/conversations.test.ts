import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Listing } from '#contract/listings.ts'
import { type Failure, openTalks } from '#tests/support/talk.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const DAY_MS = 86_400_000

const app = await startTestApp({ PUBLIC_URL: 'https://parts.example' })
const talks = openTalks(app)
let yard: { seller: SignedIn; listing: Listing }
beforeAll(async () => {
  yard = await talks.yard()
})

describe('the buyer’s link', () => {
  test('opens the part and what was said, without the buyer’s address', async () => {
    const { answer, read, email } = await talks.ask(yard)
    await answer('Yes, on the shelf.')
    const { status, body } = await read(await talks.tokenFor(email))
    expect(status).toBe(200)
    expect(body).toMatchObject({
      sellerName: 'Whitfield Auto Salvage',
      sellerPhone: null,
      part: { slug: yard.listing.partslug, price: 100, currency: 'USD', forSale: true },
      messages: [
        { from: 'buyer', kind: 'text', message: 'Still there?' },
        { from: 'seller', kind: 'text', by: 'Dana Whitfield', message: 'Yes, on the shelf.' },
      ],
      may: ['offer'],
      emailsStopped: false,
    })
    expect(JSON.stringify(body)).not.toContain(email)
  })

  test('takes a reply, which is mailed to the seller and makes the conversation new again', async () => {
    const { answer, say, lead } = await talks.ask(yard)
    await answer('Yes, on the shelf.')
    const { answeredAt, wroteAt } = await lead()
    const said = await say('Does it come\nwith the bolts?')
    expect(said.status).toBe(201)
    expect(said.body.messages.map(({ message }) => message)).toEqual([
      'Still there?',
      'Yes, on the shelf.',
      'Does it come\nwith the bolts?',
    ])
    const after = await lead()
    expect(after).toMatchObject({ state: 'new', answeredAt, message: 'Still there?' })
    expect(after.wroteAt > wroteAt).toBe(true)
    const mail = (await talks.mailsTo(yard.seller.person.email)).at(-1)
    expect(mail?.subject).toMatch(/^Reply from Ruth \d+: 2014 Ford /)
    expect(mail?.body).toContain('> Does it come\n> with the bolts?')
    // The answers of an older client are the seller's.
    expect(after.answers.map(({ message }) => message)).toEqual(['Yes, on the shelf.'])
    await answer('All four.')
    expect(await lead()).toMatchObject({ state: 'answered', answeredAt })
  })

  test('moves the conversation to the top of the inbox, even from the closed ones', async () => {
    const place = await talks.yard()
    const [first, second] = [await talks.ask(place), await talks.ask(place)]
    await place.seller.api.put(`/seller/leads/${first.id}`, { state: 'closed' })
    await first.say('One more thing.')
    const inbox = await place.seller.api.get<{ items: { id: string; state: string }[]; counts: object }>(
      '/seller/leads',
    )
    expect(inbox.body.items).toMatchObject([{ id: first.id, state: 'new' }, { id: second.id }])
    expect(inbox.body.counts).toEqual({ new: 2, answered: 0, closed: 0 })
  })

  test('is unique: no other link opens it, and an unknown token opens nothing', async () => {
    const [one, other] = [await talks.ask(yard), await talks.ask(yard)]
    await one.say('Only for this one.')
    expect(JSON.stringify((await other.read()).body)).not.toContain('Only for this one.')
    for (const token of ['x'.repeat(43), one.token.toLowerCase(), `${one.token}x`, one.id]) {
      for (const [path, body] of [
        ['conversation', {}],
        ['reply', { message: 'Hello' }],
        ['offer', { price: 50 }],
        ['offer-answer', { offerId: one.id, answer: 'accept' }],
        ['stop', { wasMe: false }],
      ] as const) {
        const refused = await one.asBuyer(path, body, token)
        expect([path, refused.status, refused.body.code]).toEqual([path, 410, 'LINK_EXPIRED'])
      }
    }
    expect((await one.read()).status).toBe(200)
  })

  test('is stored as a hash', async () => {
    const { token } = await talks.ask(yard)
    const { rows } = await sql<{
      hash: string
    }>`select encode(token_hash, 'escape') as hash from lead_link`.execute(app.db)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.some(({ hash }) => hash.includes(token))).toBe(false)
  })

  test('lives for 90 days after the last message of either side', async () => {
    const { id, answer, read, email } = await talks.ask(yard)
    const pass = (days: number) =>
      sql`update lead_message set created_at = created_at - make_interval(days => ${days}) where lead_id = ${id}`.execute(
        app.db,
      )
    await pass(89)
    await answer('Are you still looking?')
    await pass(89)
    expect((await read()).status).toBe(200)
    expect((await read(await talks.tokenFor(email))).status).toBe(200)
    await pass(2)
    expect((await read()).body.code).toBe('LINK_EXPIRED')
  })

  test('refuses links, empty texts and long ones at the field', async () => {
    const { say, lead } = await talks.ask(yard)
    for (const text of ['See www.cheap-parts.example', ' ', 'x'.repeat(5_001)]) {
      const refused = await say(text)
      expect([refused.status, Object.keys(refused.body.fields ?? {})]).toEqual([422, ['message']])
    }
    expect((await lead()).messages).toHaveLength(1)
  })

  test('takes 20 messages a day', async () => {
    const { id, say, lead } = await talks.ask(yard)
    await sql`
      insert into rate_window (key, window_start, used)
      select ${`reply:${id}`}, to_timestamp(floor(extract(epoch from now()) / 86400 + day) * 86400), 19
      from generate_series(0, 1) day`.execute(app.db)
    expect((await say(' ')).status).toBe(422)
    expect((await say('The 20th')).status).toBe(201)
    const refused = await say('The 21st')
    expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY' } })
    expect(refused.body.error).toMatch(
      /^You have written 20 times in this conversation today\. Please try again in/,
    )
    expect((await lead()).messages).toHaveLength(2)
  })

  test('sent twice with one key makes one message', async () => {
    const { token, lead } = await talks.ask(yard)
    const send = () =>
      app.visitor.post('/messages/reply', { token, message: 'Once' }, { 'idempotency-key': 'reply-1' })
    expect((await send()).status).toBe(201)
    expect((await send()).headers['idempotent-replayed']).toBe('true')
    expect((await lead()).messages).toHaveLength(2)
  })
})

describe('an address that nobody has confirmed', () => {
  test('is confirmed by what its link sends, not by opening it', async () => {
    const { read, say, lead, answer, email } = await talks.ask(yard, { strange: true })
    await answer('Yes, on the shelf.')
    expect((await read()).body.messages).toHaveLength(2)
    expect(await lead()).toMatchObject({ emailConfirmed: false, answers: [{ mailed: false }] })
    expect(await talks.mailsTo(email)).toHaveLength(1)
    await say('Great.')
    expect(await lead()).toMatchObject({ emailConfirmed: true, answers: [{ mailed: true }] })
    // What is on the page is not mailed as well.
    expect(await talks.mailsTo(email)).toHaveLength(1)
    await answer('See you.')
    expect(await talks.mailsTo(email)).toHaveLength(2)
  })

  test('has a link for 14 days', async () => {
    const { read } = await talks.ask(yard, { strange: true })
    app.clock.advance(14 * DAY_MS + 1_000)
    expect((await read()).status).toBe(410)
    app.clock.advance(-14 * DAY_MS - 1_000)
    expect((await read()).status).toBe(200)
  })
})

describe('stopping', () => {
  const isStopped = (name: string) => ({
    status: 409,
    body: { code: 'CONFLICT', error: `${name} stopped the emails of this conversation.` },
  })

  test('by one click of a mail program: no more emails until the buyer writes again', async () => {
    const { answer, say, read, lead, email, counter } = await talks.ask(yard, { offer: '80' })
    await answer('Yes.')
    const url = (await talks.mailsTo(email)).at(-1)?.unsubscribe_url ?? ''
    expect(url).toMatch(/^https:\/\/parts\.example\/api\/verify\/unsubscribe\/[\da-f-]{36}\.conversation$/)
    const done = await app.http.inject({ method: 'POST', url: new URL(url).pathname })
    expect(done.statusCode).toBe(200)
    const { name } = await lead()
    expect(await answer('Still interested?')).toMatchObject(isStopped(name))
    expect(await counter(90)).toMatchObject(isStopped(name))
    expect(await lead()).toMatchObject({ emailsStopped: true, may: [] })
    expect((await read()).body.emailsStopped).toBe(true)
    expect((await say('Sorry, I am back.')).body.emailsStopped).toBe(false)
    expect((await answer('Good.')).status).toBe(201)
  })

  test('by someone other than the writer: every link ends, and nothing is confirmed', async () => {
    const { asBuyer, answer, read, lead, email, token } = await talks.ask(yard)
    await answer('Yes.')
    const newest = await talks.tokenFor(email)
    expect((await asBuyer('stop', { wasMe: false }, newest)).body).toEqual({ ok: true })
    for (const one of [token, newest]) expect((await read(one)).status).toBe(410)
    const left = await lead()
    expect(left).toMatchObject({ emailsStopped: true, emailConfirmed: false })
    expect(await answer('Hello?')).toMatchObject(isStopped(left.name))
  })

  test('by the writer: the link still opens it', async () => {
    const { asBuyer, answer, read } = await talks.ask(yard)
    await asBuyer('stop', { wasMe: true })
    expect((await read()).body.emailsStopped).toBe(true)
    expect((await answer('Hello?')).status).toBe(409)
    expect((await asBuyer('stop', {})).status).toBe(422)
  })
})

describe('sold already', () => {
  type Sold = { lead: { state: string; messages: { kind: string }[] }; told: number; listingEnded: boolean }

  test('notifies the buyer and the others who asked, and ends the listing, once', async () => {
    const place = await talks.yard()
    const [one, other, closed, caller] = [
      await talks.ask(place),
      await talks.ask(place),
      await talks.ask(place),
      await talks.ask(place),
    ]
    await place.seller.api.put(`/seller/leads/${closed.id}`, { state: 'closed' })
    await sql`update lead set email = null, phone = '(918) 555-0107' where id = ${caller.id}`.execute(app.db)
    expect((await one.lead()).othersOpen).toBe(2)
    const sold = await one.asSeller<Sold>('sold', { tellOthers: true, endListing: true })
    expect(sold.status).toBe(201)
    expect(sold.body).toMatchObject({ lead: { state: 'closed' }, told: 2, listingEnded: true })
    for (const { email, lead } of [one, other]) {
      const mail = (await talks.mailsTo(email)).at(-1)
      expect(mail?.body).toContain('Sorry, this part is already sold.')
      expect(await lead()).toMatchObject({ state: 'closed', answeredAt: expect.any(String) })
    }
    expect((await talks.mailsTo(closed.email)).length).toBe(1)
    expect((await caller.lead()).state).toBe('new')
    const page = await app.visitor.get<Listing>(`/auto-part/${place.listing.partslug}`)
    expect(page.body.endedReason).toBe('sold-elsewhere')
    expect((await other.read()).body).toMatchObject({ part: { forSale: false }, may: [] })
    // Asked again, the part is sold: the conversation is open, the listing stays as it is.
    await one.say('Do you have another one?')
    const again = await one.asSeller<Sold>('sold', { endListing: true })
    expect(again.body).toMatchObject({ told: 1, listingEnded: false })
  })

  test('to this buyer: no mail, and the listing was sold here', async () => {
    const place = await talks.yard()
    const { asSeller, email, lead } = await talks.ask(place)
    const before = await talks.mailsTo(email)
    const sold = await asSeller<Sold>('sold', { soldToThem: true, endListing: true })
    expect(sold.body).toMatchObject({ told: 0, listingEnded: true })
    expect(await talks.mailsTo(email)).toHaveLength(before.length)
    expect(await lead()).toMatchObject({ state: 'closed' })
    const page = await app.visitor.get<Listing>(`/auto-part/${place.listing.partslug}`)
    expect(page.body.endedReason).toBe('sold-here')
  })

  test('by default, only this buyer is notified', async () => {
    const place = await talks.yard()
    const [one, other] = [await talks.ask(place), await talks.ask(place)]
    expect((await one.asSeller<Sold>('sold', {})).body).toMatchObject({ told: 1, listingEnded: false })
    expect(await other.lead()).toMatchObject({ state: 'new', messages: [{ kind: 'text' }] })
    expect((await app.visitor.get<Listing>(`/auto-part/${place.listing.partslug}`)).body.endedAt).toBeNull()
  })
})

describe('quick replies', () => {
  type Replies = { replies: string[]; suggested: boolean }

  test('are suggested until the seller saves a list, which is the account’s', async () => {
    const { api } = await app.signUp()
    const read = async () => (await api.get<Replies>('/seller/quick-replies')).body
    const suggested = await read()
    expect(suggested.suggested).toBe(true)
    expect(suggested.replies.length).toBeGreaterThan(2)
    const replies = ['Yes, it’s here.', 'We close at five.\nCall first.']
    expect(await api.put('/seller/quick-replies', { replies })).toMatchObject({
      status: 200,
      body: { replies, suggested: false },
    })
    expect(await read()).toEqual({ replies, suggested: false })
    expect((await api.put('/seller/quick-replies', { replies: [] })).body).toEqual({
      replies: [],
      suggested: false,
    })
    expect((await yard.seller.api.get<Replies>('/seller/quick-replies')).body.suggested).toBe(true)
  })

  test.each([
    [Array(11).fill('Yes'), 'At most 10 quick replies'],
    [[' '], 'A quick reply is required'],
    [['x'.repeat(501)], 'A quick reply can have at most 500 characters'],
  ])('%j is refused', async (replies, sentence) => {
    const refused = await yard.seller.api.put<Failure>('/seller/quick-replies', { replies })
    expect(refused.status).toBe(422)
    expect(Object.values(refused.body.fields ?? {}).join(' ')).toContain(sentence)
  })
})

describe('the account of the buyer’s address', () => {
  type Own = { items: { id: string; title: string; last: { kind: string }; payable: boolean }[] }

  test('lists conversations, what was written last first, and opens them', async () => {
    const buyer = await app.signUp()
    const { email } = buyer.person
    const first = await talks.ask(yard, { from: email })
    const second = await talks.ask(yard, { from: email, offer: '80' })
    await first.answer('Yes, on the shelf.')
    const { body } = await buyer.api.get<Own>('/conversations')
    expect(body.items.map(({ id, last }) => [id, last.kind])).toEqual([
      [first.id, 'text'],
      [second.id, 'offer'],
    ])
    const opened = await buyer.api.post<{ token: string }>(`/conversations/${first.id}/link`)
    expect((await first.read(opened.body.token)).body.messages.at(-1)?.message).toBe('Yes, on the shelf.')
  })

  test('opens nobody else’s, and nothing until the address is confirmed', async () => {
    const [buyer, other] = [await app.signUp(), await app.signUp()]
    const one = await talks.ask(yard, { from: buyer.person.email })
    expect((await other.api.get<Own>('/conversations')).body.items).toEqual([])
    expect((await other.api.post(`/conversations/${one.id}/link`)).status).toBe(404)
    await sql`
      update app_user set email_verified_at = null where email = ${buyer.person.email}`.execute(app.db)
    app.clock.advance(60_000)
    expect((await buyer.api.get<Own>('/conversations')).body.items).toEqual([])
    expect((await buyer.api.post(`/conversations/${one.id}/link`)).status).toBe(404)
  })
})
