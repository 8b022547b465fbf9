import type { Actor } from '#server/platform/actor.ts'
import { AppError } from '#server/platform/errors.ts'

type Offered = { status: string; endedAt: Date | null }

/** Buyers can only ask about parts that are for sale. */
export function canBeAskedAfter(listing: Offered): boolean {
  return listing.status === 'ACTIVE' && listing.endedAt === null
}

export function ownsLead(actor: Actor, lead: { sellerId: string }): boolean {
  return actor.sellerId === lead.sellerId
}

/** Other sellers' messages look like missing ones. */
export const leadNotFound = () => new AppError('NOT_FOUND', 'There is no such message.')

export const ownListing = () =>
  new AppError('CONFLICT', 'This is your own listing: messages about it come to you.')

export const noEmailAddress = ({ name, phone }: { name: string; phone: string | null }) =>
  new AppError('CONFLICT', `${name} left no email address. Call them at ${phone}.`)
