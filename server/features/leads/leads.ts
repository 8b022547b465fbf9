import { type RawBuilder, sql } from 'kysely'
import type { Lead, LeadState } from '#contract/leads.ts'
import { listingTitle, type Titled } from '#server/features/listings/titles.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'

export type NewLead = {
  sellerId: string
  listingId: string
  listingTitle: string
  name: string
  email: string | null
  phone: string | null
  message: string
  /** Set if the buyer is known to own the address. */
  confirmedAt: Date | null
}

export async function insertLead(trx: Db, lead: NewLead): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into lead (seller_id, listing_id, listing_title, name, email, phone, message, confirmed_at)
    values (${lead.sellerId}, ${lead.listingId}, ${lead.listingTitle}, ${lead.name}, ${lead.email}, ${lead.phone},
            ${lead.message}, ${lead.confirmedAt})
    returning id
  `.execute(trx)
  return onlyRow(rows).id
}

/** A message with its current listing, or null if that is gone. */
export type ReadLead = Omit<Lead, 'createdAt' | 'answeredAt' | 'listing'> & {
  sellerId: string
  sellerName: string
  createdAt: Date
  answeredAt: Date | null
  listing: (Titled & { slug: string }) | null
}

const leadsOf = (ids: RawBuilder<unknown>) => sql`
  select m.id, m.seller_id as "sellerId", s.name as "sellerName", m.state, m.name, m.email,
         m.confirmed_at is not null as "emailConfirmed", m.phone, m.message,
         m.created_at as "createdAt", m.answered_at as "answeredAt", m.listing_title as "listingTitle",
         case when l.id is not null then jsonb_build_object(
           'slug', l.slug, 'yearFrom', l.year_from, 'yearTo', l.year_to, 'manufacturerName', l.manufacturer_name,
           'modelName', l.model_name, 'name', l.name) end as listing,
         coalesce(given.answers, '[]'::jsonb) as answers
  from (${ids}) chosen
  join lead m using (id)
  join seller s on s.id = m.seller_id
  left join listing l on l.id = m.listing_id and l.deleted_at is null
  left join lateral (
    select jsonb_agg(jsonb_build_object('id', a.id, 'message', a.message, 'by', a.author_name,
             'mailed', a.mailed_at is not null, 'createdAt',
             to_char(a.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by a.id) as answers
    from lead_answer a where a.lead_id = m.id
  ) given on true
`

export async function findLead(db: Db, id: string): Promise<ReadLead | undefined> {
  const { rows } = await sql<ReadLead>`${leadsOf(sql`select ${id}::uuid as id`)}`.execute(db)
  return rows[0]
}

export type LeadPage = { sellerId: string; state?: LeadState | undefined; page: number; perPage: number }

/** Newest first. The page is chosen from the index alone, so that a late page of 100,000 reads only its own messages. */
export async function listLeads(db: Db, { sellerId, state, page, perPage }: LeadPage): Promise<ReadLead[]> {
  const inState = state === undefined ? sql`` : sql`and state = ${state}`
  const chosen = sql`
    select id from lead where seller_id = ${sellerId} ${inState}
    order by id desc limit ${perPage} offset ${(page - 1) * perPage}
  `
  const { rows } = await sql<ReadLead>`${leadsOf(chosen)} order by m.id desc`.execute(db)
  return rows
}

export async function countLeads(db: Db, sellerId: string): Promise<Record<LeadState, number>> {
  const { rows } = await sql<{ state: LeadState; count: number }>`
    select state, count(*) from lead where seller_id = ${sellerId} group by state
  `.execute(db)
  const counts = { new: 0, answered: 0, closed: 0 }
  for (const { state, count } of rows) counts[state] = count
  return counts
}

/**
 * A message may be answered by email or, as the seller reports, by phone; the time of the first answer stays. Returns
 * whether the buyer's address is confirmed, with the message locked.
 */
export async function updateLeadState(db: Db, id: string, state: LeadState): Promise<boolean> {
  const { rows } = await sql<{ isConfirmed: boolean }>`
    update lead
    set state = ${state}, answered_at = case when ${state} = 'answered' then coalesce(answered_at, now()) else answered_at end
    where id = ${id}
    returning confirmed_at is not null as "isConfirmed"
  `.execute(db)
  return rows[0]?.isConfirmed ?? false
}

export type NewAnswer = {
  leadId: string
  authorUserId: string
  authorName: string
  message: string
  /** False if the email waits until the buyer's address is confirmed. */
  mailed: boolean
}

export async function insertAnswer(trx: Db, answer: NewAnswer): Promise<void> {
  await sql`
    insert into lead_answer (lead_id, author_user_id, author_name, message, mailed_at)
    values (${answer.leadId}, ${answer.authorUserId}, ${answer.authorName}, ${answer.message},
            case when ${answer.mailed} then now() end)
  `.execute(trx)
}

/** A seller's people who want an email for every message, with confirmed addresses. */
export async function listMessageReaders(
  db: Db,
  sellerId: string,
): Promise<{ email: string; unsubscribeKey: string }[]> {
  const { rows } = await sql<{ email: string; unsubscribeKey: string }>`
    select u.email::text as email, u.unsubscribe_key as "unsubscribeKey"
    from seller_member m join app_user u on u.id = m.user_id
    where m.seller_id = ${sellerId} and u.disabled_at is null
      and u.email_verified_at is not null
      and coalesce((u.notification_prefs ->> 'messageEmails')::boolean, true)
    order by u.id
  `.execute(db)
  return rows
}

/** The part's current title, otherwise the one it had when the message came. */
export function titleOf(row: ReadLead): string {
  return row.listing ? listingTitle(row.listing) : row.listingTitle
}

/** A message as its seller sees it. Every field is listed, so that a new column cannot leak. */
export function presentLead(row: ReadLead): Lead {
  return {
    id: row.id,
    state: row.state,
    name: row.name,
    email: row.email,
    emailConfirmed: row.emailConfirmed,
    phone: row.phone,
    message: row.message,
    createdAt: row.createdAt.toISOString(),
    answeredAt: row.answeredAt?.toISOString() ?? null,
    listingTitle: row.listingTitle,
    listing: row.listing && { slug: row.listing.slug, title: titleOf(row) },
    answers: row.answers.map(({ id, message, createdAt, by, mailed }) => ({
      id,
      message,
      createdAt,
      by,
      mailed,
    })),
  }
}
