import { yearSpanText } from '#contract/year-span.ts'
import { pictureUrl } from '#server/features/pictures/picture-url.ts'
import type { ReadListing } from './listing-queries.ts'

type Cell = string | number | null
type Column = (listing: ReadListing) => Cell

/**
 * The columns of an export. Fields of a part have the names of the API, so that an import knows them again; what no import
 * may set stands under names that it does not read.
 */
const columns: Record<string, Column> = {
  id: ({ id }) => id,
  version: ({ version }) => version,
  status: ({ status }) => status,
  partyear: ({ yearFrom, yearTo }) => yearSpanText({ from: yearFrom, to: yearTo }),
  partmanuname: ({ manufacturerName }) => manufacturerName,
  partmodel: ({ modelName }) => modelName,
  parttrim: ({ trimName }) => trimName,
  partname: ({ name }) => name,
  partcategory: ({ categoryName }) => categoryName,
  partgrade: ({ grade }) => grade,
  partnum: ({ partNumber }) => partNumber,
  stocknum: ({ stockNumber }) => stockNumber,
  vin: ({ vin }) => vin,
  partprice: ({ priceCents }) => (priceCents / 100).toFixed(2),
  currency: ({ currency }) => currency,
  partquantity: ({ quantity }) => quantity,
  partshipping: shippingText,
  partmiles: ({ miles }) => miles,
  partdamage: ({ damage }) => damage,
  partdescription: ({ description }) => description,
  h1: ({ heading }) => heading,
  partcity: ({ city }) => city,
  partstate: ({ state }) => state,
  zipcode: ({ zip }) => zip,
  latitude: ({ latitude }) => latitude,
  longitude: ({ longitude }) => longitude,
  dealername: ({ dealerName }) => dealerName,
  dealerphone: ({ dealerPhone }) => dealerPhone,
  phoneb: ({ phoneB }) => phoneB,
  partslug: ({ slug }) => slug,
  kind: ({ kind }) => kind,
  picture: ({ id, images: [first] }) => (first ? pictureUrl(id, first.sha256) : null),
  createdAt: ({ createdAt }) => createdAt.toISOString(),
  updatedAt: ({ updatedAt }) => updatedAt.toISOString(),
  endedAt: ({ endedAt }) => endedAt?.toISOString() ?? null,
  endedReason: ({ endedReason }) => endedReason,
}

export const exportHead: readonly string[] = Object.keys(columns)

export const exportCells = (listing: ReadListing): string[] =>
  Object.values(columns).map((cell) => String(cell(listing) ?? ''))

/** As a form and an import take it. */
function shippingText({ shippingKind, shippingCents }: ReadListing): Cell {
  if (shippingKind === 'free') return 'Free'
  if (shippingKind === 'pickup') return 'Pickup only'
  return shippingCents === null ? null : (shippingCents / 100).toFixed(2)
}
