import { beforeAll, expect, test } from 'vitest'
import type { User } from '#contract/account/accounts.ts'
import type { Listing, ListingPage } from '#contract/listings.ts'
import { dumpSchema } from '#db/dump-schema.ts'
import { restoreBackup } from '#server/features/running/backups/restore.ts'
import { Passphrase } from '#server/platform/backup/sealed.ts'
import type { Database } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrations.ts'
import { openFileStore } from '#server/platform/files/open-file-store.ts'
import type { ApiClient } from '#tests/support/api-client.ts'
import { databaseBefore } from '#tests/support/older-database.ts'
import { PREVIOUS_RELEASE } from '#tests/support/previous-release.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* What people stored with the previous release, after its backup was restored and migrated. */

const before = await databaseBefore('0000')
const DATABASE_URL = before.pool.options.connectionString ?? ''
const app = await startTestApp({ DATABASE_URL })
const fresh = await startTestApp()
let applied: string[]

beforeAll(async () => {
  await before.pool.query('drop table schema_migration')
  await before.pool.query(`set application_name = 'restore'`)
  const files = await openFileStore({ kind: 'fs', dir: app.config.dataDir })
  await restoreBackup(
    {
      directUrl: DATABASE_URL,
      pool: before.pool,
      files,
      endTokens: false,
      makeTestPayments: async () => undefined,
      report: () => undefined,
    },
    { archive: PREVIOUS_RELEASE.archive, passphrase: new Passphrase(PREVIOUS_RELEASE.passphrase) },
  )
  applied = await migrate(before.pool)
})

const schemaOf = async ({ pool }: Database) => {
  const client = await pool.connect()
  return dumpSchema(client).finally(() => client.release())
}

test('the schema is the one of a new installation', async () => {
  expect(applied.length).toBeGreaterThan(0)
  expect(await schemaOf(app.database)).toBe(await schemaOf(fresh.database))
})

test('every listing is found and can be read, and its page is rendered', async () => {
  const { body } = await app.visitor.get<ListingPage>('/parts?perPage=100')
  const rows = await app.db.selectFrom('listing').select('slug').execute()
  expect(body.total).toBe(rows.length)
  expect(rows.length).toBeGreaterThan(80)
  for (const [at, { slug }] of rows.entries()) {
    expect([slug, (await app.visitor.get(`/auto-part/${slug}`)).status]).toEqual([slug, 200])
    if (at % 10 > 0) continue
    expect([slug, (await app.visitor.get(`/parts/${slug}/around`)).status]).toEqual([slug, 200])
    expect([slug, (await app.http.inject(`/parts/${slug}`)).statusCode]).toEqual([slug, 200])
  }
})

test('people sign in with their passwords and keep what they had', async () => {
  const account = { email: 'visitor-0@yard.example', password: 'Sable-quay-and-lantern' }
  const signedIn = await app.visitor.post<{ token: string; user: User }>('/login', account)
  expect(signedIn.status).toBe(200)
  const api: ApiClient = app.visitor.as({ token: signedIn.body.token })
  const own = (await api.get<ListingPage>('/seller/parts')).body.items
  const [part] = own
  expect(part?.stocknum).toMatch(/^R-0-/)
  const edited = await api.put<Listing>(`/seller/parts/${part?.id}`, { partprice: 321 })
  expect([edited.status, edited.body.partprice]).toEqual([200, 321])
})
