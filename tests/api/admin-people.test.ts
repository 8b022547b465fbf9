import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { User } from '#contract/account/accounts.ts'
import type { Person } from '#contract/admin/people.ts'
import type { ErrorReply } from '#contract/endpoint.ts'
import { newToken, tokenHash } from '#server/features/people/accounts/sessions.ts'
import { makeQuickListing, newPerson } from '#tests/support/make-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp({ PAYMENTS: 'off' })
let admin: SignedIn
beforeAll(async () => {
  admin = await app.signUp({ role: 'admin' })
})

type People = { items: Person[]; total: number }
const people = async (query: string) => (await admin.api.get<People>(`/admin/users?${query}`)).body
const idsOf = async (query: string) => (await people(query)).items.map(({ id }) => id)
const change = ({ user }: SignedIn, body: object, by = admin) =>
  by.api.put<Person & ErrorReply>(`/admin/users/${user.id}`, body)
const auditOf = async (...targets: string[]) =>
  app.db
    .selectFrom('audit_entry')
    .select(['action', 'actor_user_id', 'detail'])
    .where('target', 'in', targets)
    .orderBy('id')
    .execute()

describe('GET /admin/users', () => {
  test('returns each user’s details with their number of listings and sessions', async () => {
    const person = newPerson({ name: 'Orla Quint' })
    const seller = await app.signUp({ person })
    await makeQuickListing(seller.api)
    await app.visitor.post('/login', { email: person.email, password: person.password })
    const { body } = await admin.api.get<Person>(`/admin/users/${seller.user.id}`)
    expect(body).toMatchObject({
      name: 'Orla Quint',
      email: person.email,
      role: 0,
      disabledAt: null,
      sessions: 2,
      sellerId: seller.user.sellerId,
      sellerTier: 'FREE',
      proGranted: false,
      trusted: false,
      activeListings: 1,
    })
    expect(new Date(body.lastSeenAt ?? 0).getTime()).toBeGreaterThan(Date.now() - 60_000)
    expect((await people(`q=${person.email.toUpperCase()}`)).items).toEqual([body])
  })

  test('who has signed out was seen all the same', async () => {
    const { api, user } = await app.signUp()
    await api.post('/logout')
    const { body } = await admin.api.get<Person>(`/admin/users/${user.id}`)
    expect(body.sessions).toBe(0)
    expect(new Date(body.lastSeenAt ?? 0).getTime()).toBeGreaterThan(Date.now() - 60_000)
  })

  test('searches names, emails and yards, filters, sorts newest first and treats wildcards as text', async () => {
    const [first, second] = [
      await app.signUp({ person: newPerson({ name: 'Zebulon One' }), tier: 'PAID' }),
      await app.signUp({ person: newPerson({ name: 'Zebulon Two' }) }),
    ]
    await app.db
      .updateTable('seller')
      .set({ name: 'Quarry Road Salvage' })
      .where('id', '=', second.user.sellerId)
      .execute()
    const [one, two] = [first.user.id, second.user.id]
    expect(await idsOf('q=zebulon')).toEqual([two, one])
    expect(await idsOf('q=quarry%20road')).toEqual([two])
    expect(await idsOf('q=zebulon&tier=PAID')).toEqual([one])
    expect(await idsOf('q=zebulon&perPage=1&page=2')).toEqual([one])
    expect(await idsOf('q=zeb%25')).toEqual([])
    expect(await idsOf('role=admin')).toContain(admin.user.id)
    expect(await idsOf('role=seller')).not.toContain(admin.user.id)
    await change(first, { disabled: true })
    expect(await idsOf('q=zebulon&state=disabled')).toEqual([one])
    expect(await idsOf('q=zebulon&state=active')).toEqual([two])
    expect((await people('q=zebulon')).total).toBe(2)
  })

  test.each(['page=0', 'perPage=101', 'role=owner', 'page=1000000000'])('400 for %s', async (query) => {
    expect((await admin.api.get(`/admin/users?${query}`)).status).toBe(400)
  })
})

describe('PUT /admin/users/{id}', () => {
  test('a disabled user is signed out at once and stays out until enabled', async () => {
    const seller = await app.signUp()
    const { status, body } = await change(seller, { disabled: true })
    expect([status, body.sessions, typeof body.disabledAt]).toEqual([200, 0, 'string'])
    expect((await seller.api.get('/profile/me')).status).toBe(401)
    const { email, password } = seller.person
    expect((await app.visitor.post('/login', { email, password })).status).toBe(401)
    await change(seller, { disabled: true })
    expect((await change(seller, { disabled: false })).body.disabledAt).toBeNull()
    expect((await app.visitor.post('/login', { email, password })).status).toBe(200)
    expect((await seller.api.get('/profile/me')).status).toBe(401)
    const by = { actor_user_id: admin.user.id }
    expect(await auditOf(seller.user.id)).toEqual([
      { action: 'account-disabled', detail: { from: false, to: true }, ...by },
      { action: 'account-enabled', detail: { from: true, to: false }, ...by },
    ])
  })

  test('links that were mailed to a disabled user, or to the address that it asked for, open nothing once it is enabled', async () => {
    const seller = await app.signUp()
    const { email } = newPerson()
    await seller.api.put('/profile', { email, currentPassword: seller.person.password })
    const tokens = { sign_in_link: newToken(), password_reset: newToken() }
    for (const [table, token] of Object.entries(tokens)) {
      await sql`
        insert into ${sql.table(table)} (token_hash, user_id, created_at, expires_at)
        values (${tokenHash(token)}, ${seller.user.id}, now(), now() + interval '10 minutes')
      `.execute(app.db)
    }
    const { body = '' } =
      (await app.db.selectFrom('mail').select('body').where('recipient', '=', email).executeTakeFirst()) ?? {}
    const asked = /confirm-email#([\w-]{43})/.exec(body)?.[1]
    for (const disabled of [true, false]) await change(seller, { disabled })
    const password = 'Another-quay-lantern'
    const statuses = [
      await app.visitor.post('/verify/email', { token: asked }),
      await app.visitor.post('/verify/sign-in-link', { token: tokens.sign_in_link }),
      await app.visitor.post('/password-reset/confirm', { token: tokens.password_reset, password }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([410, 410, 410])
    expect((await app.visitor.post('/login', seller.person)).status).toBe(200)
  })

  test('a new administrator has to sign in again; a former one is refused on the next call', async () => {
    const seller = await app.signUp()
    expect((await change(seller, { role: 1 })).body.role).toBe(1)
    expect((await seller.api.get('/admin-check')).status).toBe(401)
    const { email, password } = seller.person
    const { body } = await app.visitor.post<{ token: string }>('/login', { email, password })
    const promoted = app.visitor.as({ token: body.token })
    expect((await promoted.get('/admin-check')).status).toBe(200)
    await change(seller, { role: 0 })
    expect((await promoted.get('/admin-check')).status).toBe(403)
    expect((await promoted.get('/profile/me')).status).toBe(200)
    expect((await auditOf(seller.user.id)).map(({ action, detail }) => [action, detail])).toEqual([
      ['role-changed', { from: 0, to: 1 }],
      ['role-changed', { from: 1, to: 0 }],
    ])
  })

  test('an admin can grant and revoke Pro and trust; each takes effect at once and is logged once', async () => {
    const seller = await app.signUp()
    const granted = await change(seller, { proGranted: true, trusted: true })
    expect(granted.body).toMatchObject({ sellerTier: 'PAID', proGranted: true, trusted: true })
    expect((await seller.api.get<User>('/profile/me')).body.sellerTier).toBe('PAID')
    await change(seller, { proGranted: true, trusted: true })
    const taken = await change(seller, { proGranted: false, trusted: false })
    expect(taken.body).toMatchObject({ sellerTier: 'FREE', proGranted: false, trusted: false })
    expect((await auditOf(seller.user.sellerId)).map(({ action, detail }) => [action, detail])).toEqual([
      ['pro-granted', {}],
      ['tier-changed', { from: 'FREE', to: 'PAID', grant: true }],
      ['trust-changed', { from: false, to: true, person: seller.user.id }],
      ['pro-taken-back', {}],
      ['tier-changed', { from: 'PAID', to: 'FREE', grant: false }],
      ['trust-changed', { from: true, to: false, person: seller.user.id }],
    ])
  })

  test('a change is all or nothing: a refused one changes nothing', async () => {
    const refused = await change(admin, { trusted: true, disabled: true })
    expect([refused.status, refused.body.error]).toEqual([
      409,
      'You cannot disable your own account. Ask another administrator to do it.',
    ])
    expect((await admin.api.get<Person>(`/admin/users/${admin.user.id}`)).body).toMatchObject({
      trusted: false,
      disabledAt: null,
    })
  })

  test.each([{ role: 2 }, { disabled: 'yes' }, { trusted: null }])('422 for %j', async (body) => {
    const seller = await app.signUp()
    expect((await change(seller, body)).status).toBe(422)
  })

  test('404 for an unknown user, before the body is read', async () => {
    const path = '/admin/users/00000000-0000-7000-8000-000000000000'
    expect((await admin.api.put(path, { role: 7 })).status).toBe(404)
    expect((await admin.api.delete(`${path}/sessions`)).status).toBe(404)
  })
})

describe('the last administrator', () => {
  const LAST = 'This is the last administrator who can sign in. Make someone else an administrator first.'

  test('keeps the administrator role', async () => {
    const refused = await change(admin, { role: 0 })
    expect([refused.status, refused.body.error]).toEqual([409, LAST])
    const gone = await app.signUp({ role: 'admin' })
    await change(gone, { disabled: true })
    expect((await change(admin, { role: 0 })).status).toBe(409)
  })

  test('when two demote each other at once, one wins', async () => {
    for (let round = 0; round < 3; round += 1) {
      const other = await app.signUp({ role: 'admin' })
      const answers = await Promise.all([change(other, { role: 0 }), change(admin, { role: 0 }, other)])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403])
      const admins = await app.db
        .selectFrom('app_user')
        .select('id')
        .where('role', '=', 1)
        .where('disabled_at', 'is', null)
        .execute()
      expect(admins).toHaveLength(1)
      if (admins[0]?.id !== admin.user.id) admin = other
    }
  })
})

test('when the last two give up the role at once, one keeps it', async () => {
  const other = await app.signUp({ role: 'admin' })
  const answers = await Promise.all([change(other, { role: 0 }, other), change(admin, { role: 0 }, admin)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  if (answers[1]?.status === 200) admin = other
})

describe('DELETE /admin/users/{id}/sessions', () => {
  test('signs the user out everywhere', async () => {
    const seller = await app.signUp()
    expect((await admin.api.delete(`/admin/users/${seller.user.id}/sessions`)).status).toBe(200)
    expect((await seller.api.get('/profile/me')).status).toBe(401)
    expect(await auditOf(seller.user.id)).toMatchObject([
      { action: 'person-signed-out', detail: { sessions: 1 }, actor_user_id: admin.user.id },
    ])
  })
})
