import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import type { User } from '#contract/account/accounts.ts'
import { buildApp } from '#server/app.ts'
import { accountJobs } from '#server/features/people/accounts/jobs.ts'
import { startJobEngine } from '#server/platform/jobs/job-engine.ts'
import { type Answer, ApiClient } from '#tests/support/api-client.ts'
import { hashCheaply } from '#tests/support/cheap-hashes.ts'
import { countHashes } from '#tests/support/count-hashes.ts'
import { QUICK, untilStatus } from '#tests/support/job-bench.ts'
import { newPerson, type Person } from '#tests/support/make-rows.ts'
import { startTestApp } from '#tests/support/test-app.ts'

hashCheaply()
const app = await startTestApp({ PUBLIC_URL: 'https://parts.example' })
const { clock, visitor, signUp, db, config } = app
const url = config.databaseUrl ?? ''
const definitions = accountJobs({ now: clock.now, letterhead: config })
const engine = await startJobEngine({
  url,
  directUrl: url,
  db,
  log: pino({ level: 'silent' }),
  definitions,
  periodic: [],
  times: QUICK,
})
afterAll(() => engine.close())

const ALLOWED_FROM_EVERYWHERE = 20
const HOUR_MS = 60 * 60_000

let networks = 0
function newAddress(): string {
  networks += 1
  return `198.51.${Math.floor(networks / 200)}.${networks % 200}`
}
type Reply = { token: string; user: User; code: string; error: string }
const signIn = (person: Person, { ip = newAddress(), cookie = '', password = person.password } = {}) =>
  visitor.as({ ip }).post<Reply>('/login', { email: person.email, password }, { cookie })
/** Wrong passwords, five from an address: what one address may try at once. */
const guess = (person: Person, count: number) => {
  const addresses = Array.from({ length: Math.ceil(count / 5) }, newAddress)
  return Promise.all(
    Array.from({ length: count }, (_, n) =>
      signIn(person, { ip: addresses[Math.floor(n / 5)] ?? '', password: 'not-the-password' }),
    ),
  )
}
const cookieOf = ({ headers }: Answer<unknown>) => String(headers['set-cookie'])
const sent = (setCookie: string) => setCookie.split(';')[0] ?? ''

async function mailsTo({ email }: Person) {
  const jobs = await db.selectFrom('job').select('id').where('queue', '=', 'send-sign-in-link').execute()
  for (const { id } of jobs) await untilStatus({ db }, id, 'completed')
  return db
    .selectFrom('mail')
    .select(['subject', 'body'])
    .where('recipient', '=', email)
    .orderBy('id')
    .execute()
}
const tokenIn = (body = '') => /sign-in-link#([\w-]{43})\n/.exec(body)?.[1] ?? 'no link'
async function linkFor(person: Person): Promise<string> {
  await visitor.post('/verify/sign-in-links', { email: person.email })
  // The warning about the guesses may arrive after it.
  const links = (await mailsTo(person))
    .map(({ body }) => tokenIn(body))
    .filter((token) => token !== 'no link')
  return links.at(-1) ?? 'no link'
}
const useLink = (token: string) => visitor.post<Reply>('/verify/sign-in-link', { token })

const LOCKED = { status: 429, body: { code: 'LINK_NEEDED', error: expect.stringContaining('link') } }

describe('guesses at one account from many addresses', () => {
  test('of 200 from 40 addresses at once, 20 are checked, and the right password from a new device is not', async () => {
    const { person } = await signUp()
    let answers: Answer<Reply>[] = []
    const hashes = await countHashes(async () => {
      answers = await guess(person, 200)
      expect(await signIn(person)).toMatchObject(LOCKED)
    })
    expect(hashes).toBe(ALLOWED_FROM_EVERYWHERE)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(ALLOWED_FROM_EVERYWHERE)
    // 503 where the machine was too busy to look: not checked either.
    expect(answers.filter(({ status }) => status === 429 || status === 503)).toHaveLength(180)
    expect(Number((await signIn(person)).headers['retry-after'])).toBeGreaterThan(23 * 3_600)
  })

  test('do not affect the owner’s device, and its cookie is hidden from scripts and other sites', async () => {
    const { person } = await signUp()
    const cookie = cookieOf(await signIn(person))
    expect(cookie).toMatch(
      /^__Secure-device-[\w-]{12}=[\w-]{43}; Path=\/api\/login; Max-Age=15552000; HttpOnly; SameSite=Lax; Secure$/,
    )
    await guess(person, 25)
    const again = await signIn(person, { cookie: `other=1; ${sent(cookie)}` })
    expect(again.status).toBe(200)
    expect(cookieOf(again)).not.toBe(cookie)
    expect(await signIn(person, { cookie: sent(cookie) })).toMatchObject(LOCKED)
    expect((await signIn(person, { cookie: sent(cookieOf(again)) })).status).toBe(200)
  })

  test('do not pass for a device of another account, and a device has five tries like an address', async () => {
    const [owner, stranger] = [await signUp(), await signUp()]
    const [own, foreign] = [await signIn(owner.person), await signIn(stranger.person)].map((answer) =>
      sent(cookieOf(answer)),
    )
    await guess(owner.person, 25)
    expect(await signIn(owner.person, { cookie: foreign ?? '' })).toMatchObject(LOCKED)
    const statuses = []
    for (let n = 0; n < 7; n += 1) {
      statuses.push((await signIn(owner.person, { cookie: own ?? '', password: 'mistyped' })).status)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429])
  })

  test('keep the cap until nobody tried for a day; a success elsewhere forgives only its own mistakes', async () => {
    const { person } = await signUp()
    await guess(person, 15)
    const ip = newAddress()
    for (let n = 0; n < 4; n += 1) await signIn(person, { ip, password: 'mistyped' })
    expect((await signIn(person, { ip })).status).toBe(200)
    expect((await guess(person, 5)).map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
    expect(await signIn(person)).toMatchObject(LOCKED)
    clock.advance(20 * HOUR_MS)
    expect(await signIn(person)).toMatchObject(LOCKED)
    clock.advance(20 * HOUR_MS)
    expect(await signIn(person)).toMatchObject(LOCKED)
    clock.advance(25 * HOUR_MS)
    expect((await signIn(person)).status).toBe(200)
  })

  test('get the same answers and the same work for an email without an account', async () => {
    const [known, nobody] = [(await signUp()).person, newPerson()]
    const seen = []
    for (const person of [known, nobody]) {
      const statuses: number[] = []
      const hashes = await countHashes(async () => {
        for (const { status } of await guess(person, 30)) statuses.push(status)
      })
      const { body, status } = await signIn(person)
      seen.push({ statuses: statuses.toSorted(), hashes, status, body: { ...body, requestId: '' } })
    }
    expect(seen[1]).toEqual(seen[0])
    expect((await mailsTo(known)).map(({ subject }) => subject)).toEqual([
      'Someone is guessing your password',
    ])
    expect(await mailsTo(nobody)).toEqual([])
  })

  test('do not keep a signed-in owner from calls that need the password', async () => {
    const { api, person } = await signUp()
    await guess(person, 25)
    const { password } = person
    expect((await api.post('/reauth', { password })).status).toBe(200)
    const token = { name: 'Yard', scopes: ['listings:read'], expiresInDays: null }
    expect((await api.post('/api-tokens', token)).status).toBe(200)
    const change = { currentPassword: password, password: 'walnut-trailer-hitch' }
    expect((await api.put('/profile', change)).status).toBe(200)
  })
})

describe('POST /verify/sign-in-link', () => {
  test('an emailed link signs the owner in while the account is guessed, once, and makes the device known', async () => {
    const { person, user } = await signUp()
    await guess(person, 25)
    const token = await linkFor(person)
    const answer = await useLink(token)
    expect(answer).toMatchObject({ status: 200, body: { user: { id: user.id } } })
    expect((await visitor.as({ token: answer.body.token }).get('/auth-check')).status).toBe(200)
    expect((await signIn(person, { cookie: sent(cookieOf(answer)) })).status).toBe(200)
    expect(await useLink(token)).toMatchObject({ status: 410, body: { code: 'LINK_EXPIRED' } })
  })

  test('the reply is the same for everyone, the newest three links work, and one lives 10 minutes', async () => {
    const [{ person }, nobody] = [await signUp(), newPerson()]
    const answers = []
    for (const { email } of [person, nobody, person, person]) {
      answers.push(await visitor.post('/verify/sign-in-links', { email }))
    }
    expect(answers.map(({ status, body }) => ({ status, body }))).toEqual(
      Array.from({ length: 4 }, () => ({ status: 200, body: { ok: true } })),
    )
    const mails = await mailsTo(person)
    expect(mails).toHaveLength(3)
    expect(await mailsTo(nobody)).toEqual([])
    const newest = await linkFor(person)
    expect((await useLink(tokenIn(mails[0]?.body))).status).toBe(410)
    clock.advance(11 * 60_000)
    expect((await useLink(newest)).status).toBe(410)
    expect((await useLink(await linkFor(person))).status).toBe(200)
  })

  test('strangers use up neither the owner’s links nor the other kind, and each gets five an hour', async () => {
    const { person } = await signUp()
    const ask = (path: string, ip: string) =>
      visitor
        .as({ ip })
        .post(path, { email: person.email })
        .then(({ status }) => status)
    const links = '/verify/sign-in-links'
    const stranger = newAddress()
    const asked = []
    for (let n = 0; n < 7; n += 1) asked.push(await ask(links, stranger))
    expect(asked).toEqual([200, 200, 200, 200, 200, 429, 429])
    expect(await mailsTo(person)).toHaveLength(5)
    expect(await ask('/password-reset', stranger)).toBe(200)
    expect((await useLink(await linkFor(person))).status).toBe(200)
    for (let n = 0; n < 26; n += 1) asked.push(await ask(links, newAddress()))
    // Everybody together: the mailbox is not flooded from many addresses, either.
    expect(asked.filter((status) => status === 200)).toHaveLength(29)
    expect(await ask(links, newAddress())).toBe(429)
    expect(await ask('/password-reset', newAddress())).toBe(200)
  })

  test('a link ends with the password it belongs to, and a disabled account gets none', async () => {
    const { api, person, user } = await signUp()
    const token = await linkFor(person)
    await api.put('/profile', { currentPassword: person.password, password: 'walnut-trailer-hitch' })
    expect((await useLink(token)).status).toBe(410)
    const later = await linkFor(person)
    await db.updateTable('app_user').set({ disabled_at: new Date() }).where('id', '=', user.id).execute()
    expect((await useLink(later)).status).toBe(410)
  })
})

/** The same installation with a log that the test reads. */
async function withLog(): Promise<{ api: ApiClient; lines: () => Record<string, unknown>[] }> {
  const written: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk))
      done()
    },
  })
  const { database, files } = app
  const http = await buildApp({
    config,
    database,
    files,
    log: pino({ level: 'warn' }, stream),
    now: clock.now,
  })
  onTestFinished(() => http.close())
  return { api: new ApiClient({ http }), lines: () => written.map((line) => JSON.parse(line)) }
}

describe('the log names a proxy that is not trusted', () => {
  test('after it has forwarded many sign-ins, and again when its address is locked out', async () => {
    const { api, lines } = await withLog()
    const ip = newAddress()
    for (let n = 0; n < 20; n += 1) {
      const wrong = { email: newPerson().email, password: 'not-the-password' }
      await api.as({ ip }).post('/login', wrong, { 'x-forwarded-for': `203.0.113.${n}` })
    }
    const named = lines().filter(({ ip: told }) => told === ip)
    expect(named.map(({ msg, lockOut }) => [lockOut, msg])).toEqual([
      [undefined, expect.stringContaining(`If ${ip} is your reverse proxy`)],
      ['address', expect.stringContaining('too many wrong passwords')],
    ])
    expect(named[1]?.proxy).toContain('TRUSTED_PROXIES')
  })

  test('not for an address without the header, but the guessing of an account is logged with its id', async () => {
    const { api, lines } = await withLog()
    const { person, user } = await signUp()
    for (let n = 0; n < 20; n += 1) {
      await api.as({ ip: newAddress() }).post('/login', { email: person.email, password: 'not-the-password' })
    }
    const told = lines().filter((line) => 'lockOut' in line)
    expect(told).toMatchObject([{ lockOut: 'guessed', userId: user.id }])
    expect(told[0]).not.toHaveProperty('proxy')
  })
})
