import { Secret, TOTP } from 'otpauth'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { adminResetFactors } from '#server/commands/admin-reset-factors.ts'
import { newToken, tokenHash } from '#server/features/people/accounts/sessions.ts'
import { openLog } from '#server/platform/log.ts'
import type { ApiClient } from '#tests/support/api-client.ts'
import { makePasskey } from '#tests/support/passkey.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const { config, db, clock, visitor, signUp } = await startTestApp()
afterEach(() => vi.restoreAllMocks())

const STEP_MS = 30_000
const MINUTE_MS = 60_000

interface Step {
  ticket: string
  factors: string[]
  passkey?: { challenge: string }
}
interface Session {
  token: string
  user: { id: string }
}
interface Refusal {
  code: string
  fields?: Record<string, string>
}

/** The code that an app with this secret shows, some steps of 30 seconds from now. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: clock.now().getTime() + steps * STEP_MS,
  })

/** To the middle of a step, so that no test runs from one into the next. */
const advanceToMiddle = (steps: number) =>
  clock.advance((steps + 0.5) * STEP_MS - (clock.now().getTime() % STEP_MS))

async function addApp(api: ApiClient) {
  advanceToMiddle(1)
  const { body } = await api.post<{ ticket: string; secret: string; address: string }>('/factors/totp/start')
  const added = await api.post<{ factor: { id: string }; recoveryCodes?: string[] }>('/factors/totp', {
    ticket: body.ticket,
    code: codeOf(body.secret),
  })
  expect(added.status).toBe(200)
  return { ...body, id: added.body.factor.id, recoveryCodes: added.body.recoveryCodes ?? [] }
}

/** A code that the app does not show for minutes: a fixed one would be right once in 300,000 runs. */
function wrongCode(secret: string): string {
  const shown = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps))
  return (
    ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !shown.includes(code)) ?? ''
  )
}

/** A person with an app, and their next sign-in up to the second step. The code of the set-up is past. */
async function withApp(signedUp?: SignedIn) {
  const person = signedUp ?? (await signUp())
  const app = await addApp(person.api)
  // Once in 100,000 runs an app shows the same code twice within minutes.
  do advanceToMiddle(2)
  while (new Set([-2, -1, 0, 1, 2].map((steps) => codeOf(app.secret, steps))).size < 5)
  return { ...person, app, step: () => firstStep(person.person) }
}

async function firstStep(person: SignedIn['person']): Promise<Step> {
  const { status, body } = await visitor.post<Step>('/login', person)
  expect(status).toBe(200)
  return body
}

const finish = (ticket: string, code: string) =>
  visitor.post<Session & Refusal>('/login/factor', { ticket, code })

describe('signing in with an app', () => {
  test('the password opens the second step only, and its code gives the session', async () => {
    const { app, step, user } = await withApp()
    expect(app.address).toMatch(/^otpauth:\/\/totp\/PartHarbor:.*secret=/)
    const opened = await step()
    expect(Object.keys(opened).sort()).toEqual(['factors', 'ticket'])
    expect(opened.factors).toEqual(['totp'])
    expect((await visitor.as({ token: opened.ticket }).get('/auth-check')).status).toBe(401)

    const { status, body } = await finish(opened.ticket, codeOf(app.secret))
    expect(status).toBe(200)
    expect(body.user.id).toBe(user.id)
    expect((await visitor.as(body).get('/auth-check')).status).toBe(200)
    expect((await finish(opened.ticket, codeOf(app.secret, 1))).body).toMatchObject({
      code: 'TICKET_EXPIRED',
    })
  })

  test('one step of clock drift each way is accepted, two are not', async () => {
    const { app, step } = await withApp()
    for (const [steps, status] of [
      [-2, 401],
      [2, 401],
      [-1, 200],
      [1, 200],
    ] as const) {
      const { ticket } = await step()
      expect((await finish(ticket, codeOf(app.secret, steps))).status, `${steps}`).toBe(status)
    }
  })

  test('a code works once, even in two sign-ins at the same moment', async () => {
    const { app, step } = await withApp()
    const code = codeOf(app.secret)
    const tickets = [await step(), await step(), await step()]
    const answers = await Promise.all(tickets.slice(0, 2).map(({ ticket }) => finish(ticket, code)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
    expect((await finish(tickets[2]?.ticket ?? '', code)).body).toMatchObject({ code: 'CREDENTIALS_WRONG' })
  })

  test('the code that set the app up does not sign in', async () => {
    const { api, person } = await signUp()
    const app = await addApp(api)
    const { ticket } = await firstStep(person)
    expect((await finish(ticket, codeOf(app.secret))).status).toBe(401)
  })

  test.each([
    [
      'five wrong codes',
      async (ticket: string, secret: string) => {
        for (let tries = 0; tries < 5; tries += 1) {
          expect((await finish(ticket, wrongCode(secret))).body.code).toBe('CREDENTIALS_WRONG')
        }
      },
    ],
    ['five minutes', async () => clock.advance(5 * MINUTE_MS)],
  ])('a ticket ends after %s', async (_, wait) => {
    const { app, step } = await withApp()
    const { ticket } = await step()
    await wait(ticket, app.secret)
    const { status, body } = await finish(ticket, codeOf(app.secret))
    expect([status, body.code]).toEqual([401, 'TICKET_EXPIRED'])
  })

  test('at most ten wrong codes an hour, however many tickets', async () => {
    const { app, step } = await withApp()
    const tickets = [await step(), await step(), await step()]
    const answers = []
    for (let tries = 0; tries < 11; tries += 1) {
      answers.push((await finish(tickets[Math.floor(tries / 5)]?.ticket ?? '', wrongCode(app.secret))).status)
    }
    expect(answers).toEqual([...Array(10).fill(401), 429])
    expect((await finish((await step()).ticket, codeOf(app.secret))).status).toBe(429)
    // What nobody can guess lets the owner in.
    expect((await finish((await step()).ticket, app.recoveryCodes[0] ?? '')).status).toBe(200)
  })

  test('a ticket ends with the password it was opened with, and with the account', async () => {
    const { app, step, api, person, user } = await withApp()
    const { ticket } = await step()
    const change = { currentPassword: person.password, password: 'Ten-quiet-harbors' }
    expect((await api.put('/profile', change)).status).toBe(200)
    expect((await finish(ticket, codeOf(app.secret))).body.code).toBe('TICKET_EXPIRED')
    const later = await firstStep({ ...person, password: 'Ten-quiet-harbors' })
    await db.updateTable('app_user').set({ disabled_at: new Date() }).where('id', '=', user.id).execute()
    expect((await finish(later.ticket, codeOf(app.secret))).body.code).toBe('TICKET_EXPIRED')
  })

  test('a recovery code works once, in any spelling, and the owner gets a mail', async () => {
    const { app, step, api, person } = await withApp()
    expect(app.recoveryCodes).toHaveLength(10)
    const [code = ''] = app.recoveryCodes
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{6}-){3}[0-9A-HJKMNP-TV-Z]{6}$/)
    const typed = code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
    expect((await finish((await step()).ticket, typed)).status).toBe(200)
    expect((await finish((await step()).ticket, code)).status).toBe(401)
    expect((await api.get('/factors')).body).toMatchObject({ recoveryCodesLeft: 9 })
    const mails = await db.selectFrom('mail').select('body').where('recipient', '=', person.email).execute()
    expect(mails.at(-1)?.body).toContain('Codes left: 9')

    const { body } = await api.post<{ recoveryCodes: string[] }>('/factors/recovery-codes')
    expect((await finish((await step()).ticket, app.recoveryCodes[1] ?? '')).status).toBe(401)
    expect((await finish((await step()).ticket, body.recoveryCodes[1] ?? '')).status).toBe(200)
  })

  test('neither a secret, a code nor a ticket can be read back', async () => {
    const { app, step, api } = await withApp()
    const { ticket } = await step()
    const shown = JSON.stringify((await api.get('/factors')).body)
    expect(shown).not.toContain(app.secret)
    for (const table of ['factor_ticket', 'recovery_code', 'audit_entry'] as const) {
      const rows = JSON.stringify(await db.selectFrom(table).selectAll().execute())
      for (const secret of [ticket, ...app.recoveryCodes]) expect(rows, table).not.toContain(secret)
    }
  })

  test('an emailed link opens the second step only, and the device is known once that is passed', async () => {
    const { app, user, person } = await withApp()
    const link = newToken()
    const expires = new Date(clock.now().getTime() + MINUTE_MS)
    await db
      .insertInto('sign_in_link')
      .values({ token_hash: tokenHash(link), user_id: user.id, expires_at: expires, created_at: clock.now() })
      .execute()
    const opened = await visitor.post<Step>('/verify/sign-in-link', { token: link })
    expect(opened).toMatchObject({ status: 200, body: { factors: ['totp'] } })
    expect(opened.body).not.toHaveProperty('token')
    expect(opened.headers).not.toHaveProperty('set-cookie')
    expect((await visitor.post('/login', person)).headers).not.toHaveProperty('set-cookie')

    const finished = await finish(opened.body.ticket, codeOf(app.secret))
    expect(Object.keys(finished.body).sort()).toEqual(['token', 'user'])
    expect(finished.headers['set-cookie']).toMatch(/^device-/)
    expect((await visitor.post('/verify/sign-in-link', { token: link })).status).toBe(410)
  })

  test('a closed account stays closed until the second step is passed', async () => {
    const { api, app, step, user } = await withApp()
    expect((await api.post('/account/close')).status).toBe(200)
    const isOpen = async () => {
      const row = await db
        .selectFrom('account_closure')
        .select('reopened_at')
        .where('user_id', '=', user.id)
        .executeTakeFirstOrThrow()
      return row.reopened_at !== null
    }
    const { ticket } = await step()
    expect(await isOpen()).toBe(false)
    expect((await finish(ticket, codeOf(app.secret))).status).toBe(200)
    expect(await isOpen()).toBe(true)
  })
})

describe('adding and removing', () => {
  test('needs a right code; the first factor signs out other devices and the owner gets a mail', async () => {
    const { api, person } = await signUp()
    const phone = visitor.as((await visitor.post<Session>('/login', person)).body)
    const { body } = await api.post<{ ticket: string; secret: string }>('/factors/totp/start')
    const wrong = await api.post<Refusal>('/factors/totp', { ticket: body.ticket, code: '123' })
    expect([wrong.status, Object.keys(wrong.body.fields ?? {})]).toEqual([422, ['code']])
    const someone = await signUp()
    const foreign = { ticket: body.ticket, code: codeOf(body.secret) }
    expect((await someone.api.post('/factors/totp', foreign)).status).toBe(422)
    expect((await phone.get('/auth-check')).status).toBe(200)
    expect((await api.post('/factors/totp', foreign)).status).toBe(200)
    expect((await api.post('/factors/totp', foreign)).status).toBe(422)
    expect((await phone.get('/auth-check')).status).toBe(401)
    expect((await api.get('/auth-check')).status).toBe(200)
    const mails = await db.selectFrom('mail').select('body').where('recipient', '=', person.email).execute()
    expect(mails.map((mail) => mail.body).join()).toContain(
      'the authenticator app “Authenticator app” was added',
    )
  })

  test('without the last one, sign-in needs the password only, and the codes are gone', async () => {
    const { app, api, person } = await withApp()
    const someone = await signUp()
    expect((await someone.api.delete(`/factors/${app.id}`)).status).toBe(404)
    expect((await api.delete(`/factors/${app.id}`)).status).toBe(200)
    expect((await api.get('/factors')).body).toMatchObject({ items: [], recoveryCodesLeft: 0 })
    expect((await visitor.post<Session>('/login', person)).body.token).toBeTypeOf('string')
    expect((await api.post('/factors/recovery-codes')).status).toBe(409)
  })
})

describe('passkeys', () => {
  const origin = config.publicUrl
  type Started = { ticket: string; options: { challenge: string; rp: { id: string } } }

  async function addPasskey(api: ApiClient) {
    const passkey = makePasskey(origin)
    const { body } = await api.post<Started>('/factors/passkeys/start')
    const credential = passkey.create(body.options)
    const answer = await api.post('/factors/passkeys', { ticket: body.ticket, name: 'Laptop', credential })
    return { passkey, started: body, answer }
  }

  test('one is added, signs in once for each challenge, and its counter only grows', async () => {
    const { api, person } = await signUp()
    const { passkey, started, answer } = await addPasskey(api)
    expect(started.options.rp.id).toBe('localhost')
    expect(answer).toMatchObject({ status: 200, body: { factor: { kind: 'passkey', name: 'Laptop' } } })

    const step = await firstStep(person)
    expect(step.factors).toEqual(['passkey'])
    const options = step.passkey ?? { challenge: '' }
    const present = (ticket: string, assertion: object) =>
      visitor.post<Session & Refusal>('/login/factor', { ticket, assertion })
    const wrong = [
      passkey.get({ challenge: 'AAAA' }, { count: 1 }),
      passkey.get(options, { count: 1, origin: 'http://localhost:1' }),
      passkey.get(options, { count: 1, rpId: 'evil.example' }),
      { ...makePasskey(origin).get(options), id: passkey.get(options).id },
    ]
    for (const assertion of wrong) {
      expect((await present(step.ticket, assertion)).body.code).toBe('CREDENTIALS_WRONG')
    }
    const right = await present(step.ticket, passkey.get(options, { count: 5 }))
    expect(right.status).toBe(200)
    expect((await visitor.as(right.body).get('/auth-check')).status).toBe(200)

    const again = await firstStep(person)
    const asked = again.passkey ?? { challenge: '' }
    for (const signing of [{ count: 5 }, { count: 4 }, { count: 6, verified: false }]) {
      expect((await present(again.ticket, passkey.get(asked, signing))).status).toBe(401)
    }
    expect((await present(again.ticket, passkey.get(asked, { count: 6 }))).status).toBe(200)
  })

  test('one without a fingerprint or PIN, for another website or of another challenge is refused', async () => {
    const { api } = await signUp()
    const passkey = makePasskey(origin)
    for (const signing of [
      { verified: false },
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
    ]) {
      const { body } = await api.post<Started>('/factors/passkeys/start')
      const credential = passkey.create(body.options, signing)
      expect((await api.post('/factors/passkeys', { ticket: body.ticket, credential })).status).toBe(422)
    }
    const { body } = await api.post<Started>('/factors/passkeys/start')
    const credential = passkey.create({ challenge: 'AAAA' })
    expect((await api.post('/factors/passkeys', { ticket: body.ticket, credential })).status).toBe(422)
  })

  test('one confirms the user’s identity, once for each challenge', async () => {
    const { api } = await signUp()
    const { passkey } = await addPasskey(api)
    clock.advance(11 * MINUTE_MS)
    expect((await api.post<Refusal>('/payout-setting')).body.code).toBe('REAUTH_NEEDED')
    const { body } = await api.post<{ ticket: string; passkey: { challenge: string } }>('/reauth/start')
    const proof = { ticket: body.ticket, assertion: passkey.get(body.passkey, { count: 9 }) }
    expect((await api.post('/reauth', proof)).status).toBe(200)
    expect((await api.post<Refusal>('/payout-setting')).body.code).not.toBe('REAUTH_NEEDED')
    expect((await api.post('/reauth', proof)).status).toBe(422)
  })
})

describe('while strangers guess the password', () => {
  const LOCKED = { status: 429, body: { code: 'LINK_NEEDED' } }
  const guess = async ({ email }: { email: string }) => {
    for (let n = 0; n < 24; n += 1) {
      const ip = `198.51.100.${Math.floor(n / 4)}`
      await visitor.as({ ip }).post('/login', { email, password: 'not-the-password' })
    }
    const ip = '203.0.113.77'
    return (proof?: object, password?: string) => {
      const { person } = { person: { email, password } }
      return visitor.as({ ip }).post<Session & Refusal>('/login', { ...person, ...(proof && { proof }) })
    }
  }

  test('a recovery code beside the password lets its owner in, once', async () => {
    const [owner, other] = [await withApp(), await withApp()]
    const { password } = owner.person
    const signIn = await guess(owner.person)
    expect(await signIn(undefined, password)).toMatchObject(LOCKED)
    const [code = ''] = owner.app.recoveryCodes
    // Neither a guess, an app's code, nor another account's.
    const app = codeOf(owner.app.secret)
    for (const wrong of ['ABCDEF-ABCDEF-ABCDEF-ABCDEF', app, other.app.recoveryCodes[0]]) {
      expect(await signIn({ code: wrong }, password)).toMatchObject(LOCKED)
    }
    expect((await signIn({ code }, 'not-the-password')).status).toBe(401)
    const signedIn = await signIn({ code: code.toLowerCase() }, password)
    expect(signedIn).toMatchObject({ status: 200, body: { user: { id: owner.user.id } } })
    expect((await visitor.as({ token: signedIn.body.token }).get('/auth-check')).status).toBe(200)
    expect(await signIn({ code }, password)).toMatchObject(LOCKED)
    expect(await signIn(undefined, password)).toMatchObject(LOCKED)
  })

  test('a passkey does, with a challenge that tells nobody who has one', async () => {
    const [owner, other] = [await signUp(), await signUp()]
    const addPasskey = async ({ api }: SignedIn) => {
      const passkey = makePasskey(config.publicUrl)
      const { ticket, options } = (
        await api.post<{ ticket: string; options: { challenge: string } }>('/factors/passkeys/start')
      ).body
      expect(
        (await api.post('/factors/passkeys', { ticket, credential: passkey.create(options) })).status,
      ).toBe(200)
      return passkey
    }
    const [own, foreign] = [await addPasskey(owner), await addPasskey(other)]
    const { password } = owner.person
    const signIn = await guess(owner.person)
    const start = async () => (await visitor.post<Required<Step>>('/login/passkey')).body
    const proofOf = async (passkey: typeof own) => {
      const { ticket, passkey: options } = await start()
      expect(options).not.toHaveProperty('allowCredentials')
      return { ticket, assertion: passkey.get(options) }
    }
    expect(await signIn(await proofOf(foreign), password)).toMatchObject(LOCKED)
    const unsigned = { ...(await proofOf(own)), ticket: (await start()).ticket }
    expect(await signIn(unsigned, password)).toMatchObject(LOCKED)
    expect((await signIn(await proofOf(own), 'not-the-password')).status).toBe(401)
    const proof = await proofOf(own)
    expect(await signIn(proof, password)).toMatchObject({
      status: 200,
      body: { user: { id: owner.user.id } },
    })
    expect(await signIn(proof, password)).toMatchObject(LOCKED)
    // Not a way around the password, nor around the second step.
    expect((await visitor.post<Refusal>('/login/factor', await proofOf(own))).body.code).toBe(
      'TICKET_EXPIRED',
    )
  })
})

test('admin reset-factors turns two-step sign-in off, signs out everywhere and tells the owner', async () => {
  const { api, person, user, step } = await withApp()
  const { ticket } = await step()
  const { body: created } = await api.post<{ token: string }>('/api-tokens', {
    name: 'Yard',
    scopes: ['listings:read'],
    expiresInDays: null,
  })
  const program = visitor.as({ token: created.token })
  expect((await program.get('/seller/parts')).status).toBe(200)
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const log = openLog({ role: 'test', level: 'silent' })
  await adminResetFactors(config, log, ['--email', person.email.toUpperCase()])
  expect(print.mock.calls.join()).toContain('is off (1 removed)')
  expect((await api.get('/auth-check')).status).toBe(401)
  expect((await program.get('/seller/parts')).status).toBe(401)
  const mail = await db
    .selectFrom('mail')
    .select('body')
    .where('recipient', '=', person.email)
    .where('body', 'like', '%turned off by our support%')
    .executeTakeFirstOrThrow()
  expect(mail.body).toContain(`- ending in ${created.token.slice(-4)}, last used`)
  expect((await finish(ticket, '123456')).body.code).toBe('TICKET_EXPIRED')
  expect((await visitor.post<Session>('/login', person)).body.token).toBeTypeOf('string')
  const audited = await db.selectFrom('audit_entry').select('action').where('target', '=', user.id).execute()
  expect(audited.map(({ action }) => action)).toContain('factors-reset')
  await expect(adminResetFactors(config, log, ['--email', 'nobody@yard.example'])).rejects.toThrow(
    /no account/,
  )
  await expect(adminResetFactors(config, log, [])).rejects.toThrow(/--email is missing/)
})
