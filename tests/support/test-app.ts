import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll } from 'vitest'
import type { User } from '#contract/account/accounts.ts'
import { buildApp } from '#server/app.ts'
import { type Config, readConfig } from '#server/config.ts'
import { hashPassword } from '#server/features/people/accounts/passwords.ts'
import { getProfile, presentUser } from '#server/features/people/accounts/persons.ts'
import { openAccount } from '#server/features/people/accounts/registration.ts'
import { insertSession, newToken, tokenHash } from '#server/features/people/accounts/sessions.ts'
import { type Database, type Db, openDatabase } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { openFileStore } from '#server/platform/files/open-file-store.ts'
import { openLog } from '#server/platform/log.ts'
import { ApiClient } from './api-client.ts'
import { isHashingCheap } from './cheap-hashes.ts'
import { newPerson, type Person } from './make-rows.ts'
import { createTestDatabase } from './test-database.ts'

/** Small, because every new connection reads the catalog of its database first. */
export const POOL_SIZE = 4

export interface TestApp {
  http: FastifyInstance
  config: Config
  database: Database
  /** To look behind the API, and for states that no call can bring about. */
  db: Db
  files: FileStore
  clock: Clock
  /** Somebody who is not signed in. */
  visitor: ApiClient
  /** Somebody new with an account, signed in. */
  signUp: (as?: SignUp) => Promise<SignedIn>
}

interface SignUp {
  person?: Person
  /** Otherwise the seller is established, as if it had registered long ago. */
  isNew?: boolean
  role?: 'admin'
  tier?: 'PAID'
}

export interface SignedIn {
  api: ApiClient
  person: Person
  user: User
}

/** The app's time: the real one, moved on by what a test asked for. */
interface Clock {
  now: () => Date
  advance: (ms: number) => void
  /** It stands still from now on, however slow the machine is. */
  hold: () => void
}

/**
 * The app on a database, a file store and a clock of its own, ended after the last test of the file. Settings are given
 * as in the environment. Call it at the top of a test file: a clean-up registered inside of a hook would never run.
 */
export async function startTestApp(settings: Record<string, string> = {}): Promise<TestApp> {
  // Hooks registered later run earlier: the app is closed before its database goes.
  const testDatabase = await createTestDatabase()
  afterAll(() => testDatabase.drop())
  const folder = await mkdtemp(join(tmpdir(), 'partharbor-app-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  // Only then, as its libraries take a third of a second to load.
  const bucket =
    process.env.CHAOS === 's3' ? await (await import('./s3-server.ts')).startS3Server() : undefined
  if (bucket) afterAll(bucket.close)
  const config = readConfig({
    APP_MODE: 'demo',
    DEMO_DATA: 'off',
    DATABASE_URL: testDatabase.pooledUrl ?? testDatabase.url,
    ...(testDatabase.pooledUrl && { DATABASE_DIRECT_URL: testDatabase.url }),
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    ...bucket?.environment,
    ...settings,
  })
  const log = openLog({ role: 'test', level: config.logLevel ?? 'silent' })
  const database = openDatabase(config.databaseUrl ?? testDatabase.url, {
    max: POOL_SIZE,
    applicationName: 'app under test',
    log,
  })
  afterAll(() => database.close())
  const files = await openFileStore(config.storage)
  const clock = openClock()
  const { db } = database
  const app = {
    http: await buildApp({ config, database, files, log, now: clock.now }),
    config,
    database,
    db,
    files,
    clock,
  }
  afterAll(() => closeForGood(app))
  const visitor = new ApiClient(app)
  const signUp = (as: SignUp = {}) => signUpAs({ db, visitor, clock }, as)
  return Object.assign(app, { visitor, signUp })
}

// A worker never unloads a test file, nor what it refers to. With an app of 6 MB for each of 150 files, a garbage
// collection took a second of both cores.
async function closeForGood(app: Pick<TestApp, 'http'>): Promise<void> {
  await app.http.close()
  Reflect.deleteProperty(app, 'http')
}

type Scene = { db: Db; visitor: ApiClient; clock: Clock }

// Two Argon2id digests for each of some thousand people were a tenth of the suite. Registering and signing in have tests
// of their own; whoever is needed elsewhere has an account and a session that were written the same way, without them.
async function signUpAs({ db, visitor, clock }: Scene, as: SignUp): Promise<SignedIn> {
  const person = as.person ?? newPerson({ password: 'Sable-quay-and-lantern' })
  const { name, email } = person
  const passwordHash = await hashOnce(person.password)
  const role = as.role === 'admin' ? 1 : 0
  const opened = await db.transaction().execute((trx) =>
    openAccount(trx, {
      name,
      email,
      passwordHash,
      role,
      termsAcceptedAt: clock.now(),
      emailConfirmedAt: clock.now(),
    }),
  )
  if (!opened) throw new Error(`${email} has an account already`)
  const { userId, sellerId } = opened
  if (!as.isNew) await establish(db, sellerId)
  if (as.tier === 'PAID') await makePro(db, email)
  const token = newToken()
  const session = { tokenHash: tokenHash(token), userId, verifiedHash: passwordHash, ip: '127.0.0.1' }
  if (!(await insertSession(db, { ...session, userAgent: undefined, now: clock.now() }))) {
    throw new Error(`${email} could not be signed in`)
  }
  return { api: visitor.as({ token }), person, user: presentUser(await getProfile(db, userId)) }
}

const establish = (db: Db, sellerId: string) =>
  db.updateTable('seller').set({ established_at: new Date() }).where('id', '=', sellerId).execute()

const hashes = new Map<string, Promise<string>>()

function hashOnce(password: string): Promise<string> {
  // A cheap hash fits in the files alone that hash cheaply, and files share this map.
  const key = `${isHashingCheap()} ${password}`
  const hash = hashes.get(key) ?? hashPassword(password)
  hashes.set(key, hash)
  return hash
}

async function makePro(db: Db, email: string): Promise<void> {
  await db
    .updateTable('seller')
    .set({ tier: 'PAID', subscription_status: 'ACTIVE' })
    .where('id', 'in', (query) =>
      query
        .selectFrom('seller_member')
        .innerJoin('app_user', 'app_user.id', 'seller_member.user_id')
        .where('app_user.email', '=', email)
        .select('seller_member.seller_id'),
    )
    .execute()
}

function openClock(): Clock {
  let aheadMs = 0
  let heldAt: number | undefined
  return {
    now: () => new Date((heldAt ?? Date.now()) + aheadMs),
    advance: (ms) => {
      aheadMs += ms
    },
    hold: () => {
      heldAt = Date.now()
    },
  }
}
