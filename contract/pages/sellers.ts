import { z } from 'zod'
import { bySlug, count, endpoints } from '#contract/endpoint.ts'
import { zipCode } from '#contract/search/parts-search.ts'
import { openingHours, timeZone } from './yard.ts'
import { policyKinds } from './yard-words.ts'

/** Sellers as buyers see them, and the feeds that shopping sites read. */

export const publicSeller = z.object({
  slug: z.string(),
  name: z.string(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  /** When the seller joined. */
  since: z.string(),
  /** Parts for sale now. */
  parts: count,
  /** Median hours to the first answer, over answered messages of the last 90 days; null with fewer than five. */
  answersWithinHours: z.number().nullable(),
  /** In the seller’s words; only stated policies. */
  policy: z.partialRecord(z.enum(policyKinds), z.string()),
  /** Published reviews of buyers, and their average; null with fewer than five. */
  reviews: count,
  stars: z.number().nullable(),
  /** What the yard did with its orders: the badge, and a sentence for each figure with enough orders. */
  record: z.object({ badge: z.boolean(), lines: z.array(z.string()) }),
})
export type PublicSeller = z.infer<typeof publicSeller>

/** A town on the yard’s map, in miles east and north of the yard. */
const town = z.object({ name: z.string(), state: z.string(), east: z.number(), north: z.number() })

/** What a buyer said. Never with a name. */
const publicReview = z.object({
  id: z.uuid(),
  stars: count,
  text: z.string(),
  /** The part that was bought. */
  part: z.string(),
  at: z.string(),
  answer: z.string().nullable(),
})
export type PublicReview = z.infer<typeof publicReview>

/** What a seller’s page shows; null for unstated fields. */
const publicYard = publicSeller.extend({
  street: z.string().nullable(),
  zip: z.string().nullable(),
  phone: z.string().nullable(),
  hours: openingHours.nullable(),
  /** Time zone of the hours. */
  timeZone,
  /** Towns around the middle of the yard’s ZIP code or town; `reach` is the miles from there to the drawing’s upper edge. */
  map: z.object({ reach: z.number(), towns: z.array(town) }).nullable(),
  /** The newest. */
  newestReviews: z.array(publicReview),
})
export type PublicYard = z.infer<typeof publicYard>
export type YardMap = NonNullable<PublicYard['map']>

export const sellerEndpoints = endpoints({
  readSeller: {
    summary: 'A seller who has or had parts for sale: name, address, hours, terms and number of parts',
    params: bySlug,
    shared: true,
    reply: publicYard,
    errors: ['NOT_FOUND', 'SELLER_CLOSED'],
  },
  readSellerDistance: {
    summary: 'Miles from a ZIP code to a seller’s yard; null if its location is unknown',
    params: bySlug,
    query: z.object({ zip: zipCode }),
    shared: true,
    reply: z.object({ miles: z.number().nullable() }),
    errors: ['NOT_FOUND', 'SELLER_CLOSED', 'VALIDATION_FAILED'],
  },
})

/** Why shopping sites would reject a part, which excludes it from the feeds. */
const feedProblems = ['no-price', 'no-picture', 'small-picture', 'long-title', 'no-description'] as const
export type FeedProblem = (typeof feedProblems)[number]

const feeds = z.object({
  enabled: z.boolean(),
  /** Addresses to enter in Google Merchant Center and in a Meta catalog. */
  googleUrl: z.string(),
  metaUrl: z.string(),
  /** Parts for sale, and how many of them are in the feeds. */
  parts: count,
  inFeeds: count,
  /** With the most recently listed parts; a part may have several problems. */
  problems: z.array(
    z.object({
      problem: z.enum(feedProblems),
      count,
      newest: z.array(z.object({ slug: z.string(), title: z.string() })),
    }),
  ),
})
export type Feeds = z.infer<typeof feeds>

export const feedEndpoints = endpoints({
  readFeeds: {
    summary: 'Your feeds for shopping sites, and the parts they leave out',
    reply: feeds,
    errors: ['SIGNED_OUT'],
  },
  setFeeds: {
    summary: 'Allow or stop your feeds for shopping sites',
    body: z.object({ enabled: z.boolean('Say whether shopping sites may read your parts: true or false') }),
    reply: feeds,
    errors: ['SIGNED_OUT', 'VALIDATION_FAILED'],
  },
})
