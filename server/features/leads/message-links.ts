import { sql } from 'kysely'
import { newToken, tokenHash } from '#server/features/accounts/sessions.ts'
import { type NewMail, queueMail, takeUnconfirmedMail } from '#server/features/mail/mail.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { findLead, titleOf } from './leads.ts'

/*
 * The link that confirms the address of a buyer's message. Anyone can type a stranger's address, so nothing a seller writes
 * is mailed before. A confirmed address counts for further messages to the same seller, and for no other: the buyer wrote
 * to this one.
 */

const LINK_DAYS = 14
const LINK_MS = LINK_DAYS * 24 * 60 * 60_000

type Site = { publicUrl: string; productName: string }

/** Nothing in it was typed by the sender or the seller, who could be using us to advertise. */
function confirmMessageMail({ to, token }: { to: string; token: string }, site: Site): NewMail {
  const { publicUrl, productName } = site
  return {
    to,
    subject: `Confirm your email address to get the seller’s answer`,
    button: 'See the message and confirm',
    body: `Hello,

Someone wrote to a seller on ${productName} and left this email address for the answer. If it was you, confirm the
address here, so that we can forward what the seller writes:

${publicUrl}/confirm-message#${token}

The seller has your message already. The link works for ${LINK_DAYS} days.

If this wasn't you, ignore this email. Nothing the seller writes will be sent to you.

${productName}
`,
  }
}

/** Whether this address was confirmed for a message to this seller before. */
export async function isConfirmedTo(
  db: Db,
  { sellerId, email }: { sellerId: string; email: string },
): Promise<boolean> {
  const { rows } = await sql`
    select from lead
    where seller_id = ${sellerId} and lower(email) = lower(${email}) and confirmed_at is not null limit 1
  `.execute(db)
  return rows.length > 0
}

/** Mails the link, unless the address got several within the day: then the seller has the message all the same. */
export async function mailMessageLink(
  trx: Db,
  { id, email, now }: { id: string; email: string; now: Date },
  site: Site,
): Promise<void> {
  const isAllowed = await takeUnconfirmedMail(trx, email).then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'TOO_MANY') return false
      throw error
    },
  )
  if (!isAllowed) return
  const token = newToken()
  await sql`
    update lead set link_hash = ${tokenHash(token)}, link_expires_at = ${new Date(now.getTime() + LINK_MS)}
    where id = ${id}
  `.execute(trx)
  await queueMail(trx, confirmMessageMail({ to: email, token }, site))
}

/**
 * The message that a link confirms, for its page.
 * @throws AppError LINK_EXPIRED
 */
export async function findLinkedMessage(db: Db, { token, now }: { token: string; now: Date }) {
  const { rows } = await sql<{ id: string }>`
    select id from lead where link_hash = ${tokenHash(token)} and link_expires_at > ${now}
  `.execute(db)
  const lead = rows[0] && (await findLead(db, rows[0].id))
  if (!lead || lead.email === null) {
    throw new AppError(
      'LINK_EXPIRED',
      'This link is incomplete or has expired. Write to the seller again to get a new one.',
    )
  }
  return { ...lead, email: lead.email, title: titleOf(lead), slug: lead.listing?.slug ?? null }
}

type WaitingAnswer = {
  leadId: string
  text: string
  author: { name: string; email: string }
}

/**
 * Confirms every message from this address to this seller and returns the answers that waited, in order, now counted as
 * mailed. An answer whose author has left is from the seller's owner.
 */
export async function releaseAnswers(
  trx: Db,
  { sellerId, email, now }: { sellerId: string; email: string; now: Date },
): Promise<WaitingAnswer[]> {
  await sql`
    update lead set confirmed_at = ${now}
    where seller_id = ${sellerId} and lower(email) = lower(${email}) and confirmed_at is null
  `.execute(trx)
  const { rows } = await sql<{ leadId: string; text: string; name: string; email: string }>`
    with released as (
      update lead_answer a set mailed_at = ${now}
      from lead m
      where m.id = a.lead_id and m.seller_id = ${sellerId} and lower(m.email) = lower(${email}) and a.mailed_at is null
      returning a.id, a.lead_id, a.author_user_id, a.author_name, a.message
    )
    select r.lead_id as "leadId", r.message as text, r.author_name as name, coalesce(u.email, o.email)::text as email
    from released r
    left join app_user u on u.id = r.author_user_id
    join lateral (
      select owner.email from seller_member s join app_user owner on owner.id = s.user_id
      where s.seller_id = ${sellerId} order by s.role = 'owner' desc, owner.id limit 1
    ) o on true
    order by r.id
  `.execute(trx)
  return rows.map(({ leadId, text, name, email }) => ({ leadId, text, author: { name, email } }))
}
