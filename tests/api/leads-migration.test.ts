import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readFigures } from '#server/features/market/analytics/figures.ts'
import { listLeads, presentLead } from '#server/features/talk/leads/leads.ts'
import { findLinkedLead } from '#server/features/talk/leads/message-links.ts'
import { migrate } from '#server/platform/database/migrations.ts'
import { databaseBefore } from '#tests/support/older-database.ts'

/* Data folders from before 0005_leads.sql and 0052_conversations.sql. */

const database = await databaseBefore('0005')
const withAnswers = await databaseBefore('0052')

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

test('messages and their answers become conversations, in their order; a link that was mailed still opens one', async () => {
  const { pool, db } = withAnswers
  await pool.query(`
    insert into seller (slug, name) values ('yard', 'Yard');
    insert into lead (seller_id, listing_title, name, email, message, state, answered_at, confirmed_at, created_at)
    select id, 'Horn', 'Ruth', 'ruth@garage.example', 'Still there?', 'answered', now(), now(), now() - interval '3 days'
    from seller;
    insert into lead (seller_id, listing_title, name, email, message, link_hash, link_expires_at, created_at)
    select id, 'Horn', 'Ann', 'ann@garage.example', 'And mine?', sha256('a-token'), now() + interval '13 days',
           now() - interval '1 day'
    from seller;
    insert into lead_answer (lead_id, author_name, message, mailed_at)
    select id, 'Dana', text, now() from lead, unnest(array['Yes.', 'Come by.']) text where name = 'Ruth'`)
  const before = await pool.query('select id from lead order by created_at desc')
  await migrate(pool)
  const { id: sellerId } = await db.selectFrom('seller').select('id').executeTakeFirstOrThrow()
  const now = new Date()
  const leads = await listLeads(db, { sellerId, page: 1, perPage: 10, now })
  expect(leads.map(({ id }) => id)).toEqual(before.rows.map(({ id }) => id))
  expect(leads.map((lead) => presentLead(lead, now))).toMatchObject([
    { message: 'And mine?', emailConfirmed: false, messages: [{ from: 'buyer', by: 'Ann' }], answers: [] },
    {
      message: 'Still there?',
      state: 'answered',
      answeredAt: expect.any(String),
      messages: [
        { message: 'Still there?' },
        { from: 'seller', by: 'Dana', mailed: true },
        { message: 'Come by.' },
      ],
      answers: [{ message: 'Yes.' }, { message: 'Come by.' }],
    },
  ])
  expect(await findLinkedLead(db, { token: 'a-token', now })).toMatchObject({ name: 'Ann' })
  const inTwoWeeks = new Date(now.getTime() + 14 * 86_400_000)
  await expect(findLinkedLead(db, { token: 'a-token', now: inTwoWeeks })).rejects.toThrow('expired')
})
