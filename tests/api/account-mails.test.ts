import { describe, expect, test } from 'vitest'
import { newPerson } from '#tests/support/make-rows.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const { db, signUp } = await startTestApp({ SUPPORT_EMAIL: 'help@parts.example' })

const mailsTo = (email: string) =>
  db.selectFrom('mail').select(['subject', 'body']).where('recipient', '=', email).orderBy('id').execute()

describe('what the owner of an account is told by mail', () => {
  test('a new password', async () => {
    const { api, person } = await signUp()
    await api.put('/profile', { password: 'walnut-trailer-hitch', currentPassword: person.password })
    expect(await mailsTo(person.email)).toEqual([
      { subject: 'Your password was changed', body: expect.stringContaining('help@parts.example') },
    ])
  })

  test('a new e-mail, at the address that was theirs; the new one gets nothing', async () => {
    const { api, person } = await signUp()
    const { email } = newPerson()
    await api.put('/profile', { email })
    expect(await mailsTo(person.email)).toEqual([
      {
        subject: `Your email address was changed to ${email}`,
        body: expect.stringMatching(/If this wasn.t you, write to help@parts\.example/),
      },
    ])
    expect(await mailsTo(email)).toEqual([])
  })

  test('both at once, also of the password where the former owner reads it', async () => {
    const { api, person } = await signUp()
    const { email } = newPerson()
    await api.put('/profile', { email, password: 'walnut-trailer-hitch', currentPassword: person.password })
    expect((await mailsTo(person.email)).map(({ subject }) => subject)).toEqual([
      `Your email address was changed to ${email}`,
      'Your password was changed',
    ])
    expect(await mailsTo(email)).toEqual([])
  })

  test('nothing of a new name, of another spelling, or of a change that was refused', async () => {
    const { api, person } = await signUp()
    const taken = (await signUp()).person.email
    await api.put('/profile', { name: 'Dana W.', email: person.email.toUpperCase() })
    expect((await api.put('/profile', { email: taken })).status).toBe(409)
    await api.put('/profile', { password: 'walnut-trailer-hitch', currentPassword: 'guess' })
    expect(await mailsTo(person.email)).toEqual([])
    expect(await mailsTo(taken)).toEqual([])
  })
})
