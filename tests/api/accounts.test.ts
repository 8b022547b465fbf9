import { argon2Sync, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { User } from '#contract/account/accounts.ts'
import type { ErrorReply } from '#contract/endpoint.ts'
import { countHashes } from '#tests/support/count-hashes.ts'
import { newPerson } from '#tests/support/make-rows.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const { db, visitor, signUp } = await startTestApp()

type SignedIn = { token: string; user: User }

/** Fields that no caller may set on an account. */
const NOT_THEIRS = {
  id: randomUUID(),
  role: 1,
  sellerTier: 'PAID',
  tier: 'PAID',
  subscriptionStatus: 'ACTIVE',
  connectStatus: 'VERIFIED',
  royaltyPercent: 99,
  stripeCustomerId: 'cus_1',
  sellerId: randomUUID(),
  sellerSlug: 'mine',
  emailVerifiedAt: '2020-01-01T00:00:00Z',
  disabled_at: null,
  status: 'HIDDEN',
}

describe('POST /register', () => {
  test('opens an account with a free-tier seller', async () => {
    const person = newPerson({ name: 'Zoë’s Yard' })
    const answer = await visitor.post('/register', person)
    expect(answer).toMatchObject({ status: 201, body: { ok: true } })
    const { rows } = await sql<Record<string, unknown>>`
      select u.role, u.terms_accepted_at, u.email_verified_at, m.role as membership, s.*
      from app_user u join seller_member m on m.user_id = u.id join seller s on s.id = m.seller_id
      where u.email = ${person.email}
    `.execute(db)
    expect(rows).toEqual([
      expect.objectContaining({
        role: 0,
        terms_accepted_at: expect.any(Date),
        // In demo mode, where mail goes nowhere.
        email_verified_at: expect.any(Date),
        membership: 'owner',
        name: 'Zoë’s Yard',
        slug: `zoes-yard-${String(rows[0]?.id).slice(-6)}`,
        tier: 'FREE',
        subscription_status: 'INACTIVE',
        connect_status: 'NOT_STARTED',
        trusted: false,
      }),
    ])
  })

  test('callers can set only name, email and password', async () => {
    const plain = newPerson()
    const greedy = newPerson()
    await visitor.post('/register', plain)
    expect((await visitor.post('/register', { ...greedy, ...NOT_THEIRS })).status).toBe(201)
    const [expected, got] = await Promise.all([plain, greedy].map((person) => signIn(person)))
    const own = ({ id, email, createdAt, sellerId, sellerSlug, ...rest }: User) => rest
    expect(got && own(got.user)).toEqual(expected && own(expected.user))
    expect(got?.user.id).not.toBe(NOT_THEIRS.id)
  })

  test('a buyer gets the same account, whose seller is in no list before it has a part', async () => {
    const buyer = newPerson({ name: 'Maria Lopez' })
    const counted = () => visitor.get<{ counts: { sellers: number } }>('/site')
    const before = (await counted()).body.counts.sellers
    expect((await visitor.post('/register', { ...buyer, as: 'buying' })).status).toBe(201)
    const plain = newPerson()
    await visitor.post('/register', plain)
    const [got, expected] = await Promise.all([buyer, plain].map((person) => signIn(person)))
    const own = ({ id, name, email, createdAt, sellerId, sellerSlug, ...rest }: User) => rest
    expect(got && own(got.user)).toEqual(expected && own(expected.user))
    expect((await visitor.get(`/sellers/${got?.user.sellerSlug}`)).status).toBe(404)
    expect((await counted()).body.counts.sellers).toBe(before)
    const listed = await visitor.get<{ total: number }>(`/parts?seller=${got?.user.sellerSlug}`)
    expect(listed.body.total).toBe(0)
    const refused = await visitor.post('/register', { ...newPerson(), as: 'looking' })
    expect(refused).toMatchObject({ status: 422, body: { fields: { as: 'Choose selling or buying' } } })
  })

  test('there is no administrator until one is created', async () => {
    const admins = await db.selectFrom('app_user').selectAll().where('role', '=', 1).execute()
    expect(admins).toEqual([])
  })

  test.each([
    ['an empty name', { name: '  ' }, { name: 'Enter your name' }],
    ['no email', { email: undefined }, { email: 'Enter your email address' }],
    ['half an email', { email: 'dana@' }, { email: 'Enter an email address such as name@example.com' }],
    ['a short password', { password: 'seven77' }, { password: 'A password needs at least 8 characters' }],
    ['a long name', { name: 'x'.repeat(121) }, { name: 'A name can have at most 120 characters' }],
  ])('422 for %s, reported on its field', async (_, change, fields) => {
    const answer = await visitor.post('/register', { ...newPerson(), ...change })
    expect(answer).toMatchObject({ status: 422, body: { code: 'VALIDATION_FAILED', fields } })
  })

  test.each(['password1', 'PartHarbor-1', 'dana-dana-1'])(
    '422 for the guessable password %j',
    async (password) => {
      const answer = await visitor.post<ErrorReply>('/register', { ...newPerson(), password })
      expect(answer.status).toBe(422)
      expect(answer.body.fields?.password).toBe(answer.body.error)
      expect(answer.body.error).toContain('unrelated words')
    },
  )

  test('many registrations of one email at once, spelled differently, make one account', async () => {
    const person = newPerson()
    const [mailbox = '', domain = ''] = person.email.split('@')
    const spellings = [
      person.email,
      person.email.toUpperCase(),
      ` ${person.email} `,
      `${person.email}.`,
      `${mailbox}@${domain.toUpperCase()}`,
    ]
    const answers = await Promise.all(
      [...spellings, ...spellings].map((email) => visitor.post('/register', { ...person, email })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    const taken = 'That email is already registered'
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(answer).toMatchObject({
        status: 409,
        body: { error: taken, code: 'CONFLICT', fields: { email: taken } },
      })
    }
    const found = await db.selectFrom('app_user').select('id').where('email', '=', person.email).execute()
    expect(found).toHaveLength(1)
    expect(await sellersNamed(person.name, found[0]?.id)).toBe(1)
  })

  test('a repeat with the same Idempotency-Key gets the same response', async () => {
    const person = newPerson()
    const key = { 'idempotency-key': randomUUID() }
    const first = await visitor.post('/register', person, key)
    const again = await visitor.post('/register', person, key)
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.headers['idempotent-replayed']).toBe('true')
  })

  test('a different password or email under the same Idempotency-Key is refused', async () => {
    const person = newPerson()
    const key = { 'idempotency-key': randomUUID() }
    await visitor.post('/register', person, key)
    for (const change of [{ password: newPerson().password }, { email: newPerson().email }]) {
      const answer = await visitor.post('/register', { ...person, ...change }, key)
      expect(answer).toMatchObject({ status: 422, body: { code: 'KEY_REUSED' } })
    }
    expect((await visitor.post('/login', person)).status).toBe(200)
  })

  test('the record stored for an Idempotency-Key is as hard to crack as the password hash', async () => {
    const person = newPerson()
    const key = randomUUID()
    const hashes = await countHashes(() => visitor.post('/register', person, { 'idempotency-key': key }))
    expect(hashes).toBe(2)
    const { rows } = await sql<{ length: number }>`
      select length(request_hash) as length from idempotency_record where key = ${key}
    `.execute(db)
    expect(rows).toEqual([{ length: 32 }])
  })
})

describe('POST /login', () => {
  test('returns a token and the user, whatever the case of the email', async () => {
    const { person } = await signUp()
    const answer = await visitor.post<SignedIn>('/login', {
      email: ` ${person.email.toUpperCase()}. `,
      password: person.password,
    })
    expect(answer.status).toBe(200)
    expect(answer.body.token).toMatch(/^[\w-]{43}$/)
    expect(answer.body.user).toMatchObject({ name: person.name, email: person.email, role: 0 })
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  test('the user has exactly these fields', async () => {
    const { user } = await signUp()
    expect(user).toEqual({
      id: expect.any(String),
      name: expect.any(String),
      email: expect.any(String),
      emailConfirmed: true,
      pendingEmail: null,
      role: 0,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      sellerId: expect.any(String),
      sellerSlug: expect.any(String),
      sellerTier: 'FREE',
      subscriptionStatus: 'INACTIVE',
      subscriptionId: null,
      subscriptionPriceId: null,
      subscriptionEndsAt: null,
      connectStatus: 'NOT_STARTED',
      royaltyPercent: 0,
      certified: false,
      stripeCustomerId: null,
      stripe_seller: { charges_enabled: false },
      payoutNeeds: null,
      listingDefaults: {},
      notificationPrefs: { orderEmails: true, messageEmails: true, weeklySummary: false },
      communicationPrefs: { showPhonePublicly: false, preferredContact: 'email', takesOffers: true },
    })
  })

  test('an unknown email, a wrong password and a disabled account get the same response and take the same work', async () => {
    const [known, disabled] = [await signUp(), await signUp()]
    await disable(disabled.user.id)
    const attempts = [
      { email: newPerson().email, password: known.person.password },
      { email: known.person.email, password: 'not-her-password' },
      { email: disabled.person.email, password: disabled.person.password },
    ]
    for (const attempt of attempts) {
      let answer: unknown
      const hashes = await countHashes(async () => {
        answer = await visitor.post('/login', attempt)
      })
      expect(hashes).toBe(1)
      expect(answer).toMatchObject({
        status: 401,
        body: {
          ok: false,
          error: 'Email or password is wrong',
          code: 'CREDENTIALS_WRONG',
          requestId: expect.any(String),
        },
      })
      expect(Object.keys((answer as { body: object }).body)).toHaveLength(4)
    }
  })

  test.each([
    [{ email: 'dana@yard.example' }, 'password'],
    [{ password: 'something-long' }, 'email'],
    [{ email: ['dana@yard.example'], password: 'something-long' }, 'email'],
    [{ email: { $ne: null }, password: 'something-long' }, 'email'],
  ])('422 for %j, naming the field', async (body, field) => {
    const answer = await visitor.post<ErrorReply>('/login', body)
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.fields ?? {})).toEqual([field])
  })

  test('every character of a long password counts', async () => {
    const password = `${'long lorry load '.repeat(6)}1`
    const { person } = await signUp({ person: newPerson({ password }) })
    const wrong = { email: person.email, password: `${password.slice(0, -1)}2` }
    expect((await visitor.post('/login', wrong)).status).toBe(401)
  })

  test('a weaker hash is replaced at the next sign-in', async () => {
    const { person, user } = await signUp()
    await db
      .updateTable('app_user')
      .set({ password_hash: weakHash(person.password) })
      .where('id', '=', user.id)
      .execute()
    expect((await visitor.post('/login', person)).status).toBe(200)
    expect(await storedHash(user.id)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect((await visitor.post('/login', person)).status).toBe(200)
  })
})

describe('GET /auth-check, /admin-check and /profile/me', () => {
  test('a visitor is asked to sign in', async () => {
    for (const path of ['/auth-check', '/admin-check', '/profile/me']) {
      const answer = await visitor.get(path)
      expect(answer).toMatchObject({
        status: 401,
        body: { ok: false, error: 'Please login to continue', code: 'SIGNED_OUT' },
      })
    }
  })

  test('a seller is signed in but not an administrator', async () => {
    const { api, user } = await signUp()
    expect(await api.get('/auth-check')).toMatchObject({ status: 200, body: { ok: true } })
    expect(await api.get('/profile/me')).toMatchObject({ status: 200, body: user })
    expect(await api.get('/admin-check')).toMatchObject({
      status: 403,
      body: { ok: false, code: 'NOT_ALLOWED' },
    })
  })

  test('role and tier are read from the database on each call', async () => {
    const { api, user } = await signUp()
    const setRole = (role: number) =>
      db.updateTable('app_user').set({ role }).where('id', '=', user.id).execute()
    await setRole(1)
    expect(await api.get('/admin-check')).toMatchObject({ status: 200, body: { ok: true } })
    await setRole(0)
    expect((await api.get('/admin-check')).status).toBe(403)
    await db.updateTable('seller').set({ tier: 'PAID' }).where('id', '=', user.sellerId).execute()
    expect(await api.get('/profile/me')).toMatchObject({ body: { sellerTier: 'PAID' } })
  })
})

async function signIn({ email, password }: { email: string; password: string }): Promise<SignedIn> {
  return (await visitor.post<SignedIn>('/login', { email, password })).body
}

async function disable(userId: string): Promise<void> {
  await db.updateTable('app_user').set({ disabled_at: new Date() }).where('id', '=', userId).execute()
}

async function storedHash(userId: string): Promise<string> {
  const found = db.selectFrom('app_user').select('password_hash').where('id', '=', userId)
  return (await found.executeTakeFirstOrThrow()).password_hash
}

async function sellersNamed(name: string, userId = ''): Promise<number> {
  const found = db
    .selectFrom('seller')
    .innerJoin('seller_member', 'seller_member.seller_id', 'seller.id')
    .where('seller.name', '=', name)
    .where('seller_member.user_id', '=', userId)
  return (await found.select('seller.id').execute()).length
}

/** A hash as written when the settings were 9 MiB and one pass. */
function weakHash(message: string): string {
  const nonce = Buffer.from('sixteen bytes of')
  const cost = { memory: 9_216, passes: 1, parallelism: 1 }
  const tag = argon2Sync('argon2id', { ...cost, message, nonce, tagLength: 32 })
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=9216,t=1,p=1$${text(nonce)}$${text(tag)}`
}
