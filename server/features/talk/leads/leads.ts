import { type RawBuilder, sql } from 'kysely'
import type { Lead, LeadState } from '#contract/leads.ts'
import type { ThreadMessage } from '#contract/pages/conversations.ts'
import { isForSale, isPublic, whyGone } from '#server/features/market/for-sale/for-sale.ts'
import { listingTitle, type TitleFields } from '#server/features/market/listings/titles.ts'
import { canSignIn } from '#server/features/people/accounts/closure.ts'
import { shownName } from '#server/features/people/yard-names/shown-name.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { type OfferContext, type OfferMessage, offerStates, type Side, stepsOf } from './offer-rules.ts'

/* A lead is a buyer's conversation with a seller about a part, with the messages of both sides. */

export type NewLead = {
  sellerId: string
  listingId: string
  listingTitle: string
  name: string
  email: string | null
  phone: string | null
  /** Set if the buyer is known to own the address. */
  confirmedAt: Date | null
}

/** The caller inserts the first message in the same transaction. */
export async function insertLead(trx: Db, lead: NewLead): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into lead (seller_id, listing_id, listing_title, name, email, phone, confirmed_at)
    values (${lead.sellerId}, ${lead.listingId}, ${lead.listingTitle}, ${lead.name}, ${lead.email}, ${lead.phone},
            ${lead.confirmedAt})
    returning id
  `.execute(trx)
  return onlyRow(rows).id
}

export type NewMessage = Omit<OfferMessage, 'createdAt' | 'expiresAt'> & {
  body: string
  /** Set for an offer or an acceptance. */
  deal?: { priceCents: number; currency: string; expiresAt: Date } | undefined
  /** The member of the seller who wrote it. */
  author?: { userId: string; name: string }
  /** False if the email waits until the buyer's address is confirmed. */
  mailed: boolean
}

/** The conversation must be locked, so that messages are ordered by time. */
export async function insertMessage(
  trx: Db,
  leadId: string,
  { message, now }: { message: NewMessage; now: Date },
): Promise<void> {
  const { sender, kind, body, deal, author, mailed } = message
  await sql`
    insert into lead_message (lead_id, sender, kind, author_user_id, author_name, body, price_cents, currency, expires_at,
                              mailed_at, created_at)
    values (${leadId}, ${sender}, ${kind}, ${author?.userId ?? null}, ${author?.name ?? null}, ${body},
            ${deal?.priceCents ?? null}, ${deal?.currency ?? null}, ${deal?.expiresAt ?? null},
            ${mailed ? now : null}, ${now})
  `.execute(trx)
}

export type ReadMessage = OfferMessage & {
  id: string
  /** The author's name. */
  by: string
  body: string
  /** For a decline, the offer that it answers. */
  priceCents: number | null
  currency: string | null
  mailed: boolean
}

/** The part’s current state. */
type AskedPart = TitleFields & {
  id: string
  slug: string
  priceCents: number
  currency: string
  quantity: number
  forSale: boolean
  takesOffers: boolean
  dealerPhone: string | null
  categoryGroup: string | null
  /** The hash of its first picture, as long as the part is public. */
  picture: string | null
}

export type ReadLead = {
  id: string
  sellerId: string
  sellerName: string
  /** The accounts of all its people are disabled or closed. */
  sellerGone: boolean
  timeZone: string
  state: LeadState
  name: string
  email: string | null
  emailConfirmed: boolean
  emailsStopped: boolean
  /** Turns off the emails about it. */
  unsubscribeKey: string
  phone: string | null
  createdAt: Date
  answeredAt: Date | null
  wroteAt: Date
  listingTitle: string
  /** Null if the part was deleted. */
  part: AskedPart | null
  messages: ReadMessage[]
  /** Other buyers with an open conversation about the part, except those for whom it is held. */
  othersOpen: number
  /** Other buyers for whom the part is held after an accepted offer. */
  othersPromised: number
  /** Set while an accepted offer holds the part and can be paid here. */
  payUntil: Date | null
}

type LeadRow = Omit<ReadLead, 'messages'> & {
  messages: (Omit<ReadMessage, 'createdAt' | 'expiresAt'> & { createdAt: string; expiresAt: string | null })[]
}

const inIso = (time: RawBuilder<unknown>) =>
  sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Whether the part is held for the buyer of a conversation after either side accepted an offer. */
export const isPromisedTo = (leadId: RawBuilder<unknown>, now: Date) => sql`exists (
  select from lead_message a where a.lead_id = ${leadId} and a.kind = 'accept' and a.expires_at > ${now})`

/** One buyer may have several conversations about a part. */
const personOf = (lead: RawBuilder<unknown>) =>
  sql`coalesce(lower(${lead}.email), ${lead}.phone, ${lead}.id::text)`

async function readLeads(
  db: Db,
  { ids, order, now }: { ids: RawBuilder<unknown>; order?: RawBuilder<unknown>; now: Date },
): Promise<ReadLead[]> {
  const { rows } = await sql<LeadRow>`
    select m.id, m.seller_id as "sellerId", case when gone.why = 'closed' then 'Closed seller' else ${shownName(sql`s.id`, sql`coalesce(nullif(l.dealer_name, ''), s.name)`)} end as "sellerName",
           gone.why is not null as "sellerGone", s.time_zone as "timeZone", m.state, m.name, m.email,
           m.confirmed_at is not null as "emailConfirmed", m.stopped_at is not null as "emailsStopped",
           m.unsubscribe_key as "unsubscribeKey", m.phone, m.created_at as "createdAt", m.answered_at as "answeredAt",
           m.wrote_at as "wroteAt", m.listing_title as "listingTitle",
           case when l.id is not null then jsonb_build_object(
             'id', l.id, 'slug', l.slug, 'yearFrom', l.year_from, 'yearTo', l.year_to,
             'manufacturerName', l.manufacturer_name, 'modelName', l.model_name, 'name', l.name,
             'priceCents', l.price_cents, 'currency', l.currency, 'quantity', l.quantity,
             'forSale', ${isForSale}, 'takesOffers', s.takes_offers,
             'dealerPhone', case when s.show_phone_publicly and gone.why is null then l.dealer_phone end, 'categoryGroup', g.key,
             'picture', (select i.sha256 from listing_image i where i.listing_id = l.id and i.state = 'ready' and ${isPublic}
                         order by i.position limit 1)
           ) end as part,
           coalesce(said.messages, '[]'::jsonb) as messages, others.open as "othersOpen",
           others.promised as "othersPromised",
           (select h.expires_at from part_hold h where h.lead_id = m.id and h.ended_at is null) as "payUntil"
    from (${ids}) chosen
    join lead m using (id)
    join seller s on s.id = m.seller_id
    cross join lateral (select ${whyGone(sql`s.id`)} as why) gone
    left join listing l on l.id = m.listing_id and l.deleted_at is null
    left join category c on c.id = l.category_id
    left join category_group g on g.id = c.group_id
    left join lateral (
      select jsonb_agg(jsonb_build_object(
               'id', a.id, 'sender', a.sender, 'kind', a.kind, 'by', coalesce(a.author_name, m.name), 'body', a.body,
               'priceCents', a.price_cents, 'currency', a.currency, 'expiresAt', ${inIso(sql`a.expires_at`)},
               'mailed', a.mailed_at is not null, 'createdAt', ${inIso(sql`a.created_at`)}) order by a.id) as messages
      from lead_message a where a.lead_id = m.id
    ) said on true
    left join lateral (
      select count(distinct ${personOf(sql`o`)}) filter (
               where o.state <> 'closed' and not held.yes and ${personOf(sql`o`)} <> ${personOf(sql`m`)}) as open,
             count(*) filter (where held.yes) as promised
      from lead o cross join lateral (select ${isPromisedTo(sql`o.id`, now)} as yes) held
      where o.listing_id = l.id and o.id <> m.id
    ) others on true
    ${order ?? sql``}
  `.execute(db)
  return rows.map((row) => ({
    ...row,
    messages: row.messages.map((message, at) => ({
      ...message,
      ...(message.kind === 'decline' && priceIn(row.messages.slice(0, at))),
      createdAt: new Date(message.createdAt),
      expiresAt: message.expiresAt === null ? null : new Date(message.expiresAt),
    })),
  }))
}

/** The newest offer's price. */
function priceIn(messages: LeadRow['messages']): Pick<ReadMessage, 'priceCents' | 'currency'> | undefined {
  const offer = messages.findLast(({ kind }) => kind === 'offer')
  return offer && { priceCents: offer.priceCents, currency: offer.currency }
}

export async function findLead(db: Db, id: string, now: Date): Promise<ReadLead | undefined> {
  const [lead] = await readLeads(db, { ids: sql`select ${id}::uuid as id`, now })
  return lead
}

const MOST_OF_BUYER = 50

/** What an address asked and offered, as long as links to it work; what was written last comes first. */
export const listLeadsOf = (
  db: Db,
  { email, since, now }: { email: string; since: Date; now: Date },
): Promise<ReadLead[]> =>
  readLeads(db, {
    ids: sql`
      select m.id from lead m
      where lower(m.email) = lower(${email})
        and exists (select from lead_message a where a.lead_id = m.id and a.created_at > ${since})
      order by m.wrote_at desc limit ${MOST_OF_BUYER}`,
    order: sql`order by (select max(a.id::text) from lead_message a where a.lead_id = m.id) desc`,
    now,
  })

/** Rereads a conversation that is locked or was just found. */
export async function getLead(db: Db, id: string, now: Date): Promise<ReadLead> {
  const lead = await findLead(db, id, now)
  if (!lead) throw new Error(`conversation ${id} disappeared`)
  return lead
}

export type LeadPage = {
  sellerId: string
  state?: LeadState | undefined
  page: number
  perPage: number
  now: Date
}

/**
 * Lists conversations, latest buyer message first. The page is chosen from the index alone, so that a late page of
 * 100,000 reads only its own conversations.
 */
export function listLeads(db: Db, { sellerId, state, page, perPage, now }: LeadPage): Promise<ReadLead[]> {
  const inState = state === undefined ? sql`` : sql`and state = ${state}`
  const ids = sql`
    select id from lead where seller_id = ${sellerId} ${inState}
    order by wrote_at desc, id desc limit ${perPage} offset ${(page - 1) * perPage}
  `
  return readLeads(db, { ids, order: sql`order by m.wrote_at desc, m.id desc`, now })
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
 * Locks conversations until the transaction ends, so that writes to one are serialized, and returns their ids. Locks in
 * id order to prevent deadlocks.
 */
export async function lockLeads(trx: Db, which: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from lead where ${which} order by id for update
  `.execute(trx)
  return rows.map(({ id }) => id)
}

/**
 * Locks a conversation's part, so that two buyers' offers for it cannot be accepted at once. Always lock the
 * conversations first.
 */
export async function lockAskedPart(trx: Db, leadId: string): Promise<void> {
  await sql`
    select from listing where id = (select listing_id from lead where id = ${leadId}) for no key update
  `.execute(trx)
}

/** Keeps the time of the first answer, by email or, as the seller reports, by phone. */
export async function updateLeadState(db: Db, id: string, state: LeadState): Promise<void> {
  await sql`
    update lead
    set state = ${state}, answered_at = case when ${state} = 'answered' then coalesce(answered_at, now()) else answered_at end
    where id = ${id}
  `.execute(db)
}

/** After a buyer's message: marks the conversation as new for the seller and resumes its emails. */
export async function markUnread(trx: Db, id: string, now: Date): Promise<void> {
  await sql`update lead set state = 'new', wrote_at = ${now}, stopped_at = null where id = ${id}`.execute(trx)
}

/** Lists a seller's people who get an email for every message and have a confirmed address. */
export async function listMessageReaders(
  db: Db,
  sellerId: string,
): Promise<{ email: string; unsubscribeKey: string }[]> {
  const { rows } = await sql<{ email: string; unsubscribeKey: string }>`
    select u.email::text as email, u.unsubscribe_key as "unsubscribeKey"
    from seller_member m join app_user u on u.id = m.user_id
    where m.seller_id = ${sellerId} and ${canSignIn}
      and u.email_verified_at is not null
      and coalesce((u.notification_prefs ->> 'messageEmails')::boolean, true)
    order by u.id
  `.execute(db)
  return rows
}

/** The part's current title, or if it was deleted, its title at the time of the message. */
export function titleOf(row: Pick<ReadLead, 'part' | 'listingTitle'>): string {
  return row.part ? listingTitle(row.part) : row.listingTitle
}

/** What the offer rules need to know about a conversation's part. */
export const offerContextOf = ({ part }: ReadLead, now: Date): OfferContext => ({
  now,
  forSale: part?.forSale ?? false,
  takesOffers: part?.takesOffers ?? false,
})

/** Which offer actions one side may take. A seller has none after the buyer stopped the emails. */
export function mayDo(side: Side, lead: ReadLead, now: Date): Lead['may'] {
  if (lead.sellerGone || (side === 'seller' && lead.emailsStopped)) return []
  return stepsOf(side, lead.messages, offerContextOf(lead, now))
}

/** The messages as both sides see them. */
export function presentMessages(lead: ReadLead, now: Date): (ThreadMessage & { mailed: boolean })[] {
  const states = offerStates(lead.messages, offerContextOf(lead, now))
  return lead.messages.map((message, at) => ({
    id: message.id,
    kind: message.kind,
    from: message.sender,
    by: message.by,
    message: message.body,
    createdAt: message.createdAt.toISOString(),
    price: message.priceCents === null ? null : message.priceCents / 100,
    currency: message.currency,
    expiresAt: message.expiresAt?.toISOString() ?? null,
    offerState: states[at] ?? null,
    mailed: message.mailed,
  }))
}

/** A conversation as its seller sees it. Every field is listed, so that a new column cannot leak. */
export function presentLead(row: ReadLead, now: Date): Lead {
  const { part } = row
  const messages = presentMessages(row, now)
  return {
    id: row.id,
    state: row.state,
    name: row.name,
    email: row.email,
    emailConfirmed: row.emailConfirmed,
    emailsStopped: row.emailsStopped,
    phone: row.phone,
    // Messages are erased with their seller.
    message: messages[0]?.message ?? '',
    createdAt: row.createdAt.toISOString(),
    answeredAt: row.answeredAt?.toISOString() ?? null,
    wroteAt: row.wroteAt.toISOString(),
    listingTitle: row.listingTitle,
    listing: part && {
      id: part.id,
      slug: part.slug,
      title: titleOf(row),
      price: part.priceCents / 100,
      currency: part.currency,
      quantity: part.quantity,
      forSale: part.forSale,
    },
    messages,
    may: mayDo('seller', row, now),
    othersOpen: row.othersOpen,
    promised: isPromised(row),
    answers: messages
      .filter(({ from, message }) => from === 'seller' && message !== '')
      .map(({ id, message, createdAt, by, mailed }) => ({ id, message, createdAt, by, mailed })),
  }
}

/** Whether other buyers have accepted offers for as many of the part as there are. */
export const isPromised = ({ part, othersPromised }: ReadLead): boolean =>
  part !== null && othersPromised >= Math.max(1, part.quantity)
