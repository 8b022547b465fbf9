import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import type { ApiClient } from '#tests/support/api-client.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const { clock, visitor, signUp } = await startTestApp({
  APP_MODE: 'production',
  PAYMENTS: 'off',
  EMAIL_CONFIRM: 'off',
  PUBLIC_URL: 'https://parts.example',
})

interface Refusal {
  code: string
}

async function addApp(api: ApiClient): Promise<string> {
  const { body } = await api.post<{ ticket: string; secret: string }>('/factors/totp/start')
  expect((await api.post('/factors/totp', { ticket: body.ticket, code: codeOf(body.secret) })).status).toBe(
    200,
  )
  return body.secret
}

const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now().getTime() })

test('an administrator without a second step has no admin rights until one is set up', async () => {
  const seller = await signUp()
  const { api, person } = await signUp({ role: 'admin' })
  for (const path of ['/admin-check', '/admin/users', '/admin/parts']) {
    expect(await api.get<Refusal>(path), path).toMatchObject({
      status: 403,
      body: { code: 'FACTOR_REQUIRED' },
    })
  }
  // What administrators may do in calls that are not theirs alone.
  expect((await api.get<Refusal>('/pro/mappings')).body.code).toBe('PRO_ONLY')
  expect((await api.get('/profile/me')).body).toMatchObject({ role: 1 })
  expect((await api.get('/factors')).body).toMatchObject({
    required: true,
    passkeysAt: 'https://parts.example',
  })
  expect((await seller.api.get('/factors')).body).toMatchObject({ required: false })

  const secret = await addApp(api)
  expect((await api.get('/admin-check')).status).toBe(200)
  clock.advance(60_000)
  const { body: step } = await visitor.post<{ ticket: string }>('/login', person)
  const { body } = await visitor.post<{ token: string }>('/login/factor', {
    ticket: step.ticket,
    code: codeOf(secret),
  })
  const signedIn = visitor.as(body)
  expect((await signedIn.get('/admin/users')).status).toBe(200)

  const { items } = (await signedIn.get<{ items: { id: string }[] }>('/factors')).body
  expect((await signedIn.delete(`/factors/${items[0]?.id}`)).status).toBe(200)
  for (const session of [signedIn, api]) {
    expect((await session.get<Refusal>('/admin-check')).body.code).toBe('FACTOR_REQUIRED')
  }
})
