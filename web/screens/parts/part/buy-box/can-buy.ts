import type { Listing } from '#contract/listings.ts'

/** Whether a visitor can buy the part now, where orders are on. */
export const canBuy = ({ soldOnline, availability, status, mine }: Listing): boolean =>
  soldOnline && availability === 'now' && status === 'ACTIVE' && !mine
