import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Price, ProviderCalls, StripeClient } from './provider.ts'

/* The price of Pro: what the provider charges, and whether that is what the site says. */

/** "$149" or "CA$149.50". */
export function priceInWords(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  })
  const { maximumFractionDigits = 2 } = format.resolvedOptions()
  return format.format(amount / 10 ** maximumFractionDigits)
}

/** Why Pro must not be sold at this price, as an instruction to the operator; null if it may. */
export function priceProblem(price: Price | undefined, priceId: string, priceText: string): string | null {
  if (!price) {
    return `The price ${priceId} does not exist for this key. Set STRIPE_PRO_PRICE_ID to a price of the same account and mode.`
  }
  if (!price.isActive) {
    return `The price ${priceId} or its product is archived. Unarchive it in Stripe, or set STRIPE_PRO_PRICE_ID to another price.`
  }
  if (!price.isMonthly || price.amount === null) {
    return `The price ${priceId} is not a fixed amount a month. Create a recurring monthly price and set STRIPE_PRO_PRICE_ID to it.`
  }
  const words = priceInWords(price.amount, price.currency)
  if (words === priceText) return null
  return `The price ${priceId} is ${words} a month, and PRO_PRICE_TEXT says ${priceText}. Set PRO_PRICE_TEXT=${words}, or use a price of ${priceText}.`
}

type Wanted = { stripe: Pick<StripeClient, 'priceId'>; priceText: string }
type ProPrice = { amountText: string | null; problem: string | null }

/**
 * Reads the price from the provider and stores what it says.
 * @throws ProviderFailure
 */
export async function readProPrice(
  db: Db,
  calls: ProviderCalls,
  { stripe: { priceId }, priceText }: Wanted,
): Promise<ProPrice> {
  const price = await calls.findPrice()
  const amountText = price?.amount == null ? null : priceInWords(price.amount, price.currency)
  const problem = priceProblem(price, priceId, priceText)
  await sql`
    insert into pro_price (price_id, amount_text, problem, read_at)
    values (${priceId}, ${amountText}, ${problem}, now())
    on conflict (only_row) do update
    set price_id = excluded.price_id, amount_text = excluded.amount_text, problem = excluded.problem,
        read_at = excluded.read_at`.execute(db)
  return { amountText, problem }
}

/** What was read last of this price, or undefined. */
export async function findProPrice(db: Db, priceId: string): Promise<ProPrice | undefined> {
  const { rows } = await sql<ProPrice>`
    select amount_text as "amountText", problem from pro_price where price_id = ${priceId}`.execute(db)
  return rows[0]
}

/**
 * Sells nothing at a price that the site does not show. A price that was wrong is read again, so that a mended one sells at
 * once.
 * @throws AppError CONFLICT, ProviderFailure
 */
export async function requireRightPrice(db: Db, calls: ProviderCalls, wanted: Wanted): Promise<void> {
  const known = await findProPrice(db, wanted.stripe.priceId)
  if (known && known.problem === null) return
  const { problem } = await readProPrice(db, calls, wanted)
  if (problem === null) return
  throw new AppError('CONFLICT', 'Pro cannot be bought at the moment. Please try again later.', {
    cause: new Error(problem),
  })
}
