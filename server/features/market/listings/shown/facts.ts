import type { Listing } from '#contract/listings.ts'
import { availabilityOf } from '#server/features/market/for-sale/held-parts.ts'
import type { ReadListing } from '#server/features/market/listings/listing-queries.ts'

/* What whole listings and cards say alike. */

type Vehicle = Pick<Listing, 'partyear' | 'partyearto' | 'partmanuname' | 'partmodel'>

/** What a part without a vehicle lacks is null, its year ''. */
export const presentVehicle = ({
  yearFrom,
  yearTo,
  manufacturerName,
  modelName,
}: Pick<ReadListing, 'yearFrom' | 'yearTo' | 'manufacturerName' | 'modelName'>): Vehicle => ({
  partyear: String(yearFrom ?? ''),
  partyearto: yearTo === yearFrom ? null : String(yearTo),
  partmanuname: manufacturerName || null,
  partmodel: modelName || null,
})

export function shippingDollars(row: Pick<ReadListing, 'shippingKind' | 'shippingCents'>): number | null {
  if (row.shippingKind === 'free') return 0
  return row.shippingCents === null ? null : row.shippingCents / 100
}

/** What a buyer pays in dollars, with shipping; pickup adds nothing. Null if the seller quotes the shipping. */
export const totalDollars = ({
  shippingKind,
  priceCents,
  shippingCents,
}: Pick<ReadListing, 'shippingKind' | 'priceCents' | 'shippingCents'>): number | null =>
  shippingKind === 'quote' ? null : (priceCents + (shippingCents ?? 0)) / 100

/** Whether a buyer can have it now, and buy it here. Online, prices are in dollars. */
export function presentSale(
  row: Pick<ReadListing, 'endedAt' | 'quantity' | 'held' | 'sellsOnline' | 'currency' | 'priceCents'>,
): Pick<Listing, 'availability' | 'heldUntil' | 'soldOnline'> {
  const availability = availabilityOf(row)
  const isHeld = availability === 'in-cart' || availability === 'pending'
  return {
    availability,
    heldUntil: isHeld && row.held?.until ? new Date(row.held.until).toISOString() : null,
    soldOnline: row.sellsOnline && row.currency === 'USD' && row.priceCents > 0,
  }
}
