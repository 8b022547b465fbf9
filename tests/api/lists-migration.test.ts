import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { findMatches } from '#server/features/finding/search/matches/find-matches.ts'
import { openSearchMemory } from '#server/features/finding/search/matches/search-memory.ts'
import { readQuery } from '#server/features/finding/search/query/read-query.ts'
import { readStockCounts } from '#server/features/market/for-sale/stock-counts.ts'
import { readTally, tallyOf } from '#server/features/market/for-sale/tally.ts'
import { wholeListing } from '#server/features/market/listings/listing-queries.ts'
import { migrate } from '#server/platform/database/migrations.ts'
import { databaseBefore } from '#tests/support/older-database.ts'

/* Data folders from before 0003_lists.sql and 0080_stock_counts.sql. */

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
  const counts = { live: 1, running: 2, ended: 1, kept: 3 }
  expect(await readTally(db)).toMatchObject(counts)
  expect((await sql`${tallyOf(rows[0]?.id)}`.execute(db)).rows).toMatchObject([counts])
})

const uncounted = await databaseBefore('0080')

test('what the search box suggests is counted by its migration, without sellers who are gone', async () => {
  const { pool, db } = uncounted
  await pool.query(`
    begin;
    select set_config('partharbor.change_set', uuidv7()::text, true);
    insert into category (name) values ('Hood'), ('Fender');
    insert into manufacturer (name) values ('Ford');
    insert into car_model (manufacturer_id, name) select id, 'F-150' from manufacturer;
    insert into seller (slug, name) values ('yard', 'Yard'), ('gone', 'Gone');
    insert into gone_seller (seller_id, state) select id, 'closed' from seller where slug = 'gone';
    insert into listing (seller_id, kind, slug, name, category_id, manufacturer_id, manufacturer_name, car_model_id, model_name,
                         year_from, year_to, price_cents, status, ended_at, ended_reason)
    select s.id, 'quick', s.slug || n, c.name, c.id, m.manufacturer_id, 'Ford', m.id, m.name, 2009, 2010, 100,
           case n when 3 then 'HIDDEN' else 'ACTIVE' end, case n when 4 then now() end, case n when 4 then 'scrapped' end
    from seller s, car_model m, generate_series(1, 5) n join category c on c.name = case n when 5 then 'Fender' else 'Hood' end;
    commit`)
  await migrate(pool)
  const { rows: counts } = await sql`
    select coalesce(c.name, f.name, m.name) as name, nullif(s.year, 0) as year, s.live
    from stock_count s left join category c using (id) left join manufacturer f using (id) left join car_model m using (id)
    order by 1, 2`.execute(db)
  expect(counts).toEqual([
    { name: 'F-150', year: 2009, live: 3 },
    { name: 'F-150', year: 2010, live: 3 },
    { name: 'F-150', year: null, live: 3 },
    { name: 'Fender', year: null, live: 1 },
    { name: 'Ford', year: null, live: 3 },
    { name: 'Hood', year: null, live: 2 },
  ])
  const { rows: pairs } = await sql`
    select c.name, p.live from stock_pair p join category c on c.id = p.category_id order by 1`.execute(db)
  expect(pairs).toEqual([
    { name: 'Fender', live: 1 },
    { name: 'Hood', live: 2 },
  ])
  // Nothing that was counted waits to be counted again.
  expect(await readStockCounts(db, 0)).toEqual({ counts: [], isBehind: false })
})
