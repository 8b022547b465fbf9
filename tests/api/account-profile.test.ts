import { describe, expect, test } from 'vitest'
import type { User } from '#contract/account/accounts.ts'
import { newPerson } from '#tests/support/make-rows.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const { visitor, signUp } = await startTestApp()

describe('PUT /profile', () => {
  test('changes what is named and keeps the rest', async () => {
    const { api, person, user } = await signUp()
    const { email: pendingEmail } = newPerson()
    const renamed = await api.put<User>('/profile', {
      name: ' Dana W. ',
      email: ` ${pendingEmail}. `,
      currentPassword: person.password,
    })
    expect(renamed).toMatchObject({ status: 200, body: { ...user, name: 'Dana W.', pendingEmail } })
    const defaults = await api.put<User>('/profile', {
      listingDefaults: { city: 'Tulsa', state: 'oklahoma', grade: 'B', shipping: 'Flat $20' },
      communicationPrefs: { showPhonePublicly: true, takesOffers: false },
      notificationPrefs: { orderEmails: false },
    })
    expect(defaults.body).toMatchObject({
      name: 'Dana W.',
      listingDefaults: { city: 'Tulsa', state: 'OK', grade: 'B', shipping: 'Flat $20' },
      communicationPrefs: { showPhonePublicly: true, preferredContact: 'email' },
      notificationPrefs: { orderEmails: false, messageEmails: true, weeklySummary: false },
    })
    const next = await api.put<User>('/profile', {
      listingDefaults: { city: '' },
      communicationPrefs: { preferredContact: 'phone' },
      notificationPrefs: { weeklySummary: true },
    })
    expect(next.body).toMatchObject({
      listingDefaults: { city: '', state: 'OK', grade: 'B', shipping: 'Flat $20' },
      communicationPrefs: { showPhonePublicly: true, preferredContact: 'phone', takesOffers: false },
      notificationPrefs: { orderEmails: false, messageEmails: true, weeklySummary: true },
    })
    expect((await api.get('/profile/me')).body).toEqual(next.body)
  })

  test('an empty change is no error', async () => {
    const { api, user } = await signUp()
    expect(await api.put('/profile', {})).toMatchObject({ status: 200, body: user })
  })

  test('role, tier, states and ids in the body change nothing', async () => {
    const { api, user } = await signUp()
    const answer = await api.put('/profile', {
      id: '0190c1de-0000-7000-8000-000000000000',
      role: 1,
      sellerTier: 'PAID',
      tier: 'PAID',
      subscriptionStatus: 'ACTIVE',
      subscriptionId: 'sub_1',
      connectStatus: 'VERIFIED',
      royaltyPercent: 50,
      stripeCustomerId: 'cus_1',
      stripe_seller: { charges_enabled: true },
      sellerSlug: 'mine',
      trusted: true,
      password_hash: 'x',
      listingDefaults: { role: 1, __proto__: { role: 1 } },
    })
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body).toEqual(user)
    expect((await api.get('/admin-check')).status).toBe(403)
  })

  test('nobody else’s profile changes', async () => {
    const [dana, eve] = [await signUp(), await signUp()]
    await eve.api.put('/profile', { id: dana.user.id, sellerId: dana.user.sellerId, name: 'Eve' })
    expect((await dana.api.get('/profile/me')).body).toEqual(dana.user)
  })

  test('an email of another account is refused, in any spelling, even when many ask at once', async () => {
    const [dana, eve] = [await signUp(), await signUp()]
    const answers = await Promise.all(
      [dana.person.email, dana.person.email.toUpperCase(), `${dana.person.email}.`].map((email) =>
        eve.api.put('/profile', { email, currentPassword: eve.person.password }),
      ),
    )
    const taken = 'That email is already registered'
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 409, body: { error: taken, fields: { email: taken } } })
    }
  })

  test('another spelling of the same email is not a new one', async () => {
    const { api, user } = await signUp()
    const email = user.email.toUpperCase()
    expect(await api.put('/profile', { email })).toMatchObject({
      status: 200,
      body: { email, emailConfirmed: true, pendingEmail: null },
    })
  })

  test.each([
    [{ name: '' }, 'name'],
    [{ email: 'dana' }, 'email'],
    [{ listingDefaults: { city: 'x'.repeat(81) } }, 'listingDefaults.city'],
    [{ listingDefaults: { dealerPhone: 'ask for Dana' } }, 'listingDefaults.dealerPhone'],
    [{ communicationPrefs: { preferredContact: 'pigeon' } }, 'communicationPrefs.preferredContact'],
    [{ notificationPrefs: { orderEmails: 'yes' } }, 'notificationPrefs.orderEmails'],
  ])('422 for %j names the field', async (body, field) => {
    const { api } = await signUp()
    const answer = await api.put<{ fields: object }>('/profile', body)
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.fields)).toEqual([field])
  })

  test('401 for a visitor, even with a wrong body', async () => {
    expect((await visitor.put('/profile', { name: '' })).status).toBe(401)
  })
})

describe('PUT /profile with a new password', () => {
  const fresh = 'walnut-trailer-hitch'

  test('needs the current one and ends all other sessions', async () => {
    const { api, person } = await signUp()
    const login = { email: person.email, password: person.password }
    const phone = visitor.as({ token: (await visitor.post<{ token: string }>('/login', login)).body.token })
    const answer = await api.put('/profile', { password: fresh, currentPassword: person.password })
    expect(answer.status).toBe(200)
    expect((await phone.get('/auth-check')).status).toBe(401)
    expect((await api.get('/auth-check')).status).toBe(200)
    expect((await visitor.post('/login', login)).status).toBe(401)
    expect((await visitor.post('/login', { ...login, password: fresh })).status).toBe(200)
  })

  test.each([
    ['no current password', {}, 'currentPassword', 'Enter your current password to choose a new one'],
    ['a wrong one', { currentPassword: 'guess' }, 'currentPassword', 'This is not your current password'],
  ])('422 with %s; nothing changes', async (_, proof, field, sentence) => {
    const { api, person } = await signUp()
    const answer = await api.put('/profile', { name: 'Eve', password: fresh, ...proof })
    expect(answer).toMatchObject({ status: 422, body: { error: sentence, fields: { [field]: sentence } } })
    expect(await api.get('/profile/me')).toMatchObject({ body: { name: person.name } })
    expect((await visitor.post('/login', person)).status).toBe(200)
  })

  test('422 for a guessable one; the new name counts as a word', async () => {
    const { api, person } = await signUp()
    const answer = await api.put('/profile', {
      name: 'Quentin Zabriskie',
      password: 'zabriskie-1',
      currentPassword: person.password,
    })
    expect(answer).toMatchObject({ status: 422, body: { fields: { password: expect.any(String) } } })
  })

  test('the current password cannot be tried out with a stolen token', async () => {
    const { api, person } = await signUp()
    const guess = (currentPassword: string) => api.put('/profile', { password: fresh, currentPassword })
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => guess(`guess-${n}`)))
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15)
    expect((await guess(person.password)).status).toBe(429)
  })

  test('a sign-in with the old password that runs at the same time leaves no session behind', async () => {
    const { api, person } = await signUp()
    const login = { email: person.email, password: person.password }
    const [changed, ...logins] = await Promise.all([
      api.put('/profile', { password: fresh, currentPassword: person.password }),
      ...Array.from({ length: 4 }, () => visitor.post<{ token?: string }>('/login', login)),
    ])
    expect(changed.status).toBe(200)
    for (const { body } of logins.filter(({ status }) => status === 200)) {
      expect((await visitor.as({ token: body.token ?? '' }).get('/auth-check')).status).toBe(401)
    }
  })
})
