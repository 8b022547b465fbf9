import type { Quote } from '#contract/order/order-quote.ts'
import type { IfMissing } from '#contract/order/order-steps.ts'
import type { BuyerOrder } from '#contract/order/order-views.ts'
import type { PurchaseForm } from '#contract/order/purchase.ts'
import type { routes } from '#contract/routes.ts'
import { parseRecord, readText, writeText } from '#web/api/browser-storage.ts'
import { contentOf, randomKey, submissionKeys } from '#web/api/request-parts.ts'
import { currentSession, endSession } from '#web/api/session.ts'

/* The calls of a buyer's orders, without the contract's own client, whose schemas are 60 kB. */

type Path = Extract<(typeof routes)[keyof typeof routes][1], `/orders${string}`>

/** Names an order: by the token of its link, or by its id for the signed-in buyer. */
export type OrderKey = { token: string } | { id: string }

export type Refusal = { code?: string; error: string; fields?: Record<string, string>; quote?: Quote }
export type Outcome<T> = { done: T } | { refusal: Refusal }

type Placed = { order: Pick<BuyerOrder, 'id' | 'number' | 'state'>; url?: string; token: string }

const NO_RESPONSE = 'No response from the server. Please try again.'

type Sent = { headers?: Record<string, string>; signal?: AbortSignal | undefined }

/** Posts to the API, as the signed-in user if there is one. Undefined without a response. */
async function post(
  address: string,
  body: object,
  { headers, signal }: Sent = {},
): Promise<Response | undefined> {
  const { token } = currentSession()
  const response = await fetch(address, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify(body),
    signal: signal ?? null,
  }).catch(() => undefined)
  if (response?.status === 401 && token !== undefined) endSession(token)
  return response
}

export async function outcomeOf<T>(response: Response | undefined): Promise<Outcome<T>> {
  const reply = await response?.json().catch(() => undefined)
  if (response?.ok && reply) return { done: reply as T }
  return { refusal: { ...reply, error: reply?.error || NO_RESPONSE } }
}

/** Sends one of the calls about an order. */
export async function callOrder<T = BuyerOrder>(
  path: Path,
  body: object,
  signal?: AbortSignal,
): Promise<Outcome<T>> {
  return outcomeOf<T>(await post(`/api${path}`, body, { signal }))
}

const submissions = submissionKeys(randomKey)

export type Purchase = PurchaseForm & { ifMissing?: IfMissing }

/**
 * Buys a part, or one piece of each of several. The same purchase keeps its key until it has a final answer, so that trying again after a broken connection
 * does not buy twice.
 */
export async function placeOrder(
  slugs: readonly string[],
  { quantity, ifMissing, ...buying }: Purchase,
): Promise<Outcome<Placed>> {
  const isSeveral = slugs.length > 1
  const address = isSeveral ? '/api/orders/new' : `/api/parts/${encodeURIComponent(slugs[0] ?? '')}/orders`
  const items = slugs.map((slug) => ({ slug }))
  const purchase = { ...buying, ...(isSeveral ? { items, ifMissing } : { quantity }) }
  const content = contentOf(address, purchase, undefined)
  const headers = { 'idempotency-key': submissions.keyFor(content) }
  const response = await post(address, purchase, { headers })
  const outcome = await outcomeOf<Placed>(response)
  const isRead = 'done' in outcome || outcome.refusal.code !== undefined
  if (response && isRead) submissions.settle(content, response.status)
  return outcome
}

/** The invoice as a PDF. */
export const readInvoice = (key: OrderKey) => readFile('/orders/invoice.pdf', key)

export async function readFile(path: Path, body: object): Promise<Outcome<Blob>> {
  const response = await post(`/api${path}`, body, { headers: { accept: '*/*' } })
  const file = response?.ok ? await response.blob().catch(() => undefined) : undefined
  return file ? { done: file } : outcomeOf<Blob>(response)
}

/* The payment page leads back to an order's id; this browser has the token that opens it. */

const KEY = 'orders'
const MOST_KEPT = 30

function readTokens(): [id: string, token: string][] {
  const kept = Object.entries(parseRecord(readText(KEY)) ?? {})
  return kept.filter((entry): entry is [string, string] => typeof entry[1] === 'string')
}

/** Remembers the token of an order; the newest are last. */
export function keepOrderToken(id: string, token: string): void {
  const others = readTokens().filter(([other]) => other !== id)
  writeText(KEY, JSON.stringify(Object.fromEntries([...others, [id, token]].slice(-MOST_KEPT))))
}

/** Forgets an order of somebody else. */
export function dropOrderToken(token: string): void {
  writeText(KEY, JSON.stringify(Object.fromEntries(readTokens().filter(([, kept]) => kept !== token))))
}

/** How this browser can open an order; undefined if it has neither its token nor a signed-in user. */
export function orderKeyOf(id: string): OrderKey | undefined {
  const token = readTokens().find(([kept]) => kept === id)?.[1]
  if (token !== undefined) return { token }
  return currentSession().token === undefined ? undefined : { id }
}

const RECENT = 3

/** Where this browser's own unpaid order of a part goes on: a buyer who turned back from paying holds the part. */
export async function findOwnUnpaid(slug: string): Promise<string | undefined> {
  const recent = readTokens().slice(-RECENT).reverse()
  const orders = await Promise.all(recent.map(([, token]) => callOrder('/orders/read', { token })))
  for (const outcome of orders) {
    if (!('done' in outcome)) continue
    const { id, state, parts } = outcome.done
    if (state === 'pending' && parts.some((part) => part.slug === slug)) return id
  }
  return undefined
}
