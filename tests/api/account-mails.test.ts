import { describe, expect, test } from 'vitest'
import { newPerson } from '#tests/support/make-rows.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const { db, signUp } = await startTestApp({ SUPPORT_EMAIL: 'help@parts.example' })

const mailsTo = (email: string) =>
  db.selectFrom('mail').select(['subject', 'body']).where('recipient', '=', email).orderBy('id').execute()

describe('account emails to the owner', () => {
  test('reports a new password', async () => {
    const { api, person } = await signUp()
    await api.put('/profile', { password: 'walnut-trailer-hitch', currentPassword: person.password })
    expect(await mailsTo(person.email)).toEqual([
      { subject: 'Your password was changed', body: expect.stringContaining('help@parts.example') },
    ])
  })

  test('reports a new email to the old address, with a link that stops it', async () => {
    const { api, person } = await signUp()
    const { email } = newPerson()
    await api.put('/profile', { email, currentPassword: person.password })
    expect(await mailsTo(person.email)).toEqual([
      {
        subject: `Someone asked to change your email address to ${email}`,
        body: expect.stringMatching(
          /If this wasn.t you, keep your address.*\n\n.*\/restore-email#[\w-]{43}\n/,
        ),
      },
    ])
    expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual([
      'Confirm your new email address for PartHarbor',
    ])
  })

  test('reports both changes to the old address', async () => {
    const { api, person } = await signUp()
    const { email } = newPerson()
    await api.put('/profile', { email, password: 'walnut-trailer-hitch', currentPassword: person.password })
    expect((await mailsTo(person.email)).map(({ subject }) => subject)).toEqual([
      `Someone asked to change your email address to ${email}`,
      'Your password was changed',
    ])
  })

  test('sends nothing for a new name, a different spelling of the email or a refused change', async () => {
    const { api, person } = await signUp()
    const taken = (await signUp()).person.email
    await api.put('/profile', { name: 'Dana W.', email: person.email.toUpperCase() })
    const { password: currentPassword } = person
    expect((await api.put('/profile', { email: taken, currentPassword })).status).toBe(409)
    await api.put('/profile', { password: 'walnut-trailer-hitch', currentPassword: 'guess' })
    expect(await mailsTo(person.email)).toEqual([])
    expect(await mailsTo(taken)).toEqual([])
  })
})
