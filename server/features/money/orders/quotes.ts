import { sql } from 'kysely'
import { termsForState } from '#contract/listing/listing-terms.ts'
import { neverDeployedSentence, restrictedForShipTo } from '#contract/listing/restricted-parts.ts'
import { combinedCents, type ShippingRule } from '#contract/order/combined-shipping.ts'
import type { Quote } from '#contract/order/order-quote.ts'
import { CONFIRM_MS, type Delivery, type SaleMode } from '#contract/order/order-steps.ts'
import type { OpeningHours } from '#contract/pages/yard-words.ts'
import { countHeld, partTaken } from '#server/features/market/for-sale/holds.ts'
import { findListingBySlug, type ReadListing } from '#server/features/market/listings/listing-queries.ts'
import { isPublicListing, listingNotFound } from '#server/features/market/listings/policy.ts'
import { presentTerms } from '#server/features/market/listings/present-listing.ts'
import { findStandings, loadRecalls } from '#server/features/market/listings/restricted.ts'
import { listingTitle } from '#server/features/market/listings/titles.ts'
import type { NewBuyer } from '#server/features/money/billing/provider.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { daysAfter } from './deadline-times.ts'
import type { LineFacts, NewLine, Order } from './orders.ts'
import { royaltyPercentOf } from './selling.ts'

/* What parts cost a buyer, and whether they can be bought at all. */

type YardRow = {
  id: string
  /** Of its public page. */
  slug: string
  name: string
  tier: 'FREE' | 'PAID'
  override: number | null
  sellsOnline: boolean
  mode: SaleMode
  days: number
  combinedShipping: ShippingRule
  timeZone: string
  hours: OpeningHours | null
  phone: string | null
  street: string | null
  city: string | null
  state: string | null
  zip: string | null
}

/** What buying needs to know of a yard. */
export type SellingYard = YardRow & { royaltyPercent: number }

export async function readSellingYard(db: Db, sellerId: string): Promise<SellingYard> {
  const { rows } = await sql<YardRow>`
    select s.id, s.slug, s.name, s.tier, s.royalty_override::float8 as override,
           s.sells_online and s.connect_status = 'VERIFIED' and s.can_transfer as "sellsOnline",
           s.sale_mode as mode, s.days_to_ship as days,
           s.combined_shipping as "combinedShipping", s.time_zone as "timeZone", s.hours, s.phone,
           place.street, place.city, place.state, place.zip
    from seller s
    left join lateral (select * from seller_location where seller_id = s.id order by id limit 1) place on true
    where s.id = ${sellerId}`.execute(db)
  const [found] = rows
  if (!found) throw listingNotFound()
  return { ...found, royaltyPercent: royaltyPercentOf(found) }
}

export type SoldPart = { listing: ReadListing; yard: SellingYard }

const notSoldOnline = () =>
  new AppError('NOT_SOLD_ONLINE', 'This yard does not sell this part online. Send a message to buy it.')

/**
 * Finds a part that can be bought here.
 * @throws AppError NOT_FOUND, PART_TAKEN, NOT_SOLD_ONLINE
 */
export async function getSoldPart(db: Db, slug: string, isOn: boolean): Promise<SoldPart> {
  const listing = await findListingBySlug(db, slug)
  if (!listing || !isPublicListing(listing)) throw listingNotFound()
  if (listing.endedAt !== null) throw partTaken()
  const yard = await readSellingYard(db, listing.sellerId)
  if (!isOn || !yard.sellsOnline || listing.currency.trim() !== 'USD' || listing.priceCents <= 0)
    throw notSoldOnline()
  return { listing, yard }
}

/**
 * Finds parts that can be bought together.
 * @throws AppError as `getSoldPart`, of several with a sentence for each place (`items.1`); VALIDATION_FAILED for parts of
 *   different yards, or one twice
 */
export async function getSoldParts(db: Db, slugs: readonly string[], isOn: boolean): Promise<SoldPart[]> {
  const parts: SoldPart[] = []
  const refusals: { at: number; error: AppError }[] = []
  for (const [at, slug] of slugs.entries()) {
    try {
      parts.push(await getSoldPart(db, slug, isOn))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      refusals.push({ at, error })
    }
  }
  const [first] = refusals
  if (first && slugs.length > 1) {
    const fields = Object.fromEntries(refusals.map(({ at, error }) => [`items.${at}`, error.message]))
    throw new AppError(first.error.code, first.error.message, { fields })
  }
  if (first) throw first.error
  requireOneYard(parts)
  return parts
}

function requireOneYard(parts: readonly SoldPart[]): void {
  const [first] = parts
  const fields: Record<string, string> = {}
  for (const [at, { listing }] of parts.entries()) {
    const isTwice = parts.findIndex((part) => part.listing.id === listing.id) < at
    if (isTwice) fields[`items.${at}`] = 'This part is in the list twice. Use its quantity'
    if (listing.sellerId !== first?.listing.sellerId)
      fields[`items.${at}`] = 'This part is from another yard. Order it by itself'
  }
  const [sentence] = Object.values(fields)
  if (sentence !== undefined) throw new AppError('VALIDATION_FAILED', `${sentence}.`, { fields })
}

/** What a buyer wants of a part, and for how much a piece. */
export type BasketItem = { part: SoldPart; quantity: number; priceCents: number }

/** Ways in which all of these parts can be had together. */
export function deliveriesOf(parts: readonly SoldPart[]): Delivery[] {
  const canShip = parts.every(({ listing }) => listing.shippingKind !== 'pickup')
  const canFetch = parts.every(
    ({ listing, yard }) => listing.shippingKind === 'pickup' || yard.street !== null,
  )
  return [...(canShip ? ['ship' as const] : []), ...(canFetch ? ['pickup' as const] : [])]
}

function notDelivered(delivery: Delivery, items: readonly BasketItem[]): AppError {
  const fetched = items.find(({ part }) => part.listing.shippingKind === 'pickup')
  const one = items.length > 1 && fetched ? listingTitle(fetched.part.listing) : 'This part'
  return new AppError(
    'DELIVERY',
    delivery === 'ship'
      ? `${one} can only be picked up at the yard.`
      : 'This yard ships this part; it cannot be picked up.',
    { fields: { delivery: 'Choose another way to get it' } },
  )
}

/** The state of a ZIP code. @throws AppError VALIDATION_FAILED if there is no such code */
export async function stateOfZip(db: Db, zip: string, field: string): Promise<string> {
  const { rows } = await sql<{ state: string }>`select state from zip where zip = ${zip}`.execute(db)
  const [found] = rows
  if (found) return found.state
  const sentence = `There is no ZIP code ${zip}`
  throw new AppError('VALIDATION_FAILED', `${sentence}.`, { fields: { [field]: sentence } })
}

type Wanted = { delivery: Delivery; state: string | undefined; isTaxed: boolean }

/** To ship this part alone. Null if the yard names the price first. */
function shippingCentsOf({ shippingKind, shippingCents }: ReadListing): number | null {
  if (shippingKind === 'free' || shippingKind === 'pickup') return 0
  return shippingKind === 'flat' ? shippingCents : null
}

/** To get all of these parts together. Null if the yard names the price of one of them first. */
function shippingOfAll(items: readonly BasketItem[], delivery: Delivery): number | null {
  if (delivery === 'pickup') return 0
  const alone = items.map(({ part }) => shippingCentsOf(part.listing))
  const rule = items[0]?.part.yard.combinedShipping ?? 'each'
  return alone.every((cents) => cents !== null) ? combinedCents(rule, alone) : null
}

/** Why a part may not be sold to a state, or undefined. A part that is fetched stays in its own. */
async function findRestriction(
  db: Db,
  { listing, yard }: SoldPart,
  state: string | undefined,
): Promise<string | undefined> {
  const [standings, recallOf] = await Promise.all([findStandings(db, [listing.sellerId]), loadRecalls(db)])
  const part = {
    partname: listing.name,
    category: listing.categoryName ?? undefined,
    partnum: listing.partNumber ?? '',
    partstate: listing.state || (yard.state ?? ''),
    vin: listing.vin ?? '',
    neverdeployed: listing.neverDeployed ? 'Yes' : '',
  }
  const standing = standings.get(listing.sellerId) ?? { license: false, certified: false }
  return restrictedForShipTo(part, standing, state ?? part.partstate, recallOf(part.partnum))
}

function shipsBy(yard: SellingYard, now: Date): Date {
  const from = yard.mode === 'confirm' ? new Date(now.getTime() + CONFIRM_MS) : now
  return daysAfter(from, yard.days)
}

/**
 * What parts of one yard cost together. Never asks the payment provider.
 * @throws AppError PART_TAKEN with the places of the taken ones, DELIVERY
 */
export async function quoteParts(
  db: Db,
  items: readonly BasketItem[],
  wanted: Wanted,
  now: Date,
): Promise<Quote> {
  const taken: number[] = []
  for (const [at, { part, quantity }] of items.entries()) {
    if ((await countHeld(db, part.listing.id)) + quantity > part.listing.quantity) taken.push(at)
  }
  if (taken.length > 0) throw partTaken(items.length > 1 ? taken : [])
  return priceOf(db, items, wanted, now)
}

/** The same for whoever holds them already; an accepted offer has its own price. */
export async function priceOf(
  db: Db,
  items: readonly BasketItem[],
  { delivery, state, isTaxed }: Wanted,
  now: Date,
): Promise<Quote> {
  const offered = deliveriesOf(items.map(({ part }) => part))
  if (!offered.includes(delivery)) throw notDelivered(delivery, items)
  if (isTaxed && delivery === 'pickup') requireTaxPlace(items)
  const shipping = shippingOfAll(items, delivery)
  const restricted = await findFirstRestriction(db, items, delivery === 'ship' ? state : undefined)
  const sum = (centsOf: (item: BasketItem) => number) =>
    items.reduce((cents, item) => cents + centsOf(item) * item.quantity, 0)
  const lines = [
    { kind: 'part' as const, cents: sum(({ priceCents }) => priceCents) },
    { kind: 'shipping' as const, cents: shipping ?? 0 },
    { kind: 'core' as const, cents: sum(({ part }) => part.listing.coreCents ?? 0) },
  ].filter(({ kind, cents }) => kind === 'part' || cents > 0)
  return {
    needsQuote: shipping === null,
    lines: shipping === null ? [] : lines.map(({ kind, cents }) => ({ kind, amount: cents / 100 })),
    total: shipping === null ? null : lines.reduce((total, { cents }) => total + cents, 0) / 100,
    delivery: offered,
    shipsBy: shipsBy(yardOf(items), now).toISOString(),
    ...(restricted && { restricted }),
    terms: [...new Set(items.flatMap(({ part }) => termsFor(part.listing, state)))],
    taxAdded: isTaxed,
    mode: yardOf(items).mode,
  }
}

/** What is picked up is taxed where it is. */
function requireTaxPlace([first]: readonly BasketItem[]): void {
  if (!first || first.part.yard.zip !== null || first.part.listing.zip !== null) return
  const sentence = 'Sales tax cannot be computed: this yard has not entered its ZIP code'
  const message = `${sentence}. Send it a message to buy this part.`
  throw new AppError('DELIVERY', message, { fields: { delivery: sentence } })
}

/** Where an order is picked up: at the yard, or where the part is said to be. */
export async function findPickupPlace(
  db: Db,
  { sellerId, lines }: Pick<Order, 'sellerId' | 'lines'>,
): Promise<NewBuyer['address']> {
  const { street, city, state, zip } = await readSellingYard(db, sellerId)
  if (zip !== null) return { line1: street, line2: null, city, state, zip }
  const { rows } = await sql<Pick<NewBuyer['address'], 'city' | 'state' | 'zip'>>`
    select city, state, left(zip, 5) as zip from listing where id = ${lines[0]?.listingId ?? null}`.execute(
    db,
  )
  return { line1: null, line2: null, city: null, state: null, zip: null, ...rows[0] }
}

export function yardOf([first]: readonly BasketItem[]): SellingYard {
  if (!first) throw new Error('an order has no parts')
  return first.part.yard
}

async function findFirstRestriction(
  db: Db,
  items: readonly BasketItem[],
  state: string | undefined,
): Promise<string | undefined> {
  for (const { part } of items) {
    const restricted = await findRestriction(db, part, state)
    if (restricted !== undefined) return restricted
  }
  return undefined
}

const termsFor = (listing: ReadListing, state: string | undefined): string[] =>
  termsForState(presentTerms(listing).termsInWords, state ?? '')

/** One of several parts, as a quote shows it. */
export const showItem = ({ part: { listing }, quantity, priceCents }: BasketItem) => ({
  slug: listing.slug,
  title: listingTitle(listing),
  quantity,
  price: priceCents / 100,
  core: (listing.coreCents ?? 0) / 100,
})

/** Copies what the listing says into an order. */
export function lineOf(
  { part: { listing, yard }, quantity, priceCents }: BasketItem,
  state: string | undefined,
): NewLine {
  const facts: LineFacts = {
    yard: listing.shownDealerName || yard.name,
    title: listingTitle(listing),
    grade: listing.grade,
    partNumber: listing.partNumber,
    stockNumber: listing.stockNumber,
    donorVin: listing.vin,
    miles: listing.miles,
    terms: termsFor(listing, state),
    returnDays: listing.returnDays,
    restockPct: listing.restockPct,
    coreDays: listing.coreDays,
    restricted: listing.neverDeployed ? neverDeployedSentence : null,
    fits: listing.fitment,
    shelf: null,
  }
  return {
    listingId: listing.id,
    quantity,
    priceCents,
    coreCents: listing.coreCents ?? 0,
    shippingCents: shippingCentsOf(listing),
    facts,
  }
}
