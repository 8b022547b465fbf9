import type { OfferState } from '#contract/pages/conversations.ts'
import { holdForOffer } from '#server/features/market/for-sale/holds.ts'
import { queueMail } from '#server/features/talk/mail/mail.ts'
import type { MailSite } from '#server/features/talk/mail/mail-text.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { enterAsSeller, type SellerInLead, takeAnswer, writeAsSeller } from './answers.ts'
import {
  getLead,
  isPromised,
  lockAskedPart,
  mayDo,
  offerContextOf,
  type ReadLead,
  type ReadMessage,
} from './leads.ts'
import { type MailedTo, openLink } from './message-links.ts'
import { agreedMail, mailedLead, mailedMessage } from './message-mails.ts'
import { enterByLink, writeAsBuyer } from './messages.ts'
import { BUYER_OFFER_HOURS, HOLD_HOURS, HOUR_MS, offerStates, type Side } from './offer-rules.ts'
import { requireFairPrice, requireMore } from './policy.ts'

/*
 * Offers in an ongoing conversation. Each use case locks the conversation, rereads it and then checks the rules, so
 * that of two concurrent answers to an offer the second is rejected.
 */

const after = (now: Date, hours: number): Date => new Date(now.getTime() + hours * HOUR_MS)

type NamedPrice = { side: Side; price: number; hours: number; now: Date }

/**
 * @throws AppError CONFLICT if this side cannot make an offer now, VALIDATION_FAILED for a price above the asking price
 * or a counteroffer that asks for no more than the buyer offers
 */
function newOffer(lead: ReadLead, { side, price, hours, now }: NamedPrice) {
  const { part } = lead
  if (!part || !mayDo(side, lead, now).includes('offer')) throw noOfferNow(side, lead, now)
  requireFairPrice({ price, field: 'price' }, part)
  const { message: theirs, state } = openOffer(lead, now) ?? {}
  if (side === 'seller' && state === 'open' && theirs?.sender === 'buyer') requireMore(price, theirs)
  const deal = { priceCents: price, currency: part.currency, expiresAt: after(now, hours) }
  return { kind: 'offer', deal } as const
}

function noOfferNow(side: Side, lead: ReadLead, now: Date): AppError {
  if (!lead.part?.forSale) return new AppError('CONFLICT', 'This part is no longer for sale.')
  if (['accepted', 'bought'].includes(openOffer(lead, now)?.state ?? '')) {
    return new AppError('CONFLICT', 'You have already agreed on a price for this part.')
  }
  return new AppError(
    'CONFLICT',
    side === 'buyer'
      ? 'This seller does not take offers.'
      : 'This buyer has made no offer. Name your price in a message instead.',
  )
}

/** The newest offer of a conversation. */
function openOffer(lead: ReadLead, now: Date): { message: ReadMessage; state: OfferState } | undefined {
  const states = offerStates(lead.messages, offerContextOf(lead, now))
  const at = states.findLastIndex((state) => state !== undefined)
  const [message, state] = [lead.messages[at], states[at]]
  return message && state && { message, state }
}

type OfferAnswer = { offerId: string; answer: 'accept' | 'decline' }

const REASONS: Record<Exclude<OfferState, 'open'>, string> = {
  accepted: 'This offer is already accepted.',
  declined: 'This offer was declined.',
  expired: 'This offer has expired. Make a new one instead.',
  replaced: 'There is a newer offer in this conversation. Review it first.',
  lapsed: 'The hold on the part has ended. Make a new offer instead.',
  gone: 'This part is no longer for sale.',
  bought: 'This offer was accepted, and the part is sold.',
}

/** @throws AppError CONFLICT if the offer can no longer be answered by this side */
function answerTo(
  lead: ReadLead,
  { offerId, answer }: OfferAnswer,
  { side, now }: { side: Side; now: Date },
) {
  const offer = openOffer(lead, now)
  const refusal = (reason: string) => new AppError('CONFLICT', reason)
  if (offer?.message.id !== offerId) throw refusal(REASONS.replaced)
  if (offer.state !== 'open') throw refusal(REASONS[offer.state])
  if (!mayDo(side, lead, now).includes(answer)) {
    throw refusal('This is your own offer. Wait for the answer to it.')
  }
  if (answer === 'decline') return { kind: answer }
  const { priceCents, currency } = offer.message
  if (priceCents === null || currency === null) throw new Error(`offer ${offerId} has no price`)
  return { kind: answer, deal: { priceCents, currency, expiresAt: after(now, HOLD_HOURS) } }
}

type ByLink = { token: string; now: () => Date }

/**
 * A buyer makes an offer through an emailed link.
 * @throws AppError LINK_EXPIRED, CONFLICT, VALIDATION_FAILED, TOO_MANY
 */
export function offerToSeller(
  db: Db,
  { token, price, text, now }: ByLink & { price: number; text: string },
  site: MailSite,
): Promise<ReadLead> {
  return inTransaction(db, async (trx) => {
    const lead = await enterByLink(trx, { token, now: now() })
    const at = now()
    const offer = newOffer(lead, { side: 'buyer', price, hours: BUYER_OFFER_HOURS, now: at })
    return writeAsBuyer(trx, lead, { content: { ...offer, body: text }, now: at }, site)
  })
}

/**
 * A buyer answers the seller's counteroffer through an emailed link. A part promised to another buyer cannot be
 * accepted.
 * @throws AppError LINK_EXPIRED, CONFLICT, TOO_MANY
 */
export function answerCounterOffer(
  db: Db,
  { token, now, ...answer }: ByLink & OfferAnswer,
  site: MailSite,
): Promise<ReadLead> {
  return inTransaction(db, async (trx) => {
    const { id, email } = await enterByLink(trx, { token, now: now() })
    await lockAskedPart(trx, id)
    const at = now()
    const lead = await getLead(trx, id, at)
    const content = answerTo(lead, answer, { side: 'buyer', now: at })
    if (content.kind === 'accept' && isPromised(lead)) {
      throw new AppError(
        'CONFLICT',
        'The seller has since promised this part to another buyer. Ask whether it is still available.',
      )
    }
    await holdAccepted(trx, lead, content.kind, at)
    const written = await writeAsBuyer(trx, lead, { content, now: at }, site)
    if (content.kind === 'accept') await mailAgreement(trx, { ...written, email }, at, site)
    return written
  })
}

/** Mails the buyer the price that they accepted. */
async function mailAgreement(trx: Db, lead: MailedTo, now: Date, site: MailSite): Promise<void> {
  const { email, sellerName, unsubscribeKey, part } = lead
  const acceptance = lead.messages.at(-1)
  if (!acceptance) throw new Error(`conversation ${lead.id} is empty`)
  const { price, until } = mailedMessage(acceptance, lead)
  const sellerPhone = part?.dealerPhone ?? null
  const token = await openLink(trx, lead.id, now)
  const agreed = { price, until, sellerName, sellerPhone, token, unsubscribeKey }
  await queueMail(trx, agreedMail({ ...mailedLead(lead), email }, agreed, site))
}

/**
 * The seller makes a counteroffer.
 * @throws AppError CONFLICT, VALIDATION_FAILED, TOO_MANY
 */
export function counterOffer(
  db: Db,
  answering: SellerInLead & { price: number; hours: number; text: string },
  site: MailSite,
): Promise<ReadLead> {
  const { actor, price, hours, text, now } = answering
  return inTransaction(db, async (trx) => {
    const lead = await enterAsSeller(trx, answering)
    await takeAnswer(trx, lead)
    const at = now()
    const offer = newOffer(lead, { side: 'seller', price, hours, now: at })
    return writeAsSeller(trx, lead, { actor, content: { ...offer, body: text }, now: at }, site)
  })
}

/**
 * The seller accepts or declines a buyer's offer. Accepting does not sell the part: it is held at that price and stays
 * listed. A part already promised is promised again only if the seller confirms it.
 * @throws AppError CONFLICT, TOO_MANY
 */
export function answerOffer(
  db: Db,
  answering: SellerInLead & OfferAnswer & { text: string; evenIfPromised: boolean },
  site: MailSite,
): Promise<ReadLead> {
  const { actor, text, evenIfPromised, now } = answering
  return inTransaction(db, async (trx) => {
    const { id, email } = await enterAsSeller(trx, answering)
    await lockAskedPart(trx, id)
    const at = now()
    const lead = { ...(await getLead(trx, id, at)), email }
    await takeAnswer(trx, lead)
    const content = answerTo(lead, answering, { side: 'seller', now: at })
    if (content.kind === 'accept' && isPromised(lead) && !evenIfPromised) {
      throw new AppError(
        'CONFLICT',
        'You have already accepted another buyer’s offer for this part and are holding it for them.',
      )
    }
    await holdAccepted(trx, lead, content.kind, at)
    return writeAsSeller(trx, lead, { actor, content: { ...content, body: text }, now: at }, site)
  })
}

/** Where the yard sells online, an accepted offer holds the part for all to see, and can be paid. */
async function holdAccepted(trx: Db, lead: ReadLead, answer: 'accept' | 'decline', now: Date): Promise<void> {
  if (answer === 'accept' && lead.part) {
    await holdForOffer(trx, { leadId: lead.id, listingId: lead.part.id, now })
  }
}
