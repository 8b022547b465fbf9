import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { atLength } from '#tests/support/at-length.ts'
import { openLiveScripts } from '#tests/support/live-scripts.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const scripts = await openLiveScripts(app)
let seller: SignedIn
let admin: SignedIn
beforeAll(async () => {
  seller = await app.signUp()
  admin = await app.signUp({ role: 'admin' })
})

/** Listings that two calls make alike, except for their ids. */
const list = (parts: number) =>
  makeStock(app.db, { sellerId: seller.user.sellerId, parts }, (at) => ({
    name: 'Alternator',
    part_number: `DL3Z-${at + 1}`,
    description: at % 3 === 0 ? 'Bench tested.' : '',
    price_cents: 1_000 + at,
  }))

// The generated text differs from listing to listing.
const LEAST_WRITTEN = 300
const wordless = (_key: string, value: unknown) =>
  typeof value === 'string' && value.length >= LEAST_WRITTEN ? 'a text of the writer' : value

/** All facts of these listings, in order, without what differs between two that were made alike. */
async function factsOf(ids: readonly string[]): Promise<unknown[]> {
  const { rows } = await sql`
    select to_jsonb(l) - '{id,slug,created_at,updated_at}'::text[] as listing, (to_jsonb(t) - 'listing_id')
             -- The marks of samples depend on the id.
             || jsonb_build_object('document', ts_delete(t.document, array['=8th', '=64th', '=512th'])) as searched,
           (select jsonb_agg(jsonb_build_array(c.version, s.reason, c.changes) order by c.version)
            from listing_change c join change_set s on s.id = c.change_set_id where c.listing_id = l.id) as history
    from listing l left join listing_search t on t.listing_id = l.id
    where l.id = any(${[...ids]}::uuid[]) order by l.id
  `.execute(app.db)
  return JSON.parse(JSON.stringify(rows), wordless)
}

type Saves = { items: { id: string; how: string; listings: number; undoneAt: string | null }[] }
const newestSave = async () => (await admin.api.get<Saves>('/admin/change-sets')).body.items[0]
const undo = (changeSetId: string | undefined) =>
  admin.api.post<{ undone: number; kept: unknown[] }>(`/admin/change-sets/${changeSetId}/undo`)

/** Locks a row until the returned function runs; other writers wait. */
async function hold(
  table: 'listing' | 'listing_search',
  id: string | undefined,
): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()
  const key = table === 'listing' ? sql`id` : sql`listing_id`
  const holding = app.db.transaction().execute(async (trx) => {
    await sql`select from ${sql.table(table)} where ${key} = ${id} for update`.execute(trx)
    held.resolve()
    await over.promise
  })
  await held.promise
  return async () => {
    over.resolve()
    await holding
  }
}

/** The server process that waits for a row with such a statement. */
async function untilWaiting(statement: string): Promise<number> {
  let pid: number | undefined
  await expect.poll(async () => (pid = await findWaiting(statement)), { timeout: 30_000 }).toBeDefined()
  return pid ?? 0
}

async function findWaiting(statement: string): Promise<number | undefined> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query ~* ${statement} and pid <> pg_backend_pid()
  `.execute(app.db)
  return rows[0]?.pid
}

describe('a bulk save that a job writes page by page', () => {
  const PARTS = 700
  const describeAll = () => scripts.start('description-optimizer', {}, { createdBy: admin.user.id })
  const removeAll = () =>
    withChangeSet(app.db, { actorKind: 'system', reason: 'test' }, (trx) =>
      trx.updateTable('listing').set({ deleted_at: new Date() }).execute(),
    )

  test('is undone as a whole even if its worker was stopped halfway, with the same result', async () => {
    const undisturbed = await list(PARTS)
    await scripts.ended(await describeAll())
    expect((await undo((await newestSave())?.id)).body).toMatchObject({ undone: PARTS, kept: [] })
    const wanted = await factsOf(undisturbed)
    await removeAll()

    const ids = await list(PARTS)
    const letGo = await hold('listing', ids[PARTS - 100])
    const job = await describeAll()
    await untilWaiting('for update')
    const half = await newestSave()
    expect(half?.listings).toBeGreaterThan(0)
    expect(half?.listings).toBeLessThan(PARTS)
    await Promise.all([scripts.changeWorker(), letGo()])
    await scripts.ended(job)
    expect(await newestSave()).toMatchObject({ id: half?.id, listings: PARTS })
    expect((await undo(half?.id)).body).toMatchObject({ undone: PARTS, kept: [] })
    expect(await factsOf(ids)).toEqual(wanted)
  }, 120_000)
})

describe('an undo whose connection breaks', () => {
  const PARTS = atLength({ full: 1_000, brief: 300 })
  /** Changes prices and searchable names. */
  const save = async (ids: readonly string[]) => {
    const items = ids.map((id, at) => ({ id, partprice: 5 + at, partname: 'Dynamo' }))
    const { body } = await admin.api.post<{ changeSetId: string }>('/admin/parts/bulk-update', { items })
    return body.changeSetId
  }

  const moments: [title: string, table: 'listing' | 'listing_search', statement: string][] = [
    ['before it wrote anything', 'listing', 'for update'],
    ['after everything but the search was written', 'listing_search', 'update listing_search'],
  ]

  test.each(atLength({ full: moments, brief: moments.slice(-1) }))(
    '%s undoes nothing, and the next undo completes',
    async (_title, table, statement) => {
      const undisturbed = await list(PARTS)
      expect((await undo(await save(undisturbed))).body).toMatchObject({ undone: PARTS })

      const ids = await list(PARTS)
      const changeSetId = await save(ids)
      const saved = await factsOf(ids)
      const letGo = await hold(table, ids[PARTS / 2])
      const broken = undo(changeSetId)
      const pid = await untilWaiting(statement)
      await sql`select pg_terminate_backend(${pid})`.execute(app.db)
      expect((await broken).status).toBe(503)
      await letGo()
      expect(await factsOf(ids)).toEqual(saved)
      expect(await newestSave()).toMatchObject({ id: changeSetId, undoneAt: null })

      expect((await undo(changeSetId)).body).toMatchObject({ undone: PARTS, kept: [] })
      expect(await factsOf(ids)).toEqual(await factsOf(undisturbed))
      expect((await undo(changeSetId)).status).toBe(409)
    },
    60_000,
  )
})
