import { sql } from 'kysely'
import type { LeadState } from '#contract/leads.ts'
import { moneyInWords } from '#contract/text/typed-number.ts'
import { endListing } from '#server/features/market/listings/end-listing.ts'
import { queueMail } from '#server/features/talk/mail/mail.ts'
import type { MailSite } from '#server/features/talk/mail/mail-text.ts'
import type { Actor } from '#server/platform/actor.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { explainLimit } from '#server/platform/errors.ts'
import { countInWindow, takeFromWindow } from '#server/platform/http/limits/rate-limits.ts'
import {
  getLead,
  insertMessage,
  isPromisedTo,
  lockLeads,
  type NewMessage,
  type ReadLead,
  type ReadMessage,
  updateLeadState,
} from './leads.ts'
import { confirmAddress, findLinkedLead, type Linked, type MailedTo, openLink } from './message-links.ts'
import { answerMail, mailedLead, mailedMessage } from './message-mails.ts'
import { emailsStopped, noEmailAddress } from './policy.ts'

/* A seller's messages in a conversation, and their delivery to the buyer. */

/** We mail answers to an address that anyone may have typed: enough for a conversation, too few to bombard someone. */
const ANSWERS_TO_ONE_MESSAGE = { most: 20, seconds: 86_400 }

/** A member of the seller in one of its conversations. */
export type SellerInLead = { lead: ReadLead; actor: Actor; now: () => Date }

/**
 * Locks a conversation for the seller's answer and rereads it.
 * @throws AppError CONFLICT if the buyer cannot be mailed
 */
export async function enterAsSeller(trx: Db, { lead, now }: SellerInLead): Promise<MailedTo> {
  await lockLeads(trx, sql`id = ${lead.id}`)
  const locked = await getLead(trx, lead.id, now())
  const { email } = locked
  if (email === null) throw noEmailAddress(locked)
  if (locked.emailsStopped) throw emailsStopped(locked)
  return { ...locked, email }
}

type SellerMessage = {
  actor: Actor
  content: Partial<NewMessage>
  state?: LeadState
  now: Date
}

/**
 * Writes a seller's message into a locked conversation and emails it: now if the buyer's address is confirmed,
 * otherwise on confirmation (`confirmMessage`).
 */
export async function writeAsSeller(
  trx: Db,
  lead: MailedTo,
  { actor, content, state = 'answered', now }: SellerMessage,
  site: MailSite,
): Promise<ReadLead> {
  const message: NewMessage = {
    sender: 'seller',
    kind: 'text',
    body: '',
    author: actor,
    mailed: lead.emailConfirmed,
    ...content,
  }
  await insertMessage(trx, lead.id, { message, now })
  // It counts as answered whatever its next state is.
  await updateLeadState(trx, lead.id, 'answered')
  if (state !== 'answered') await updateLeadState(trx, lead.id, state)
  const written = { ...(await getLead(trx, lead.id, now)), email: lead.email }
  const newest = written.messages.at(-1)
  if (lead.emailConfirmed && newest)
    await mailToBuyer(trx, written, { message: newest, author: actor, now }, site)
  return written
}

type MailedAnswer = { message: ReadMessage; author: { name: string; email: string }; now: Date }

async function mailToBuyer(
  trx: Db,
  lead: MailedTo,
  { message, author, now }: MailedAnswer,
  site: MailSite,
): Promise<void> {
  const { email, sellerName, unsubscribeKey } = lead
  const last = lead.messages.findLast(
    ({ sender, kind, body }) => sender === 'buyer' && (kind === 'offer' || body !== ''),
  )
  const { text, price } = last ? mailedMessage(last, lead) : { text: '', price: '' }
  const answer = {
    ...mailedMessage(message, lead),
    author: { name: author.name, email: author.email },
    sellerName,
    sellerPhone: lead.part?.dealerPhone ?? null,
    answering: { text, price },
    token: await openLink(trx, lead.id, now),
    unsubscribeKey,
  }
  await queueMail(trx, answerMail({ ...mailedLead(lead), email }, answer, site))
}

/** @throws AppError TOO_MANY if this message was answered too often today */
export async function takeAnswer(trx: Db, { id, email }: MailedTo): Promise<void> {
  const opening = `You have answered this message ${ANSWERS_TO_ONE_MESSAGE.most} times today.`
  // In this transaction, so that an answer that is not stored does not count.
  await takeFromWindow(trx, `answer:${id}`, ANSWERS_TO_ONE_MESSAGE).catch(
    explainLimit((wait) => `${opening} Write to ${email} yourself, or try again in ${wait}.`),
  )
}

/**
 * Stores and emails an answer to a buyer's message, and marks the conversation as answered.
 * @throws AppError TOO_MANY, CONFLICT
 */
export function answerLead(
  db: Db,
  answering: SellerInLead & { text: string },
  site: MailSite,
): Promise<ReadLead> {
  const { actor, text, now } = answering
  return inTransaction(db, async (trx) => {
    const lead = await enterAsSeller(trx, answering)
    await takeAnswer(trx, lead)
    return writeAsSeller(trx, lead, { actor, content: { body: text }, now: now() }, site)
  })
}

/**
 * Confirms an address by the token of its link, and mails the waiting messages. Confirming twice is not an error.
 * @throws AppError LINK_EXPIRED
 */
export async function confirmMessage(db: Db, linked: Linked, site: MailSite): Promise<MailedTo> {
  const lead = await findLinkedLead(db, linked)
  await db.transaction().execute(async (trx) => {
    for (const { id, author } of await confirmAddress(trx, lead, linked.now)) {
      await mailReleased(trx, lead, { messageId: id, author, now: linked.now }, site)
    }
  })
  return lead
}

type Released = Pick<MailedAnswer, 'author' | 'now'> & { messageId: string }

async function mailReleased(
  trx: Db,
  { id, email }: MailedTo,
  { messageId, author, now }: Released,
  site: MailSite,
): Promise<void> {
  const lead = await getLead(trx, id, now)
  const message = lead.messages.find((one) => one.id === messageId)
  if (message && !lead.sellerGone) await mailToBuyer(trx, { ...lead, email }, { message, author, now }, site)
}

const SOLD = 'Sorry, this part is already sold.'
/** Keeps the transaction, with an email to each, to about a second. */
const MOST_NOTIFIED = 100

type SaleClosing = SellerInLead & {
  requestId: string
  soldToThem: boolean
  tellOthers: boolean
  endListing: boolean
}

/**
 * Closes a conversation because the part is sold. Notifies the buyer, unless they cannot be mailed or bought it without
 * an offer, and optionally the other buyers with an open conversation about it, each once. `told` is the number notified who did not buy it.
 */
export function closeAsSold(
  db: Db,
  closing: SaleClosing,
  site: MailSite,
): Promise<{ lead: ReadLead; told: number; listingEnded: boolean }> {
  const { lead, actor, now, requestId, soldToThem, tellOthers, endListing: ends } = closing
  return inTransaction(db, async (trx) => {
    const ids = await lockLeads(trx, tellOthers ? openAbout(lead, now()) : sql`id = ${lead.id}`)
    const notified = (await notifyBuyer(trx, closing, site)) && !soldToThem ? 1 : 0
    const otherIds = ids.filter((id) => id !== lead.id)
    const others = await notifyOtherBuyers(trx, otherIds, closing, site)
    // Also if no one could be notified.
    await updateLeadState(trx, lead.id, 'closed')
    const { part } = await getLead(trx, lead.id, now())
    const listingEnded = ends && part?.forSale === true
    if (listingEnded) {
      const reason = soldToThem ? 'sold-here' : 'sold-elsewhere'
      await endListing(trx, { id: part.id, actor, requestId }, { reason, now: now() })
    }
    return { lead: await getLead(trx, lead.id, now()), told: notified + others, listingEnded }
  })
}

async function notifyBuyer(
  trx: Db,
  { lead: { id }, actor, soldToThem, now }: SaleClosing,
  site: MailSite,
): Promise<boolean> {
  const lead = await getLead(trx, id, now())
  const content = soldToThem ? soldTo(lead) : sorryFor(lead, now())
  return content !== undefined && notifyOfSale(trx, lead, { actor, content, now: now() }, site)
}

/** Notifies each person once, and this buyer no further; closes their other conversations. Returns how many people. */
async function notifyOtherBuyers(
  trx: Db,
  ids: readonly string[],
  { lead, actor, now }: SaleClosing,
  site: MailSite,
): Promise<number> {
  const known = new Set([lead.email?.toLowerCase()])
  let notified = 0
  for (const id of ids) {
    const one = await getLead(trx, id, now())
    const person = one.email?.toLowerCase()
    if (person !== undefined && known.has(person)) await updateLeadState(trx, id, 'closed')
    else if (await notifyOfSale(trx, one, { actor, content: sorryFor(one, now()), now: now() }, site)) {
      known.add(person)
      notified += 1
    }
  }
  return notified
}

/** Selects a conversation and the other open ones about its part, except those of buyers for whom it is held. */
const openAbout = ({ id, part }: ReadLead, now: Date) => sql`
  id = ${id} or id in (
    select id from lead o where listing_id = ${part?.id ?? null}::uuid and state <> 'closed'
      and not ${isPromisedTo(sql`o.id`, now)}
    order by id desc limit ${MOST_NOTIFIED})`

/** The acceptance of the newest offer. */
function acceptanceIn({ messages }: ReadLead): ReadMessage | undefined {
  const newest = messages.findLast(({ kind }) => kind === 'accept' || kind === 'offer')
  return newest?.kind === 'accept' ? newest : undefined
}

/** Undefined if they agreed on the price elsewhere: then the buyer knows already. */
function soldTo(lead: ReadLead): Partial<NewMessage> | undefined {
  const { priceCents = null, currency = null } = acceptanceIn(lead) ?? {}
  if (priceCents === null || currency === null) return undefined
  return { kind: 'sold', body: `Sold to you for ${moneyInWords(priceCents, currency)}. Thank you!` }
}

/** After an acceptance, `sold` means that this buyer bought the part. */
function sorryFor(lead: ReadLead, now: Date): Partial<NewMessage> {
  const heldUntil = acceptanceIn(lead)?.expiresAt
  const isHeld = heldUntil !== undefined && heldUntil !== null && heldUntil > now
  return { kind: isHeld ? 'text' : 'sold', body: SOLD }
}

/** Returns false if the buyer cannot be mailed: no address, emails stopped, or too many answers today. */
async function notifyOfSale(
  trx: Db,
  lead: ReadLead,
  { actor, content, now }: { actor: Actor; content: Partial<NewMessage>; now: Date },
  site: MailSite,
): Promise<boolean> {
  const { id, email } = lead
  if (email === null || lead.emailsStopped) return false
  const { used } = await countInWindow(trx, `answer:${id}`, ANSWERS_TO_ONE_MESSAGE.seconds)
  if (used > ANSWERS_TO_ONE_MESSAGE.most) return false
  await writeAsSeller(trx, { ...lead, email }, { actor, content, state: 'closed', now }, site)
  return true
}
