import { z } from 'zod'
import { count, endpoints } from '#contract/endpoint.ts'
import { grades } from '#contract/listing/listing-rules.ts'
import { listing, paging } from '#contract/listings.ts'
import { idFilter } from '#contract/lookups.ts'
import { MAX_CARDS } from '#contract/pages/garage-limits.ts'

/* The search for parts. */

/** A listing in a list of search results. */
export const card = listing
  .pick({
    id: true,
    partslug: true,
    partname: true,
    partyear: true,
    partyearto: true,
    partmanuname: true,
    partmodel: true,
    partcategory: true,
    categoryGroup: true,
    partgrade: true,
    partprice: true,
    currency: true,
    partnum: true,
    partshipping: true,
    shippingKind: true,
    partcity: true,
    partstate: true,
    dealername: true,
    imageUrl: true,
    status: true,
    createdAt: true,
    availability: true,
    heldUntil: true,
    soldOnline: true,
  })
  .extend({
    sellerSlug: z.string(),
    /** From the buyer’s ZIP code to the part; set only if the search has one. */
    distanceMiles: z.number().optional(),
    /**
     * Why a part is shown that is not the one asked for: "81150-06470 replaces 81150-06380, according to Harbor Yard", "Same part
     * number as a 2018 F-150’s".
     */
    interchange: z.string().optional(),
    /** Dollars, price and shipping together; pickup adds nothing. Null if the seller quotes the shipping. */
    total: z.number().nullable(),
    /** Featured: listed before parts that match equally well. */
    featured: z.literal(true).optional(),
  })
export type Card = z.infer<typeof card>

/** Unset filters send an empty text. */
const unset = z.literal('').transform(() => undefined)
/** Refused with the sentence of `schema`. */
const orUnset = <S extends z.ZodType>(schema: S) =>
  z.union([unset, schema], { error: ({ errors }) => errors?.at(-1)?.[0]?.message }).optional()

const dollars = orUnset(z.coerce.number('Use an amount in dollars, such as 49.95').min(0).max(99_999_999))
const someOf = <const T extends readonly [string, ...string[]]>(name: string, values: T) =>
  orUnset(
    z
      .string()
      .max(60)
      .transform((text) => text.split(','))
      .pipe(z.array(z.enum(values, `${name} must be any of ${values.join(', ')}, separated by commas`))),
  )
const flag = orUnset(z.literal('1').transform(() => true))
const partSorts = ['relevance', 'newest', 'price-low', 'price-high', 'nearest'] as const

export const zipCode = z.string().regex(/^\d{5}$/, 'A ZIP code has 5 digits')

const slug = z.string().max(200).optional()
const miles = orUnset(z.coerce.number('Use a number of miles').min(1).max(5_000))

const partsQuery = z.object({
  q: z.string().max(200).optional(),
  /** Slugs of names, as in the addresses of landing pages; one that no name has filters nothing. */
  make: slug,
  /** Models of the chosen make, or of any make. */
  model: slug,
  year: z
    .string()
    .max(4)
    .refine((text) => /^\d*$/.test(text), 'Use a year such as 2014')
    .optional(),
  category: slug,
  /** The same by id. */
  categoryId: idFilter,
  manuId: idFilter,
  modelId: idFilter,
  side: orUnset(z.enum(['left', 'right'], 'side must be left or right')),
  priceMin: dollars,
  priceMax: dollars,
  grade: someOf('grade', grades),
  milesMax: orUnset(z.coerce.number('Use a number of miles').min(0).max(9_999_999)),
  zip: orUnset(zipCode),
  /** Miles around the ZIP code, or any distance for parts that ship. */
  within: miles,
  /** Miles around the ZIP code, for parts that ship, too. */
  radius: miles,
  shipping: someOf('shipping', ['free', 'flat', 'pickup']),
  hasPicture: flag,
  /** A seller’s slug. */
  seller: z.string().max(200).optional(),
  /** Default: relevance if there are words, otherwise newest. Prices include shipping; what is quoted comes last. */
  sort: orUnset(z.enum(partSorts)),
  /** Search for the exact words, without spelling correction. */
  exact: flag,
  facets: flag,
  /** For administrators: explain each part's rank. */
  explain: flag,
  ...paging,
})
export type PartsQuery = z.output<typeof partsQuery>

const wordChipKinds = [
  'make',
  'model',
  'year',
  'part',
  'side',
  'size',
  'number',
  'seller',
  'vin',
  'price',
  'without',
] as const
/** What words can be understood as. */
export type ChipKind = (typeof wordChipKinds)[number]

const chip = z.object({
  kind: z.enum([...wordChipKinds, 'filter']),
  label: z.string(),
  /** For a filter, its parameter. */
  name: z.string().optional(),
  /** No name has this slug, so it does not filter. */
  isUnknown: z.literal(true).optional(),
  /** Query string of the same search without this chip. */
  without: z.string(),
})

const named = z.object({ id: z.uuid(), slug: z.string(), name: z.string(), count })
const valued = z.object({ value: z.string(), count })

const facets = z.object({
  categories: z.array(named.extend({ group: z.string().nullable() })),
  makes: z.array(named),
  models: z.array(named),
  years: z.array(valued),
  sides: z.array(valued),
  grades: z.array(valued),
  /** In dollars; the last range has no end. */
  prices: z.array(z.object({ from: z.number(), to: z.number().nullable(), count })),
  shipping: z.array(valued),
  withPicture: count,
  /** The counts are estimates. */
  about: z.literal(true).optional(),
})
export type Facets = z.infer<typeof facets>

const chosenName = z.object({ slug: z.string(), name: z.string() }).optional()

/** A filter without which there would be results. */
const offer = z.object({
  label: z.string(),
  /** Query string of the same search without this filter, and how many parts that finds. */
  without: z.string(),
  total: count,
  totalIsAtLeast: z.literal(true).optional(),
})

const partsPage = z.object({
  items: z.array(card),
  total: count,
  /** Set when counting stopped at `total`; there are at least that many. */
  totalIsAtLeast: z.literal(true).optional(),
  lastPage: count,
  page: count,
  perPage: count,
  /** The search in words, with its filters; absent if it asks for nothing. */
  title: z.string().optional(),
  /** The interpretation of the words, then the filters. */
  understood: z.array(chip),
  /** Filters that the words say, such as "near 30310"; the page's fields show them. */
  said: z.object({ zip: z.string(), within: z.number(), milesMax: z.number() }).partial().optional(),
  /** The names that were filtered by, under their current slugs. */
  chosen: z.object({ make: chosenName, model: chosenName, category: chosenName }).optional(),
  /** Set if filters leave nothing of what was asked: each that could be removed alone. */
  offers: z.array(offer).optional(),
  /** A spelling that was corrected. */
  corrected: z.object({ from: z.string(), to: z.string() }).optional(),
  /** Set if no part met all conditions: a message about the dropped conditions. */
  relaxed: z
    .object({ sentence: z.string(), dropped: z.array(z.enum([...wordChipKinds, 'words'])) })
    .optional(),
  facets: facets.optional(),
  /** Similar parts, shown below a page with few results. */
  near: z.object({ sentence: z.string(), items: z.array(card) }).optional(),
  /** For administrators, by listing id. */
  explain: z.record(z.uuid(), z.array(z.string())).optional(),
})
export type PartsPage = z.infer<typeof partsPage>

/** A part in a buyer's own lists, which may have been sold in the meantime, with what else buyers compare. */
const keptCard = card.extend({
  status: z.enum(['ACTIVE', 'SOLD']),
  ...listing.pick({ partmiles: true, parttrim: true, bodystyle: true, partdamage: true, termsInWords: true })
    .shape,
  /** The position in the name, such as "front left"; empty if there is none. */
  position: z.string(),
})
export type KeptCard = z.infer<typeof keptCard>

/** Ids separated by commas. */
export const idsOf = (name: string, things: string, most: number) =>
  z
    .string(`${name} lists the ids of ${things}, separated by commas`)
    .max(40 * most)
    .transform((text) => text.split(','))
    .pipe(
      z
        .array(z.uuid(`${name} lists the ids of ${things}, separated by commas`))
        .max(most, `${name} lists up to ${most} ${things}`),
    )

const cardsQuery = z.object({
  ids: idsOf('ids', 'parts', MAX_CARDS),
  zip: orUnset(zipCode),
})

export const searchEndpoints = endpoints({
  searchPublic: {
    summary: 'Find public listings by words, part number, vehicle and filters',
    query: partsQuery,
    shared: 'recent',
    reply: partsPage,
    errors: ['VALIDATION_FAILED'],
  },
  readCards: {
    summary: `Up to ${MAX_CARDS} parts by id, in that order, for sale or sold; others are left out`,
    query: cardsQuery,
    shared: true,
    reply: z.object({ items: z.array(keptCard) }),
    errors: ['VALIDATION_FAILED'],
  },
})
