import { sql } from 'kysely'
import { newToken, tokenHash } from '#server/features/people/accounts/sessions.ts'
import { queueMail, takeUnconfirmedMailSlot } from '#server/features/talk/mail/mail.ts'
import type { MailSite } from '#server/features/talk/mail/mail-text.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { findLead, lockLeads, type ReadLead } from './leads.ts'
import { confirmMessageMail } from './message-mails.ts'

/*
 * Links in emails to a buyer. Each opens one conversation. Opening it proves access to the mailbox, so it confirms the
 * address. Until then no seller's message is mailed, since anyone can type a stranger's address. The confirmation is of this
 * conversation alone: whoever types the same address next may be an impostor.
 */

const DAY_MS = 24 * 60 * 60_000
/** Lifetime of a link to an unconfirmed address. */
const UNCONFIRMED_DAYS = 14
/** Lifetime after the last message of either side. */
const ALIVE_DAYS = 90
export const LINK_KEPT_MS = ALIVE_DAYS * DAY_MS

/** A conversation with the buyer's email address. */
export type MailedTo = ReadLead & { email: string }

/** Returns the token of a new link; earlier links keep working. */
export async function openLink(trx: Db, leadId: string, now: Date): Promise<string> {
  const token = newToken()
  await sql`
    insert into lead_link (token_hash, lead_id, created_at) values (${tokenHash(token)}, ${leadId}, ${now})
  `.execute(trx)
  return token
}

/** Mails the link, or returns why not: too many were mailed to the address. */
export async function mailMessageLink(
  trx: Db,
  { id, email, ip, now }: { id: string; email: string; ip: string; now: Date },
  site: MailSite,
): Promise<string | undefined> {
  try {
    await takeUnconfirmedMailSlot(trx, email, { ip })
  } catch (error) {
    if (error instanceof AppError && error.code === 'TOO_MANY') return error.message
    throw error
  }
  const token = await openLink(trx, id, now)
  const about = await findPartInOurWords(trx, id)
  await queueMail(trx, confirmMessageMail({ to: email, token, days: UNCONFIRMED_DAYS, about }, site))
  return undefined
}

/** "2015 Jeep Grand Cherokee Headlamp Assembly": names of confirmed lookups only; undefined if one is missing. */
async function findPartInOurWords(db: Db, leadId: string): Promise<string | undefined> {
  const { rows } = await sql<{ year: number; make: string; model: string; part: string }>`
    select l.year_from as year, m.name as make, cm.name as model, c.name as part
    from lead join listing l on l.id = lead.listing_id
    join manufacturer m on m.id = l.manufacturer_id and m.confirmed
    join car_model cm on cm.id = l.car_model_id and cm.confirmed
    join category c on c.id = l.category_id and c.confirmed
    where lead.id = ${leadId} and l.year_from is not null
  `.execute(db)
  const [found] = rows
  return found && `${found.year} ${found.make} ${found.model} ${found.part}`
}

export type Linked = { token: string; now: Date }

/**
 * Finds the conversation that a link opens.
 * @throws AppError LINK_EXPIRED
 */
export async function findLinkedLead(db: Db, { token, now }: Linked): Promise<MailedTo> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const { rows } = await sql<{ id: string }>`
    select m.id from lead_link k join lead m on m.id = k.lead_id
    where k.token_hash = ${tokenHash(token)}
      and (m.confirmed_at is not null or k.created_at > ${before(UNCONFIRMED_DAYS)})
      and exists (select from lead_message a where a.lead_id = m.id and a.created_at > ${before(ALIVE_DAYS)})
  `.execute(db)
  const lead = rows[0] && (await findLead(db, rows[0].id, now))
  if (!lead || lead.email === null) {
    throw new AppError(
      'LINK_EXPIRED',
      'This link is incomplete or has expired. Open it again from the newest email. The seller has your message.',
    )
  }
  return { ...lead, email: lead.email }
}

/**
 * Confirms the buyer's address in a conversation. Returns the seller's waiting messages in order, now marked as mailed. If
 * an author has left, the seller's owner becomes the sender.
 */
export async function confirmAddress(
  trx: Db,
  { id, sellerId }: MailedTo,
  now: Date,
): Promise<{ id: string; author: { name: string; email: string } }[]> {
  await lockLeads(trx, sql`id = ${id}`)
  await sql`update lead set confirmed_at = ${now} where id = ${id} and confirmed_at is null`.execute(trx)
  const { rows } = await sql<{ id: string; name: string; email: string }>`
    with released as (
      update lead_message a set mailed_at = ${now}
      from lead m
      where m.id = a.lead_id and m.id = ${id} and m.stopped_at is null and a.mailed_at is null
      returning a.id, a.author_user_id, a.author_name
    )
    select r.id, r.author_name as name, coalesce(u.email, o.email)::text as email
    from released r
    left join app_user u on u.id = r.author_user_id
    join lateral (
      select owner.email from seller_member s join app_user owner on owner.id = s.user_id
      where s.seller_id = ${sellerId} order by s.role = 'owner' desc, owner.id limit 1
    ) o on true
    order by r.id
  `.execute(trx)
  return rows.map(({ id: messageId, name, email }) => ({ id: messageId, author: { name, email } }))
}

/**
 * Stops the emails about a conversation. If someone else used this address, also revokes the links and the
 * confirmation: the address may be a typo.
 */
export async function stopConversation(
  db: Db,
  { token, now, wasMe }: Linked & { wasMe: boolean },
): Promise<void> {
  const { id } = await findLinkedLead(db, { token, now })
  await db.transaction().execute(async (trx) => {
    await lockLeads(trx, sql`id = ${id}`)
    await sql`update lead set stopped_at = coalesce(stopped_at, ${now}) where id = ${id}`.execute(trx)
    if (wasMe) return
    await sql`update lead set confirmed_at = null where id = ${id}`.execute(trx)
    await sql`delete from lead_link where lead_id = ${id}`.execute(trx)
  })
}

/** Finds and locks the conversation that a link opens. */
export async function lockLinkedLead(trx: Db, { token, now }: Linked): Promise<MailedTo> {
  const { id } = await findLinkedLead(trx, { token, now })
  await lockLeads(trx, sql`id = ${id}`)
  // Reread under the lock: it may have been stopped in between.
  return findLinkedLead(trx, { token, now })
}
