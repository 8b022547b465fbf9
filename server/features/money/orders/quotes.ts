import { sql } from 'kysely'
import { termsForState } from '#contract/listing/listing-terms.ts'
import { neverDeployedSentence, restrictedForShipTo } from '#contract/listing/restricted-parts.ts'
import type { Quote } from '#contract/order/order-quote.ts'
import { CONFIRM_MS, type Delivery, type SaleMode } from '#contract/order/order-steps.ts'
import type { OpeningHours } from '#contract/pages/yard-words.ts'
import { countHeld, partTaken } from '#server/features/market/for-sale/holds.ts'
import { findListingBySlug, type ReadListing } from '#server/features/market/listings/listing-queries.ts'
import { isPublicListing, listingNotFound } from '#server/features/market/listings/policy.ts'
import { presentTerms } from '#server/features/market/listings/present-listing.ts'
import { findStandings, loadRecalls } from '#server/features/market/listings/restricted.ts'
import { listingTitle } from '#server/features/market/listings/titles.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { daysAfter } from './deadline-times.ts'
import type { LineFacts, NewLine } from './orders.ts'
import { royaltyPercentOf } from './selling.ts'

/* What a part costs a buyer, and whether it can be bought at all. */

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
           s.sale_mode as mode, s.days_to_ship as days, s.time_zone as "timeZone", s.hours, s.phone,
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

export function deliveriesOf({ listing, yard }: SoldPart): Delivery[] {
  if (listing.shippingKind === 'pickup') return ['pickup']
  return yard.street === null ? ['ship'] : ['ship', 'pickup']
}

const notDelivered = (delivery: Delivery): AppError =>
  new AppError(
    'DELIVERY',
    delivery === 'ship'
      ? 'This part can only be picked up at the yard.'
      : 'This yard ships this part; it cannot be picked up.',
    { fields: { delivery: 'Choose another way to get it' } },
  )

/** The state of a ZIP code. @throws AppError VALIDATION_FAILED if there is no such code */
export async function stateOfZip(db: Db, zip: string, field: string): Promise<string> {
  const { rows } = await sql<{ state: string }>`select state from zip where zip = ${zip}`.execute(db)
  const [found] = rows
  if (found) return found.state
  const sentence = `There is no ZIP code ${zip}`
  throw new AppError('VALIDATION_FAILED', `${sentence}.`, { fields: { [field]: sentence } })
}

type Wanted = { delivery: Delivery; quantity: number; state: string | undefined }

/** Null if the yard names the price first. */
export function shippingCentsOf(
  { shippingKind, shippingCents }: ReadListing,
  delivery: Delivery,
): number | null {
  if (delivery === 'pickup' || shippingKind === 'free' || shippingKind === 'pickup') return 0
  return shippingKind === 'flat' ? shippingCents : null
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

function shipsBy({ yard }: SoldPart, now: Date): Date {
  const from = yard.mode === 'confirm' ? new Date(now.getTime() + CONFIRM_MS) : now
  return daysAfter(from, yard.days)
}

/**
 * What a part costs. Never asks the payment provider.
 * @throws AppError PART_TAKEN, DELIVERY
 */
export async function quotePart(db: Db, part: SoldPart, wanted: Wanted, now: Date): Promise<Quote> {
  const { listing } = part
  if ((await countHeld(db, listing.id)) + wanted.quantity > listing.quantity) throw partTaken()
  return priceOf(db, part, wanted, now)
}

/** The same for whoever holds it already; an accepted offer has its own price. */
export async function priceOf(
  db: Db,
  part: SoldPart,
  { delivery, quantity, state, priceCents = part.listing.priceCents }: Wanted & { priceCents?: number },
  now: Date,
): Promise<Quote> {
  const { listing } = part
  const offered = deliveriesOf(part)
  if (!offered.includes(delivery)) throw notDelivered(delivery)
  const shipping = shippingCentsOf(listing, delivery)
  const restricted = await findRestriction(db, part, delivery === 'ship' ? state : undefined)
  const core = (listing.coreCents ?? 0) * quantity
  const lines = [
    { kind: 'part' as const, cents: priceCents * quantity },
    { kind: 'shipping' as const, cents: shipping ?? 0 },
    { kind: 'core' as const, cents: core },
  ].filter(({ kind, cents }) => kind === 'part' || cents > 0)
  return {
    needsQuote: shipping === null,
    lines: shipping === null ? [] : lines.map(({ kind, cents }) => ({ kind, amount: cents / 100 })),
    total: shipping === null ? null : lines.reduce((sum, { cents }) => sum + cents, 0) / 100,
    delivery: offered,
    shipsBy: shipsBy(part, now).toISOString(),
    ...(restricted && { restricted }),
    terms: termsFor(listing, state),
    taxAdded: false,
    mode: part.yard.mode,
  }
}

const termsFor = (listing: ReadListing, state: string | undefined): string[] =>
  termsForState(presentTerms(listing).termsInWords, state ?? '')

/** Copies what the listing says into an order. */
export function lineOf(
  { listing, yard }: SoldPart,
  { state, ...bought }: { quantity: number; priceCents: number; state: string | undefined },
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
  return { ...bought, listingId: listing.id, coreCents: listing.coreCents ?? 0, facts }
}
