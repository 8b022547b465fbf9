import { beforeAll, describe, expect, test } from 'vitest'
import type { Lead } from '#contract/leads.ts'
import type { Listing } from '#contract/listings.ts'
import { sendWeeklySummaries } from '#server/features/market/analytics/weekly-summary.ts'
import { makeQuickListing } from '#tests/support/make-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

type Failure = { error: string; code: string; fields?: Record<string, string> }

const app = await startTestApp({ PUBLIC_URL: 'https://parts.example' })
let seller: SignedIn
let listing: Listing
beforeAll(async () => {
  seller = await app.signUp()
  listing = await makeQuickListing(seller.api)
})

let count = 0
/** A buyer with an address that nobody else here has. */
function newBuyer() {
  count += 1
  return { api: app.visitor.as({ ip: `198.51.100.${count}` }), email: `buyer-${count}@garage.example` }
}
const write = (
  { api, email }: Pick<ReturnType<typeof newBuyer>, 'api' | 'email'>,
  message = 'Still there?',
  to = listing,
) =>
  api.post<Failure & { notice?: string }>(`/parts/${to.partslug}/messages`, {
    name: 'Ruth Amador',
    email,
    message,
  })
const newestLead = async (of = seller) => {
  const [lead] = (await of.api.get<{ items: Lead[] }>('/seller/leads')).body.items
  if (!lead) throw new Error('the message is not in the inbox')
  return lead
}
const answer = (id: string, message: string, api = seller.api) =>
  api.post<Lead & Failure>(`/seller/leads/${id}/answers`, { message })
const mailsTo = (email: string) =>
  app.db.selectFrom('mail').selectAll().where('recipient', '=', email).orderBy('id').execute()
const tokenFor = async (email: string) =>
  /confirm-message#([\w-]{43})\n/.exec((await mailsTo(email)).at(-1)?.body ?? '')?.[1] ?? 'no link'
const confirm = (token: string) => app.visitor.post<Failure>('/messages/confirm', { token })

describe('a buyer’s address', () => {
  test('is confirmed before an answer is mailed; the message itself arrives at once', async () => {
    const buyer = newBuyer()
    expect((await write(buyer, 'Still there?\nRegards from FREE-PILLS')).status).toBe(201)
    const lead = await newestLead()
    expect(lead).toMatchObject({ email: buyer.email, emailConfirmed: false })
    expect((await mailsTo(seller.person.email)).at(-1)?.reply_to).toBe(buyer.email)
    const [asked, ...others] = await mailsTo(buyer.email)
    expect(others).toEqual([])
    // Nothing that a stranger typed is in it.
    expect(`${asked?.subject} ${asked?.body}`).not.toMatch(/PILLS|Ruth|Alternator|Dana/)

    await answer(lead.id, 'Yes, on the shelf.')
    const given = await answer(lead.id, 'And it is tested.')
    expect(given.body.answers.map(({ mailed }) => mailed)).toEqual([false, false])
    expect(await mailsTo(buyer.email)).toHaveLength(1)

    const token = await tokenFor(buyer.email)
    const page = { email: buyer.email, sellerName: 'Whitfield Auto Salvage', slug: listing.partslug }
    expect(await app.visitor.post('/messages/link', { token })).toMatchObject({ status: 200, body: page })
    expect(await mailsTo(buyer.email)).toHaveLength(1)
    const clicks = await Promise.all([confirm(token), confirm(token)])
    expect(clicks.map(({ status }) => status)).toEqual([200, 200])
    const mails = await mailsTo(buyer.email)
    expect(mails.slice(1).map(({ body }) => /on the shelf|is tested/.exec(body)?.[0])).toEqual([
      'on the shelf',
      'is tested',
    ])
    expect(mails[1]?.reply_to).toBe(seller.person.email)
    expect(await newestLead()).toMatchObject({
      emailConfirmed: true,
      answers: [{ mailed: true }, { mailed: true }],
    })
    await answer(lead.id, 'Come by.')
    expect(await mailsTo(buyer.email)).toHaveLength(4)
  })

  test('counts for its conversation alone: an impostor who writes in the same name is not confirmed', async () => {
    const buyer = newBuyer()
    await write(buyer)
    const token = await tokenFor(buyer.email)
    await confirm(token)
    const lead = await newestLead()
    expect(lead.emailConfirmed).toBe(true)
    await write({ ...newBuyer(), email: buyer.email.toUpperCase() })
    const impostor = await newestLead()
    expect(impostor.emailConfirmed).toBe(false)
    await answer(impostor.id, 'Who are you?')
    // Reading and writing on in the own conversation confirms no other.
    await confirm(token)
    await app.visitor.post('/messages/reply', { token, message: 'I’ll come by.' })
    const after = (await seller.api.get<{ items: Lead[] }>('/seller/leads')).body.items
    expect(after.find(({ id }) => id === impostor.id)?.emailConfirmed).toBe(false)
    expect((await mailsTo(buyer.email)).some(({ body }) => body.includes('Who are you?'))).toBe(false)
    const other = await app.signUp()
    await write(buyer, 'And you?', await makeQuickListing(other.api))
    expect((await newestLead(other)).emailConfirmed).toBe(false)
  })

  test('needs no link if it is that of the signed-in buyer’s confirmed account', async () => {
    const { api, person } = await app.signUp()
    await write({ api, email: person.email })
    expect((await newestLead()).emailConfirmed).toBe(true)
    expect(await mailsTo(person.email)).toEqual([])
    const stranger = newBuyer()
    await write({ api, email: stranger.email })
    expect((await newestLead()).emailConfirmed).toBe(false)
  })

  test('that is a stranger’s gets three links an hour by one caller and five by all, and each other caller reads why', async () => {
    const { email } = newBuyer()
    const [one, other, owner] = [newBuyer(), newBuyer(), newBuyer()]
    const notices = []
    for (const { api } of [one, one, one, one, other, other, owner]) {
      const { status, body } = await write({ api, email })
      expect(status).toBe(201)
      notices.push(body.notice)
    }
    const why = expect.stringMatching(/^We couldn't send the email; try again after \d+ (minutes|seconds)\.$/)
    expect(notices).toEqual([undefined, undefined, undefined, why, undefined, undefined, why])
    expect(await mailsTo(email)).toHaveLength(5)
  })

  test('needs no other link for 30 days on the device that opened one, whatever strangers use up', async () => {
    const { api, email } = newBuyer()
    await write({ api, email })
    const opened = await confirm(await tokenFor(email))
    const cookie = /^__Secure-mailbox-[\w-]{12}=[\w-]{43}(?=; Path=\/; .*HttpOnly; SameSite=Lax)/.exec(
      String(opened.headers['set-cookie']),
    )?.[0]
    const other = await app.signUp()
    const to = await makeQuickListing(other.api)
    for (let n = 0; n < 6; n += 1) await write({ ...newBuyer(), email }, 'Call me', to)
    const mails = await mailsTo(email)
    const again = (as = email, part = to) =>
      api.post(
        `/parts/${part.partslug}/messages`,
        { name: 'Ruth Amador', email: as, message: 'And you?' },
        { cookie: `a=b; ${cookie}` },
      )
    expect((await again()).status).toBe(201)
    expect((await newestLead(other)).emailConfirmed).toBe(true)
    expect(await mailsTo(email)).toHaveLength(mails.length)
    const search = { query: 'q=horn', email, frequency: 'daily' }
    const saved = await api.post('/saved-searches/new', search, { cookie: `${cookie}` })
    expect(saved).toMatchObject({ status: 201, body: { state: 'saved' } })
    await again(newBuyer().email)
    expect((await newestLead(other)).emailConfirmed).toBe(false)
    const third = await makeQuickListing((await app.signUp()).api)
    app.clock.advance(31 * 24 * 60 * 60_000)
    const { body } = await again(email, third)
    app.clock.advance(-31 * 24 * 60 * 60_000)
    // By then the address needs a link, and strangers have used up those of the hour.
    expect(body).toMatchObject({ ok: true, notice: expect.stringContaining('try again after') })
  })

  test('a link expires after 14 days, and a guessed one confirms nothing', async () => {
    expect((await confirm('x'.repeat(43))).status).toBe(410)
    const buyer = newBuyer()
    await write(buyer)
    const token = await tokenFor(buyer.email)
    app.clock.advance(14 * 24 * 3_600_000 + 1_000)
    expect(await confirm(token)).toMatchObject({ status: 410, body: { code: 'LINK_EXPIRED' } })
    app.clock.advance(-14 * 24 * 3_600_000 - 1_000)
  })
})

describe('links in messages', () => {
  const link = 'See www.cheap-parts.example'
  const age = (userId: string, days: number) =>
    app.db
      .updateTable('app_user')
      .set({ created_at: new Date(app.clock.now().getTime() - days * 24 * 3_600_000) })
      .where('id', '=', userId)
      .execute()

  test('a visitor’s are refused with a sentence at the field', async () => {
    const refused = await write(newBuyer(), link)
    expect([refused.status, refused.body.code]).toEqual([422, 'VALIDATION_FAILED'])
    expect(refused.body.fields?.message).toBe(
      'Links are not allowed here. Remove the link and describe what you mean.',
    )
    const named = await app.visitor.post<Failure>(`/parts/${listing.partslug}/messages`, {
      name: 'www.pills.example',
      email: 'a@b.example',
      message: 'Hi',
    })
    expect(Object.keys(named.body.fields ?? {})).toEqual(['name'])
  })

  test('an account’s are allowed after 7 days, both ways', async () => {
    const buyer = await app.signUp()
    const lead = await newestLead()
    const tries = async () => [
      (await write({ api: buyer.api, email: buyer.person.email }, link)).status,
      (await answer(lead.id, link)).status,
    ]
    await age(seller.user.id, 6.9)
    await age(buyer.user.id, 6.9)
    expect(await tries()).toEqual([422, 422])
    expect((await answer(lead.id, link)).body.fields?.message).toMatch(
      /^New accounts can send links after 7 days, from /,
    )
    await age(seller.user.id, 7.1)
    await age(buyer.user.id, 7.1)
    expect(await tries()).toEqual([201, 201])
  })
})

describe('a seller whose address is not confirmed', () => {
  test('cannot email buyers and gets no email, but sees every message', async () => {
    const yard = await app.signUp()
    const part = await makeQuickListing(yard.api)
    await app.db
      .updateTable('app_user')
      .set({ email_verified_at: null, notification_prefs: '{"weeklySummary": true}' })
      .where('id', '=', yard.user.id)
      .execute()
    await write(newBuyer(), 'Still there?', part)
    const lead = await newestLead(yard)
    expect(await answer(lead.id, 'Yes', yard.api)).toMatchObject({
      status: 422,
      body: { code: 'EMAIL_UNCONFIRMED' },
    })
    // A Monday at noon in every time zone of the United States.
    const site = { publicUrl: 'https://parts.example', productName: 'PartHarbor' }
    const monday = new Date('2026-11-30T19:00:00Z')
    await sendWeeklySummaries({ db: app.db, now: () => monday, site }, new AbortController().signal)
    expect(await mailsTo(yard.person.email)).toEqual([])
  })
})

describe('POST /api/verify/unsubscribe/{token}', () => {
  const oneClick = (url: string, method: 'GET' | 'POST' = 'POST') =>
    app.http.inject({
      method,
      url: new URL(url).pathname,
      ...(method === 'POST' && {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'List-Unsubscribe=One-Click',
      }),
    })

  test('ends one kind of email with one click; opened by a person it leads to the page', async () => {
    await write(newBuyer())
    const before = await mailsTo(seller.person.email)
    const url = before.at(-1)?.unsubscribe_url ?? ''
    expect(url).toMatch(/^https:\/\/parts\.example\/api\/verify\/unsubscribe\/[\da-f-]{36}\.messageEmails$/)
    const page = await oneClick(url, 'GET')
    expect([page.statusCode, page.headers.location]).toEqual([
      302,
      `https://parts.example/unsubscribe#${url.split('/').at(-1)}`,
    ])
    const prefs = async () =>
      (await seller.api.get<{ notificationPrefs: object }>('/profile/me')).body.notificationPrefs
    expect(await prefs()).toMatchObject({ messageEmails: true })
    expect((await oneClick(url)).statusCode).toBe(200)
    expect(await prefs()).toEqual({ orderEmails: true, messageEmails: false, weeklySummary: false })
    await write(newBuyer())
    expect(await mailsTo(seller.person.email)).toHaveLength(before.length)
    // The button of the page does the same; a token that we never sent ends nothing.
    const token = url.split('/').at(-1)
    expect(await app.visitor.post('/verify/unsubscribe', { token })).toMatchObject({
      status: 200,
      body: { kind: 'messageEmails' },
    })
    for (const bad of [`${crypto.randomUUID()}.messageEmails`, `${token?.split('.')[0]}.role`, 'x']) {
      expect((await app.visitor.post('/verify/unsubscribe', { token: bad })).status).toBe(410)
    }
  })
})
