import { describe, expect, test } from 'vitest'
import type { User } from '#contract/account/accounts.ts'
import { newToken, tokenHash } from '#server/features/people/accounts/sessions.ts'
import { newPerson } from '#tests/support/make-rows.ts'
import { startTestApp } from '#tests/support/test-app.ts'

type Failure = { error: string; code: string; fields?: Record<string, string> }

const app = await startTestApp({ DEMO_CONFIRM: 'off', PUBLIC_URL: 'https://parts.example' })
const { db, visitor, signUp, clock } = app
const DAY_MS = 24 * 3_600_000

const mailsTo = (email: string) =>
  db
    .selectFrom('mail')
    .select(['subject', 'body', 'button'])
    .where('recipient', '=', email)
    .orderBy('id')
    .execute()
const tokenIn = (body: string | undefined, page: string) =>
  new RegExp(String.raw`^https://parts\.example/${page}#([\w-]{43})$`, 'm').exec(body ?? '')?.[1] ?? 'no link'
const newestToken = async (email: string, page: string) =>
  tokenIn((await mailsTo(email)).findLast(({ body }) => body.includes(`/${page}#`))?.body, page)

const confirm = (token: string) => visitor.post<Failure & { email: string }>('/verify/email', { token })
const restore = (token: string) =>
  visitor.post<Failure & { email: string; passwordToken: string }>('/verify/former-email', { token })
const me = async (api: typeof visitor) => (await api.get<User>('/profile/me')).body

/** Registers over the API, as nobody else here does. */
async function register() {
  const person = newPerson()
  expect((await visitor.post('/register', person)).status).toBe(201)
  const { body } = await visitor.post<{ token: string; user: User }>('/login', person)
  return { person, api: visitor.as({ token: body.token }), user: body.user }
}

/** Asks for another address with the right password. */
async function askChange() {
  const { api, person, user } = await signUp()
  const { email } = newPerson()
  const asked = await api.put<User>('/profile', { email, currentPassword: person.password })
  expect(asked).toMatchObject({ status: 200, body: { email: person.email, pendingEmail: email } })
  return { api, person, user, email }
}

describe('a registered address', () => {
  test('is confirmed with the button behind the link, once', async () => {
    const { person, api, user } = await register()
    expect(user).toMatchObject({ emailConfirmed: false, pendingEmail: null })
    const [mail] = await mailsTo(person.email)
    expect(mail).toMatchObject({
      subject: 'Confirm your email address for PartHarbor',
      button: 'Confirm email address',
    })
    const token = tokenIn(mail?.body, 'confirm-email')
    expect(await visitor.post('/verify/address-link', { token })).toMatchObject({
      status: 200,
      body: { purpose: 'confirm', email: person.email },
    })
    expect((await me(api)).emailConfirmed).toBe(false)
    expect(await confirm(token)).toMatchObject({ status: 200, body: { ok: true, email: person.email } })
    expect((await me(api)).emailConfirmed).toBe(true)
    // A second click of the same button is no error, but the link is used up.
    expect((await confirm(token)).status).toBe(200)
    expect((await visitor.post('/verify/address-link', { token })).status).toBe(410)
  })

  test('can have its link sent again, twice an hour; earlier links stop working', async () => {
    const { person, api } = await register()
    const first = await newestToken(person.email, 'confirm-email')
    const answers = []
    for (let n = 0; n < 6; n += 1) answers.push(await api.post<Failure>('/profile/email-link'))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429, 429, 429, 429])
    expect(await mailsTo(person.email)).toHaveLength(3)
    expect((await confirm(first)).status).toBe(410)
    expect((await confirm(await newestToken(person.email, 'confirm-email'))).status).toBe(200)
    expect(await api.post('/profile/email-link')).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  })

  test('expires after 7 days, and a guessed token or one of another kind confirms nothing', async () => {
    const { person } = await register()
    const token = await newestToken(person.email, 'confirm-email')
    expect((await restore(token)).status).toBe(410)
    expect((await confirm('x'.repeat(43))).status).toBe(410)
    clock.advance(7 * DAY_MS + 1_000)
    expect(await confirm(token)).toMatchObject({ status: 410, body: { code: 'LINK_EXPIRED' } })
  })

  test('is needed to import, after the tier and payouts', async () => {
    const { api, user } = await register()
    const send = () => api.post<Failure>('/pro/bulk/parts', {})
    expect(await send()).toMatchObject({ status: 403, body: { code: 'PRO_ONLY' } })
    const change = (set: object) =>
      db.updateTable('seller').set(set).where('id', '=', user.sellerId).execute()
    await change({ tier: 'PAID' })
    expect(await send()).toMatchObject({ status: 409, body: { code: 'ONBOARDING_REQUIRED' } })
    await change({ connect_status: 'PENDING' })
    const refused = await send()
    expect(refused).toMatchObject({ status: 422, body: { code: 'EMAIL_UNCONFIRMED' } })
    expect(refused.body.error).toContain(`Open the link we emailed to ${user.email}`)
  })

  test('that is a typo is replaced without a mail to the stranger it belongs to', async () => {
    const { person, api } = await register()
    const { email } = newPerson()
    await api.put('/profile', { email, currentPassword: person.password })
    expect((await confirm(await newestToken(email, 'confirm-email'))).status).toBe(200)
    expect(await me(api)).toMatchObject({ email, emailConfirmed: true })
    expect((await mailsTo(person.email)).map(({ subject }) => subject)).toEqual([
      'Confirm your email address for PartHarbor',
    ])
  })
})

describe('another address', () => {
  test('needs the current password in the call', async () => {
    const { api, person } = await signUp()
    const { email } = newPerson()
    const without = await api.put<Failure>('/profile', { name: 'Eve', email })
    expect(without).toMatchObject({
      status: 403,
      body: { code: 'REAUTH_NEEDED', fields: { currentPassword: expect.any(String) } },
    })
    const wrong = await api.put<Failure>('/profile', { email, currentPassword: 'guess' })
    expect(wrong).toMatchObject({
      status: 422,
      body: { fields: { currentPassword: 'This is not your current password' } },
    })
    expect(await me(api)).toMatchObject({ name: person.name, email: person.email, pendingEmail: null })
    expect([...(await mailsTo(email)), ...(await mailsTo(person.email))]).toEqual([])
  })

  test('takes effect when the new address is confirmed', async () => {
    const { api, person, email } = await askChange()
    expect((await visitor.post('/login', person)).status).toBe(200)
    const token = await newestToken(email, 'confirm-email')
    expect((await confirm(token)).status).toBe(200)
    expect(await me(api)).toMatchObject({ email, emailConfirmed: true, pendingEmail: null })
    expect((await visitor.post('/login', person)).status).toBe(401)
    expect((await visitor.post('/login', { ...person, email })).status).toBe(200)
  })

  test('can be canceled; then its link is dead', async () => {
    const { api, person, email } = await askChange()
    expect(await api.delete('/profile/pending-email')).toMatchObject({
      status: 200,
      body: { email: person.email, pendingEmail: null },
    })
    expect((await confirm(await newestToken(email, 'confirm-email'))).status).toBe(410)
    expect((await me(api)).email).toBe(person.email)
  })

  test('is forgotten after a day, and when the password is changed', async () => {
    const late = await askChange()
    clock.advance(DAY_MS + 1_000)
    expect((await confirm(await newestToken(late.email, 'confirm-email'))).status).toBe(410)
    const { api, person, email } = await askChange()
    await api.put('/profile', { password: 'walnut-trailer-hitch', currentPassword: person.password })
    expect((await confirm(await newestToken(email, 'confirm-email'))).status).toBe(410)
    expect(await me(api)).toMatchObject({ email: person.email, pendingEmail: null })
  })

  test('that got an account meanwhile is a conflict', async () => {
    const { api, person, email } = await askChange()
    await signUp({ person: newPerson({ email, password: 'Sable-quay-and-lantern' }) })
    const answer = await confirm(await newestToken(email, 'confirm-email'))
    expect(answer).toMatchObject({ status: 409, body: { error: 'That email is already registered' } })
    expect((await me(api)).email).toBe(person.email)
  })

  test('changes of five accounts to one stranger’s address send five mails an hour', async () => {
    const { email } = newPerson()
    const statuses = []
    for (let n = 0; n < 6; n += 1) {
      const { api, person } = await signUp()
      const elsewhere = api.as({ ip: `203.0.113.${n}` })
      const asked = await elsewhere.put('/profile', { email, currentPassword: person.password })
      statuses.push(asked.status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    expect(await mailsTo(email)).toHaveLength(5)
  })
})

describe('the former address', () => {
  test('undoes the change for 7 days: everyone is signed out and a new password is set', async () => {
    const { api, person, email } = await askChange()
    await confirm(await newestToken(email, 'confirm-email'))
    const mails = await mailsTo(person.email)
    expect(mails.map(({ subject }) => subject)).toEqual([
      `Someone asked to change your email address to ${email}`,
      `Your email address was changed to ${email}`,
    ])
    clock.advance(7 * DAY_MS - 60_000)
    const token = tokenIn(mails.at(-1)?.body, 'restore-email')
    const restored = await restore(token)
    expect(restored).toMatchObject({ status: 200, body: { ok: true, email: person.email } })
    expect((await api.get('/auth-check')).status).toBe(401)
    expect((await visitor.post('/login', { ...person, email })).status).toBe(401)
    const password = 'walnut-trailer-hitch'
    const { passwordToken } = restored.body
    expect((await visitor.post('/password-reset/confirm', { token: passwordToken, password })).status).toBe(
      200,
    )
    expect((await visitor.post('/login', { ...person, password })).status).toBe(200)
    expect((await restore(token)).status).toBe(410)
    // The earlier mail to the same address is used up with it.
    expect((await restore(tokenIn(mails[0]?.body, 'restore-email'))).status).toBe(410)
  })

  test('removes what a thief added since, and keeps what the owner had', async () => {
    const { api, person, user } = await signUp()
    const { id: user_id, sellerId: seller_id } = user
    const addAccess = async (name: string, daysAgo: number) => {
      const added = { user_id, name, created_at: new Date(clock.now().getTime() - daysAgo * DAY_MS) }
      const app = { ...added, kind: 'totp', secret: 'ABC', last_step: 1 }
      await db.insertInto('factor').values(app).execute()
      const token = {
        ...added,
        token_hash: tokenHash(newToken()),
        seller_id,
        ending: 'abcd',
        scopes: ['listings:read'],
      }
      await db.insertInto('api_token').values(token).execute()
    }
    await addAccess('Owner’s', 31)
    // A patient thief, whose session may be as old as any.
    await addAccess('Thief’s first', 29)
    const { email } = newPerson()
    await api.put('/profile', { email, currentPassword: person.password })
    await confirm(await newestToken(email, 'confirm-email'))
    await addAccess('Thief’s second', 0)
    const link = newToken()
    const lives = { created_at: clock.now(), expires_at: new Date(clock.now().getTime() + 60_000) }
    await db
      .insertInto('sign_in_link')
      .values({ token_hash: tokenHash(link), user_id: user.id, ...lives })
      .execute()

    expect((await restore(await newestToken(person.email, 'restore-email'))).status).toBe(200)
    const left = (table: 'factor' | 'api_token') =>
      db.selectFrom(table).select('name').where('user_id', '=', user.id).execute()
    expect(await left('factor')).toEqual([{ name: 'Owner’s' }])
    expect(await left('api_token')).toEqual([{ name: 'Owner’s' }])
    expect((await visitor.post('/verify/sign-in-link', { token: link })).status).toBe(410)
  })

  test('expires 7 days after the change', async () => {
    const { person, email } = await askChange()
    await confirm(await newestToken(email, 'confirm-email'))
    clock.advance(7 * DAY_MS + 1_000)
    expect((await restore(await newestToken(person.email, 'restore-email'))).status).toBe(410)
  })

  test('stops a change before it takes effect', async () => {
    const { person, email } = await askChange()
    expect((await restore(await newestToken(person.email, 'restore-email'))).status).toBe(200)
    expect((await confirm(await newestToken(email, 'confirm-email'))).status).toBe(410)
    expect((await visitor.post('/login', person)).status).toBe(200)
  })

  test('recovers the account across several changes, and no later address can reclaim it', async () => {
    const { api, person, email } = await askChange()
    await confirm(await newestToken(email, 'confirm-email'))
    const third = newPerson().email
    await api.put('/profile', { email: third, currentPassword: person.password })
    expect((await confirm(await newestToken(third, 'confirm-email'))).status).toBe(200)
    const thiefs = await newestToken(email, 'restore-email')
    expect((await restore(await newestToken(person.email, 'restore-email'))).body.email).toBe(person.email)
    expect((await restore(thiefs)).status).toBe(410)
    expect((await visitor.post('/login', person)).status).toBe(200)
  })
})
