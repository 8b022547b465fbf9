import { type FormFields, StripeError } from './parameters.ts'
import type { Work } from './simulator.ts'
import { findAny, findObject } from './store.ts'
import { type BalanceTransaction, basketOf } from './stripe-objects.ts'

/* The parameter `expand`: replaces ids in a reply with the objects they name. */

/** The fields that can be expanded, by the value of `object`. */
const EXPANDABLE: Readonly<Record<string, readonly string[]>> = {
  'checkout.session': ['customer', 'line_items', 'payment_intent', 'subscription'],
  payment_intent: ['customer', 'latest_charge', 'review'],
  charge: ['balance_transaction', 'customer', 'payment_intent', 'review'],
  balance_transaction: ['source'],
  refund: ['balance_transaction', 'charge', 'failure_balance_transaction', 'payment_intent'],
  transfer: ['balance_transaction', 'destination', 'source_transaction'],
  transfer_reversal: ['balance_transaction', 'transfer'],
  payout: ['balance_transaction', 'failure_balance_transaction'],
  dispute: ['charge', 'payment_intent'],
  review: ['charge', 'payment_intent'],
  'radar.early_fraud_warning': ['charge', 'payment_intent'],
  price: ['product'],
  list: ['data'],
}

// As at Stripe.
const DEEPEST = 4
const EXPAND = /^expand\[\d*\]$/

/** The paths to expand, and the other fields. */
export function takeExpand(fields: FormFields): { paths: string[]; rest: FormFields } {
  const entries = Object.entries(fields)
  const isExpand = ([name]: [string, unknown]) => EXPAND.test(name)
  return {
    paths: entries.filter(isExpand).map(([, path]) => String(path)),
    rest: Object.fromEntries(entries.filter((entry) => !isExpand(entry))),
  }
}

export async function expanded(work: Work, reply: object, paths: readonly string[]): Promise<object> {
  let result = reply
  for (const path of paths) {
    const names = path.split('.')
    if (names.length > DEEPEST) {
      throw new StripeError(400, `You cannot expand more than ${DEEPEST} levels of a property (${path}).`)
    }
    result = await expandOne(work, result, { names, path })
  }
  return result
}

type Expansion = { readonly names: readonly string[]; readonly path: string }

async function expandOne(work: Work, within: object, { names, path }: Expansion): Promise<object> {
  const [name, ...rest] = names
  if (name === undefined) return within
  const { object: kind } = within as { object?: string }
  if (!EXPANDABLE[kind ?? '']?.includes(name)) {
    throw new StripeError(400, `This property cannot be expanded (${path}).`)
  }
  const value =
    name === 'line_items' ? await linesOf(work, within) : (within as Record<string, unknown>)[name]
  return { ...within, [name]: await expandValue(work, value, { names: rest, path }) }
}

async function expandValue(work: Work, value: unknown, expansion: Expansion): Promise<unknown> {
  if (Array.isArray(value)) {
    const items: object[] = []
    for (const item of value) items.push(await expandOne(work, item as object, expansion))
    return items
  }
  // Null stays null; ids of what the simulator does not keep (the payment at a connected account) stay ids.
  const found = typeof value === 'string' ? await findAny(work.db, value) : value
  if (found === null || found === undefined) return value
  const shown = isTransaction(found) ? asOf(work, found) : found
  return expandOne(work, shown as object, expansion)
}

function isTransaction(found: unknown): found is BalanceTransaction {
  return (found as { object?: string }).object === 'balance_transaction'
}

/** A balance transaction as it reads now: its money becomes available by itself. */
export function asOf({ now }: Work, transaction: BalanceTransaction): BalanceTransaction {
  return { ...transaction, status: transaction.available_on <= now ? 'available' : 'pending' }
}

async function linesOf({ db }: Work, session: object): Promise<object> {
  const { id } = session as { id: string }
  const basket = await findObject(db, 'basket', basketOf(id))
  const url = `/v1/checkout/sessions/${id}/line_items`
  return { object: 'list', data: basket?.lines ?? [], has_more: false, url }
}
