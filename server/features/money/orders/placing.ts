import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { ROYALTY_FLOOR_CENTS } from '#contract/order/money/ledger.ts'
import { ALL_OR_NOTHING } from '#contract/order/money/sales-tax.ts'
import type { Quote } from '#contract/order/order-quote.ts'
import { type IfMissing, QUOTE_MS, UNPAID_MS } from '#contract/order/order-steps.ts'
import type { Purchase } from '#contract/order/purchase.ts'
import { moneyInWords } from '#contract/text/typed-number.ts'
import { type Asker, takeHolds } from '#server/features/market/for-sale/holds.ts'
import { type ProviderCalls, ProviderFailure } from '#server/features/money/billing/provider.ts'
import { refuseLinks } from '#server/features/talk/leads/policy.ts'
import { mayMailUnconfirmed } from '#server/features/talk/mail/mail.ts'
import type { Actor } from '#server/platform/actor.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { tellManyHeld } from './alarms.ts'
import { daysAfter } from './deadline-times.ts'
import { tell } from './letters/telling.ts'
import { type PerformDeps, performSteps, readOrderAtProvider, type StepDeps } from './money/provider-steps.ts'
import { statementSuffix } from './money/statement.ts'
import { wantStep } from './money/wanted-steps.ts'
import { findPaidOffer, type PaidOffer } from './offers.ts'
import { openOrderLink } from './order-links.ts'
import {
  amountsOf,
  findOrder,
  findOrderById,
  insertOrder,
  lockOrder,
  moveOrder,
  type NewOrder,
  type Order,
  orderNotFound,
  totalCents,
  writeEvent,
  wrongState,
} from './orders.ts'
import {
  type BasketItem,
  getSoldParts,
  lineOf,
  priceOf,
  quoteParts,
  type SoldPart,
  stateOfZip,
  yardOf,
} from './quotes.ts'

/* Placing an order, and opening the page on which it is paid. */

export type PlacingDeps = PerformDeps & { isOn: boolean; isTaxed: boolean; calls: () => ProviderCalls }

export type Placing = {
  /** Parts of one yard. */
  wanted: readonly { slug: string; quantity: number }[]
  /** Of several parts. */
  ifMissing: IfMissing | null
  purchase: Omit<Purchase, 'quantity'>
  actor: Actor | undefined
  /** The Idempotency-Key. */
  key: string | undefined
  device: string | undefined
  ip: string
  /** Where the buyer comes back to. */
  publicUrl: string
}

export type Placed = { order: Order; url: string | undefined; token: string }

/**
 * Places an order: holds all of its parts or none, writes the order, and opens its payment page. Sent again with the same key, continues
 * the same order, such as after the provider did not respond.
 * @throws AppError NOT_FOUND, NOT_SOLD_ONLINE, PART_TAKEN, DELIVERY, HOLD_LIMIT, PRICE_CHANGED, CONFLICT,
 *   VALIDATION_FAILED, PAYMENTS_UNREACHABLE
 */
export async function placeOrder(deps: PlacingDeps, placing: Placing): Promise<Placed> {
  const clientKey = keyOf(placing)
  const known = clientKey && (await findOrder(deps.db, sql`o.client_key = ${clientKey}`))
  const orderId = known ? known.id : await writeOrder(deps, placing, clientKey)
  const order = await openPage(deps, orderId)
  const token = await openOrderLink(deps.db, orderId, deps.now())
  return { order, url: order.state === 'pending' ? (order.sessionUrl ?? undefined) : undefined, token }
}

function keyOf({ key, wanted, ifMissing, purchase }: Placing): Buffer | null {
  if (key === undefined) return null
  return createHash('sha256')
    .update(JSON.stringify([key, wanted, ifMissing, purchase]))
    .digest()
}

async function writeOrder(deps: PlacingDeps, placing: Placing, clientKey: Buffer | null): Promise<string> {
  const { purchase, actor, device, ip, wanted, ifMissing } = placing
  if (deps.isTaxed && ifMissing === 'send') {
    throw new AppError('VALIDATION_FAILED', `${ALL_OR_NOTHING}.`, { fields: { ifMissing: ALL_OR_NOTHING } })
  }
  const slugs = wanted.map(({ slug }) => slug)
  const parts = await getSoldParts(deps.db, slugs, deps.isOn)
  const [part] = parts
  if (actor !== undefined && actor.sellerId === part?.listing.sellerId) {
    throw new AppError('CONFLICT', 'This is your own listing: you cannot buy it.')
  }
  refuseLinks({ name: purchase.name }, { actor: undefined, now: deps.now() })
  await requireAddress(deps.db, purchase)
  const offer =
    purchase.conversation === undefined || part === undefined
      ? undefined
      : await findPaidOffer(deps, { token: purchase.conversation, listingId: part.listing.id })
  const items = itemsOf(parts, { wanted, offer })
  const asker = { email: purchase.email, device, ip }
  return inTransaction(deps.db, (trx) => writeInto(trx, deps, { ...placing, items, offer, asker, clientKey }))
}

/** An accepted offer is for one piece, at its own price. */
const itemsOf = (
  parts: readonly SoldPart[],
  { wanted, offer }: Pick<Placing, 'wanted'> & { offer: PaidOffer | undefined },
): BasketItem[] =>
  parts.map((part, at) => ({
    part,
    quantity: offer ? 1 : (wanted[at]?.quantity ?? 1),
    priceCents: offer?.priceCents ?? part.listing.priceCents,
  }))

/** The state of an address has to be that of its ZIP code: rules of states, and the yard's label, depend on it. */
async function requireAddress(
  db: Db,
  { delivery, address }: Pick<Purchase, 'delivery' | 'address'>,
): Promise<void> {
  if (delivery !== 'ship' || !address) return
  const state = await stateOfZip(db, address.zip, 'address.zip')
  if (state === address.state) return
  const sentence = `ZIP code ${address.zip} is in ${state}, not ${address.state}`
  throw new AppError('VALIDATION_FAILED', `${sentence}.`, { fields: { 'address.zip': sentence } })
}

type Writing = Placing & {
  items: readonly BasketItem[]
  offer: PaidOffer | undefined
  asker: Asker
  clientKey: Buffer | null
}

async function writeInto(trx: Db, deps: PlacingDeps, writing: Writing): Promise<string> {
  const { items, offer, asker, actor, purchase, clientKey } = writing
  const now = deps.now()
  const known = clientKey && (await findTwin(trx, clientKey))
  if (known) return known.id
  const quote = await quoteFor(trx, writing, deps)
  const expiresAt = new Date(now.getTime() + (quote.needsQuote ? QUOTE_MS : UNPAID_MS))
  const shipTo = purchase.delivery === 'ship' ? purchase.address?.state : undefined
  const state = quote.needsQuote ? 'quoting' : 'pending'
  const lines = items.map((item) => lineOf(item, shipTo))
  const id = await insertOrder(trx, { ...newOrderOf(writing, quote), state, expiresAt }, lines)
  const order = await lockOrder(trx, id)
  await writeEvent(trx, order, { kind: 'placed', at: now, side: 'buyer', userId: actor?.userId })
  if (quote.needsQuote) {
    if (await mayMailUnconfirmed(trx, order.email, asker)) await tell(trx, order, 'placed', deps)
    await tell(trx, order, 'quote-asked', deps)
    return id
  }
  if (!offer) await takeHolds(trx, { pieces: lines, orderId: id, asker, until: expiresAt, now })
  await tellManyHeld(trx, order.sellerId, deps.site)
  await wantSession(trx, order, deps)
  return id
}

/** The order of the first of two clicks at once; the second waits here until it is written. */
async function findTwin(trx: Db, clientKey: Buffer): Promise<Order | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`order:${clientKey.toString('hex')}`}, 0))`.execute(
    trx,
  )
  return findOrder(trx, sql`o.client_key = ${clientKey}`)
}

/**
 * What the parts cost this buyer now, if they can be had like this and cost what the buyer saw.
 * @throws AppError PART_TAKEN, DELIVERY, PRICE_CHANGED
 */
async function quoteFor(
  trx: Db,
  { items, purchase, offer }: Writing,
  { isTaxed, now }: PlacingDeps,
): Promise<Quote> {
  const { delivery, address, expectedTotal } = purchase
  const wanted = { delivery, state: address?.state, isTaxed }
  const quote = await (offer ? priceOf : quoteParts)(trx, items, wanted, now())
  if (quote.restricted) {
    throw new AppError('DELIVERY', quote.restricted, { fields: { 'address.state': quote.restricted } })
  }
  const cents = (dollars: number | null) => dollars && Math.round(dollars * 100)
  if (quote.total !== null && cents(expectedTotal) !== cents(quote.total)) {
    throw new AppError('PRICE_CHANGED', `The total is now ${moneyInWords(quote.total * 100)}.`, { quote })
  }
  return quote
}

/** Nothing to ship, and shipping for free, are no line of a quote. */
const shippingIn = ({ needsQuote, lines }: Quote): number | null =>
  needsQuote ? null : Math.round((lines.find(({ kind }) => kind === 'shipping')?.amount ?? 0) * 100)

function newOrderOf(
  { items, purchase, offer, actor, clientKey, ifMissing }: Writing,
  quote: Quote,
): Omit<NewOrder, 'state' | 'expiresAt'> {
  const yard = yardOf(items)
  const { delivery, address } = purchase
  const ship = delivery === 'ship' ? address : undefined
  return {
    sellerId: yard.id,
    buyerUserId: actor?.userId ?? null,
    leadId: offer?.leadId ?? null,
    mode: yard.mode,
    email: purchase.email,
    name: purchase.name,
    phone: purchase.phone || null,
    delivery,
    line1: ship?.line1 ?? null,
    line2: ship?.line2 || null,
    city: ship?.city ?? null,
    region: ship?.state ?? null,
    zip: ship?.zip ?? null,
    vin: purchase.vin || null,
    shippingCents: shippingIn(quote),
    taxed: quote.taxAdded,
    combinedShipping: yard.combinedShipping,
    ifMissing: items.length > 1 ? ifMissing : null,
    royaltyPercent: yard.royaltyPercent,
    royaltyFloorCents: ROYALTY_FLOOR_CENTS,
    daysToShip: yard.days,
    timeZone: yard.timeZone,
    clientKey,
  }
}

/** Wants a payment page for an order whose price is known. */
async function wantSession(trx: Db, order: Order, { site }: Pick<StepDeps, 'site'>): Promise<void> {
  const others = (amountsOf(order) ?? []).filter(({ kind }) => kind !== 'part' && kind !== 'tax')
  const back = `${site.publicUrl}/orders?order=${order.id}`
  const suffix = statementSuffix(order.sellerName)
  await wantStep(trx, {
    orderId: order.id,
    kind: 'open-session',
    request: {
      orderId: order.id,
      email: order.email,
      lines: [
        ...order.lines.map(({ facts, priceCents, quantity }) => ({
          name: facts.title.slice(0, 250),
          description: `Used part from ${order.sellerName}`.slice(0, 500),
          cents: priceCents,
          quantity,
        })),
        ...others.map(({ kind, cents }) => ({
          name: kind === 'core' ? 'Core charge, refundable' : 'Shipping',
          cents,
          quantity: 1,
          ...(kind === 'shipping' && { isShipping: true }),
        })),
      ],
      isManual: order.mode === 'confirm',
      ...(suffix !== undefined && { statementSuffix: suffix }),
      successUrl: `${back}&paid=1`,
      cancelUrl: `${back}&left=1`,
    },
  })
}

const unreachable = (cause: unknown) =>
  new AppError(
    'PAYMENTS_UNREACHABLE',
    'The payment page could not be opened. Nothing was charged; try again.',
    {
      retryAfterSeconds: 5,
      cause,
    },
  )

/** Performs what is to be done for an order, while a person waits. */
async function openPage(deps: PlacingDeps, orderId: string): Promise<Order> {
  try {
    await performSteps(deps, orderId, deps.calls())
  } catch (error) {
    if (error instanceof ProviderFailure) throw unreachable(error)
    throw error
  }
  const order = await findOrderById(deps.db, orderId)
  if (!order) throw orderNotFound()
  if (order.state === 'pending' && order.sessionUrl === null) throw unreachable(undefined)
  return order
}

/** What a placed order costs, as a quote. */
function quoteOf(order: Order, total: number): Quote {
  return {
    needsQuote: false,
    mode: order.mode,
    lines: (amountsOf(order) ?? []).map(({ kind, cents }) => ({ kind, amount: cents / 100 })),
    total: total / 100,
    delivery: [order.delivery],
    shipsBy: daysAfter(order.createdAt, order.daysToShip).toISOString(),
    terms: order.lines.flatMap(({ facts }) => facts.terms),
    taxAdded: order.taxed,
  }
}

type Paying = { orderId: string; expectedTotal: number; device: string | undefined; ip: string }

/**
 * The buyer wants to pay: an unpaid order's page, or that of an order whose shipping price was just named.
 * @throws AppError STATE, PART_TAKEN, HOLD_LIMIT, PRICE_CHANGED, PAYMENTS_UNREACHABLE
 */
export async function payOrder(
  deps: PlacingDeps,
  { orderId, expectedTotal, device, ip }: Paying,
): Promise<Order> {
  await inTransaction(deps.db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    const total = totalCents(order)
    if (total === undefined)
      throw new AppError(
        'STATE',
        'The yard has not named the shipping price yet. We will email you when it does.',
      )
    if (Math.round(expectedTotal * 100) !== total) {
      throw new AppError('PRICE_CHANGED', `The total is ${moneyInWords(total)}.`, {
        quote: quoteOf(order, total),
      })
    }
    if (order.state !== 'quoting') {
      if (order.state !== 'pending') throw wrongState(order)
      return
    }
    const now = deps.now()
    const until = new Date(now.getTime() + UNPAID_MS)
    const asker = { email: order.email, device, ip }
    await takeHolds(trx, { pieces: order.lines, orderId, asker, until, now })
    const set = { expires_at: until, act_at: until }
    const moved = await moveOrder(trx, order, 'pay', { side: 'buyer', now, set })
    await wantSession(trx, moved, deps)
  })
  const order = await openPage(deps, orderId)
  if (order.sessionId === null) return order
  // The page may have been paid, or its time may be over, without our hearing of it.
  await readOrderAtProvider(deps, orderId, deps.calls()).catch((error: unknown) => {
    if (!(error instanceof ProviderFailure)) throw error
  })
  const after = await findOrderById(deps.db, orderId)
  if (after?.state !== 'pending') throw wrongState(after ?? order)
  return after
}
