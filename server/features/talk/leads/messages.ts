import type { BuyerMessage } from '#contract/leads.ts'
import { countLead } from '#server/features/market/analytics/figures.ts'
import { findListingBySlug, type ReadListing } from '#server/features/market/listings/listing-queries.ts'
import { listingNotFound, ownsListing } from '#server/features/market/listings/policy.ts'
import { listingTitle } from '#server/features/market/listings/titles.ts'
import { hasMailbox } from '#server/features/people/accounts/known-devices.ts'
import { queueMail } from '#server/features/talk/mail/mail.ts'
import type { MailSite } from '#server/features/talk/mail/mail-text.ts'
import type { Actor } from '#server/platform/actor.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { explainLimit } from '#server/platform/errors.ts'
import { countInWindow, takeFromWindow } from '#server/platform/http/limits/rate-limits.ts'
import { networkOf } from '#server/platform/net/addresses.ts'
import {
  getLead,
  insertLead,
  insertMessage,
  listMessageReaders,
  markUnread,
  type NewMessage,
  type ReadLead,
} from './leads.ts'
import {
  confirmAddress,
  findLinkedLead,
  type Linked,
  lockLinkedLead,
  type MailedTo,
  mailMessageLink,
} from './message-links.ts'
import {
  MAILED_TO_ONE_SELLER,
  mailedLead,
  mailedMessage,
  mailingOf,
  newMessageMail,
} from './message-mails.ts'
import { BUYER_OFFER_HOURS, HOUR_MS } from './offer-rules.ts'
import { canBeAskedAfter, noOffers, ownListing, requireFairPrice, sellerGone } from './policy.ts'

/* A buyer's messages: the first one, which starts a conversation, and replies through an emailed link. */

/** Enough for a buyer with questions about several parts; stops a bot that floods an inbox. */
const MESSAGES_TO_ONE_SELLER = { most: 5, seconds: 3_600 }

/** Limits a buyer's replies through an emailed link; the seller has the same limit. */
const REPLIES_IN_ONE_CONVERSATION = { most: 20, seconds: 86_400 }

export type Site = MailSite & { confirming: { readonly changes: boolean } }

type SentMessage = {
  listing: ReadListing
  message: BuyerMessage
  ip: string
  /** The browser's cookies, which may prove that it confirmed the address. */
  cookie?: string | undefined
  buyer: Actor | undefined
  now: Date
}

/**
 * Gets the part that a buyer writes about.
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
 * Stores a buyer's first message, which may be an offer, and emails it to the seller's people who want that, in one
 * transaction. Beyond the hourly email limit it goes to the inbox only. The buyer gets a link that confirms the
 * address; the seller's answers wait for that.
 * Returns why the link could not be mailed: too many were to this address. The seller has the message nevertheless.
 * @throws AppError TOO_MANY if this address wrote to this seller too often within the hour
 */
export function writeToSeller(db: Db, sent: SentMessage, site: Site): Promise<string | undefined> {
  const { listing, message, ip, cookie, buyer, now } = sent
  const { sellerId, currency } = listing
  const { offer, name } = message
  const email = message.email || null
  if (offer !== undefined) {
    if (!listing.takesOffers) throw noOffers()
    requireFairPrice({ price: offer, field: 'offer' }, listing)
  }
  return inTransaction(db, async (trx) => {
    const opening = `You have sent this seller ${MESSAGES_TO_ONE_SELLER.most} messages within an hour.`
    // In this transaction, so that a message that is not stored does not count.
    await takeFromWindow(trx, `message:${sellerId}:${networkOf(ip)}`, MESSAGES_TO_ONE_SELLER).catch(
      explainLimit((wait) => `${opening} Please try again in ${wait}.`),
    )
    const isConfirmed =
      email !== null &&
      (!site.confirming.changes ||
        ownsAddress(buyer, email) ||
        (await hasMailbox(trx, { email, cookie, now })))
    const id = await insertLead(trx, {
      name,
      email,
      phone: message.phone || null,
      sellerId,
      listingId: listing.id,
      listingTitle: listingTitle(listing),
      confirmedAt: isConfirmed ? now : null,
    })
    await insertMessage(trx, id, {
      message: {
        ...buyerSays(message.message),
        ...(offer !== undefined && {
          kind: 'offer',
          deal: {
            priceCents: offer,
            currency,
            expiresAt: new Date(now.getTime() + BUYER_OFFER_HOURS * HOUR_MS),
          },
        }),
      },
      now,
    })
    await countLead(trx, { sellerId, categoryId: listing.categoryId })
    const unmailed =
      email !== null && !isConfirmed ? await mailMessageLink(trx, { id, email, ip, now }, site) : undefined
    await mailToSeller(trx, await getLead(trx, id, now), site)
    return unmailed
  })
}

/** Whether a signed-in buyer wrote from the confirmed address of the account. */
function ownsAddress(buyer: Actor | undefined, email: string): boolean {
  return buyer?.emailConfirmed === true && buyer.email.toLowerCase() === email.toLowerCase()
}

const buyerSays = (body: string): NewMessage => ({ sender: 'buyer', kind: 'text', body, mailed: true })

/** Mails the newest message of a buyer. */
async function mailToSeller(trx: Db, lead: ReadLead, site: MailSite): Promise<void> {
  const { sellerId, messages } = lead
  const newest = messages.at(-1)
  const { used } = await countInWindow(trx, `message-mail:${sellerId}`, MAILED_TO_ONE_SELLER.seconds)
  const { mailed, last } = mailingOf(used)
  if (!mailed || !newest) return
  const message = { ...mailedMessage(newest, lead), isFirst: messages.length === 1 }
  for (const { email: to, unsubscribeKey } of await listMessageReaders(trx, sellerId)) {
    await queueMail(trx, newMessageMail(mailedLead(lead), message, { to, unsubscribeKey, last }, site))
  }
}

/**
 * Locks the conversation of a link for the buyer's next message. Using the link confirms the address. The messages that
 * waited for that are not mailed: the buyer is reading them.
 * @throws AppError LINK_EXPIRED
 */
export async function enterByLink(trx: Db, linked: Linked): Promise<MailedTo> {
  const before = await findLinkedLead(trx, linked)
  if (!before.emailConfirmed) await confirmAddress(trx, before, linked.now)
  return lockLinkedLead(trx, linked)
}

/** Writes a buyer's message into a locked conversation and mails it to the seller. */
export async function writeAsBuyer(
  trx: Db,
  lead: ReadLead,
  { content, now }: { content: Partial<NewMessage>; now: Date },
  site: MailSite,
): Promise<ReadLead> {
  if (lead.sellerGone) throw sellerGone()
  const opening = `You have written ${REPLIES_IN_ONE_CONVERSATION.most} times in this conversation today.`
  await takeFromWindow(trx, `reply:${lead.id}`, REPLIES_IN_ONE_CONVERSATION).catch(
    explainLimit((wait) => `${opening} Please try again in ${wait}.`),
  )
  await insertMessage(trx, lead.id, { message: { ...buyerSays(''), ...content }, now })
  await markUnread(trx, lead.id, now)
  const written = await getLead(trx, lead.id, now)
  await mailToSeller(trx, written, site)
  return written
}

type Reply = { token: string; text: string; now: () => Date }

/**
 * A buyer's reply through an emailed link.
 * @throws AppError LINK_EXPIRED, TOO_MANY if they wrote too often today
 */
export function replyToSeller(db: Db, { token, text, now }: Reply, site: MailSite): Promise<ReadLead> {
  return inTransaction(db, async (trx) => {
    const lead = await enterByLink(trx, { token, now: now() })
    return writeAsBuyer(trx, lead, { content: { body: text }, now: now() }, site)
  })
}
