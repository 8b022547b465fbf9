import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readTally, tallyOf } from '#server/features/for-sale/tally.ts'
import { wholeListing } from '#server/features/listings/listing-queries.ts'
import { findMatches } from '#server/features/search/matches/find-matches.ts'
import { openSearchMemory } from '#server/features/search/matches/search-memory.ts'
import { readQuery } from '#server/features/search/query/read-query.ts'
import { migrate } from '#server/platform/database/migrations.ts'
import { databaseBefore } from '#tests/support/older-database.ts'

/* A data folder from before 0003_lists.sql. */

const database = await databaseBefore('0003')

test('listings from before the migration are found and counted after it', async () => {
  const { pool, db } = database
  await pool.query(`
    begin;
    select set_config('partharbor.change_set', uuidv7()::text, true);
    insert into seller (slug, name) values ('yard', 'Yard');
    insert into listing (seller_id, kind, slug, name, manufacturer_name, model_name, year_from, year_to, price_cents,
                         status, ended_at, ended_reason, deleted_at)
    select s.id, 'quick', n, n || ' motors', 'Ford', 'F-150', 2009, 2011, 100, status, ended_at, reason, deleted_at
    from seller s, (values ('live', 'ACTIVE', null::timestamptz, null, null::timestamptz), ('hidden', 'HIDDEN', null, null, null),
                           ('ended', 'ACTIVE', now(), 'scrapped', null), ('deleted', 'ACTIVE', null, null, now()))
                   as t(n, status, ended_at, reason, deleted_at);
    insert into listing_search (listing_id, seller_id, live, document)
    select id, seller_id, slug = 'live', setweight(to_tsvector('english', search_words(name)), 'A') from listing;
    commit`)
  await migrate(pool)
  const find = async (q: string, year: string, seller?: string) => {
    const search = await readQuery(db, { q, year }, seller ? { id: seller, state: 'active' } : undefined)
    if (typeof search === 'string') throw new Error('nothing was asked')
    const span = { offset: 0, limit: 12 }
    const shape = wholeListing
    const found = await findMatches({
      db,
      search,
      span,
      shape,
      memory: openSearchMemory(() => new Date(0)),
      now: 0,
    })
    return found.items.map(({ slug }) => slug)
  }
  expect(await find('motor', '2010')).toEqual(['live'])
  expect(await find('motor', '2012')).toEqual([])
  const { rows } = await sql<{ id: string }>`select id from seller`.execute(db)
  expect((await find('motor', '', rows[0]?.id)).toSorted()).toEqual(['hidden', 'live'])
  const counts = { live: 1, running: 2, ended: 1, kept: 3, writes: 4 }
  expect(await readTally(db)).toMatchObject(counts)
  expect((await sql`${tallyOf(rows[0]?.id)}`.execute(db)).rows).toEqual([{ ...counts, changes: 0 }])
})
