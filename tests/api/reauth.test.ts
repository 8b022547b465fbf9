import { describe, expect, test } from 'vitest'
import { type Route, routes } from '#contract/routes.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const { clock, visitor, signUp } = await startTestApp({ PAYMENTS: 'off' })

const MINUTE_MS = 60_000
const NOBODY = '00000000-0000-7000-8000-000000000000'
const guarded = Object.entries<Route>(routes).filter(([, [, , , , fresh]]) => fresh === 'fresh')

interface Refusal {
  code: string
}

describe('a password check within 10 minutes', () => {
  test.each(guarded)('%s needs it', async (_, [method, path]) => {
    const { api, person } = await signUp({ role: 'admin' })
    const ask = () => api.send<Refusal>({ method, path: path.replace('{id}', NOBODY) })
    clock.advance(10 * MINUTE_MS)
    expect(await ask()).toMatchObject({ status: 403, body: { code: 'REAUTH_NEEDED' } })
    const { body } = await api.post<Refusal & { fields: object }>('/reauth', { password: 'not this one' })
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', fields: { password: expect.any(String) } })
    expect((await ask()).body.code).toBe('REAUTH_NEEDED')
    expect((await api.post('/reauth', person)).status).toBe(200)
    expect((await ask()).body.code).not.toBe('REAUTH_NEEDED')
  })

  test('counts for the session that made it, not for another', async () => {
    const { api, person } = await signUp()
    const phone = visitor.as((await visitor.post<{ token: string }>('/login', person)).body)
    clock.advance(10 * MINUTE_MS)
    expect((await api.post('/reauth', person)).status).toBe(200)
    expect((await phone.post('/payout-setting')).status).toBe(403)
    expect((await api.post('/payout-setting')).status).toBe(200)
    clock.advance(10 * MINUTE_MS - 1_000)
    expect((await api.post('/payout-setting')).status).toBe(200)
    clock.advance(1_000)
    expect((await api.post('/payout-setting')).status).toBe(403)
  })

  test('setting a new password counts as one', async () => {
    const { api, person } = await signUp()
    clock.advance(10 * MINUTE_MS)
    const change = { currentPassword: person.password, password: 'Ten-quiet-harbors' }
    expect((await api.put('/profile', change)).status).toBe(200)
    expect((await api.post('/payout-setting')).status).toBe(200)
  })

  test('wrong passwords are limited as in sign-in', async () => {
    const { api } = await signUp()
    const statuses = []
    for (let tries = 0; tries < 6; tries += 1) {
      statuses.push((await api.post('/reauth', { password: 'not this one' })).status)
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429])
  })
})
