import type { BuyerMessage } from '#contract/leads.ts'
import { countLead } from '#server/features/analytics/queries.ts'
import type { ReadListing } from '#server/features/listings/listing-queries.ts'
import { listingTitle } from '#server/features/listings/listing-title.ts'
import { queueMail } from '#server/features/mail/queue-mail.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { countInWindow, takeFromWindow } from '#server/platform/http/rate-limits.ts'
import { newMessageMail, type Site } from './lead-mail.ts'
import {
  MAILED_TO_ONE_SELLER,
  MESSAGES_TO_ONE_SELLER,
  mailedWindow,
  mailingOf,
  messageWindow,
  tooManyMessages,
} from './message-limit.ts'
import { insertLead, listMessageReaders } from './queries.ts'

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
