import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { newPerson, type Person } from '#tests/support/make-rows.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const { db, clock, visitor, signUp } = await startTestApp()

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const sha256 = (token = '') => createHash('sha256').update(token).digest()

async function sessionsOf(userId: string) {
  return db.selectFrom('session').selectAll().where('user_id', '=', userId).execute()
}

describe('a bearer token', () => {
  test('is stored only as its hash', async () => {
    const { api, user } = await signUp()
    expect((await sessionsOf(user.id)).map(({ token_hash }) => token_hash)).toEqual([sha256(api.token)])
    const { rows } = await sql<{ found: boolean }>`
      select exists (select from session s where s::text like ${`%${api.token}%`})
          or exists (select from audit_entry a where a::text like ${`%${api.token}%`})
          or exists (select from app_user u where u::text like ${`%${api.token}%`}) as found
    `.execute(db)
    expect(rows).toEqual([{ found: false }])
  })

  test('is new at every sign-in', async () => {
    const { api, person } = await signUp()
    const { body } = await visitor.post<{ token: string }>('/login', person)
    expect(body.token).not.toBe(api.token)
    expect((await api.get('/auth-check')).status).toBe(200)
  })

  test('does not work when altered or forged', async () => {
    const { api, user } = await signUp()
    const token = api.token ?? ''
    const swapped = (at: number) =>
      `${token.slice(0, at)}${token.at(at) === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const forgeries = [
      ...[0, 1, 20, 41, 42].map(swapped),
      token.slice(0, -1),
      `${token}A`,
      `${token}=`,
      token.toLowerCase(),
      sha256(token).toString('hex'),
      sha256(token).toString('base64url'),
      randomBytes(32).toString('base64url'),
      `${part({ alg: 'none', typ: 'JWT' })}.${part({ sub: user.id, role: 1 })}.`,
      user.id,
      '',
    ].filter((forgery) => forgery !== token)
    expect(forgeries.length).toBeGreaterThan(13)
    for (const forgery of forgeries) {
      expect((await visitor.as({ token: forgery }).get('/auth-check')).status, forgery).toBe(401)
    }
  })

  test.each([
    (token: string) => ({ authorization: token }),
    (token: string) => ({ authorization: `Basic ${token}` }),
    (token: string) => ({ authorization: `Bearer ${token} ${token}` }),
    (token: string) => ({ cookie: `token=${token}` }),
  ])('is read only from the bearer header (%#)', async (headers) => {
    const { api } = await signUp()
    const token = api.token ?? ''
    expect((await visitor.get('/auth-check', headers(token))).status).toBe(401)
    expect((await visitor.get(`/auth-check?token=${token}&access_token=${token}`)).status).toBe(401)
  })
})

describe('a session', () => {
  test('ends immediately at logout; the person’s other sessions continue', async () => {
    const { api, person, user } = await signUp()
    const { body } = await visitor.post<{ token: string }>('/login', person)
    const phone = visitor.as({ token: body.token })
    expect(await api.post('/logout')).toMatchObject({ status: 200, body: { ok: true } })
    expect((await api.get('/auth-check')).status).toBe(401)
    expect((await api.post('/logout')).status).toBe(401)
    expect((await phone.get('/auth-check')).status).toBe(200)
    expect(await sessionsOf(user.id)).toHaveLength(1)
  })

  test('of a disabled account is refused from the next call on, and no new session can start', async () => {
    const { api, person, user } = await signUp()
    await db.updateTable('app_user').set({ disabled_at: new Date() }).where('id', '=', user.id).execute()
    expect((await api.get('/auth-check')).status).toBe(401)
    expect((await api.get('/profile/me')).status).toBe(401)
    expect((await visitor.post('/login', person)).status).toBe(401)
  })

  test('of a deleted account is refused from the next call on', async () => {
    const { api, user } = await signUp()
    await db.deleteFrom('app_user').where('id', '=', user.id).execute()
    expect((await api.get('/auth-check')).status).toBe(401)
  })

  test('expires after seven days without use', async () => {
    const { api } = await signUp()
    clock.advance(7 * DAY_MS - MINUTE_MS)
    expect((await api.get('/auth-check')).status).toBe(200)
    clock.advance(7 * DAY_MS - MINUTE_MS)
    expect((await api.get('/auth-check')).status).toBe(200)
    clock.advance(7 * DAY_MS)
    expect((await api.get('/auth-check')).status).toBe(401)
  })

  test('expires after thirty days, however much it is used', async () => {
    const { api } = await signUp()
    for (let day = 1; day < 30; day += 1) {
      clock.advance(DAY_MS)
      expect((await api.get('/auth-check')).status, `day ${day}`).toBe(200)
    }
    clock.advance(DAY_MS)
    expect((await api.get('/auth-check')).status).toBe(401)
  })

  test('records its last use every five minutes at most', async () => {
    const { api, user } = await signUp()
    const lastSeen = async () => (await sessionsOf(user.id))[0]?.last_seen_at.getTime() ?? 0
    const begun = await lastSeen()
    clock.advance(4 * MINUTE_MS)
    await api.get('/auth-check')
    expect(await lastSeen()).toBe(begun)
    clock.advance(2 * MINUTE_MS)
    await Promise.all([api.get('/auth-check'), api.get('/profile/me')])
    expect(await lastSeen()).toBeGreaterThanOrEqual(begun + 6 * MINUTE_MS)
  })
})

describe('the list of sessions', () => {
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
})
