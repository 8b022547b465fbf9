import type { BuyerMessage } from '#contract/leads.ts'
import { unsubscribePage, unsubscribeUrl } from '#server/features/accounts/email/unsubscribe.ts'
import { countLead } from '#server/features/analytics/figures.ts'
import { findListingBySlug, type ReadListing } from '#server/features/listings/listing-queries.ts'
import { listingNotFound, ownsListing } from '#server/features/listings/policy.ts'
import { listingTitle } from '#server/features/listings/titles.ts'
import { type NewMail, queueMail } from '#server/features/mail/mail.ts'
import type { Actor } from '#server/platform/actor.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError, waitInWords } from '#server/platform/errors.ts'
import { countInWindow, takeFromWindow } from '#server/platform/http/limits/rate-limits.ts'
import { networkOf } from '#server/platform/net/addresses.ts'
import {
  findLead,
  insertAnswer,
  insertLead,
  listMessageReaders,
  type ReadLead,
  titleOf,
  updateLeadState,
} from './leads.ts'
import { findLinkedMessage, isConfirmedTo, mailMessageLink, releaseAnswers } from './message-links.ts'
import { canBeAskedAfter, ownListing } from './policy.ts'

/** Enough for a buyer with questions about several parts; stops a bot that floods an inbox. */
const MESSAGES_TO_ONE_SELLER = { most: 5, seconds: 3_600 }

/**
 * Emails about messages to one seller from all senders. Further messages are still in the inbox here, but do not flood the
 * seller's mailbox or get our email marked as spam.
 */
const MAILED_TO_ONE_SELLER = { most: 60, seconds: 3_600 }

/** We send answers to an address that anyone may have typed: enough for a conversation, too few to bombard someone. */
const ANSWERS_TO_ONE_MESSAGE = { most: 20, seconds: 86_400 }

/** Whether the `count`th message to a seller within the hour is emailed, and whether it is the last one that is. */
export function mailingOf(count: number): { mailed: boolean; last: boolean } {
  const { most } = MAILED_TO_ONE_SELLER
  return { mailed: count <= most, last: count === most }
}

/** Rethrows a full window in words that name the limit. */
function explainLimit(sentence: (wait: string) => string) {
  return (error: unknown): never => {
    if (!(error instanceof AppError) || error.code !== 'TOO_MANY') throw error
    const { retryAfterSeconds = 1 } = error
    const words = sentence(waitInWords(retryAfterSeconds))
    throw new AppError('TOO_MANY', words, { retryAfterSeconds, cause: error })
  }
}

export type Site = { publicUrl: string; productName: string; confirming: { readonly changes: boolean } }

type MailSite = Omit<Site, 'confirming'>

type Message = {
  id: string
  name: string
  email: string | null
  phone: string | null
  message: string
  /** The part's title. */
  title: string
  /** Null if the part is gone. */
  slug: string | null
}

/** `last`: whether this is the last email about a message within the hour (see `mailingOf`). */
type Receiver = { to: string; unsubscribeKey: string; last: boolean }

/** Forwards a buyer's message to a member of the seller; a reply goes to the buyer. */
export function newMessageMail(
  message: Message,
  { to, unsubscribeKey, last }: Receiver,
  site: MailSite,
): NewMail {
  const { name, email, phone, title } = message
  const unsubscribing = { key: unsubscribeKey, kind: 'messageEmails' } as const
  const answer =
    email === null
      ? `${name} left no email address. Call them at ${phone}.`
      : 'Reply to this email, or answer in your inbox:'
  return {
    to,
    ...(email !== null && { replyTo: email }),
    subject: `Message from ${name}: ${title}`,
    unsubscribeUrl: unsubscribeUrl(site.publicUrl, unsubscribing),
    body: paragraphs([
      `${name} wrote to you about ${title}:`,
      quote(message.message),
      [`Name: ${name}`, email && `Email: ${email}`, phone && `Phone: ${phone}`].filter(Boolean).join('\n'),
      `${answer}\n${site.publicUrl}/dashboard/seller/leads?lead=${message.id}`,
      partLink(message, site),
      last
        ? `You got ${MAILED_TO_ONE_SELLER.most} messages within an hour, so more will wait in your inbox without an email. Emails resume next hour.\n${site.publicUrl}/dashboard/seller/leads`
        : '',
      `${site.productName} sends these emails while "Email me about new messages" is on in your settings:\n${site.publicUrl}/dashboard/seller/account-settings\nStop these emails: ${unsubscribePage(site.publicUrl, unsubscribing)}`,
    ]),
  }
}

type Answer = { text: string; author: { name: string; email: string }; sellerName: string }

/**
 * The seller's answer to the buyer; from here on the two write to each other directly. The first line names the author:
 * anyone could enter a stranger's address at their own listing and write to it through us.
 */
export function answerMail(
  message: Message & { email: string },
  { text, author, sellerName }: Answer,
  site: MailSite,
): NewMail {
  return {
    to: message.email,
    replyTo: author.email,
    subject: `Re: ${message.title}`,
    body: paragraphs([
      `${sellerName} answered your message about ${message.title} on ${site.productName}:`,
      `Hello ${message.name},`,
      text.trim(),
      author.name === sellerName ? author.name : `${author.name}\n${sellerName}`,
      `You wrote:\n${quote(message.message)}`,
      partLink(message, site),
    ]),
  }
}

function partLink({ slug }: Message, { publicUrl }: MailSite): string {
  return slug === null ? '' : `The part: ${publicUrl}/parts/${encodeURIComponent(slug)}`
}

/** Marks every line of a stranger's text as theirs, so that none can pass for one of ours. */
function quote(text: string): string {
  return text
    .trim()
    .split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
}

function paragraphs(list: readonly string[]): string {
  return `${list.filter(Boolean).join('\n\n')}\n`
}

type SentMessage = {
  listing: ReadListing
  message: BuyerMessage
  ip: string
  buyer: Actor | undefined
  now: Date
}

/**
 * The part that a buyer writes about.
 * @throws AppError NOT_FOUND, CONFLICT if it is the writer's own
 */
export async function getAskedListing(
  db: Db,
  slug: string,
  { buyer }: Pick<SentMessage, 'buyer'>,
): Promise<ReadListing> {
  const listing = await findListingBySlug(db, slug)
  if (!listing || !canBeAskedAfter(listing)) throw listingNotFound()
  if (buyer && ownsListing(buyer, listing)) throw ownListing()
  return listing
}

/**
 * Stores a buyer's message and emails it to the seller's people who want that, all or nothing. Beyond the hourly limit it
 * is in the inbox only. The buyer gets a link that confirms the address; the seller's answers wait for that.
 * @throws AppError TOO_MANY if this address wrote to this seller too often within the hour
 */
export function writeToSeller(db: Db, sent: SentMessage, site: Site): Promise<void> {
  const { listing, message, ip, buyer, now } = sent
  const title = listingTitle(listing)
  const { sellerId } = listing
  const from = {
    name: message.name,
    email: message.email || null,
    phone: message.phone || null,
    message: message.message,
  }
  return inTransaction(db, async (trx) => {
    const opening = `You have sent this seller ${MESSAGES_TO_ONE_SELLER.most} messages within an hour.`
    // In this transaction, so that a message that is not stored does not count.
    await takeFromWindow(trx, `message:${sellerId}:${networkOf(ip)}`, MESSAGES_TO_ONE_SELLER).catch(
      explainLimit((wait) => `${opening} Please try again in ${wait}.`),
    )
    const isConfirmed =
      from.email !== null &&
      (!site.confirming.changes ||
        ownsAddress(buyer, from.email) ||
        (await isConfirmedTo(trx, { sellerId, email: from.email })))
    const id = await insertLead(trx, {
      ...from,
      sellerId,
      listingId: listing.id,
      listingTitle: title,
      confirmedAt: isConfirmed ? now : null,
    })
    await countLead(trx, { sellerId, categoryId: listing.categoryId })
    if (from.email !== null && !isConfirmed) {
      await mailMessageLink(trx, { id, email: from.email, now }, site)
    }
    const { used } = await countInWindow(trx, `message-mail:${sellerId}`, MAILED_TO_ONE_SELLER.seconds)
    const { mailed, last } = mailingOf(used)
    if (!mailed) return
    for (const { email: to, unsubscribeKey } of await listMessageReaders(trx, sellerId)) {
      const receiver = { to, unsubscribeKey, last }
      await queueMail(trx, newMessageMail({ ...from, id, title, slug: listing.slug }, receiver, site))
    }
  })
}

/** Whether a signed-in buyer wrote from the confirmed address of the account. */
function ownsAddress(buyer: Actor | undefined, email: string): boolean {
  return buyer?.emailConfirmed === true && buyer.email.toLowerCase() === email.toLowerCase()
}

type SellerAnswer = { lead: ReadLead & { email: string }; text: string; actor: Actor }

/**
 * Stores an answer with the buyer's message, which is answered from then on, and emails it: at once if the buyer's address
 * is confirmed, otherwise when it is (`confirmMessage`).
 * @throws AppError TOO_MANY if this message was answered too often today
 */
export function answerLead(db: Db, { lead, text, actor }: SellerAnswer, site: Site): Promise<ReadLead> {
  const { userId: authorUserId, name: authorName, email } = actor
  return inTransaction(db, async (trx) => {
    const opening = `You have answered this message ${ANSWERS_TO_ONE_MESSAGE.most} times today.`
    // In this transaction, so that an answer that is not stored does not count.
    await takeFromWindow(trx, `answer:${lead.id}`, ANSWERS_TO_ONE_MESSAGE).catch(
      explainLimit((wait) => `${opening} Write to ${lead.email} yourself, or try again in ${wait}.`),
    )
    // First, because it locks the message: it may be confirmed at this moment.
    const mailed = await updateLeadState(trx, lead.id, 'answered')
    await insertAnswer(trx, { leadId: lead.id, authorUserId, authorName, message: text, mailed })
    const message = { ...lead, title: titleOf(lead), slug: lead.listing?.slug ?? null }
    const author = { name: authorName, email }
    if (mailed) {
      await queueMail(trx, answerMail(message, { text, author, sellerName: lead.sellerName }, site))
    }
    const answered = await findLead(trx, lead.id)
    if (!answered) throw new Error(`message ${lead.id} disappeared while it was answered`)
    return answered
  })
}

/**
 * Confirms the address of a message with the token of its link, and mails the answers that waited for it. Confirming twice
 * is no error.
 * @throws AppError LINK_EXPIRED
 */
export async function confirmMessage(db: Db, { token, now }: { token: string; now: Date }, site: Site) {
  const linked = await findLinkedMessage(db, { token, now })
  const { sellerId, sellerName, email } = linked
  await db.transaction().execute(async (trx) => {
    for (const { leadId, text, author } of await releaseAnswers(trx, { sellerId, email, now })) {
      const lead = await findLead(trx, leadId)
      if (!lead) continue
      const message = { ...lead, email, title: titleOf(lead), slug: lead.listing?.slug ?? null }
      await queueMail(trx, answerMail(message, { text, author, sellerName }, site))
    }
  })
  return linked
}
