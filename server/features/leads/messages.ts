import type { BuyerMessage } from '#contract/leads.ts'
import { countLead } from '#server/features/analytics/figures.ts'
import type { ReadListing } from '#server/features/listings/listing-queries.ts'
import { listingTitle } from '#server/features/listings/titles.ts'
import { type NewMail, queueMail } from '#server/features/mail/mail.ts'
import type { Actor } from '#server/platform/actor.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError, waitInWords } from '#server/platform/errors.ts'
import { countInWindow, takeFromWindow } from '#server/platform/http/rate-limits.ts'
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

/** Who asks after five parts of one yard within an hour had better call; a machine that floods an inbox is stopped. */
const MESSAGES_TO_ONE_SELLER = { most: 5, seconds: 3_600 }

/**
 * Mails about messages to one seller, whoever wrote them. What a crowd of addresses sends is in the inbox all the same, but
 * does not bury the seller's mailbox, nor have our mail taken for junk.
 */
const MAILED_TO_ONE_SELLER = { most: 60, seconds: 3_600 }

/** Answers come from us to an address that anybody may have typed: a conversation fits, a bombardment does not. */
const ANSWERS_TO_ONE_MESSAGE = { most: 20, seconds: 86_400 }

function messageWindow(sellerId: string, ip: string): string {
  return `message:${sellerId}:${networkOf(ip)}`
}

function mailedWindow(sellerId: string): string {
  return `message-mail:${sellerId}`
}

function answerWindow(leadId: string): string {
  return `answer:${leadId}`
}

/** Whether the message that is the `count`th to its seller within the hour is mailed, and is the last one that is. */
export function mailingOf(count: number): { mailed: boolean; last: boolean } {
  const { most } = MAILED_TO_ONE_SELLER
  return { mailed: count <= most, last: count === most }
}

/** The refusal of a full window, in words that name the seller's limit. */
function tooManyMessages(error: unknown): unknown {
  const opening = `You have sent this seller ${MESSAGES_TO_ONE_SELLER.most} messages within an hour.`
  return inWords(error, (wait) => `${opening} Please try again in ${wait}.`)
}

/** The same for answers; there is another way to the buyer. */
function tooManyAnswers(error: unknown, email: string): unknown {
  const opening = `You have answered this message ${ANSWERS_TO_ONE_MESSAGE.most} times today.`
  return inWords(error, (wait) => `${opening} Write to ${email} yourself, or try again in ${wait}.`)
}

function inWords(error: unknown, sentence: (wait: string) => string): unknown {
  if (!(error instanceof AppError) || error.code !== 'TOO_MANY') return error
  const { retryAfterSeconds = 1 } = error
  const words = sentence(waitInWords(retryAfterSeconds))
  return new AppError('TOO_MANY', words, { retryAfterSeconds, cause: error })
}

/** Where links lead, and who we are. */
export type Site = { publicUrl: string; productName: string }

type Message = {
  id: string
  name: string
  email: string | null
  phone: string | null
  message: string
  /** What the part is called. */
  title: string
  /** Null where the part is gone. */
  slug: string | null
}

/** `last`: whether it is the last mail about a message within the hour (see message-limit.ts). */
type Receiver = { to: string; last: boolean }

/** Tells a member of the seller what a buyer wrote; an answer to this mail goes to the buyer. */
export function newMessageMail(message: Message, { to, last }: Receiver, site: Site): NewMail {
  const { name, email, phone, title } = message
  const answer =
    email === null
      ? `${name} left no e-mail address. Call them at ${phone}.`
      : 'Reply to this e-mail, or answer in your inbox:'
  return {
    to,
    ...(email !== null && { replyTo: email }),
    subject: `Message from ${name}: ${title}`,
    body: paragraphs([
      `${name} wrote to you about ${title}:`,
      quote(message.message),
      [`Name: ${name}`, email && `E-mail: ${email}`, phone && `Phone: ${phone}`].filter(Boolean).join('\n'),
      `${answer}\n${site.publicUrl}/dashboard/seller/leads?lead=${message.id}`,
      partLink(message, site),
      last
        ? `So many messages came within an hour that further ones are waiting in your inbox only. We mail you new ones again from the next hour on.\n${site.publicUrl}/dashboard/seller/leads`
        : '',
      `${site.productName} sends these mails while "E-mail me about new messages" is on in your settings:\n${site.publicUrl}/dashboard/seller/account-settings`,
    ]),
  }
}

type Answer = { text: string; author: { name: string; email: string }; sellerName: string }

/**
 * What the seller answers, to the buyer; from here on the two of them write to each other directly. Whose words follow
 * stands before them: anybody may leave a stranger's address at a part of their own, and write to it in our name.
 */
export function answerMail(
  message: Message & { email: string },
  { text, author, sellerName }: Answer,
  site: Site,
): NewMail {
  return {
    to: message.email,
    replyTo: author.email,
    subject: `Re: ${message.title}`,
    body: paragraphs([
      `${sellerName} answers your message about ${message.title} on ${site.productName}:`,
      `Hello ${message.name},`,
      text.trim(),
      author.name === sellerName ? author.name : `${author.name}\n${sellerName}`,
      `You wrote:\n${quote(message.message)}`,
      partLink(message, site),
    ]),
  }
}

function partLink({ slug }: Message, { publicUrl }: Site): string {
  return slug === null ? '' : `The part: ${publicUrl}/parts/${encodeURIComponent(slug)}`
}

/** Every line of a stranger's text is marked as theirs, so that none can pass for one of ours. */
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

type Written = { listing: ReadListing; message: BuyerMessage; ip: string }

/**
 * Puts a buyer's message into the seller's inbox and mails it to the seller's people who want that, all or nothing. Beyond
 * the mails that a seller gets within an hour a message is in the inbox alone.
 * @throws AppError TOO_MANY when this address wrote to this seller too often within the hour
 */
export function writeToSeller(db: Db, { listing, message, ip }: Written, site: Site): Promise<void> {
  const title = listingTitle(listing)
  const { sellerId } = listing
  const buyer = {
    name: message.name,
    email: message.email || null,
    phone: message.phone || null,
    message: message.message,
  }
  return inTransaction(db, async (trx) => {
    // With the message, so that one which is not stored is not counted either.
    await takeFromWindow(trx, messageWindow(sellerId, ip), MESSAGES_TO_ONE_SELLER).catch((error: unknown) => {
      throw tooManyMessages(error)
    })
    const id = await insertLead(trx, { ...buyer, sellerId, listingId: listing.id, listingTitle: title })
    await countLead(trx, { sellerId, categoryId: listing.categoryId })
    const { used } = await countInWindow(trx, mailedWindow(sellerId), MAILED_TO_ONE_SELLER.seconds)
    const { mailed, last } = mailingOf(used)
    if (!mailed) return
    for (const to of await listMessageReaders(trx, sellerId)) {
      await queueMail(trx, newMessageMail({ ...buyer, id, title, slug: listing.slug }, { to, last }, site))
    }
  })
}

type AnswerLeadAnswer = { lead: ReadLead & { email: string }; text: string; actor: Actor }

/**
 * Mails an answer to the buyer and keeps it with their message, which counts as answered from then on.
 * @throws AppError TOO_MANY when this message was answered too often today
 */
export function answerLead(db: Db, { lead, text, actor }: AnswerLeadAnswer, site: Site): Promise<ReadLead> {
  const { userId: authorUserId, name: authorName, email } = actor
  return inTransaction(db, async (trx) => {
    // With the answer, so that one which is not stored is not counted either.
    await takeFromWindow(trx, answerWindow(lead.id), ANSWERS_TO_ONE_MESSAGE).catch((error: unknown) => {
      throw tooManyAnswers(error, lead.email)
    })
    await insertAnswer(trx, { leadId: lead.id, authorUserId, authorName, message: text })
    await updateLeadState(trx, lead.id, 'answered')
    const message = { ...lead, title: titleOf(lead), slug: lead.listing?.slug ?? null }
    const author = { name: authorName, email }
    await queueMail(trx, answerMail(message, { text, author, sellerName: lead.sellerName }, site))
    const answered = await findLead(trx, lead.id)
    if (!answered) throw new Error(`message ${lead.id} went while it was answered`)
    return answered
  })
}
