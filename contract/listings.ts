import { z } from 'zod'
import {
  listingKinds,
  type NotNullField,
  type OtherSentName,
  type ReplyName,
  replyNameOf,
  type SentField,
  sentFields,
  specOf,
  type TextField,
  textFields,
} from '#contract/listing/listing-fields.ts'
import { endpoints, okReply } from './endpoint.ts'
import { idFilter } from './lookups.ts'

/** A field in a form, JSON or multipart body: text or a number; null clears it. */
const loose = z.union([z.string(), z.number(), z.null()]).optional()
/** A lookup by id, or as the record that another call returned. */
const looseRef = z
  .union([z.string(), z.object({ id: z.string() }), z.object({ _id: z.string() }), z.null()])
  .optional()

type RecordName = 'partcategory' | 'partmanu'
type Sent = { [Name in SentField | Exclude<OtherSentName, RecordName>]: typeof loose }

const sentNames = sentFields.flatMap((field) => [field, ...(specOf(field).also ?? [])])

/**
 * What create and edit read; anything else is ignored, read-only fields included. The rules are in
 * `listing/listing-rules.ts`, because they depend on the kind of listing and quote the spec.
 */
export const listingBody = z.object({
  ...(Object.fromEntries(sentNames.map((name) => [name, loose])) as Sent),
  partcategory: looseRef,
  partmanu: looseRef,
  /** The version the user edited; a newer one on the server means 409. */
  version: loose,
})
export type ListingBody = z.input<typeof listingBody>

export const listingStatuses = ['ACTIVE', 'HIDDEN'] as const
const endReasons = ['sold-here', 'sold-elsewhere', 'scrapped', 'withdrawn'] as const

const picture = z.object({
  id: z.uuid(),
  url: z.string(),
  alt: z.string(),
  width: z.number().int(),
  height: z.number().int(),
})

type Texts = {
  [F in TextField as ReplyName<F>]: F extends NotNullField ? z.ZodString : z.ZodNullable<z.ZodString>
}

/** Fields that are one text; null where they are empty, or where the reader may not see them. */
const texts = Object.fromEntries(
  textFields.map((field) => [replyNameOf(field), specOf(field).notNull ? z.string() : z.string().nullable()]),
) as Texts

/** One shape for both kinds of listing and every reader. `heading` is the heading of its page, else its title is shown. */
export const listing = z.object({
  id: z.uuid(),
  kind: z.enum(listingKinds),
  partslug: z.string(),
  ...texts,
  /** The first one, where the part fits several model years. */
  partyear: z.string(),
  /** The last model year of several; null where it is one. */
  partyearto: z.string().nullable(),
  partmanuId: z.uuid().nullable(),
  partmanuname: z.string(),
  partmodelId: z.uuid().nullable(),
  partmodel: z.string(),
  partcategoryId: z.uuid().nullable(),
  partcategory: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  /** Which of our line drawings stands in for a missing picture. */
  categoryGroup: z.string().nullable(),
  partprice: z.number(),
  currency: z.string(),
  partquantity: z.number().int(),
  /** Dollars; 0 is free, null for pickup or on request (see shippingKind). */
  partshipping: z.number().nullable(),
  shippingKind: z.enum(['free', 'flat', 'pickup', 'quote']),
  partmiles: z.number().int().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  /** How the seller would rather be reached. */
  preferredContact: z.enum(['email', 'phone']),
  imageUrl: z.string().nullable(),
  images: z.array(picture),
  /** Why the picture that its file names is not there; for its seller and admins. */
  imageProblem: z.string().nullable(),
  status: z.enum(listingStatuses),
  version: z.number().int(),
  createdAt: z.string(),
  updatedAt: z.string(),
  endedAt: z.string().nullable(),
  endedReason: z.enum(endReasons).nullable(),
  /** Whether the reader sells it; false for whoever is not signed in. */
  mine: z.boolean(),
})
export type Listing = z.infer<typeof listing>

export const pageSizes = [12, 24, 48] as const

/** Numbers out of range are moved into it; anything that is no number is refused. */
export const clamped = (from: number, to: number, otherwise: number) =>
  z
    .union([z.literal('').transform(() => otherwise), z.coerce.number()])
    .default(otherwise)
    .transform((value) => Math.min(Math.max(Math.trunc(value), from), to))

// Ten million listings one by one; what is beyond the end of a list is an empty page.
const pageNumber = clamped(1, 10_000_000, 1)
export const paging = { page: pageNumber, perPage: clamped(1, 100, 12) }

export const listingPage = z.object({
  items: z.array(listing),
  total: z.number().int(),
  /** Set when counting stopped at `total`; there are at least that many. */
  totalIsAtLeast: z.literal(true).optional(),
  /**
   * The last page there is. Lists without filters go to their very end, whatever `total` says; of a search only the
   * first 10,000 matches are shown.
   */
  lastPage: z.number().int(),
  page: z.number().int(),
  perPage: z.number().int(),
})
export type ListingPage = z.infer<typeof listingPage>

const byId = z.object({ id: z.uuid() })
const bySlug = z.object({ slug: z.string().min(1).max(200) })
const createErrors = [
  'SIGNED_OUT',
  'VALIDATION_FAILED',
  'CONFLICT',
  'STORAGE_FULL',
  'KEY_REUSED',
  'STILL_RUNNING',
] as const

export const listingEndpoints = endpoints({
  listPublic: {
    summary: 'Public listings, newest first',
    params: z.object({ page: pageNumber }),
    query: z.object({ perPage: clamped(1, 100, 12) }),
    reply: z.array(listing),
    errors: ['NOT_FOUND'],
  },
  countPublic: {
    summary: 'How many public listings there are',
    reply: z.number().int(),
    errors: [],
  },
  searchPublic: {
    summary: 'Find public listings by words, part number, category, manufacturer, model or year',
    query: z.object({
      q: z.string().max(200).optional(),
      categoryId: idFilter,
      manuId: idFilter,
      modelId: idFilter,
      year: z.string().max(4).optional(),
      sort: z.enum(['newest', 'price-low', 'price-high']).default('newest'),
      ...paging,
    }),
    reply: listingPage,
    errors: [],
  },
  readPublic: {
    summary: 'One listing by its address; an earlier address of it works too',
    params: bySlug,
    reply: listing,
    errors: ['NOT_FOUND'],
  },
  countView: {
    summary: 'Somebody looked at the listing’s page',
    params: bySlug,
    reply: okReply,
    errors: ['NOT_FOUND'],
  },
  readImage: {
    summary: 'The listing’s first picture, by listing id, or a picture by its own id',
    params: byId,
    query: z.object({ width: z.string().max(5).optional(), v: z.string().max(64).optional() }),
    reply: 'binary',
    errors: ['NOT_FOUND'],
  },
  createPart: {
    summary: 'List a part with a picture',
    body: listingBody,
    file: 'image',
    status: 201,
    reply: listing,
    errors: createErrors,
  },
  createQuickListing: {
    summary: 'List a part by text alone',
    body: listingBody,
    status: 201,
    reply: listing,
    errors: createErrors,
  },
  listOwn: {
    summary: 'The seller’s own listings',
    query: z.object({
      q: z.string().max(200).optional(),
      categoryId: idFilter,
      manuId: idFilter,
      /** `sold` shows what has ended, for whatever reason. */
      state: z.enum(['active', 'sold']).default('active'),
      ...paging,
    }),
    reply: listingPage,
    errors: ['SIGNED_OUT'],
  },
  readOwn: {
    summary: 'One of the seller’s own listings',
    params: byId,
    reply: listing,
    errors: ['SIGNED_OUT', 'NOT_FOUND', 'LISTING_DELETED'],
  },
  updateOwn: {
    summary: 'Change a listing; any subset of its fields, and its picture',
    params: byId,
    body: listingBody,
    file: 'image',
    reply: listing,
    errors: [
      'SIGNED_OUT',
      'NOT_FOUND',
      'LISTING_DELETED',
      'VALIDATION_FAILED',
      'CONFLICT',
      'STALE',
      'STORAGE_FULL',
    ],
  },
  deleteOwn: {
    summary: 'Delete a listing; restore takes it back',
    params: byId,
    reply: okReply,
    errors: ['SIGNED_OUT', 'NOT_FOUND'],
  },
  endOwn: {
    summary: 'End a listing, for example because the part is sold',
    params: byId,
    body: z.object({ reason: z.enum(endReasons).default('sold-elsewhere') }),
    reply: listing,
    errors: ['SIGNED_OUT', 'NOT_FOUND', 'LISTING_DELETED', 'VALIDATION_FAILED'],
  },
  restoreOwn: {
    summary: 'Take back the deletion or the end of a listing',
    params: byId,
    reply: listing,
    errors: ['SIGNED_OUT', 'NOT_FOUND'],
  },
})
