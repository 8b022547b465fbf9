import type { Listing } from '#contract/listings.ts'
import { pictureUrl } from '#server/features/pictures/picture-files.ts'
import type { Actor } from '#server/platform/actor.ts'
import { isAdmin } from '#server/platform/actor.ts'
import type { ReadListing } from './listing-queries.ts'
import { listingTitle } from './titles.ts'

/** Who reads: owner and admins see phones that the public may not. */
export type Viewer = Actor | undefined

/** The one public shape of a listing; every field of it is named here, so no column leaves the server by accident. */
export function presentListing(row: ReadListing, viewer: Viewer): Listing {
  const [first] = row.images
  const mine = viewer?.sellerId === row.sellerId
  const isInside = mine || isAdmin(viewer)
  const seesPhones = row.showPhonePublicly || isInside
  return {
    id: row.id,
    kind: row.kind,
    partslug: row.slug,
    partname: row.name,
    partdescription: row.description,
    heading: row.heading,
    partyear: String(row.yearFrom),
    partyearto: row.yearTo === row.yearFrom ? null : String(row.yearTo),
    partmanuId: row.manufacturerId,
    partmanuname: row.manufacturerName,
    partmodelId: row.carModelId,
    partmodel: row.modelName,
    parttrim: row.trimName,
    partcategoryId: row.categoryId,
    partcategory: row.categoryId && row.categoryName ? { id: row.categoryId, name: row.categoryName } : null,
    categoryGroup: row.categoryGroup,
    partgrade: row.grade,
    partnum: row.partNumber,
    // The seller's own records; the form says that buyers do not see them.
    stocknum: isInside ? row.stockNumber : null,
    vin: isInside ? row.vin : null,
    partprice: row.priceCents / 100,
    currency: row.currency,
    partquantity: row.quantity,
    partshipping: shippingDollars(row),
    shippingKind: row.shippingKind,
    partmiles: row.miles,
    partdamage: row.damage,
    partcity: row.city,
    partstate: row.state,
    zipcode: row.zip,
    latitude: row.latitude,
    longitude: row.longitude,
    dealername: row.dealerName,
    dealerphone: seesPhones ? row.dealerPhone : null,
    phoneb: seesPhones ? row.phoneB : null,
    preferredContact: row.preferredContact,
    imageUrl: first ? pictureUrl(row.id, first.sha256) : null,
    images: row.images.map(({ id, sha256, alt, width, height }) => ({
      id,
      url: pictureUrl(id, sha256),
      alt: alt || listingTitle(row),
      width,
      height,
    })),
    imageProblem: isInside ? row.imageProblem : null,
    status: row.status,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    endedReason: row.endedReason,
    mine,
  }
}

function shippingDollars(row: ReadListing): number | null {
  if (row.shippingKind === 'free') return 0
  return row.shippingCents === null ? null : row.shippingCents / 100
}
