import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readFigures } from '#server/features/analytics/figures.ts'
import { migrate } from '#server/platform/database/migrations.ts'
import { databaseBefore } from '#tests/support/older-database.ts'

/* A data folder from before 0005_leads.sql. */

const database = await databaseBefore('0005')

test('views from before the migration belong to their seller after it and count in the totals', async () => {
  const { pool, db } = database
  await pool.query(`
    begin;
    select set_config('partharbor.change_set', uuidv7()::text, true);
    insert into seller (slug, name) values ('yard', 'Yard'), ('other', 'Other');
    insert into listing (seller_id, kind, slug, name, manufacturer_name, model_name, year_from, year_to, price_cents)
    select id, 'quick', slug || n, 'Horn', 'Ford', 'F-150', 2009, 2009, 100 from seller, generate_series(1, 2) n;
    insert into listing_view (listing_id, day, views)
    select id, current_date - d, 10 from listing, (values (2), (9), (80)) as t(d) where slug like 'yard%';
    insert into listing_view (listing_id, day, views) values (uuidv7(), current_date, 5);
    commit`)
  await migrate(pool)
  const sellerId = async (slug: string) =>
    (await db.selectFrom('seller').select('id').where('slug', '=', slug).executeTakeFirstOrThrow()).id
  const viewsOf = async (slug: string) =>
    (await readFigures(db, { sellerId: await sellerId(slug), now: new Date() })).views
  expect([await viewsOf('yard'), await viewsOf('other')]).toEqual([40, 0])
  const { rows } = await sql<{ owned: number; others: number }>`
    select count(*) filter (where v.seller_id = l.seller_id) as owned, count(*) filter (where v.seller_id is null) as others
    from listing_view v left join listing l on l.id = v.listing_id`.execute(db)
  expect(rows).toEqual([{ owned: 6, others: 1 }])
})
