import { z } from 'zod'
import { bySlug, count, endpoints } from '#contract/endpoint.ts'

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
  /**
   * Half of the messages of the last 90 days that were answered got the first answer within this many hours; null with fewer
   * than five.
   */
  answersWithinHours: z.number().nullable(),
})
export type PublicSeller = z.infer<typeof publicSeller>

export const sellerEndpoints = endpoints({
  readSeller: {
    summary: 'A seller who has or had parts for sale: name, place and number of parts',
    params: bySlug,
    shared: true,
    reply: publicSeller,
    errors: ['NOT_FOUND'],
  },
})

/** Why shopping sites would refuse a part; it is left out of the feeds. */
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
  /** With the parts listed last; a part may have several problems. */
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
