import type { Actor } from '#server/platform/actor.ts'
import { AppError } from '#server/platform/errors.ts'

type Offered = { status: string; endedAt: Date | null }

/** Only what is on offer can be asked after, whoever asks. */
export function canBeAskedAfter(listing: Offered): boolean {
  return listing.status === 'ACTIVE' && listing.endedAt === null
}

/** A seller reads the messages to them alone. */
export function ownsLead(actor: Actor, lead: { sellerId: string }): boolean {
  return actor.sellerId === lead.sellerId
}

/** What is not yours is answered like what does not exist. */
export const leadNotFound = () => new AppError('NOT_FOUND', 'There is no such message.')

export const ownListing = () =>
  new AppError('CONFLICT', 'This is your own listing: messages about it come to you.')

export const noEmailAddress = ({ name, phone }: { name: string; phone: string | null }) =>
  new AppError('CONFLICT', `${name} left no e-mail address. Call them at ${phone}.`)
