import { damageInWords } from '#contract/listing/grade-rule.ts'
import {
  listingFields,
  type ReplyName,
  replyNameOf,
  specOf,
  type TermField,
  type TextField,
  termFields,
  textFields,
} from '#contract/listing/listing-fields.ts'
import { MIN_OFFER_CENTS } from '#contract/listing/listing-rules.ts'
import { replyTerm, type TermValue, termsInWords } from '#contract/listing/listing-terms.ts'
import type { Listing } from '#contract/listings.ts'
import { pictureUrl } from '#server/features/market/pictures/picture-files.ts'
import { type Actor, isAdmin } from '#server/platform/actor.ts'
import { camelCase, textColumnOf } from './listing-columns.ts'
import type { ReadListing } from './listing-queries.ts'
import { presentSale, presentVehicle, shippingDollars } from './shown/facts.ts'
import { listingTitle } from './titles.ts'

/** The owner and admins see phone numbers that the public may not. */
export type Viewer = Actor | undefined

/** The only public shape of a listing; every field is listed here or in the field table, so that no column can leak. */
export function presentListing(row: ReadListing, viewer: Viewer): Listing {
  const [first] = row.images
  const mine = viewer?.sellerId === row.sellerId
  const isInside = mine || isAdmin(viewer)
  const seesPhones = row.showPhonePublicly || isInside
  return {
    id: row.id,
    kind: row.kind,
    partslug: row.slug,
    ...presentTexts(row, { inside: isInside, phones: seesPhones }),
    ...presentVehicle(row),
    partmanuId: row.manufacturerId,
    partmodelId: row.carModelId,
    partcategoryId: row.categoryId,
    partcategory: row.categoryId && row.categoryName ? { id: row.categoryId, name: row.categoryName } : null,
    categoryGroup: row.categoryGroup,
    partprice: row.priceCents / 100,
    currency: row.currency,
    partquantity: row.quantity,
    partshipping: shippingDollars(row),
    shippingKind: row.shippingKind,
    partmiles: row.miles,
    damageInWords: damageInWords(row.damageCode ?? '') ?? null,
    ...presentTerms(row),
    latitude: row.latitude,
    longitude: row.longitude,
    preferredContact: row.preferredContact,
    takesOffers: row.takesOffers && row.priceCents >= MIN_OFFER_CENTS,
    imageUrl: first ? pictureUrl(row.id, first.sha256, row.pictureKey) : null,
    images: row.images.map(({ id, sha256, alt, width, height, marks }) => ({
      id,
      url: pictureUrl(id, sha256, row.pictureKey),
      alt: alt || listingTitle(row),
      width,
      height,
      marks,
    })),
    imageProblem: isInside ? row.imageProblem : null,
    status: row.status,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    endedReason: row.endedReason,
    ...presentSale(row),
    mine,
  }
}

type Texts = Pick<Listing, ReplyName<TextField>>

const presented = textFields.map((field) => ({
  as: replyNameOf(field),
  name: textColumnOf(field).name,
  read: specOf(field).read,
}))

/** Fields that the viewer may not see are null. */
function presentTexts(row: ReadListing, sees: Record<'inside' | 'phones', boolean>): Texts {
  const texts: Partial<Record<keyof Texts, string | null>> = {}
  for (const { as, name, read } of presented) texts[as] = read && !sees[read] ? null : row[name]
  if (!sees.inside) texts.dealername = row.shownDealerName
  return texts as Texts
}

const termNames = termFields.map((field) => ({ field, name: camelCase(listingFields[field].column) }))

type Terms = Pick<Listing, TermField | 'termsInWords'>

export function presentTerms(row: Pick<ReadListing, (typeof termNames)[number]['name'] | 'corePart'>): Terms {
  const terms: Partial<Record<TermField, number | boolean | null>> = {}
  for (const { field, name } of termNames) terms[field] = replyTerm(field, row[name] as TermValue)
  const known = terms as Omit<Terms, 'termsInWords'>
  return { ...known, termsInWords: termsInWords({ ...known, corepart: row.corePart }) }
}
