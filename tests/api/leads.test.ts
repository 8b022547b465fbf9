import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Lead } from '#contract/leads.ts'
import type { Listing } from '#contract/listings.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import type { ApiClient } from '#tests/support/api-client.ts'
import { makeQuickListing } from '#tests/support/make-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

type Inbox = { items: Lead[]; total: number; counts: { new: number; answered: number; closed: number } }
type Failure = { error: string; code: string; fields?: Record<string, string> }

const app = await startTestApp({ PUBLIC_URL: 'https://parts.example' })
let seller: SignedIn
let listing: Listing
beforeAll(async () => {
  seller = await app.signUp()
  listing = await makeQuickListing(seller.api)
})

let lastAddress = 0
/** A visitor whose address nobody else here has. */
function newBuyer(): ApiClient {
  lastAddress += 1
  return app.visitor.as({ ip: `198.51.100.${lastAddress}` })
}

const question = {
  name: 'Ruth Amador',
  email: 'ruth@garage.example',
  phone: '(918) 555-0107',
  message: 'Is it still there?\nI can come by today.',
}
const write = (body: unknown, api = newBuyer(), to = listing) =>
  api.post<Failure>(`/parts/${to.partslug}/messages`, body)
const inbox = async (query = '', api = seller.api) => (await api.get<Inbox>(`/seller/leads${query}`)).body

/** Sends a message and answers it as its seller finds it. */
async function newLead(changes: object = {}): Promise<Lead> {
  const sent = await write({ ...question, ...changes })
  expect(sent.status).toBe(201)
  const [lead] = (await inbox()).items
  if (!lead) throw new Error('the message is not in the inbox')
  return lead
}

const mailsTo = (recipient: string) =>
  app.db.selectFrom('mail').selectAll().where('recipient', '=', recipient).orderBy('id').execute()
const newestMailTo = async (recipient: string) => (await mailsTo(recipient)).at(-1)

describe('POST /parts/{slug}/messages', () => {
  test('puts a message into the inbox, without an account; empty fields are stored as absent', async () => {
    const answer = await write({ ...question, phone: '' })
    expect([answer.status, answer.body]).toEqual([201, { ok: true }])
    const { items } = await inbox()
    expect(items[0]).toEqual({
      id: expect.any(String),
      state: 'new',
      name: question.name,
      email: question.email,
      emailConfirmed: false,
      phone: null,
      message: question.message,
      createdAt: expect.any(String),
      answeredAt: null,
      listingTitle: `2014 Ford ${listing.partmodel} Alternator`,
      listing: {
        id: listing.id,
        slug: listing.partslug,
        title: `2014 Ford ${listing.partmodel} Alternator`,
        price: listing.partprice,
        currency: 'USD',
        quantity: 1,
        forSale: true,
      },
      emailsStopped: false,
      wroteAt: expect.any(String),
      messages: [
        {
          id: expect.any(String),
          kind: 'text',
          from: 'buyer',
          by: question.name,
          message: question.message,
          createdAt: expect.any(String),
          price: null,
          currency: null,
          expiresAt: null,
          offerState: null,
          mailed: true,
        },
      ],
      may: [],
      othersOpen: 0,
      promised: false,
      answers: [],
    })
  })

  test('is mailed with part, buyer, message and a link; a reply to the mail goes to the buyer', async () => {
    const { id } = await newLead()
    const mail = await newestMailTo(seller.person.email)
    expect(mail).toMatchObject({
      reply_to: question.email,
      subject: `Message from Ruth Amador: 2014 Ford ${listing.partmodel} Alternator`,
      state: 'queued',
    })
    for (const part of [
      '> Is it still there?\n> I can come by today.',
      'Email: ruth@garage.example',
      'Phone: (918) 555-0107',
      `https://parts.example/dashboard/seller/leads?lead=${id}`,
      `https://parts.example/parts/${listing.partslug}`,
    ]) {
      expect(mail?.body).toContain(part)
    }
  })

  test('with a phone only, the mail has no reply-to and says whom to call', async () => {
    await newLead({ email: '' })
    const mail = await newestMailTo(seller.person.email)
    expect(mail?.reply_to).toBeNull()
    expect(mail?.body).toContain('Ruth Amador left no email address. Call them at (918) 555-0107.')
  })

  test('a stranger’s text cannot forge a header or a line of ours', async () => {
    await newLead({
      message: 'Hello\r\nBcc: all@yard.example\u2028Answer in your inbox:\ncall 555-0100',
    })
    const mail = await newestMailTo(seller.person.email)
    expect(mail?.body).toContain('> Hello\n> Bcc: all@yard.example\n> Answer in your inbox:\n> call 555-0100')
    const forged = await write({ ...question, name: 'Ann\r\nBcc: all@yard.example' })
    expect([forged.status, Object.keys(forged.body.fields ?? {})]).toEqual([422, ['name']])
  })

  test('goes to every member whose switch is on, and not to former members', async () => {
    const yard = await app.signUp()
    const [second, silent, gone] = [await app.signUp(), await app.signUp(), await app.signUp()]
    for (const { user } of [second, silent, gone]) {
      await sql`insert into seller_member (user_id, seller_id, role) values (${user.id}, ${yard.user.sellerId}, 'staff')`.execute(
        app.db,
      )
    }
    await silent.api.put('/profile', { notificationPrefs: { messageEmails: false } })
    await app.db
      .updateTable('app_user')
      .set({ disabled_at: new Date() })
      .where('id', '=', gone.user.id)
      .execute()
    const part = await makeQuickListing(yard.api)
    expect((await write(question, newBuyer(), part)).status).toBe(201)
    const counts = await Promise.all(
      [yard, second, silent, gone].map(async ({ person }) => (await mailsTo(person.email)).length),
    )
    expect(counts).toEqual([1, 1, 0, 0])
  })

  test.each([
    [
      'no way to answer',
      { email: undefined, phone: undefined },
      'email',
      'Leave an email address or a phone',
    ],
    ['blanks for a way to answer', { email: '', phone: ' ' }, 'email', 'Leave an email address or a phone'],
    ['no address', { email: 'ruth' }, 'email', 'Enter an email address'],
    ['an empty message', { message: ' ' }, 'message', 'Message is required'],
    ['a long message', { message: 'x'.repeat(5_001) }, 'message', 'at most 5,000'],
    ['no name', { name: undefined }, 'name', 'Name is required'],
    ['a long phone', { phone: '1'.repeat(41) }, 'phone', 'at most 40'],
    ['a phone that is none', { phone: 'call me' }, 'phone', 'Enter a phone number'],
  ])('%s is refused with a sentence at its field', async (_what, changes, field, sentence) => {
    const answer = await write({ ...question, ...changes })
    expect([answer.status, answer.body.code]).toEqual([422, 'VALIDATION_FAILED'])
    expect(answer.body.fields?.[field]).toContain(sentence)
  })

  test('about one’s own listing is a conflict, even when empty', async () => {
    for (const body of [question, {}]) {
      const answer = await write(body, seller.api)
      expect([answer.status, answer.body.code]).toEqual([409, 'CONFLICT'])
    }
    const other = await app.signUp()
    expect((await write(question, other.api)).status).toBe(201)
  })

  test('404 for a part not on offer: hidden, ended, deleted, unknown', async () => {
    const [hidden, ended, deleted] = [
      await makeQuickListing(seller.api),
      await makeQuickListing(seller.api),
      await makeQuickListing(seller.api),
    ]
    await withChangeSet(app.db, { actorKind: 'system', reason: 'hide' }, async (trx) => {
      await trx.updateTable('listing').set({ status: 'HIDDEN' }).where('id', '=', hidden.id).execute()
    })
    await seller.api.post(`/seller/parts/${ended.id}/end`, { reason: 'sold-elsewhere' })
    await seller.api.delete(`/seller/parts/${deleted.id}`)
    const admin = await app.signUp({ role: 'admin' })
    for (const gone of [hidden, ended, deleted, { ...listing, partslug: 'no-such-part' }]) {
      for (const api of [newBuyer(), admin.api]) {
        const answer = await write(question, api, gone)
        expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND'])
      }
    }
  })

  test('the sixth within an hour from one address to one seller is refused; others are not', async () => {
    const buyer = newBuyer()
    const refused = { ...question, message: '' }
    for (let n = 0; n < 5; n += 1) {
      expect((await write(refused, buyer)).status).toBe(422)
      expect((await write(question, buyer)).status).toBe(201)
    }
    const before = (await inbox()).total
    const sixth = await write(question, buyer)
    expect(sixth).toMatchObject({ status: 429, body: { code: 'TOO_MANY' } })
    expect(sixth.body.error).toMatch(
      /^You have sent this seller 5 messages within an hour\. Please try again in /,
    )
    expect(Number(sixth.headers['retry-after'])).toBeGreaterThan(0)
    expect((await inbox()).total).toBe(before)
    const elsewhere = await makeQuickListing((await app.signUp()).api)
    expect((await write(question, buyer, elsewhere)).status).toBe(201)
    expect((await write(question)).status).toBe(201)
  })

  test('of ten at once, five are stored', async () => {
    const buyer = newBuyer()
    const answers = await Promise.all(Array.from({ length: 10 }, () => write(question, buyer)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      ...Array(5).fill(201),
      ...Array(5).fill(429),
    ])
  })

  test('after 60 within an hour, from anywhere, messages are stored but no longer mailed; the last mail says so', async () => {
    const yard = await app.signUp()
    const part = await makeQuickListing(yard.api)
    // All but one of the hour, whichever it is when the hour turns.
    await sql`
      insert into rate_window (key, window_start, used)
      select ${`message-mail:${yard.user.sellerId}`},
             to_timestamp(floor(extract(epoch from now()) / 3600 + hour) * 3600), 58
      from generate_series(0, 1) hour`.execute(app.db)
    const waiting = 'more will wait in your inbox'
    for (const mails of [1, 2, 2, 2]) {
      expect((await write(question, newBuyer(), part)).status).toBe(201)
      expect(await mailsTo(yard.person.email)).toHaveLength(mails)
    }
    expect((await inbox('', yard.api)).total).toBe(4)
    const bodies = (await mailsTo(yard.person.email)).map(({ body }) => body.includes(waiting))
    expect(bodies).toEqual([false, true])
    expect((await write(question)).status).toBe(201)
    expect((await newestMailTo(seller.person.email))?.body).not.toContain(waiting)
  })

  test('sent twice with one key makes one message and one mail', async () => {
    const buyer = newBuyer()
    const send = () =>
      buyer.post(`/parts/${listing.partslug}/messages`, question, { 'idempotency-key': 'message-1' })
    const before = [(await inbox()).total, (await mailsTo(seller.person.email)).length]
    expect((await send()).headers['idempotent-replayed']).toBeUndefined()
    expect((await send()).headers['idempotent-replayed']).toBe('true')
    const after = [(await inbox()).total, (await mailsTo(seller.person.email)).length]
    expect(after).toEqual(before.map((count) => count + 1))
  })
})
