import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { isOpen, orderStates } from '#contract/order/order-steps.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { settleClosureQueue } from '#server/features/people/accounts/closure.ts'
import { forgetMailbox } from '#server/features/people/accounts/known-devices.ts'
import { YARD_CHANGED } from '#server/features/people/sellers/yard.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, LOWEST_ID } from '#server/platform/database/database.ts'
import { literalPattern } from '#server/platform/database/quoted-text.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'
import { repeatUntilDone } from '#server/platform/processes/concurrency.ts'
import { listSellersOf } from './settle-closure.ts'

/*
 * Erases an account when the days to reopen it are over. This file contains every deletion in order, in small
 * statements that may be interrupted anywhere: the next run does the rest. No other state is kept. Name and email go
 * last, because they are needed to find mentions of them. Files without rows go with the daily sweeps.
 *
 * Kept: invoices and payouts at the payment provider, with its ids on the seller; the account's and the seller's rows
 * without personal data; orders with the names of their parts, and name, street and email of their buyer, as an invoice must
 * have them for years; what was asked and answered about them, without the person; messages without their text; who did what
 * and when in the audit log, by id.
 */

export const eraseAccountsQueue: JobQueue<Record<string, never>> = {
  name: 'erase-accounts',
  title: 'Erase closed accounts',
  payload: z.object({}).strict(),
  maxAttempts: 3,
  retryDelaySeconds: 60,
  resumable: true,
  timeoutSeconds: 3_600,
  concurrency: 1,
}

export async function hasClosures(trx: Db): Promise<boolean> {
  const { rows } = await sql`
    select from account_closure where erased_at is null and reopened_at is null limit 1`.execute(trx)
  return rows.length > 0
}

type Round = { now: Date; signal: AbortSignal }

/**
 * What still happens with an order needs what would be erased: a closed account's buyer can open its link, and ask for a
 * return. Accounts of yards wait as well, since closing an account waited for the orders that were open then.
 */
const hasOpenOrder = sql`exists (
  select from part_order o
  where (o.state = any(${orderStates.filter(isOpen)}) or o.disputed or o.open_returns > 0) and (
    o.buyer_user_id = c.user_id
    or o.seller_id in (select m.seller_id from seller_member m where m.user_id = c.user_id)))`

/**
 * Erases accounts whose time is over and whose orders are, and settles closed accounts again that became active in the
 * meantime.
 */
export async function eraseAccounts(db: Db, { now, signal }: Round): Promise<{ erased: number }> {
  const { rows: due } = await sql<{ userId: string }>`
    select user_id as "userId" from account_closure c
    where erase_after <= ${now} and erased_at is null and reopened_at is null and not ${hasOpenOrder}
    order by erase_after
  `.execute(db)
  let erased = 0
  const failures: unknown[] = []
  for (const { userId } of due) {
    if (!(await shutAccount(db, userId))) continue
    try {
      await eraseAccount(db, userId, { now, signal })
      erased += 1
    } catch (error) {
      signal.throwIfAborted()
      // A failure must not stop the other accounts; the job still fails.
      failures.push(error)
    }
  }
  await settleStragglers(db)
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} accounts could not be erased`)
  return { erased }
}

/**
 * An import running or a checkout open when the account closed may have published parts or started a subscription
 * since.
 */
async function settleStragglers(db: Db): Promise<void> {
  const { rows } = await sql<{ userId: string }>`
    select distinct c.user_id as "userId"
    from account_closure c join seller_member m on m.user_id = c.user_id join seller s on s.id = m.seller_id
    where c.erased_at is null and c.reopened_at is null and (
      s.subscription_status in ('ACTIVE', 'PAST_DUE', 'PENDING')
      or exists (select from listing l where l.seller_id = s.id and l.deleted_at is null and l.ended_at is null)
    )
  `.execute(db)
  for (const { userId } of rows) await enqueueJob(db, { queue: settleClosureQueue, payload: { userId } })
}

/** Blocks sign-ins that would cancel the closure; returns false if one just did. */
function shutAccount(db: Db, userId: string): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    // Locks the account first, as a sign-in does, but not its key, which rows with foreign keys lock.
    await sql`select from app_user where id = ${userId} for no key update`.execute(trx)
    const { rows } = await sql`
      select from account_closure where user_id = ${userId} and reopened_at is null and erased_at is null for update
    `.execute(trx)
    if (rows.length === 0) return false
    await sql`
      update app_user set disabled_at = coalesce(disabled_at, now()), password_hash = '' where id = ${userId}
    `.execute(trx)
    return true
  })
}

type Person = { userId: string; name: string; email: string }

async function eraseAccount(db: Db, userId: string, { now, signal }: Round): Promise<void> {
  const { rows } = await sql<Person>`
    select id as "userId", name, email::text as email from app_user where id = ${userId}
  `.execute(db)
  const [person] = rows
  if (!person) return
  for (const sellerId of await listSellersOf(db, userId)) await eraseSeller(db, sellerId, signal)
  for (const email of [person.email, ...(await listFormerEmails(db, userId))]) {
    await eraseTraces(db, { ...person, email }, signal)
  }
  await db.transaction().execute(async (trx) => {
    // These rows belong to the person alone.
    for (const table of OWN_TABLES) {
      await sql`delete from ${sql.table(table)} where user_id = ${userId}`.execute(trx)
    }
    await sql`
      update app_user set name = 'Closed account', email = 'closed-' || id || '@account.invalid', role = 0,
                          email_verified_at = null, pending_email = null, notification_prefs = '{}'
      where id = ${userId}
    `.execute(trx)
    await sql`update account_closure set erased_at = ${now} where user_id = ${userId}`.execute(trx)
    await writeAudit(trx, { action: 'account-erased', target: userId })
  })
}

/** Tables of the person's own rows, found by `user_id`. */
const OWN_TABLES = [
  'session',
  'password_reset',
  'api_token',
  'weekly_summary',
  'known_device',
  'sign_in_link',
  'address_link',
  'factor',
  'recovery_code',
  'factor_ticket',
  'saved_search_owner',
  'garage_vehicle',
  'saved_part',
]

/** Lists the account's recent confirmed addresses, except those that someone else has now. */
async function listFormerEmails(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select distinct l.email::text as email from address_link l
    where l.user_id = ${userId} and l.purpose = 'restore'
      and not exists (select from app_user u where u.email = l.email)
  `.execute(db)
  return rows.map(({ email }) => email)
}

// Keeps a transaction well under a second.
const BATCH = 5_000
const LISTINGS = 500

/** Deletes rows of a table in batches. */
function deleteAll(db: Db, signal: AbortSignal, table: string, where: RawBuilder<unknown>): Promise<number> {
  return repeatUntilDone(signal, BATCH, async (limit) => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${where} limit ${limit}
      ))`.execute(db)
    return Number(numAffectedRows)
  })
}

async function eraseSeller(db: Db, sellerId: string, signal: AbortSignal): Promise<void> {
  const isTheirs = sql`seller_id = ${sellerId}`
  await stripOrdered(db, sellerId)
  // The first two have indexes by seller; deleted listings are few.
  for (const which of [sql`deleted_at is null and ended_at is null`, sql`deleted_at is null`, sql`true`]) {
    await repeatUntilDone(signal, LISTINGS, (limit) =>
      deleteListings(db, sellerId, sql`${isTheirs} and ${which} and not ${isOrdered} limit ${limit}`),
    )
  }
  await eraseImports(db, sellerId, signal)
  for (const table of [
    'mapping_template',
    'file_shape',
    'name_answer',
    'provider_request',
    'seller_location',
    'interchange_claim',
    'held_statement',
  ]) {
    await deleteAll(db, signal, table, isTheirs)
  }
  // These entries contain addresses and phone numbers.
  await rewriteAudit(
    db,
    sql`update audit_entry set ip = null, detail = '{}' where action = ${YARD_CHANGED} and target = ${sellerId}`,
  )
  const inTheirLeads = sql`lead_id in (select id from lead where ${isTheirs})`
  await deleteAll(db, signal, 'lead_message', inTheirLeads)
  await deleteAll(db, signal, 'lead_link', inTheirLeads)
  // Conversations keep only their time and state, without the buyer or the messages' text.
  await repeatUntilDone(signal, BATCH, async (limit) => {
    const { numAffectedRows } = await sql`
      update lead set name = 'Buyer', email = null, phone = null, listing_title = '', erased_at = now()
      where id in (select id from lead where ${isTheirs} and erased_at is null limit ${limit})
    `.execute(db)
    return Number(numAffectedRows)
  })
  await sql`update yard_review set answer = null, answered_at = null where ${isTheirs} and answer is not null`.execute(
    db,
  )
  await sql`
    update seller set name = 'Closed seller', slug = 'closed-' || id, listing_defaults = '{}', tier = 'FREE',
                      pro_granted_at = null, trusted = false, show_phone_publicly = false, feeds = false,
                      quick_replies = null, phone = null, hours = null, policy = '{}'
    where id = ${sellerId}
  `.execute(db)
}

/** What belongs to a listing and goes with it. */
const OF_LISTING = [
  'listing_change',
  'listing_view',
  'listing_slug',
  'listing_source',
  'listing_image',
  'listing_search',
  'listing_report',
  'removed_picture',
  'saved_part',
  'text_proposal',
]

const isOrdered = sql`exists (select from order_line o where o.listing_id = listing.id)`

/** Orders are kept, and so are the rows of their parts: deleted, and without what the seller wrote. */
function stripOrdered(db: Db, sellerId: string): Promise<void> {
  const source = { actorKind: 'system', onBehalfOf: sellerId, reason: 'erase account' } as const
  return withChangeSet(db, source, async (trx) => {
    await sql`select set_config('partharbor.ordering', 'on', true)`.execute(trx)
    const theirs = sql`select id from listing where seller_id = ${sellerId} and ${isOrdered}`
    for (const table of OF_LISTING)
      await sql`delete from ${sql.table(table)} where listing_id in (${theirs})`.execute(trx)
    await sql`
      update listing set slug = 'closed-' || id, description = '', heading = null, dealer_name = '', dealer_phone = null,
                         dealer_phone_e164 = null, phone_b = null, stock_number = null, zip = null, latitude = null,
                         longitude = null, grade_reason = null, version = version + 1,
                         deleted_at = coalesce(deleted_at, now())
      where id in (${theirs})
    `.execute(trx)
  })
}

/** Deletes listings with their pictures, history and figures; `which` ends in a limit. Returns how many. */
function deleteListings(db: Db, sellerId: string, which: RawBuilder<unknown>): Promise<number> {
  const source = { actorKind: 'system', onBehalfOf: sellerId, reason: 'erase account' } as const
  return withChangeSet(db, source, async (trx) => {
    const { rows } = await sql<{ id: string }>`select id from listing where ${which}`.execute(trx)
    const ids = rows.map(({ id }) => id)
    const isOne = (column: string) => sql`${sql.ref(column)} = any(${ids}::uuid[])`
    await sql`delete from listing_change where ${isOne('listing_id')}`.execute(trx)
    await sql`delete from listing_view where ${isOne('listing_id')}`.execute(trx)
    await sql`
      delete from page_link
      where (from_kind = 'listing' and ${isOne('from_id')}) or (to_kind = 'listing' and ${isOne('to_id')})
    `.execute(trx)
    await sql`delete from part_hold where ${isOne('listing_id')}`.execute(trx)
    await sql`delete from listing where ${isOne('id')}`.execute(trx)
    return ids.length
  })
}

/** Deletes everything about the seller's files; their contents are swept from the file store within a day. */
async function eraseImports(db: Db, sellerId: string, signal: AbortSignal): Promise<void> {
  const isTheirs = sql`seller_id = ${sellerId}`
  const ofPromotions = sql`promotion_id in (select id from promotion where ${isTheirs})`
  const ofImports = sql`import_id in (select id from import where ${isTheirs})`
  await anonymizePaths(db, sellerId)
  await deleteAll(db, signal, 'promotion_action', ofPromotions)
  await deleteAll(db, signal, 'promotion_held_row', ofPromotions)
  await deleteAll(db, signal, 'promotion_kept_row', ofImports)
  // In one statement, because promotions of one file may refer to each other.
  await sql`delete from promotion where ${isTheirs}`.execute(db)
  await deleteAll(db, signal, 'import_chunk', ofImports)
  await deleteAll(db, signal, 'import', isTheirs)
  await deleteAll(db, signal, 'staging_file', isTheirs)
  await repeatUntilDone(signal, BATCH, (limit) => deleteJobEvents(db, sellerId, limit))
  await deleteAll(db, signal, 'job', isTheirs)
}

/** By key, because in a partitioned table `ctid` is not unique. */
async function deleteJobEvents(db: Db, sellerId: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from job_event using (
      select job_id, seq, at from job_event join job on job.id = job_id where job.seller_id = ${sellerId} limit ${limit}
    ) old
    where job_event.job_id = old.job_id and job_event.seq = old.seq and job_event.at = old.at`.execute(db)
  return Number(numAffectedRows)
}

/**
 * Replaces the seller's slug by the id in audit entries, which name staged files by a path that begins with the slug.
 */
async function anonymizePaths(db: Db, sellerId: string): Promise<void> {
  await rewriteAudit(
    db,
    sql`
      update audit_entry e set ip = null, target = 'file of ' || ${sellerId}::text, detail = '{}'
      from staging_file f
      where f.seller_id = ${sellerId} and e.target = f.root || ':' || f.path
    `,
  )
}

/** The log's trigger allows only these changes, and only from here. */
async function rewriteAudit(db: Db, statement: RawBuilder<unknown>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select set_config('partharbor.erasing', 'on', true)`.execute(trx)
    await statement.execute(trx)
  })
}

/** Erases the person's data in rows of others, found by id, name or email. */
async function eraseTraces(db: Db, { userId, name, email }: Person, signal: AbortSignal): Promise<void> {
  await deleteMails(db, email, signal)
  await deleteAll(db, signal, 'idempotency_record', sql`owner in (${`user:${userId}`}, ${`api:${userId}`})`)
  const asBuyer = sql`lead_id in (select id from lead where lower(email) = lower(${email}))`
  // Conversations with other sellers as a buyer stay with the seller, without the person's name and the texts.
  await sql`
    update lead_message set body = ${withoutPerson('body', { name, email })} where author_user_id = ${userId} or ${asBuyer}
  `.execute(db)
  await sql`update lead_message set author_name = 'Closed account' where author_user_id = ${userId}`.execute(
    db,
  )
  await eraseOrderTexts(db, { userId, name, email }, signal)
  await deleteAll(db, signal, 'lead_link', asBuyer)
  await sql`
    update lead set name = 'Closed account', email = null, phone = null, erased_at = now()
    where lower(email) = lower(${email})
  `.execute(db)
  await sql`
    update listing_report set email = null, reporter = null, token_hash = null, note = ${withoutPerson('note', { name, email })}
    where lower(email) = lower(${email})
  `.execute(db)
  await sql`delete from saved_search_owner where email = ${email}`.execute(db)
  await sql`delete from hold_watch where lower(email) = lower(${email})`.execute(db)
  await forgetMailbox(db, email)
  await rewriteAudit(
    db,
    sql`update audit_entry set ip = null where actor_user_id = ${userId} and ip is not null`,
  )
  await rewriteAudit(db, sql`update audit_entry set ip = null where target = ${userId} and ip is not null`)
}

/**
 * Of orders that the person bought or sold, what was written freely. Of those bought also what no invoice needs: photos,
 * phone and VIN; of those sold the yard's photos. The files of the photos go with the daily sweep of pictures.
 */
async function eraseOrderTexts(db: Db, person: Person, signal: AbortSignal): Promise<void> {
  const { userId, email } = person
  const bought = sql`select id from part_order where buyer_user_id = ${userId} or lower(email) = lower(${email})`
  const sold = sql`
    select id from part_order
    where seller_id in (select seller_id from seller_member where user_id = ${userId})`
  const without = (column: string) => withoutPerson(sql.ref(column), person)
  await deleteAll(
    db,
    signal,
    'order_photo',
    sql`order_id in (${bought}) or (side = 'seller' and order_id in (${sold}))`,
  )
  await sql`
    update part_order set phone = null, vin = null, cancel_reason = ${without('cancel_reason')}
    where id in (${bought}) and (phone is not null or vin is not null or cancel_reason is not null)`.execute(
    db,
  )
  await sql`update yard_review set body = ${without('body')} where body <> '' and order_id in (${bought})`.execute(
    db,
  )
  for (const orders of [bought, sold]) {
    await sql`
      update order_return set note = ${without('note')}, answer = ${without('answer')}
      where order_id in (${orders}) and (note <> '' or answer is not null)`.execute(db)
    await sql`
      update order_dispute set answer = ${without('answer')}
      where order_id in (${orders}) and answer is not null`.execute(db)
    await sql`
      update order_event
      set detail = jsonb_set(detail, '{reason}', to_jsonb(${withoutPerson(sql`detail ->> 'reason'`, person)}))
      where order_id in (${orders}) and detail ->> 'reason' <> ''`.execute(db)
  }
}

/** Deletes mail to, from or about an address, page by page, because no index finds an address in a text. */
async function deleteMails(db: Db, email: string, signal: AbortSignal): Promise<void> {
  for (let after = LOWEST_ID; ; ) {
    signal.throwIfAborted()
    const { rows } = await sql<{ id: string }>`
      with page as (
        select id from mail where id > ${after} order by id limit ${BATCH}
      ), gone as (
        delete from mail using page
        where mail.id = page.id
          and strpos(lower(concat_ws(' ', recipient, reply_to, subject, body)), lower(${email})) > 0
      )
      select id from page order by id desc limit 1
    `.execute(db)
    const [last] = rows
    if (!last) return
    after = last.id
  }
}

/** Removes the person's email and name from a text, ignoring case. */
function withoutPerson(
  column: string | RawBuilder<unknown>,
  { name, email }: Omit<Person, 'userId'>,
): RawBuilder<string> {
  const without = (text: RawBuilder<unknown>, words: string) =>
    sql<string>`regexp_replace(${text}, ${literalPattern(words)}, '(erased)', 'gi')`
  return without(without(typeof column === 'string' ? sql.ref(column) : column, email), name)
}
