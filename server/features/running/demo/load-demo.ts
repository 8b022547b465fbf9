import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { readPartTypes, readVehicles } from '#db/data/read-data.ts'
import { replaceDays } from '#server/features/market/analytics/figures.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import {
  copyListings,
  ListingDraft,
  type NewListingRow,
} from '#server/features/market/listings/copy-listings.ts'
import { loadSearchNames } from '#server/features/market/listings/search-row/search-rows.ts'
import { changeGrant } from '#server/features/money/billing/plans.ts'
import type { ProviderCalls, StripeClient } from '#server/features/money/billing/provider.ts'
import { isLive } from '#server/features/money/billing/provider-state.ts'
import { ensureAccount, ensureCustomer } from '#server/features/money/billing/requests.ts'
import { syncConnect, syncSubscription } from '#server/features/money/billing/sync.ts'
import { hashPassword } from '#server/features/people/accounts/passwords.ts'
import type { Db } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'
import { type DemoLead, type DemoView, leadsOfSignIns, viewsOfSignIns } from './demo-leads.ts'
import { insertPictures, storeDrawings } from './demo-pictures.ts'
import { insertDemoSearches } from './demo-searches.ts'
import { type DemoAccount, type DemoSeller, demoAccount, demoSellers } from './demo-sellers.ts'
import { DEMO_PASSWORD, demoEmails } from './demo-sign-ins.ts'
import { demoToday, generateListings, type LookupIds, listingRows } from './demo-stock.ts'

/** The name of the demo data in `loaded_data` once all of it is loaded. */
const DEMO_DATA = 'demo'

/** Whether this or an earlier version loaded the demo data into this database. */
export async function isDemoLoaded(db: Db): Promise<boolean> {
  const { rows } = await sql`select from loaded_data where name = ${DEMO_DATA}`.execute(db)
  return rows.length > 0
}

/** A readiness check: a demo without its data would look broken. */
export async function requireDemoData(db: Db): Promise<void> {
  if (!(await isDemoLoaded(db))) throw new Error('the demo data is not loaded yet')
}

/** Makes a second process that loads at the same time wait for the first. Held until the transaction ends. */
export async function lockDemoLoad(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${DEMO_DATA}))`.execute(trx)
}

// Prefix of the mark that each transaction of `addDemoParts` writes, followed by the number of parts.
const STOCK_MARK = 'demo parts to '

/** Returns how many parts were added beyond the first ones. */
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

/** Updates the planner's statistics after a bulk insert; autovacuum's next run may be minutes away. */
export async function analyzeListings(db: Db): Promise<void> {
  await sql`analyze listing, listing_search`.execute(db)
}

/** Seller ids by their members' email. */
export async function listSellerIds(db: Db, emails: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ email: string; sellerId: string }>`
    select u.email::text as email, m.seller_id as "sellerId"
    from app_user u join seller_member m on m.user_id = u.id
    where u.email = any(${[...emails]}::citext[])
  `.execute(db)
  return new Map(rows.map(({ email, sellerId }) => [email, sellerId]))
}

/** Writes people, their sellers, memberships and the yards' locations in one statement; returns seller ids by email. */
async function insertDemoAccounts(trx: Db, accounts: readonly DemoAccount[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ email: string; sellerId: string }>`
    with input as materialized (
      select a.*, uuidv7() as "sellerId"
      from jsonb_to_recordset(${JSON.stringify(accounts)}::jsonb) as a(
        email citext, person text, "passwordHash" text, role smallint, yard text, "slugWords" text, tier text,
        "subscriptionStatus" text, "connectStatus" text, trusted boolean, "showsPhone" boolean, "timeZone" text,
        "listingDefaults" jsonb, street text, city text, state text, zip text,
        latitude float8, longitude float8, phone text, hours jsonb, policy jsonb, certified boolean,
        "createdAt" timestamptz, "sellsOnline" boolean, "saleMode" text)
    ), people as (
      insert into app_user (name, email, password_hash, role, email_verified_at, terms_accepted_at, created_at)
      select person, email, "passwordHash", role, "createdAt", "createdAt", "createdAt" from input
      returning id, email
    ), sellers as (
      insert into seller (id, slug, name, time_zone, tier, subscription_status, connect_status, charges_enabled,
                          trusted, listing_defaults, show_phone_publicly, phone, hours, policy, certified, created_at,
                          pro_granted_at, established_at, sells_online, sale_mode, days_to_ship, can_transfer,
                          selling_accepted_at, accepted_royalty_percent)
      select "sellerId", "slugWords" || '-' || right("sellerId"::text, 6), yard, "timeZone", tier,
             "subscriptionStatus", "connectStatus", "connectStatus" = 'VERIFIED', trusted, "listingDefaults",
             "showsPhone", phone, hours, policy, certified, "createdAt", case tier when 'PAID' then "createdAt" end,
             case when "createdAt" < now() - interval '30 days' then "createdAt" + interval '30 days' end,
             "sellsOnline", "saleMode", 2, "sellsOnline", case when "sellsOnline" then "createdAt" end,
             case when "sellsOnline" then case tier when 'PAID' then 6 else 10 end end
      from input
    ), members as (
      insert into seller_member (user_id, seller_id) select p.id, i."sellerId" from people p join input i using (email)
    ), places as (
      insert into seller_location (seller_id, name, street, city, state, zip, latitude, longitude)
      select "sellerId", 'Yard', street, city, state, zip, latitude, longitude from input
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

// Each piece looks up the vehicles that its parts fit, which takes as long for a few parts as for hundreds.
const ROWS_A_PIECE = 500

/** Drafts new listings that are in memory, outside of a transaction or in one. */
export async function draftInPieces(db: Db, rows: readonly NewListingRow[]): Promise<ListingDraft> {
  const names = await loadSearchNames(db)
  const draft = new ListingDraft()
  for (let from = 0; from < rows.length; from += ROWS_A_PIECE) {
    await draft.add(db, rows.slice(from, from + ROWS_A_PIECE), names)
  }
  return draft
}

/** Writes drafted listings by COPY, which takes half the time of an insert. */
export async function copyDraft(trx: Db, draft: ListingDraft): Promise<void> {
  // A trigger stores a listing's statements about numbers. If it were planned for each listing, it would take four
  // times as long.
  await sql`set local plan_cache_mode to force_generic_plan`.execute(trx)
  await copyListings(trx, draft)
  await sql`set local plan_cache_mode to default`.execute(trx)
}

/** With the same history as a listing made by hand. */
async function insertDemoListings(
  trx: Db,
  rows: readonly NewListingRow[],
  changeSetId: string,
): Promise<void> {
  await copyDraft(trx, await draftInPieces(trx, rows))
  await sql`
    insert into listing_change (change_set_id, listing_id, version, changes)
    select ${changeSetId}, id, 1, '{"created": [null, "demo data"]}'
    from unnest(${rows.map(({ id }) => id)}::uuid[]) as id
  `.execute(trx)
}

async function insertViews(trx: Db, views: readonly DemoView[]): Promise<void> {
  await sql`
    insert into listing_view (listing_id, seller_id, day, views)
    select l.id, l.seller_id, day, views
    from jsonb_to_recordset(${JSON.stringify(views)}::jsonb) as v("listingId" uuid, day date, views int)
    join listing l on l.id = "listingId"
  `.execute(trx)
}

/** Inserts conversations with buyers; the yard's owner is the author of replies. */
async function insertLeads(trx: Db, leads: readonly DemoLead[]): Promise<void> {
  await sql`
    with input as materialized (
      select i.*, l.seller_id
      from jsonb_to_recordset(${JSON.stringify(leads)}::jsonb) as i(
        id uuid, "listingId" uuid, "listingTitle" text, name text, email text, phone text, message text, state text,
        "createdAt" timestamptz, "answeredAt" timestamptz, answer jsonb, talk jsonb)
      join listing l on l.id = "listingId"
    ), leads as (
      insert into lead (id, seller_id, listing_id, listing_title, name, email, phone, state, created_at, answered_at,
                        confirmed_at, wrote_at)
      select id, seller_id, "listingId", "listingTitle", name, email, phone, state, "createdAt", "answeredAt",
             case when email is not null then "createdAt" end,
             coalesce((select max((o ->> 'createdAt')::timestamptz) from jsonb_array_elements(talk) o
                       where o ->> 'sender' = 'buyer'), "createdAt")
      from input
    )
    insert into lead_message (id, lead_id, sender, kind, author_user_id, author_name, body, price_cents, currency,
                              expires_at, created_at, mailed_at)
    select said.id, i.id, sender, kind, case when sender = 'seller' then u.id end,
           case when sender = 'seller' then u.name end, body, price, case when price is not null then 'USD' end,
           expires, at, at
    from input i
    join seller_member m on m.seller_id = i.seller_id and m.role = 'owner'
    join app_user u on u.id = m.user_id
    cross join lateral (
      select i.id, 'buyer' as sender, 'text' as kind, i.message as body, null::bigint as price,
             null::timestamptz as expires, "createdAt" as at
      union all
      select (answer ->> 'id')::uuid, 'seller', 'text', answer ->> 'message', null, null, "answeredAt"
      where answer ->> 'id' is not null
      union all
      select o.id, o.sender, o.kind, o.body, o."priceCents", o."expiresAt", o."createdAt"
      from jsonb_to_recordset(talk) as o(
        id uuid, sender text, kind text, body text, "priceCents" bigint, "expiresAt" timestamptz, "createdAt" timestamptz)
    ) said
  `.execute(trx)
}

// Marks this version of the demo data; a loaded database is never loaded again.
const VERSION = createHash('sha256').update('demo data 2').digest('hex')

/**
 * Fills an empty marketplace with three people who can sign in, forty yards, and 5,000 listings with pictures, views
 * and messages. Runs in one transaction, so a kill leaves nothing half done; further calls do nothing. Returns whether
 * it loaded. The lookups must be loaded first.
 * @throws Refusal if another account has one of the demo's email addresses
 */
export async function loadDemo(db: Db, files: FileStore, now: Date): Promise<boolean> {
  if (await isDemoLoaded(db)) return false
  const today = demoToday(now)
  const partTypes = readPartTypes()
  const sellers = demoSellers()
  // The listings are generated while other threads draw.
  const [drawings, passwordHash, listings] = await Promise.all([
    storeDrawings(files, [...new Set(partTypes.map(({ group }) => group))]),
    hashPassword(DEMO_PASSWORD),
    generateListings(sellers, { vehicles: readVehicles(), partTypes }, today),
  ])
  return withChangeSet(db, { actorKind: 'system', reason: 'load demo data' }, async (trx, changeSetId) => {
    await lockDemoLoad(trx)
    if (await isDemoLoaded(trx)) return false
    await refuseKnownEmails(trx, sellers)
    const accounts = sellers.map((seller) => demoAccount(seller, { today, passwordHash }))
    const sellerIds = await insertDemoAccounts(trx, accounts)
    const toRow = listingRows(sellers, sellerIds, await readLookupIds(trx))
    const rows = listings.map((listing) => ({ ...toRow(listing), has_picture: listing.hasPicture }))
    await insertDemoListings(trx, rows, changeSetId)
    await insertPictures(trx, listings, drawings)
    const views = viewsOfSignIns(listings, today)
    await insertViews(trx, views)
    await insertLeads(trx, leadsOfSignIns(listings, views, today))
    await insertDemoSearches(trx, now)
    await replaceDays(trx, [...sellerIds.values()])
    await analyzeListings(trx)
    await enqueueJob(trx, { queue: openDemoPaymentsQueue, payload: {} })
    await sql`insert into loaded_data (name, sha256) values (${DEMO_DATA}, ${VERSION})`.execute(trx)
    return true
  })
}

async function refuseKnownEmails(trx: Db, sellers: readonly DemoSeller[]): Promise<void> {
  const { rows } = await sql<{ email: string }>`
    select email from app_user where email = any(${sellers.map(({ email }) => email)}::citext[]) order by email
  `.execute(trx)
  if (rows.length === 0) return
  const known = rows.map(({ email }) => email).join(', ')
  throw new Refusal(
    `The demo data needs ${known}, which is already registered. Use another DATA_DIR, or DEMO_DATA=off.`,
  )
}

/** Sets up the demo's Pro seller at the payment provider. */
export const openDemoPaymentsQueue: JobQueue<Record<string, never>> = {
  name: 'open-demo-payments',
  title: 'Open demo payments',
  payload: z.object({}).strict(),
  // About half an hour of retries: at the first start it is enqueued before the simulator listens.
  maxAttempts: 10,
  retryDelaySeconds: 2,
  resumable: true,
  timeoutSeconds: 60,
  concurrency: 1,
}

const WITHIN_MS = 40_000

/**
 * Creates a customer with a paid subscription and a verified payout account for the demo's Pro seller, so that portal,
 * balance and payout settings have something to show. Uses the same calls as for real sellers; every step is
 * repeatable. Revokes the earlier grant, so that canceling the subscription leads back to Free.
 */
export async function openDemoPayments(db: Db, stripe: StripeClient): Promise<void> {
  const email = demoEmails.pro
  const sellerId = (await listSellerIds(db, [email])).get(email)
  if (sellerId === undefined) return
  const calls = stripe.within(WITHIN_MS)
  await subscribe(db, calls, { sellerId, email })
  await ensureAccount(db, calls, { sellerId, email, metadata: { simulator: 'verified' } })
  await syncConnect(db, calls, sellerId)
}

async function subscribe(
  db: Db,
  calls: ProviderCalls,
  { sellerId, email }: { sellerId: string; email: string },
): Promise<void> {
  const customer = { sellerId, name: 'Green Country Salvage', email, paymentMethod: 'pm_card_visa' }
  const customerId = await ensureCustomer(db, calls, customer)
  const subscriptions = await calls.listSubscriptions(customerId)
  if (!subscriptions.some(isLive)) await calls.createSubscription(customerId, `demo ${customerId}`)
  const synced = await syncSubscription(db, calls, sellerId)
  if (!synced?.subscriptions.some(isLive)) return
  await db
    .transaction()
    .execute((trx) => changeGrant(trx, { sellerId, granted: false, canRead: true, by: {} }))
}
