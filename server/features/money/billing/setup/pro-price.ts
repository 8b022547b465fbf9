import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Price, ProviderCalls, StripeClient } from '#server/features/money/billing/provider.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Reads } from '#server/platform/database/reads.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Log } from '#server/platform/log.ts'

/* The price of Pro: what the provider charges, and whether the site shows the same. */

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

/** Returns why Pro must not be sold at this price, as an instruction to the operator, or null. */
export function priceProblem(price: Price | undefined, priceId: string, priceText: string): string | null {
  if (!price) {
    return `The price ${priceId} does not exist for this key. Set STRIPE_PRO_PRICE_ID to a price of the same account and mode.`
  }
  if (!price.isActive) {
    return `The price ${priceId} or its product is archived. Unarchive it in Stripe, or set STRIPE_PRO_PRICE_ID to another price.`
  }
  if (!price.isMonthly || price.amount === null) {
    return `The price ${priceId} is not a fixed monthly amount. Create a recurring monthly price and set STRIPE_PRO_PRICE_ID to it.`
  }
  const words = priceInWords(price.amount, price.currency)
  if (words === priceText) return null
  return `The price ${priceId} is ${words} per month, and PRO_PRICE_TEXT says ${priceText}. Set PRO_PRICE_TEXT='${words}' (with the quotes: a shell reads $1 as a variable), or use a price of ${priceText}.`
}

type Wanted = { stripe: Pick<StripeClient, 'priceId'>; priceText: string }
type ProPrice = { amountText: string | null; problem: string | null }

/**
 * Reads the price from the provider and stores its text and problem.
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

// Pages are rendered often, and the price changes about once a year.
const FRESH_MS = 30_000

/**
 * Opens the reader of the site's price text: the price last read from the provider, or PRO_PRICE_TEXT. `priceId` is
 * undefined if payments are off.
 */
export function openPriceText(
  reads: Reads,
  { priceId, priceText }: { priceId: string | undefined; priceText: string },
): () => Promise<string> {
  let kept: { at: number; text: string } | undefined
  return async () => {
    if (priceId === undefined) return priceText
    if (!kept || performance.now() - kept.at > FRESH_MS) {
      // Without the database, a page that says so has a price too.
      const known = await reads((db) => findProPrice(db, priceId)).catch(() => 'unknown' as const)
      if (known === 'unknown') return kept?.text ?? priceText
      kept = { at: performance.now(), text: known?.amountText ?? priceText }
    }
    return kept.text
  }
}

const START_MS = 10_000
// Under `npm start` the simulator starts at the same time; a provider that is down usually recovers within minutes.
const TRY_AFTER_MS = [0, 3_000, 30_000, 300_000]

/** At startup: reads the price and logs any problem. Registration and pages never wait for it. */
export async function reportPrice(
  { db, stripe, priceText, log }: { db: Db; stripe: StripeClient; priceText: string; log: Log },
  signal: AbortSignal,
): Promise<void> {
  let failure: unknown
  for (const pauseMs of TRY_AFTER_MS) {
    try {
      await sleep(pauseMs, undefined, { signal, ref: false })
      const { problem } = await readProPrice(db, stripe.within(START_MS), { stripe, priceText })
      if (problem !== null) log.error({ problem }, 'Pro is not for sale: its price is not set up correctly')
      return
    } catch (error) {
      if (signal.aborted) return
      failure = error
    }
  }
  log.warn({ err: failure }, 'the price of Pro could not be read; every checkout tries again')
}

/** The stored text and problem of this price, or undefined. */
async function findProPrice(db: Db, priceId: string): Promise<ProPrice | undefined> {
  const { rows } = await sql<ProPrice>`
    select amount_text as "amountText", problem from pro_price where price_id = ${priceId}`.execute(db)
  return rows[0]
}

/**
 * Requires that the price is the one the site shows. A wrong price is reread, so that a corrected one sells at once.
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
