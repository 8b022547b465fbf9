import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Category } from '#contract/lookups.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { behindPooler } from '#server/platform/database/pooler.ts'
import { POOL_SIZE, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()

const backendOf = async (db: typeof app.db) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid

test('a connection that breaks in the middle of a transaction fails only its own request', async () => {
  const broken = app.db.transaction().execute(async (trx) => {
    const pid = await backendOf(trx)
    await sql`select pg_terminate_backend(${pid})`.execute(app.db)
    await sql`select pg_sleep(0.2)`.execute(trx)
  })
  await expect(broken).rejects.toThrow()
  const answer = await app.visitor.get<Category[]>('/categories')
  expect([answer.status, answer.body.length > 0]).toEqual([200, true])
})

test('a pool without a free connection returns 503 within its two seconds, and recovers', async () => {
  const clients = await Promise.all(Array.from({ length: POOL_SIZE }, () => app.database.pool.connect()))
  const answers = Promise.all([1, 2, 3].map(() => app.visitor.get<{ code: string }>('/categories')))
  const statuses = (await answers).map(({ status, body, headers }) => [
    status,
    body.code,
    headers['retry-after'],
  ])
  expect(statuses).toEqual(Array(3).fill([503, 'BUSY', '1']))
  for (const client of clients) client.release()
  expect((await app.visitor.get('/categories')).status).toBe(200)
})

test('behind a pooler there are no named prepared statements and no startup settings', async () => {
  const url = app.config.databaseUrl ?? ''
  const lookInside = async (address: string) => {
    const { db, close } = openDatabase(address, { max: 1, applicationName: 'pooler' })
    await sql`/* prepared */ select 1`.execute(db)
    const { rows } = await sql<{ prepared: number; timeout: string }>`
      select (select count(*) from pg_prepared_statements) as prepared,
        current_setting('statement_timeout') as timeout`.execute(db)
    await close()
    return rows[0]
  }
  // Other tests of this process may have used up the names, so there may be none here either.
  expect(await lookInside(url)).toMatchObject({ timeout: '10s' })
  expect(await lookInside(behindPooler(url))).toEqual({ prepared: 0, timeout: '0' })
})
