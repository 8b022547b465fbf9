import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { User } from '#contract/account/accounts.ts'
import { buildApp } from '#server/app.ts'
import { ApiClient } from '#tests/support/api-client.ts'
import { newPerson } from '#tests/support/make-rows.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const { db, visitor } = app
const ip = '203.0.113.77'
const requestId = { 'x-request-id': 'audit-test-1234' }

async function auditOf(userId: string) {
  const { rows } = await sql<Record<string, unknown>>`
    select action, actor_user_id = ${userId} as "isActor", target = ${userId} as "isTarget",
           host(ip) as ip, request_id, detail
    from audit_entry where actor_user_id = ${userId} or target = ${userId} order by id
  `.execute(db)
  return rows
}

describe('the audit log', () => {
  test('records who registered, signed in, failed to sign in, changed or left, with the address and request id', async () => {
    const person = newPerson()
    const api = visitor.as({ ip })
    await api.post('/register', person, requestId)
    await api.post('/login', { ...person, password: 'not-the-password' }, requestId)
    const { body } = await api.post<{ token: string; user: User }>('/login', person, requestId)
    const own = api.as({ token: body.token })
    const change = {
      email: newPerson().email,
      password: 'walnut-trailer-hitch',
      currentPassword: person.password,
    }
    await own.put('/profile', change, requestId)
    await own.put('/profile', { name: 'Dana' }, requestId)
    await own.post('/logout', undefined, requestId)
    const from = { ip, request_id: 'audit-test-1234', detail: {} }
    const did = { isActor: true, isTarget: null, ...from }
    expect(await auditOf(body.user.id)).toEqual([
      { action: 'registered', ...did },
      { action: 'sign-in-failed', isActor: null, isTarget: true, ...from },
      { action: 'signed-in', ...did },
      { action: 'email-change-asked', ...did },
      { action: 'password-changed', ...did },
      { action: 'signed-out', ...did },
    ])
  })

  test('is append-only: entries cannot be changed or deleted', async () => {
    await visitor.post('/register', newPerson())
    await expect(sql`update audit_entry set action = 'nothing'`.execute(db)).rejects.toThrow('neither')
    await expect(sql`delete from audit_entry`.execute(db)).rejects.toThrow('neither')
  })
})

test('no log line contains a password or token, and no email breaks a line in two', async () => {
  const lines: string[] = []
  const log = pino(
    { level: 'trace' },
    new Writable({ write: (chunk, _, done) => done(void lines.push(String(chunk))) }),
  )
  const { config, database, files, clock } = app
  const http = await buildApp({ config, database, files, log, now: clock.now })
  onTestFinished(() => http.close())
  const api = new ApiClient({ http })
  const person = newPerson()
  await api.post('/register', person)
  const { body } = await api.post<{ token: string }>('/login', person)
  await api.post('/login', { email: 'x\n{"level":30}', password: 'canary-of-a-password' })
  await api
    .as({ token: body.token })
    .put('/profile', { password: 'fresh-walnut-hitch', currentPassword: 'x' })
  await api.as({ token: body.token }).get(`/auth-check?token=${body.token}`)
  const resetToken = 'canary-of-a-link'
  const reset = await api.post('/password-reset/confirm', {
    token: resetToken,
    password: 'fresh-walnut-hitch',
  })
  expect(reset.status).toBe(410)
  const text = lines.join('')
  expect(lines.length).toBeGreaterThan(4)
  for (const secret of [
    person.password,
    body.token,
    'canary-of-a-password',
    resetToken,
    'fresh-walnut-hitch',
    'argon2',
  ]) {
    expect(text).not.toContain(secret)
  }
  for (const line of text.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('level')
})
