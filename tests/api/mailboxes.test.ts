import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Lead } from '#contract/leads.ts'
import { newToken, tokenHash } from '#server/features/people/accounts/sessions.ts'
import type { Answer } from '#tests/support/api-client.ts'
import { makeQuickListing, newPerson } from '#tests/support/make-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* Who opens a link of our emails has the mailbox, and needs no other link; and what one stranger can have mailed there. */

const app = await startTestApp({ DEMO_CONFIRM: 'off', PUBLIC_URL: 'https://parts.example' })
const { db, visitor, clock } = app
let seller: SignedIn
let slug: string
beforeAll(async () => {
  seller = await app.signUp()
  slug = (await makeQuickListing(seller.api)).partslug
})

const mailsTo = (email: string) =>
  db.selectFrom('mail').selectAll().where('recipient', '=', email).orderBy('id').execute()
const tokenIn = async (email: string, page: string) =>
  (await mailsTo(email)).flatMap(
    ({ body }) => new RegExp(`/${page}#([\\w-]{43})`).exec(body)?.[1] ?? [],
  )[0] ?? ''
const mailboxOf = ({ headers }: Pick<Answer<unknown>, 'headers'>): string =>
  /__Secure-mailbox-[\w-]{12}=[\w-]{43}(?=; Path=\/; .*HttpOnly; SameSite=Lax; Secure)/.exec(
    String(headers['set-cookie']),
  )?.[0] ?? 'no cookie'
const newestLead = async () => (await seller.api.get<{ items: Lead[] }>('/seller/leads')).body.items[0]
let callers = 0
const stranger = () => {
  callers += 1
  return visitor.as({ ip: `198.51.100.${callers}` })
}
const write = (email: string, { api = stranger(), cookie = '' } = {}) =>
  api.post<{ notice?: string }>(
    `/parts/${slug}/messages`,
    { name: 'Ruth Amador', email, message: 'Still there?' },
    { cookie },
  )

/** A link of this table that the account was mailed. */
async function linkOf(table: 'sign_in_link' | 'password_reset', email: string): Promise<string> {
  const token = newToken()
  await sql`
    insert into ${sql.table(table)} (token_hash, user_id, created_at, expires_at)
    select ${tokenHash(token)}, id, ${clock.now()}, ${new Date(clock.now().getTime() + 60_000)} from app_user where email = ${email}
  `.execute(db)
  return token
}

describe('a browser that opened the link', () => {
  test.each([
    ['of a new account', '/verify/email', (email: string) => tokenIn(email, 'confirm-email')],
    ['that signs in', '/verify/sign-in-link', (email: string) => linkOf('sign_in_link', email)],
    ['that sets a password', '/password-reset/confirm', (email: string) => linkOf('password_reset', email)],
  ])('%s needs no other for the address', async (_, path, linkTo) => {
    const person = newPerson()
    await visitor.post('/register', person)
    const opened = await visitor.post(path, { token: await linkTo(person.email), password: 'Sable-quay-8' })
    expect(opened.status).toBe(200)
    const cookie = mailboxOf(opened)
    const before = await mailsTo(person.email)
    await write(person.email, { cookie })
    expect((await newestLead())?.emailConfirmed).toBe(true)
    expect(await mailsTo(person.email)).toEqual(before)
    await write(newPerson().email, { cookie })
    expect((await newestLead())?.emailConfirmed).toBe(false)
  })

  test('of a report needs no other, and neither do forms that are sent without scripts', async () => {
    const { email } = newPerson()
    await stranger().post(`/parts/${slug}/reports`, { reason: 'wrong-part', email })
    const token = await tokenIn(email, 'confirm-report')
    const cookie = mailboxOf(await visitor.post('/verify/report', { token }))
    const send = (url: string, fields: Record<string, string>) =>
      app.http.inject({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded', cookie },
        payload: new URLSearchParams({ ...fields, email }).toString(),
      })
    await send(`/parts/${slug}`, { intent: 'message', name: 'Ruth Amador', message: 'Is it left?' })
    expect(await newestLead()).toMatchObject({ email, emailConfirmed: true })
    await send('/saved-searches/new', { query: 'q=horn', frequency: 'daily' })
    const { rows } = await sql`
      select from saved_search s join saved_search_owner o on o.id = s.owner_id
      where o.email = ${email} and s.confirmed_at is not null`.execute(db)
    expect([rows.length, (await mailsTo(email)).length]).toEqual([1, 1])
  })
})

test('nobody signs with our name: no account, no change of one, and no buyer with or without scripts', async () => {
  const name = 'P\u0430rtHarbor Support'
  const refused = expect.objectContaining({ fields: { name: expect.stringContaining('is our name') } })
  expect(await visitor.post('/register', newPerson({ name }))).toMatchObject({ status: 422, body: refused })
  expect(await seller.api.put('/profile', { name })).toMatchObject({ status: 422, body: refused })
  const message = { name, email: newPerson().email, message: 'Call us about your account' }
  const { status, body } = await stranger().post(`/parts/${slug}/messages`, message)
  expect([status, body]).toEqual([422, refused])
  const { body: page } = await app.http.inject({
    method: 'POST',
    url: `/parts/${slug}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ intent: 'message', ...message }).toString(),
  })
  expect(page.includes('is our name')).toBe(true)
})

test('one stranger has a few emails sent to an address, by whatever they do, and leaves some for its owner', async () => {
  const { email } = newPerson()
  const api = stranger()
  await write(email, { api })
  await api.post('/saved-searches/new', { query: 'q=horn', email, frequency: 'daily' })
  for (let n = 0; n < 3; n += 1) {
    const part = await makeQuickListing((await app.signUp()).api)
    await api.post(`/parts/${part.partslug}/reports`, { reason: 'wrong-part', email })
  }
  for (let n = 0; n < 3; n += 1) {
    const { api: account, person } = await app.signUp()
    await account
      .as({ ip: `198.51.100.${callers}` })
      .put('/profile', { email, currentPassword: person.password })
  }
  for (let n = 0; n < 3; n += 1) {
    const tagged = email.replace('@', `+${n}@`)
    expect((await api.post('/register', newPerson({ email: tagged }))).status).toBe(201)
    expect(await mailsTo(tagged)).toEqual([])
  }
  expect(await mailsTo(email)).toHaveLength(3)
  clock.advance(61 * 60_000)
  await write(email, { api })
  await write(email, { api })
  await write(email, { api })
  const ofDay = (await mailsTo(email)).length
  clock.advance(-61 * 60_000)
  expect(ofDay).toBeLessThan(6)
  expect((await write(email)).body).toEqual({ ok: true })
  expect(await mailsTo(email)).toHaveLength(ofDay + 1)
})
