import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
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
