import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { DemoLead, DemoView } from './demo-leads.ts'
import type { DemoAccount } from './demo-sellers.ts'
import type { LookupIds } from './demo-stock.ts'

/** The name under which the demo data stands in `loaded_data` once all of it is in. */
const DEMO_DATA = 'demo'

/** Was the demo data loaded into this database, by this or an earlier version? */
export async function isDemoLoaded(db: Db): Promise<boolean> {
  const { rows } = await sql`select from loaded_data where name = ${DEMO_DATA}`.execute(db)
  return rows.length > 0
}

/** A readiness check: a demo without its data would look broken. */
export async function requireDemoData(db: Db): Promise<void> {
  if (!(await isDemoLoaded(db))) throw new Error('the demo data is not in yet')
}

/** Two processes may load at once: the second waits here until the first is done. Held until the transaction ends. */
export async function lockDemoLoad(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${DEMO_DATA}))`.execute(trx)
}

export async function markDemoLoaded(trx: Db, sha256: string): Promise<void> {
  await sql`insert into loaded_data (name, sha256) values (${DEMO_DATA}, ${sha256})`.execute(trx)
}

// One mark for every transaction of `addDemoParts`, with how many parts were in at its end.
const STOCK_MARK = 'demo parts to '

/** How many parts were added to the demo data's first ones. */
export async function countDemoStock(db: Db): Promise<number> {
  const { rows } = await sql<{ done: number }>`
    select coalesce(max(substr(name, ${STOCK_MARK.length + 1})::int), 0) as done
    from loaded_data where starts_with(name, ${STOCK_MARK})
  `.execute(db)
  return rows[0]?.done ?? 0
}

export async function markDemoStock(trx: Db, done: number, sha256: string): Promise<void> {
  await sql`insert into loaded_data (name, sha256) values (${STOCK_MARK + done}, ${sha256})`.execute(trx)
}

/** So many rows at once are not what the planner knew, and the next look of autovacuum may be minutes away. */
export async function analyzeListings(db: Db): Promise<void> {
  await sql`analyze listing, listing_search`.execute(db)
}

/** Ids of sellers by the e-mail of their people. */
export async function listSellerIds(db: Db, emails: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ email: string; sellerId: string }>`
    select u.email::text as email, m.seller_id as "sellerId"
    from app_user u join seller_member m on m.user_id = u.id
    where u.email = any(${[...emails]}::citext[])
  `.execute(db)
  return new Map(rows.map(({ email, sellerId }) => [email, sellerId]))
}

/** Those of the e-mails that have an account already. */
export async function listKnownEmails(db: Db, emails: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select email from app_user where email = any(${[...emails]}::citext[]) order by email
  `.execute(db)
  return rows.map(({ email }) => email)
}

/** Writes people, their sellers, membership and the yard's place in one statement; answers seller ids by e-mail. */
export async function insertDemoAccounts(
  trx: Db,
  accounts: readonly DemoAccount[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ email: string; sellerId: string }>`
    with input as materialized (
      select a.*, uuidv7() as "sellerId"
      from jsonb_to_recordset(${JSON.stringify(accounts)}::jsonb) as a(
        email citext, person text, "passwordHash" text, role smallint, yard text, "slugWords" text, tier text,
        "subscriptionStatus" text, "connectStatus" text, trusted boolean, "showsPhone" boolean, "timeZone" text,
        "listingDefaults" jsonb, city text, state text, zip text, latitude float8, longitude float8,
        "createdAt" timestamptz)
    ), people as (
      insert into app_user (name, email, password_hash, role, email_verified_at, terms_accepted_at, created_at)
      select person, email, "passwordHash", role, "createdAt", "createdAt", "createdAt" from input
      returning id, email
    ), sellers as (
      insert into seller (id, slug, name, time_zone, tier, subscription_status, connect_status, charges_enabled,
                          trusted, listing_defaults, show_phone_publicly, created_at, pro_granted_at)
      select "sellerId", "slugWords" || '-' || right("sellerId"::text, 6), yard, "timeZone", tier,
             "subscriptionStatus", "connectStatus", "connectStatus" = 'VERIFIED', trusted, "listingDefaults",
             "showsPhone", "createdAt", case tier when 'PAID' then "createdAt" end
      from input
    ), members as (
      insert into seller_member (user_id, seller_id) select p.id, i."sellerId" from people p join input i using (email)
    ), places as (
      insert into seller_location (seller_id, name, city, state, zip, latitude, longitude)
      select "sellerId", 'Yard', city, state, zip, latitude, longitude from input
    )
    select email::text as email, "sellerId" from input
  `.execute(trx)
  return new Map(rows.map(({ email, sellerId }) => [email, sellerId]))
}

/** Ids of lookups by name, of models by "manufacturer/model". */
export async function readLookupIds(db: Db): Promise<LookupIds> {
  const [categories, manufacturers, models] = await Promise.all([
    sql<Named>`select name, id from category where merged_into is null`.execute(db),
    sql<Named>`select name, id from manufacturer where merged_into is null`.execute(db),
    sql<Named>`
      select f.name || '/' || m.name as name, m.id from car_model m join manufacturer f on f.id = m.manufacturer_id
      where m.merged_into is null
    `.execute(db),
  ])
  const byName = ({ rows }: { rows: Named[] }) => new Map(rows.map(({ name, id }) => [name, id]))
  return { categories: byName(categories), manufacturers: byName(manufacturers), models: byName(models) }
}

type Named = { name: string; id: string }

export async function insertViews(trx: Db, views: readonly DemoView[]): Promise<void> {
  await sql`
    insert into listing_view (listing_id, seller_id, day, views)
    select l.id, l.seller_id, day, views
    from jsonb_to_recordset(${JSON.stringify(views)}::jsonb) as v("listingId" uuid, day date, views int)
    join listing l on l.id = "listingId"
  `.execute(trx)
}

/** Messages of buyers, and what the owner of the yard answered. */
export async function insertLeads(trx: Db, leads: readonly DemoLead[]): Promise<void> {
  await sql`
    with input as materialized (
      select i.*, l.seller_id
      from jsonb_to_recordset(${JSON.stringify(leads)}::jsonb) as i(
        id uuid, "listingId" uuid, "listingTitle" text, name text, email text, phone text, message text, state text,
        "createdAt" timestamptz, "answeredAt" timestamptz, answer jsonb)
      join listing l on l.id = "listingId"
    ), messages as (
      insert into lead (id, seller_id, listing_id, listing_title, name, email, phone, message, state, created_at,
                        answered_at)
      select id, seller_id, "listingId", "listingTitle", name, email, phone, message, state, "createdAt", "answeredAt"
      from input
    )
    insert into lead_answer (id, lead_id, author_user_id, author_name, message, created_at)
    select (answer ->> 'id')::uuid, i.id, u.id, u.name, answer ->> 'message', "answeredAt"
    from input i
    join seller_member m on m.seller_id = i.seller_id and m.role = 'owner'
    join app_user u on u.id = m.user_id
    where answer ->> 'id' is not null
  `.execute(trx)
}
