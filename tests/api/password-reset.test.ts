import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import type { User } from '#contract/account/accounts.ts'
import { accountJobs } from '#server/features/people/accounts/jobs.ts'
import { tokenHash } from '#server/features/people/accounts/sessions.ts'
import { startJobEngine } from '#server/platform/jobs/job-engine.ts'
import { QUICK, untilStatus } from '#tests/support/job-bench.ts'
import { newPerson, type Person } from '#tests/support/make-rows.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

type Mail = { subject: string; body: string }

type ResetLinks = {
  mailsTo(email: string): Promise<Mail[]>
  /** Waits for the jobs that mail links. */
  linksSent(): Promise<void>
  /** Asks for a link and takes its token from the mail. */
  linkFor(person: { email: string }): Promise<string>
}

const tokenIn = (body = ''): string => /reset-password#([\w-]{43})\n/.exec(body)?.[1] ?? 'no link'

/** Runs the jobs that mail links until the file's tests end. Call it at the top of a test file. */
async function startResetLinks({ db, clock, config, visitor }: TestApp): Promise<ResetLinks> {
  const url = config.databaseUrl ?? ''
  const engine = await startJobEngine({
    url,
    directUrl: url,
    db,
    log: pino({ level: 'silent' }),
    definitions: accountJobs({ now: clock.now, letterhead: config }),
    periodic: [],
    times: QUICK,
  })
  afterAll(() => engine.close())

  const mailsTo = (email: string) =>
    db.selectFrom('mail').select(['subject', 'body']).where('recipient', '=', email).orderBy('id').execute()
  const linksSent = async () => {
    const jobs = await db.selectFrom('job').select('id').where('queue', '=', 'send-reset-link').execute()
    for (const { id } of jobs) await untilStatus({ db }, id, 'completed')
  }
  const linkFor = async ({ email }: { email: string }) => {
    const before = await mailsTo(email)
    const answer = await visitor.post('/password-reset', { email })
    expect(answer).toMatchObject({ status: 200, body: { ok: true } })
    await linksSent()
    const mails = await mailsTo(email)
    expect(mails).toHaveLength(before.length + 1)
    return tokenIn(mails.at(-1)?.body)
  }
  return { mailsTo, linksSent, linkFor }
}

const app = await startTestApp({ PUBLIC_URL: 'https://parts.example' })
const { db, clock, visitor, signUp } = app
const { mailsTo, linksSent, linkFor } = await startResetLinks(app)

const MINUTE_MS = 60_000
const FRESH = 'walnut-trailer-hitch'
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0'

const ask = (email: string, headers?: Record<string, string>) =>
  visitor.post('/password-reset', { email }, headers)
const confirm = (token: string, password = FRESH) =>
  visitor.post('/password-reset/confirm', { token, password })
const logIn = (person: Person, password = person.password) =>
  visitor.post<{ token: string; user: User }>('/login', { email: person.email, password })

const disable = (userId: string) =>
  db.updateTable('app_user').set({ disabled_at: new Date() }).where('id', '=', userId).execute()
const countOf = async (table: 'job' | 'audit_entry', column: 'queue' | 'action', value: string) => {
  const { rows } = await sql`select from ${sql.table(table)} where ${sql.ref(column)} = ${value}`.execute(db)
  return rows.length
}

const EXPIRED = { status: 410, body: { code: 'LINK_EXPIRED', error: expect.stringContaining('new one') } }

describe('POST /password-reset', () => {
  test('mails a link that has its token behind the #, and who asked', async () => {
    const { person } = await signUp({ person: newPerson({ name: 'Cheap pills at bad.example' }) })
    const headers = { 'user-agent': FIREFOX, host: 'bad.example', 'x-forwarded-host': 'bad.example' }
    await ask(` ${person.email.toUpperCase()}. `, headers)
    await linksSent()
    const [mail, ...more] = await mailsTo(person.email)
    expect(more).toEqual([])
    expect(mail?.subject).toBe('Choose a new password for PartHarbor')
    expect(mail?.body).toContain(`\nhttps://parts.example/reset-password#${tokenIn(mail?.body)}\n`)
    expect(mail?.body).toContain('(Firefox on Windows)')
    expect(mail?.body).toContain('expires in 30 minutes')
    expect(mail?.body).not.toContain('bad.example')
  })

  test('of the token only its hash is kept, and no record but the mail has it', async () => {
    const { person, user } = await signUp()
    const token = await linkFor(person)
    const kept = db.selectFrom('password_reset').select('token_hash').where('user_id', '=', user.id)
    expect(await kept.execute()).toEqual([{ token_hash: tokenHash(token) }])
    const { rows } = await sql<{ found: boolean }>`
      select exists (select from job j where j::text like ${`%${token}%`})
          or exists (select from job_event e where e::text like ${`%${token}%`})
          or exists (select from audit_entry a where a::text like ${`%${token}%`}) as found
    `.execute(db)
    expect(rows).toEqual([{ found: false }])
  })

  test('known, unknown and disabled addresses: same answer, same work, and mail for the first alone', async () => {
    const [known, disabled, nobody] = [await signUp(), await signUp(), newPerson()]
    await disable(disabled.user.id)
    const work = async () => ({
      jobs: await countOf('job', 'queue', 'send-reset-link'),
      entries: await countOf('audit_entry', 'action', 'password-reset-asked'),
    })
    const seen = []
    for (const { email } of [known.person, disabled.person, nobody]) {
      const before = await work()
      const { status, headers, body } = await ask(email)
      const after = await work()
      seen.push({ status, body, headers: Object.keys(headers) })
      expect([after.jobs - before.jobs, after.entries - before.entries]).toEqual([1, 1])
    }
    expect(seen[0]).toMatchObject({ status: 200, body: { ok: true } })
    expect(seen.slice(1)).toEqual([seen[0], seen[0]])
    await linksSent()
    expect(await mailsTo(known.person.email)).toHaveLength(1)
    expect(await mailsTo(disabled.person.email)).toEqual([])
    expect(await mailsTo(nobody.email)).toEqual([])
  })

  test('a new link is mailed although three work; of all of them the newest three set the password', async () => {
    const { person } = await signUp()
    const links: string[] = []
    for (let n = 0; n < 4; n += 1) links.push(await linkFor(person))
    expect((await confirm(links[0] ?? '')).status).toBe(410)
    clock.advance(31 * MINUTE_MS)
    expect((await confirm(links[3] ?? '')).status).toBe(410)
    const last = await linkFor(person)
    expect((await ask(person.email)).status).toBe(429)
    expect((await confirm(last)).status).toBe(200)
  })

  test.each([[{}], [{ email: 'dana' }], [{ email: ['dana@yard.example'] }]])(
    '422 for %j, beside its field',
    async (body) => {
      const answer = await visitor.post('/password-reset', body)
      expect(answer).toMatchObject({ status: 422, body: { fields: { email: expect.any(String) } } })
    },
  )
})

describe('POST /verify/password-link', () => {
  const check = (token: string) => visitor.post('/verify/password-link', { token })

  test('reports whether a link still works, without using it up', async () => {
    const { person } = await signUp()
    const token = await linkFor(person)
    expect(await check(token)).toMatchObject({ status: 200, body: { ok: true } })
    expect((await check(token)).status).toBe(200)
    expect((await confirm(token)).status).toBe(200)
    expect(await check(token)).toMatchObject(EXPIRED)
    expect(await check('never-sent')).toMatchObject(EXPIRED)
    expect((await check('')).status).toBe(422)
  })

  test('an old link says so', async () => {
    const { person } = await signUp()
    const token = await linkFor(person)
    clock.advance(31 * MINUTE_MS)
    expect(await check(token)).toMatchObject(EXPIRED)
  })
})

describe('POST /password-reset/confirm', () => {
  test('sets the password, ends every session and API token, notifies the owner and is in the audit log', async () => {
    const { api, person, user } = await signUp()
    const phone = visitor.as({ token: (await logIn(person)).body.token })
    const created = { name: 'Sync', scopes: ['listings:read'], expiresInDays: null }
    const sync = visitor.as({ token: (await api.post<{ token: string }>('/api-tokens', created)).body.token })
    expect((await sync.get('/seller/parts')).status).toBe(200)
    const token = await linkFor(person)
    expect(await confirm(token)).toMatchObject({ status: 200, body: { ok: true } })
    expect((await sync.get('/seller/parts')).status).toBe(401)
    expect([(await api.get('/auth-check')).status, (await phone.get('/auth-check')).status]).toEqual([
      401, 401,
    ])
    expect((await logIn(person)).status).toBe(401)
    expect((await logIn(person, FRESH)).status).toBe(200)
    const { email_verified_at } = await db
      .selectFrom('app_user')
      .select('email_verified_at')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect(email_verified_at).toBeInstanceOf(Date)
    expect((await mailsTo(person.email)).at(-1)).toMatchObject({
      subject: 'Your password was changed',
      body: expect.stringMatching(
        /API tokens no longer work.+ending in \w{4}, last used.+If this wasn't you/s,
      ),
    })
    const { rows } = await sql<{ action: string }>`
      select action from audit_entry where ${user.id} in (actor_user_id::text, target)
      and action like 'password-reset%' order by id
    `.execute(db)
    expect(rows.map(({ action }) => action)).toEqual(['password-reset-asked', 'password-reset'])
  })

  test('410 for a link that was used, is older than 30 minutes, was altered or never sent', async () => {
    const { person } = await signUp()
    const used = await linkFor(person)
    await confirm(used)
    expect(await confirm(used, 'another-walnut-hitch')).toMatchObject(EXPIRED)
    const open = await linkFor(person)
    const other = open.endsWith('A') ? 'B' : 'A'
    for (const token of [
      `${open.slice(0, -2)}${other}${open.at(-1)}`,
      `${open}A`,
      'x',
      tokenHash(open).toString('base64url'),
    ]) {
      expect(await confirm(token), token).toMatchObject(EXPIRED)
    }
    clock.advance(29 * MINUTE_MS)
    expect((await confirm(open, 'password1')).status).toBe(422)
    clock.advance(2 * MINUTE_MS)
    expect(await confirm(open)).toMatchObject(EXPIRED)
    expect((await logIn(person, FRESH)).status).toBe(200)
  })

  test('a guessable password is refused as at registration, and the link keeps working', async () => {
    const { person } = await signUp()
    const token = await linkFor(person)
    for (const password of ['password1', 'PartHarbor-1', 'dana-dana-1', 'short']) {
      const answer = await confirm(token, password)
      expect(answer).toMatchObject({ status: 422, body: { fields: { password: expect.any(String) } } })
    }
    expect((await confirm(token)).status).toBe(200)
  })

  test('of many at once one wins, and its password is the one', async () => {
    const { person } = await signUp()
    const token = await linkFor(person)
    const passwords = Array.from({ length: 5 }, (_, number) => `walnut-trailer-hitch-${number}`)
    const answers = await Promise.all(passwords.map((password) => confirm(token, password)))
    const won = answers.flatMap(({ status }, number) => (status === 200 ? [passwords[number]] : []))
    expect(won).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 410)).toHaveLength(4)
    expect((await logIn(person, won[0])).status).toBe(200)
  })

  test('a sign-in with the old password that runs at the same time leaves no session behind', async () => {
    const { person } = await signUp()
    const token = await linkFor(person)
    const [answer, ...logins] = await Promise.all([
      confirm(token),
      ...Array.from({ length: 4 }, () => logIn(person)),
    ])
    expect(answer.status).toBe(200)
    for (const { body } of logins.filter(({ status }) => status === 200)) {
      expect((await visitor.as({ token: body.token }).get('/auth-check')).status).toBe(401)
    }
  })

  test('of a reset and a change by someone signed in with the old password, one wins', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { person: owner, api: thief } = await signUp()
      const token = await linkFor(owner)
      const theirs = {
        password: 'copper-lantern-42',
        currentPassword: owner.password,
        email: newPerson().email,
      }
      const [reset, stolen] = await Promise.all([confirm(token), thief.put('/profile', theirs)])
      expect([
        [200, 401],
        [410, 200],
      ]).toContainEqual([reset.status, stolen.status])
    }
  })

  test('a reset works during the wait after wrong passwords, and ends it', async () => {
    const [person, other] = [(await signUp()).person, (await signUp()).person]
    const token = await linkFor(person)
    const here = visitor.as({ ip: '203.0.113.5' })
    const statusOf = async ({ email }: Person, password: string) =>
      (await here.post('/login', { email, password })).status
    for (const wrongly of [person, other]) {
      for (let n = 0; n < 5; n += 1) await statusOf(wrongly, 'not-the-password')
      expect(await statusOf(wrongly, wrongly.password)).toBe(429)
    }
    const answer = await here.post('/password-reset/confirm', { token, password: FRESH })
    expect(answer.status).toBe(200)
    expect(await statusOf(person, FRESH)).toBe(200)
    expect(await statusOf(other, other.password)).toBe(429)
  })

  test('the link of an account disabled in the meantime opens nothing', async () => {
    const { person, user } = await signUp()
    const token = await linkFor(person)
    await disable(user.id)
    expect(await confirm(token)).toMatchObject(EXPIRED)
  })

  test('a link requested before a change of email or password does not undo it', async () => {
    const { api, person } = await signUp()
    const beforeEmail = await linkFor(person)
    const { email } = newPerson()
    await api.put('/profile', { email, currentPassword: person.password })
    const [mail] = await mailsTo(email)
    const token = /confirm-email#([\w-]{43})\n/.exec(mail?.body ?? '')?.[1]
    expect((await visitor.post('/verify/email', { token })).status).toBe(200)
    expect(await confirm(beforeEmail)).toMatchObject(EXPIRED)
    const beforePassword = await linkFor({ email })
    await api.put('/profile', { password: 'copper-lantern-42', currentPassword: person.password })
    expect(await confirm(beforePassword)).toMatchObject(EXPIRED)
  })

  test.each([
    [{ password: FRESH }, 'token'],
    [{ token: 'x' }, 'password'],
    [{ token: { $ne: null }, password: FRESH }, 'token'],
  ])('422 for %j names the field', async (body, field) => {
    const answer = await visitor.post<{ fields: object }>('/password-reset/confirm', body)
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, [field]])
  })
})
