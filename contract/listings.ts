import { z } from 'zod'
import {
  type listingFields,
  listingKinds,
  type NotNullField,
  type OtherSentName,
  type ReplyName,
  replyNameOf,
  type SentField,
  sentFields,
  specOf,
  type TermField,
  type TextField,
  termFields,
  textFields,
} from '#contract/listing/listing-fields.ts'
import { byId, bySlug, count, endpoints, okReply } from './endpoint.ts'
import { gapNames } from './listing/seller-check.ts'
import { idFilter } from './lookups.ts'
import { orderStates } from './order/order-steps.ts'
import { pictureMark } from './pictures.ts'

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
 * The fields that create and edit read; all others, including read-only fields, are ignored. The rules are in
 * `listing/listing-rules.ts`, because they depend on the kind of listing and quote the spec.
 */
export const listingBody = z.object({
  ...(Object.fromEntries(sentNames.map((name) => [name, loose])) as Sent),
  /** Also accepts the boolean from replies. */
  asis: z.union([z.string(), z.number(), z.boolean(), z.null()]).optional(),
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
  width: count,
  height: count,
  /** Places that show damage. */
  marks: z.array(pictureMark),
})

type Texts = {
  [F in TextField as ReplyName<F>]: F extends NotNullField ? z.ZodString : z.ZodNullable<z.ZodString>
}

/** Text fields; null if empty, or if the reader may not see them. */
const texts = Object.fromEntries(
  textFields.map((field) => [replyNameOf(field), specOf(field).notNull ? z.string() : z.string().nullable()]),
) as Texts

type TermReplies = {
  [F in TermField]: (typeof listingFields)[F]['type'] extends 'yes'
    ? z.ZodBoolean
    : z.ZodNullable<z.ZodNumber>
}

/** The terms of the sale, amounts in dollars; null if not stated. */
const terms = Object.fromEntries(
  termFields.map((field) => [field, specOf(field).type === 'yes' ? z.boolean() : z.number().nullable()]),
) as TermReplies

/** The same for both kinds of listing and all readers. `heading` replaces the title on its page. */
export const listing = z.object({
  id: z.uuid(),
  kind: z.enum(listingKinds),
  partslug: z.string(),
  ...texts,
  /** The first if the part fits several model years; '' if it names no vehicle, which only universal categories allow. */
  partyear: z.string(),
  /** The last of several model years; null if there is one. */
  partyearto: z.string().nullable(),
  partmanuId: z.uuid().nullable(),
  /** Null if it names no vehicle, like the model. */
  partmanuname: z.string().nullable(),
  partmodelId: z.uuid().nullable(),
  partmodel: z.string().nullable(),
  partcategoryId: z.uuid().nullable(),
  partcategory: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  /** The line drawing shown if there is no picture. */
  categoryGroup: z.string().nullable(),
  partprice: z.number(),
  currency: z.string(),
  partquantity: count,
  /** Dollars; 0 is free, null for pickup or on request (see shippingKind). */
  partshipping: z.number().nullable(),
  shippingKind: z.enum(['free', 'flat', 'pickup', 'quote']),
  partmiles: count.nullable(),
  ...terms,
  /** The damage code in plain words; null without one. */
  damageInWords: z.string().nullable(),
  /** The terms in plain words, a line each. */
  termsInWords: z.array(z.string()),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  /** How the seller prefers to be contacted. */
  preferredContact: z.enum(['email', 'phone']),
  /** Buyers may name a price from $1 up to the asking price. */
  takesOffers: z.boolean(),
  imageUrl: z.string().nullable(),
  images: z.array(picture),
  /** Why the picture named in its file is missing; for its seller and admins. */
  imageProblem: z.string().nullable(),
  status: z.enum(listingStatuses),
  version: count,
  createdAt: z.string(),
  updatedAt: z.string(),
  endedAt: z.string().nullable(),
  endedReason: z.enum(endReasons).nullable(),
  /** `in-cart` and `pending`: a buyer has the last piece in a cart, or it is being sold. */
  availability: z.enum(['now', 'in-cart', 'pending', 'sold']),
  /** When it is free again, unless it is sold by then; null if no time is set. */
  heldUntil: z.string().nullable(),
  /** Buyers can order and pay here. */
  soldOnline: z.boolean(),
  /** Whether it is the reader’s; false if not signed in. */
  mine: z.boolean(),
})
export type Listing = z.infer<typeof listing>

export const pageSizes = [12, 24, 48] as const

/** Moves numbers into the range; refuses anything else. */
export const clamped = (from: number, to: number, otherwise: number) =>
  z
    .union([z.literal('').transform(() => otherwise), z.coerce.number()])
    .default(otherwise)
    .transform((value) => Math.min(Math.max(Math.trunc(value), from), to))

// Ten million listings one by one; pages past the end are empty.
const pageNumber = clamped(1, 10_000_000, 1)
export const paging = { page: pageNumber, perPage: clamped(1, 100, 12) }

export const listingPage = z.object({
  items: z.array(listing),
  total: count,
  /** Set when counting stopped at `total`; there are at least that many. */
  totalIsAtLeast: z.literal(true).optional(),
  /**
   * Without filters, the list’s actual last page, regardless of `total`; a search shows only the first 10,000 matches.
   */
  lastPage: count,
  page: count,
  perPage: count,
})
export type ListingPage = z.infer<typeof listingPage>

/** A listing’s activity, for its seller. */
const ownFigures = z.object({
  /** Views in the last 30 days. */
  views: count,
  messages: count,
  /** Messages neither answered nor closed. */
  unanswered: count,
  /** The newest order of it that is neither ended nor delivered. */
  order: z.object({ id: z.uuid(), number: z.string(), state: z.enum(orderStates) }).nullable(),
})
export type OwnFigures = z.infer<typeof ownFigures>

/** By views of the last 30 days, or by messages. */
export const activitySorts = ['most-views', 'fewest-views', 'most-messages', 'fewest-messages'] as const
export type ActivitySort = (typeof activitySorts)[number]

/** How a seller’s own list can be sorted. */
export const ownSorts = ['newest', 'oldest', 'price-low', 'price-high', ...activitySorts] as const

const createErrors = ['SIGNED_OUT', 'VALIDATION_FAILED', 'CONFLICT', 'KEY_REUSED', 'STILL_RUNNING'] as const

/** Maximum number of listings a seller changes in one call. */
export const MAX_OWN_BULK = 1_000

/** Filters for a seller's own listings. */
const ownFilter = z.object({
  q: z.string().max(200).optional(),
  categoryId: idFilter,
  manuId: idFilter,
  /** `sold` shows all ended listings, whatever the reason. */
  state: z.enum(['active', 'sold']).default('active'),
  /** Only listings without this information. */
  missing: z.enum(['', ...gapNames]).optional(),
  sort: z.enum(ownSorts).default('newest'),
})

export const listingEndpoints = endpoints({
  listPublic: {
    summary: 'Public listings, newest first',
    params: z.object({ page: pageNumber }),
    query: z.object({ perPage: clamped(1, 100, 12) }),
    shared: true,
    reply: z.array(listing),
    errors: ['NOT_FOUND'],
  },
  countPublic: {
    summary: 'The number of public listings',
    shared: true,
    reply: count,
    errors: [],
  },
  readPublic: {
    summary: 'One listing by its current or an earlier slug',
    params: bySlug,
    shared: true,
    reply: listing,
    errors: ['NOT_FOUND', 'SELLER_CLOSED'],
  },
  countView: {
    summary: 'Count a view of the listing’s page',
    params: bySlug,
    reply: okReply,
    errors: ['NOT_FOUND'],
  },
  readImage: {
    summary: 'The listing’s first picture, by listing id, or a picture by its own id',
    params: byId,
    query: z.object({
      width: z.string().max(5).optional(),
      v: z.string().max(64).optional(),
      key: z.string().max(64).optional(),
    }),
    reply: 'binary',
    errors: ['NOT_FOUND', 'SELLER_CLOSED'],
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
    summary: 'List a part without a picture',
    body: listingBody,
    status: 201,
    reply: listing,
    errors: createErrors,
  },
  listOwn: {
    summary: 'The seller’s own listings',
    query: ownFilter.extend(paging),
    /** `figures` by listing id; separate, because listings have the same fields for everyone. */
    reply: listingPage.extend({
      figures: z.record(z.uuid(), ownFigures),
      /** Whether the yard states a warranty or returns for all its parts. */
      yardHasTerms: z.boolean(),
    }),
    errors: ['SIGNED_OUT'],
  },
  countOwnGaps: {
    summary: 'Counts of the seller’s own listings by missing information',
    query: ownFilter.omit({ sort: true, missing: true }),
    /** `isPartial`: the seller has many listings, and only the newest were counted. */
    reply: z.object({ counts: z.record(z.enum(gapNames), count), isPartial: z.boolean() }),
    errors: ['SIGNED_OUT'],
  },
  listOwnIds: {
    summary: `The ids of the first ${MAX_OWN_BULK.toLocaleString('en-US')} own listings that match a filter, for bulk changes`,
    query: ownFilter,
    reply: z.object({ ids: z.array(z.uuid()) }),
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
      'IN_ORDER',
    ],
  },
  deleteOwn: {
    summary: 'Delete a listing; restore undoes it',
    params: byId,
    reply: okReply,
    errors: ['SIGNED_OUT', 'NOT_FOUND', 'IN_ORDER'],
  },
  endOwn: {
    summary: 'End a listing, for example because the part is sold',
    params: byId,
    body: z.object({ reason: z.enum(endReasons).default('sold-elsewhere') }),
    reply: listing,
    errors: ['SIGNED_OUT', 'NOT_FOUND', 'LISTING_DELETED', 'VALIDATION_FAILED', 'IN_ORDER'],
  },
  restoreOwn: {
    summary: 'Restore a deleted or ended listing',
    params: byId,
    reply: listing,
    errors: ['SIGNED_OUT', 'NOT_FOUND', 'IN_ORDER'],
  },
})

const keptListings = z.array(z.object({ id: z.uuid(), title: z.string(), why: z.string() }))

const chosenListings = z
  .array(z.uuid('Each id is the id of one of your listings'), 'ids is required')
  .min(1, 'Choose at least one listing')
  .max(MAX_OWN_BULK, `At most ${MAX_OWN_BULK.toLocaleString('en-US')} listings a call; split them`)

const cents = 'A price can have at most 2 decimals, such as 129.95'

/** Changes of many of a seller’s own listings. */
export const ownBulkEndpoints = endpoints({
  changeOwnListings: {
    summary:
      'Change the price of own listings, or end them, in one transaction that can be undone as a whole',
    body: z
      .discriminatedUnion(
        'action',
        [
          z.object({
            action: z.literal('price'),
            ids: chosenListings,
            /** A price in dollars, an amount to add, or a percentage to add; negative ones lower the price. */
            how: z.enum(['set', 'add', 'percent']),
            value: z.number('Enter a number, such as 129.95 or -10').min(-99_999_999).max(99_999_999),
          }),
          z.object({
            action: z.literal('age'),
            ids: chosenListings,
            /** The rule with the highest age that a part has reached applies; its percentage is added. */
            rules: z
              .array(
                z.object({ days: z.number().int().min(1).max(3_650), percent: z.number().min(-90).max(100) }),
              )
              .min(1, 'Add a rule')
              .max(5, 'At most 5 rules'),
            /** Minimum price in dollars. */
            floor: z.number().min(0).max(99_999_999).default(0),
            /** Shows the new prices and changes nothing. */
            preview: z.boolean().default(false),
          }),
          z.object({
            action: z.literal('end'),
            ids: chosenListings,
            reason: z.enum(endReasons).default('sold-elsewhere'),
          }),
        ],
        'action is “price”, “age” or “end”',
      )
      .superRefine((change, { addIssue }) => {
        if (change.action !== 'price') return
        const { how, value } = change
        if (how === 'set' && value < 0)
          addIssue({ code: 'custom', path: ['value'], message: 'A price is 0 or more' })
        if (how === 'percent' && (value < -100 || value > 1_000))
          addIssue({ code: 'custom', path: ['value'], message: 'A percentage from -100 to 1000' })
        else if (how !== 'percent' && !/^-?\d+(\.\d{1,2})?$/.test(String(value)))
          addIssue({ code: 'custom', path: ['value'], message: cents })
      }),
    reply: z.object({
      ok: z.literal(true),
      updated: count,
      /** For undoing the whole change; null if nothing changed. */
      changeSetId: z.uuid().nullable(),
      /** Skipped listings, with the reason. */
      kept: keptListings,
      /** Only for a preview, in dollars. */
      prices: z
        .array(z.object({ id: z.uuid(), title: z.string(), from: z.number(), to: z.number() }))
        .optional(),
    }),
    errors: ['SIGNED_OUT', 'VALIDATION_FAILED', 'NOT_FOUND'],
  },
  undoOwnChange: {
    summary: 'Undo such a change; listings changed since are kept and listed',
    params: byId,
    reply: z.object({ ok: z.literal(true), undone: count, kept: keptListings }),
    errors: ['SIGNED_OUT', 'NOT_FOUND', 'CONFLICT'],
  },
})
