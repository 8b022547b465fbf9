import { z } from 'zod'
import { count, endpoints } from '#contract/endpoint.ts'
import { idFilter } from '#contract/lookups.ts'

/** With fewer parts, a range says more about one yard than about the part. */
export const MIN_PARTS = 5

/** From this age on, My Listings shows other sellers' prices. */
export const AGED_DAYS = 90

/** What comparable parts are listed and sold for, in dollars, without the cheapest and most expensive tenth. */
const priceRange = z.object({
  median: z.number(),
  low: z.number(),
  high: z.number(),
  /** Number of parts, at least 5; `sold` of them in the last year. */
  count,
  sold: count,
  /** Null if parts of any grade count, because those of the grade are too few. */
  grade: z.string().nullable(),
})
export type PriceRange = z.infer<typeof priceRange>

export const pricingEndpoints = endpoints({
  priceHelp: {
    summary:
      'Prices of similar parts on this market: same kind, model and years, and grade if there are enough',
    query: z.object({
      categoryId: idFilter,
      modelId: idFilter,
      /** One year, or two such as 2012-2015. */
      year: z.string().max(20).optional(),
      grade: z.string().max(1).optional(),
      /** The listing being priced, which is excluded. */
      except: idFilter,
    }),
    reply: z.object({ range: priceRange.nullable() }),
    errors: ['SIGNED_OUT'],
  },
  agedPrices: {
    summary: `Prices of similar parts for the seller’s listings of ${AGED_DAYS} days and more`,
    query: z.object({ ids: z.string().max(4_000) }),
    reply: z.object({
      /** By listing id; excludes newer listings and those with too few comparable parts. */
      aged: z.record(z.uuid(), priceRange.extend({ days: count })),
    }),
    errors: ['SIGNED_OUT'],
  },
})
