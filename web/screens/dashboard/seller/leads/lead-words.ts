import type { Lead, LeadState } from '#contract/leads.ts'

export const stateColors: Record<LeadState, string> = { new: 'sea', answered: 'good', closed: 'gray' }

type About = Pick<Lead, 'listing' | 'listingTitle'>

/** The part as it is called now; where it was deleted, as it was called then. */
export const partOf = ({ listing, listingTitle }: About): string => listing?.title ?? listingTitle

/** Opens the seller's own mail program, with the part as the subject. */
export const mailLink = (email: string, about: About): string =>
  `mailto:${email}?subject=${encodeURIComponent(`Re: ${partOf(about)}`)}`

/** To call a number as it was typed; undefined where there is nothing to dial in it. */
export function phoneLink(phone: string): string | undefined {
  const dialled = phone.replaceAll(/[^\d+]/g, '')
  return /\d{3}/.test(dialled) ? `tel:${dialled}` : undefined
}

/** What "Open again" makes of a closed message. */
export const stateBefore = ({ answeredAt }: Pick<Lead, 'answeredAt'>): LeadState =>
  answeredAt === null ? 'new' : 'answered'
