import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import { quickListing, someLookups } from '#tests/support/make-rows.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* The disk of the database; that of the file store is in `pictures.test.ts` and `imports-limits.test.ts`. */

const app = await startTestApp()
const { api } = await app.signUp()
const lookups = await someLookups(app.visitor)
const list = () => api.post<ErrorReply>('/seller/quick-listings', quickListing(lookups))

/** Every write to these tables fails as PostgreSQL's own writes do in this state. */
async function failWrites(state: string): Promise<void> {
  await sql`
    create or replace function fail_write() returns trigger language plpgsql as ${sql.lit(
      `begin raise exception 'could not extend file "base/16384/17012"' using errcode = '${state}'; end`,
    )}`.execute(app.db)
  for (const table of ['listing', 'session']) {
    await sql`
      create or replace trigger fail_write before insert or update on ${sql.table(table)}
      for each statement execute function fail_write()`.execute(app.db)
  }
}

const mendDisk = () => sql`drop function fail_write cascade`.execute(app.db)

test.each([
  [
    'is full',
    '53100',
    507,
    'STORAGE_FULL',
    'The disk is full, so nothing was saved. Please try again later.',
  ],
  [
    'became read-only',
    '25006',
    503,
    'BUSY',
    'The disk is read-only at the moment, so nothing was saved. Please try again later.',
  ],
])('a database whose disk %s says so, reading goes on, and it recovers by itself', async (...row) => {
  const [, state, status, code, sentence] = row
  // Otherwise the session's last use is not written.
  await sql`update session set last_seen_at = now() - interval '1 hour'`.execute(app.db)
  await failWrites(state)
  const answer = await list()
  expect([answer.status, answer.body.code, answer.body.error]).toEqual([status, code, sentence])
  expect(answer.headers['retry-after']).toBe('30')
  expect((await api.get('/seller/parts')).status).toBe(200)
  await mendDisk()
  expect((await list()).status).toBe(201)
})
