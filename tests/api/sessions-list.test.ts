import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { newPerson, type Person } from '#tests/support/make-rows.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const { db, clock, visitor, signUp } = await startTestApp()

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'

type Session = {
  id: string
  device: string
  ip: string | null
  createdAt: string
  lastSeenAt: string
  current: boolean
}

async function signInAgain({ email, password }: Person, userAgent = 'curl/8.9.1', ip = '203.0.113.9') {
  const headers = { 'user-agent': userAgent }
  const { body } = await visitor.as({ ip }).post<{ token: string }>('/login', { email, password }, headers)
  return visitor.as({ token: body.token })
}
const list = async (api: typeof visitor) => (await api.get<{ items: Session[] }>('/sessions')).body.items
const works = async (api: typeof visitor) => (await api.get('/auth-check')).status === 200

describe('GET /sessions', () => {
  test('shows each session’s device, sign-in and which one is current, last used first', async () => {
    const { api, person } = await signUp()
    clock.advance(6 * MINUTE_MS)
    await signInAgain(person, IPHONE)
    expect(await list(api)).toEqual([
      {
        id: expect.any(String),
        device: expect.any(String),
        ip: '127.0.0.1',
        createdAt: expect.stringMatching(/Z$/),
        lastSeenAt: expect.stringMatching(/Z$/),
        current: true,
      },
      expect.objectContaining({ device: 'Safari on iPhone', ip: '203.0.113.9', current: false }),
    ])
  })

  test('shows nothing of other users, and no token or its hash', async () => {
    const { api } = await signUp()
    const { bytes } = await (await signUp()).api.get('/sessions')
    expect(bytes.toString()).not.toMatch(/token|hash/i)
    const [own] = await list(api)
    expect(bytes.toString()).not.toContain(own?.id)
  })

  test('leaves out sessions that have expired', async () => {
    const { person } = await signUp()
    clock.advance(8 * DAY_MS)
    const fresh = await signInAgain(person)
    expect((await list(fresh)).map(({ current }) => current)).toEqual([true])
  })

  test('a header of any length is truncated, and an address is kept by its digits', async () => {
    const { person, user } = await signUp()
    await signInAgain(person, 'é'.repeat(5_000), 'fe80::1%eth0')
    const { rows } = await sql<{ length: number; ip: string }>`
      select char_length(user_agent) as length, host(ip) as ip from session
      where user_id = ${user.id} and user_agent like 'é%'
    `.execute(db)
    expect(rows).toEqual([{ length: 400, ip: 'fe80::1' }])
  })
})

describe('DELETE /sessions/{id}', () => {
  test('signs out that device immediately and no other', async () => {
    const { api, person, user } = await signUp()
    const [phone, desk] = [await signInAgain(person, IPHONE), await signInAgain(person)]
    const lost = (await list(api)).find(({ device }) => device === 'Safari on iPhone')
    expect(await api.delete(`/sessions/${lost?.id}`)).toMatchObject({ status: 200, body: { ok: true } })
    expect([await works(phone), await works(desk), await works(api)]).toEqual([false, true, true])
    expect(await api.delete(`/sessions/${lost?.id}`)).toMatchObject({ status: 404 })
    expect(await auditOf(user.id, 'session-ended')).toEqual([lost?.id])
  })

  test('can end the current session', async () => {
    const { api } = await signUp()
    const [own] = await list(api)
    expect((await api.delete(`/sessions/${own?.id}`)).status).toBe(200)
    expect(await works(api)).toBe(false)
  })

  test('returns 404 for another user’s session, which stays signed in, and for an unknown one', async () => {
    const [dana, eve] = [await signUp(), await signUp({ role: 'admin' })]
    const [hers] = await list(dana.api)
    for (const id of [hers?.id, '019a0000-0000-7000-8000-000000000000', 'x', 'all']) {
      expect(await eve.api.delete(`/sessions/${id}`)).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND' },
      })
    }
    expect(await works(dana.api)).toBe(true)
  })
})

describe('DELETE /sessions', () => {
  test('signs the person out everywhere, this device included, and no one else', async () => {
    const [{ api, person, user }, other] = [await signUp(), await signUp()]
    const phone = await signInAgain(person)
    expect(await api.delete('/sessions')).toMatchObject({ status: 200, body: { ok: true } })
    expect([await works(api), await works(phone), await works(other.api)]).toEqual([false, false, true])
    expect(await auditOf(user.id, 'all-sessions-ended')).toHaveLength(1)
  })
})

describe('sessions across processes whose clocks differ', () => {
  test.each([MINUTE_MS, 60 * MINUTE_MS])('a session works %d ms before its start', async (ahead) => {
    clock.advance(ahead)
    const { api } = await signUp()
    clock.advance(-ahead)
    expect(await works(api)).toBe(true)
    expect(await list(api)).toHaveLength(1)
  })

  test('an expired session returns its own error code', async () => {
    const { api } = await signUp({ person: newPerson() })
    clock.advance(30 * DAY_MS)
    expect(await api.get('/auth-check')).toMatchObject({ status: 401, body: { code: 'SIGNED_OUT' } })
  })
})

test('a revoked role is gone at the next request', async () => {
  const { api, user } = await signUp({ role: 'admin' })
  expect((await api.get('/admin-check')).status).toBe(200)
  await db.updateTable('app_user').set({ role: 0 }).where('id', '=', user.id).execute()
  expect((await api.get('/admin-check')).status).toBe(403)
  expect(await works(api)).toBe(true)
})

async function auditOf(userId: string, action: string): Promise<(string | null)[]> {
  const found = db.selectFrom('audit_entry').select('target').where('actor_user_id', '=', userId)
  return (await found.where('action', '=', action).execute()).map(({ target }) => target)
}
