import type { ImportField } from '#contract/import-fields.ts'
import { yearSpanText } from '#contract/year-span.ts'
import type { ListingRecord } from '#server/features/listings/write-queries.ts'
import type { LookupNames } from '#server/features/lookups/lookup-names.ts'
import { listingOfRow } from './listing-of-row.ts'
import { rowChange } from './row-change.ts'
import type { StagedText } from './row-text.ts'

/** A listing with what stands of it in other tables, as a file that names it by its id is compared with it. */
export type ListedPart = {
  readonly listing: ListingRecord
  readonly categoryName: string | null
  /** The address of its picture from a file. */
  readonly imageUrl: string | null
}

/** Whether a file may still say something of it. */
export const isListed = ({ listing }: ListedPart): boolean =>
  listing.deleted_at === null && listing.ended_at === null

/** A listing in the words of an import's fields: what its row of an export says. */
export function standardText({ listing, categoryName, imageUrl }: ListedPart): Record<ImportField, string> {
  return {
    imageUrl: imageUrl ?? '',
    partname: listing.name,
    partdescription: listing.description,
    partcategory: categoryName ?? '',
    partmanu: listing.manufacturer_name,
    partmodel: listing.model_name,
    partyear: yearSpanText({ from: listing.year_from, to: listing.year_to }),
    partgrade: listing.grade ?? '',
    partnum: listing.part_number ?? '',
    partprice: dollars(listing.price_cents),
    partshipping: shippingText(listing),
    partcity: listing.city,
    partstate: listing.state,
    dealername: listing.dealer_name,
    dealerphone: listing.dealer_phone ?? '',
    stocknum: listing.stock_number ?? '',
    partquantity: String(listing.quantity),
    partmiles: listing.miles === null ? '' : String(listing.miles),
    zipcode: listing.zip ?? '',
    parttrim: listing.trim_name ?? '',
    vin: listing.vin ?? '',
    h1: listing.heading ?? '',
    listingid: listing.id,
  }
}

const dollars = (cents: number) => (cents / 100).toFixed(2)

function shippingText({ shipping_kind: kind, shipping_cents: cents }: ListingRecord): string {
  if (kind === 'free') return 'Free'
  if (kind === 'pickup') return 'Pickup only'
  return cents === null ? '' : dollars(cents)
}

/**
 * What a row says that its listing does not say itself. A cell that stands as it was exported says nothing, whatever the
 * rules for new parts are; an empty picture address leaves the picture, since one that a person added has none.
 */
export function newsOfRow(text: StagedText, part: ListedPart): StagedText {
  const known = standardText(part)
  const news: StagedText = {}
  for (const [field, value] of Object.entries(text) as [ImportField, string][]) {
    if (field === 'listingid' || (field === 'imageUrl' && value === '')) continue
    if (!saysTheSame(value, known[field])) news[field] = value
  }
  // Make and model are looked up together.
  if (news.partmanu !== undefined || news.partmodel !== undefined) {
    news.partmanu ??= known.partmanu
    news.partmodel ??= known.partmodel
  }
  return news
}

/** Whether two texts differ in nothing but spaces at their ends and line ends, which spreadsheets write their own way. */
export const saysTheSame = (one: string, other: string): boolean =>
  one === other || asTyped(one) === asTyped(other)

const asTyped = (text: string) => text.trim().replaceAll('\r\n', '\n')

/** Whether a row's news change its listing as it stands, by the rule that writes them. */
export function changesListing(part: ListedPart, news: StagedText, names: LookupNames): boolean {
  if (Object.keys(news).length === 0) return false
  const { partcategory } = news
  // The category is made on the way.
  if (partcategory && !names.category(partcategory) && !names.isUndecided('category', partcategory))
    return true
  const updated = { ...part, copiesBefore: undefined, reopens: false }
  const { columns, elsewhere } = rowChange(updated, listingOfRow(news, 1, names), 1)
  return elsewhere !== undefined || Object.keys(columns).length > 0
}
