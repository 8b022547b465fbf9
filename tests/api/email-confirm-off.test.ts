import { expect, test } from 'vitest'
import type { User } from '#contract/account/accounts.ts'
import { makeQuickListing, newPerson } from '#tests/support/make-rows.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const { db, visitor, signUp } = await startTestApp({ EMAIL_CONFIRM: 'off' })

test('with EMAIL_CONFIRM=off nothing waits for a link', async () => {
  const person = newPerson()
  await visitor.post('/register', person)
  const { body } = await visitor.post<{ token: string; user: User }>('/login', person)
  expect(body.user.emailConfirmed).toBe(true)
  const api = visitor.as({ token: body.token })
  const { email } = newPerson()
  expect(await api.put('/profile', { email, currentPassword: person.password })).toMatchObject({
    status: 200,
    body: { email, emailConfirmed: true, pendingEmail: null },
  })
  const seller = await signUp()
  const { partslug } = await makeQuickListing(seller.api)
  const message = { name: 'Ruth', email: 'ruth@garage.example', message: 'Still there?' }
  await visitor.post(`/parts/${partslug}/messages`, message)
  const leads = await seller.api.get<{ items: { id: string }[] }>('/seller/leads')
  await seller.api.post(`/seller/leads/${leads.body.items[0]?.id}/answers`, { message: 'Yes' })
  const mails = await db.selectFrom('mail').select('subject').where('recipient', '=', message.email).execute()
  expect(mails.map(({ subject }) => subject.slice(0, 4))).toEqual(['Re: '])
})
