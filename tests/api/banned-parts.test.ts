import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Listing } from '#contract/listings.ts'
import { hasBanned, hideBanned } from '#server/features/market/banned-parts/hide-banned.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { endHolds, makeOrder } from '#tests/support/make-orders.ts'
import { makeQuickListing } from '#tests/support/make-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* Parts that were listed before a rule banned them where they are. */

const app = await startTestApp()
let yard: SignedIn
beforeAll(async () => {
  yard = await app.signUp()
})

/** As it was listed before the rule. */
async function list(name: string, state: string): Promise<Listing> {
  const listing = await makeQuickListing(yard.api, { partname: 'Muffler' })
  await withChangeSet(app.db, { actorKind: 'system', reason: 'test' }, (trx) =>
    sql`update listing set name = ${name}, state = ${state} where id = ${listing.id}`.execute(trx),
  )
  return listing
}

/** Runs the statement of the migration that marks. */
async function mark(): Promise<void> {
  const migration = readFileSync('db/migrations/0131_banned_converters.sql', 'utf8')
  await sql.raw(migration.slice(migration.indexOf('insert into banned_listing'))).execute(app.db)
}

const run = () =>
  hideBanned(app.config, {
    jobId: '019a0000-0000-7000-8000-000000000001',
    signal: new AbortController().signal,
    withFence: (work) => app.db.transaction().execute(work),
  })

const statusOf = async ({ id }: Listing) => {
  const { rows } = await sql<{ status: string }>`select status from listing where id = ${id}`.execute(app.db)
  return rows[0]?.status
}

test('converters in California and New York are hidden, with one email that names them', async () => {
  const inCalifornia = await list('Catalytic Converter', 'CA')
  const inNewYork = await list('Cat converter, left', 'NY')
  const elsewhere = await list('Catalytic Converter', 'OK')
  const shield = await list('Catalytic converter heat shield', 'CA')
  const ordered = await list('Catalytic converter', 'CA')
  const until = new Date(Date.now() + 3_600_000)
  const order = await makeOrder(app.db, { listingId: ordered.id, state: 'pending', until })
  await mark()
  expect(await hasBanned(app.db)).toBe(true)
  await run()
  const statuses = await Promise.all([inCalifornia, inNewYork, elsewhere, shield, ordered].map(statusOf))
  expect(statuses).toEqual(['HIDDEN', 'HIDDEN', 'ACTIVE', 'ACTIVE', 'ACTIVE'])
  expect((await app.visitor.get(`/auto-part/${inCalifornia.partslug}`)).status).toBe(404)
  const { rows: mails } = await sql<{ subject: string; body: string }>`
    select subject, body from mail where subject like 'We hid%'`.execute(app.db)
  expect(mails).toHaveLength(1)
  expect(mails[0]?.subject).toBe('We hid 2 parts that may not be sold in your state')
  expect(mails[0]?.body).toContain('- Catalytic Converter\n- Cat converter, left\n')
  expect(mails[0]?.body).toContain('California does not allow the sale of used catalytic converters')
  // One that somebody is buying waits for that.
  expect(await hasBanned(app.db)).toBe(false)
  await endHolds(app.db, order.id)
  expect(await hasBanned(app.db)).toBe(true)
  await run()
  expect(await statusOf(ordered)).toBe('HIDDEN')
  expect(await hasBanned(app.db)).toBe(false)
})
