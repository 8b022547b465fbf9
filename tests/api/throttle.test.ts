import { describe, expect, onTestFinished, test } from 'vitest'
import { buildApp } from '#server/app.ts'
import { hashPassword } from '#server/features/people/accounts/passwords.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { openLog } from '#server/platform/log.ts'
import { type DigestClass, digestThreads } from '#server/platform/processes/slow-digest.ts'
import { type Answer, ApiClient } from '#tests/support/api-client.ts'
import { hashCheaply } from '#tests/support/cheap-hashes.ts'
import { countHashes } from '#tests/support/count-hashes.ts'
import { newPerson, type Person } from '#tests/support/make-rows.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/** What is computed and stands in line when the line is full. */
const CROWDS: Record<DigestClass, number> = { 'sign-in': 202, registration: 81 }

/** While the work runs the line before the password hashes is full; no hash comes to its end, so it stays so. */
async function withCrowdOfHashes(work: () => Promise<unknown>, as: DigestClass = 'sign-in'): Promise<void> {
  const { compute } = digestThreads
  const over = Promise.withResolvers<Buffer>()
  digestThreads.compute = () => over.promise
  const crowd = Array.from({ length: CROWDS[as] }, () => hashPassword('somebody else', as))
  try {
    await work()
  } finally {
    over.resolve(Buffer.alloc(32))
    await Promise.all(crowd)
    digestThreads.compute = compute
  }
}

hashCheaply()
const app = await startTestApp()
const { clock, visitor, signUp } = app

const ALLOWED = 5
const ALLOWED_FOR_ADDRESS = 20
const DAY_MS = 24 * 60 * 60_000

let addresses = 0
/** Tests share a database: each comes from its own address. */
function newAddress(): string {
  addresses += 1
  return `203.0.113.${addresses}`
}

function from(ip: string, api = visitor) {
  const signIn = (person: Person, password = person.password) =>
    api.as({ ip }).post('/login', { email: person.email, password })
  const wrongly = (person: Person) => signIn(person, 'not-the-password')
  const failures = async (person: Person, count: number) => {
    for (let n = 0; n < count; n += 1) expect(await wrongly(person)).toMatchObject({ status: 401 })
  }
  return { signIn, wrongly, failures }
}

const waitOf = ({ status, headers }: Answer<unknown>) => (status === 429 ? Number(headers['retry-after']) : 0)
/** The app’s clock runs during a test: a wait may be slightly shorter than the full one, never longer. */
const fullWait = (seconds: number) =>
  expect.toSatisfy((wait: number) => wait > seconds * 0.6 && wait <= seconds, `about ${seconds} s`)
/** 503 if the pool was busy too long on a slow machine: refused as well, and the password not checked. */
const statuses = (answers: Answer<unknown>[]) => {
  const count = (...wanted: number[]) => answers.filter(({ status }) => wanted.includes(status)).length
  return { wrong: count(401), sentAway: count(429, 503) }
}

/** Another process of the same installation, as far as the database can see. */
async function anotherProcess(): Promise<ApiClient> {
  const { config, files } = app
  const database = openDatabase(config.databaseUrl ?? '', { max: 5, applicationName: 'another process' })
  const log = openLog({ role: 'test', level: 'silent' })
  const http = await buildApp({ config, database, files, log, now: clock.now })
  onTestFinished(async () => {
    await http.close()
    await database.close()
  })
  return new ApiClient({ http })
}

describe('wrong passwords for one account from one address', () => {
  test('cause a wait that doubles with each more, up to 15 minutes', async () => {
    const { person } = await signUp()
    const { failures, wrongly } = from(newAddress())
    await failures(person, ALLOWED)
    const waits: number[] = []
    for (let n = 0; n < 10; n += 1) {
      const answer = await wrongly(person)
      expect(answer).toMatchObject({ status: 429, body: { code: 'TOO_MANY' } })
      waits.push(waitOf(answer))
      clock.advance(waitOf(answer) * 1000)
      await failures(person, 1)
    }
    expect(waits).toEqual([10, 20, 40, 80, 160, 320, 640, 900, 900, 900].map(fullWait))
  })

  test('are not checked during a wait, and neither is the right one; afterward it signs in', async () => {
    const { person } = await signUp()
    const { failures, signIn } = from(newAddress())
    await failures(person, ALLOWED)
    const hashes = await countHashes(async () => {
      const answer = await signIn(person)
      expect(answer).toMatchObject({
        status: 429,
        body: {
          error: expect.stringMatching(/^Too many wrong passwords. Please try again in \d+ seconds.$/),
        },
      })
    })
    expect(hashes).toBe(0)
    clock.advance(10_000)
    expect((await signIn(person)).status).toBe(200)
  })

  test('are forgotten after a success and after a day', async () => {
    const { person } = await signUp()
    const { failures, signIn, wrongly } = from(newAddress())
    await failures(person, ALLOWED - 1)
    expect((await signIn(person)).status).toBe(200)
    await failures(person, ALLOWED)
    expect((await wrongly(person)).status).toBe(429)
    clock.advance(DAY_MS + 1000)
    await failures(person, ALLOWED)
    expect(waitOf(await wrongly(person))).toEqual(fullWait(10))
  })

  test('do not lock out the owner at another address', async () => {
    const { person } = await signUp()
    await from(newAddress()).failures(person, ALLOWED)
    expect((await from(newAddress()).signIn(person)).status).toBe(200)
  })

  test('count the same for an email without an account', async () => {
    const nobody = newPerson()
    const { failures, wrongly } = from(newAddress())
    await failures(nobody, ALLOWED)
    expect(waitOf(await wrongly(nobody))).toEqual(fullWait(10))
  })

  test('count the same however the email is spelled', async () => {
    const { person } = await signUp()
    const { failures, wrongly } = from(newAddress())
    await failures(person, ALLOWED)
    const shouted = { ...person, email: ` ${person.email.toUpperCase()}.` }
    expect((await wrongly(shouted)).status).toBe(429)
  })

  test('cannot be spread over addresses made up in a header', async () => {
    const { person } = await signUp()
    const api = visitor.as({ ip: newAddress() })
    const answers: Answer<unknown>[] = []
    for (let n = 0; n < 8; n += 1) {
      const login = { email: person.email, password: 'not-the-password' }
      answers.push(await api.post('/login', login, { 'x-forwarded-for': `198.51.100.${n}` }))
    }
    expect(statuses(answers)).toEqual({ wrong: ALLOWED, sentAway: 3 })
  })
})

describe('wrong passwords for many accounts from one address', () => {
  test('make that address wait, and no other', async () => {
    const { person } = await signUp()
    const { failures, signIn } = from(newAddress())
    for (let n = 0; n < ALLOWED_FOR_ADDRESS; n += 1) await failures(newPerson(), 1)
    expect(waitOf(await signIn(person))).toEqual(fullWait(10))
    expect((await from(newAddress()).signIn(person)).status).toBe(200)
  })

  test('are not forgotten after a success with one’s own account', async () => {
    const { person } = await signUp()
    const { failures, signIn } = from(newAddress())
    for (let n = 1; n < ALLOWED_FOR_ADDRESS; n += 1) {
      await failures(newPerson(), 1)
      if (n < ALLOWED_FOR_ADDRESS - 1) expect((await signIn(person)).status).toBe(200)
    }
    await failures(newPerson(), 1)
    expect(waitOf(await signIn(person))).toEqual(fullWait(10))
    clock.advance(10_000)
    expect((await signIn(person)).status).toBe(200)
    await failures(newPerson(), 1)
    expect(waitOf(await signIn(person))).toEqual(fullWait(20))
  })

  test('successes alone never cause a wait', async () => {
    const { person } = await signUp()
    const { signIn } = from(newAddress())
    for (let n = 0; n < ALLOWED_FOR_ADDRESS + 3; n += 1) expect((await signIn(person)).status).toBe(200)
  })
})

describe('many sign-ins at once', () => {
  test('of 200 wrong passwords in parallel, five are checked', async () => {
    const { person } = await signUp()
    const { wrongly } = from(newAddress())
    let answers: Answer<unknown>[] = []
    const hashes = await countHashes(async () => {
      answers = await Promise.all(Array.from({ length: 200 }, () => wrongly(person)))
    })
    expect(hashes).toBe(ALLOWED)
    expect(statuses(answers)).toEqual({ wrong: ALLOWED, sentAway: 195 })
  })

  test('attempts split over two processes are counted together, and a new process knows of them', async () => {
    const { person } = await signUp()
    const ip = newAddress()
    const [here, there] = [from(ip), from(ip, await anotherProcess())]
    const attempts = Array.from({ length: 30 }, (_, n) => (n % 2 === 0 ? here : there).wrongly(person))
    expect(statuses(await Promise.all(attempts))).toEqual({ wrong: ALLOWED, sentAway: 25 })
    const afterRestart = from(ip, await anotherProcess())
    expect((await afterRestart.signIn(person)).status).toBe(429)
  })

  test('of passwords for 40 accounts in parallel, twenty are checked', async () => {
    const { wrongly } = from(newAddress())
    const attempts = Array.from({ length: 40 }, () => wrongly(newPerson()))
    expect(statuses(await Promise.all(attempts))).toEqual({ wrong: ALLOWED_FOR_ADDRESS, sentAway: 20 })
  })

  test('a sign-in refused because the queue is full does not count as an attempt', async () => {
    const { person } = await signUp()
    const { signIn, failures } = from(newAddress())
    await withCrowdOfHashes(async () => {
      for (let n = 0; n < ALLOWED_FOR_ADDRESS + 1; n += 1) {
        expect(await signIn(person)).toMatchObject({ status: 503, body: { code: 'BUSY' } })
      }
    })
    await failures(person, ALLOWED - 1)
    expect((await signIn(person)).status).toBe(200)
  })
})
