import { createHash } from 'node:crypto'
import type { Account, Balance } from './stripe-objects.ts'

export type Payout = { readonly amount: number; readonly currency: string; readonly arrivesAt: number }

/** What a verified yard's account could well hold, the same for an account on every day; nothing before. */
export function balanceOf(account: Account): Balance {
  const currency = account.default_currency ?? 'usd'
  const isLive = account.charges_enabled
  const amount = (cents: number) => ({
    amount: isLive ? cents : 0,
    currency,
    source_types: { card: isLive ? cents : 0 },
  })
  return {
    object: 'balance',
    available: [amount(draw(account.id, 'available', [48_000, 412_000]))],
    livemode: false,
    pending: [amount(draw(account.id, 'pending', [9_000, 96_000]))],
  }
}

/** The platform's own: it only passes money on. */
export const PLATFORM_BALANCE: Balance = {
  object: 'balance',
  available: [{ amount: 0, currency: 'usd', source_types: { card: 0 } }],
  livemode: false,
  pending: [{ amount: 0, currency: 'usd', source_types: { card: 0 } }],
}

const WEEK_S = 7 * 24 * 3600
// A Monday; payouts arrive on that day of the week.
const FIRST_PAYOUT = Date.UTC(2026, 0, 5) / 1000

/** The last payouts to the bank, newest first. */
export function payoutsOf(account: Account, now: number): Payout[] {
  if (!account.payouts_enabled) return []
  const lastWeek = Math.floor((now - FIRST_PAYOUT) / WEEK_S)
  return [0, 1, 2, 3].map((ago) => {
    const week = lastWeek - ago
    return {
      amount: draw(account.id, `payout ${week}`, [31_000, 264_000]),
      currency: account.default_currency ?? 'usd',
      arrivesAt: FIRST_PAYOUT + week * WEEK_S,
    }
  })
}

/** A number of cents that always comes out the same for the same account and purpose. */
function draw(id: string, purpose: string, [least, most]: readonly [number, number]): number {
  const part = createHash('sha256').update(`${id} ${purpose}`).digest().readUInt32BE() / 2 ** 32
  return Math.round(least + part * (most - least))
}
