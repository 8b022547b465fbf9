import { z } from 'zod'
import { count, endpoints } from './endpoint.ts'

export const analyticsPeriods = [7, 30, 90] as const

const sums = {
  views: count,
  leads: count,
  /** Leads over views in whole percent; null without views. */
  conversionPercent: z.number().int().nullable(),
}

export const analyticsEndpoints = endpoints({
  sellerFigures: {
    summary: 'The three figures of the Pro command center; leads and conversion of the last 30 days',
    reply: z.object({ activeListings: count, ...sums }),
    errors: ['SIGNED_OUT'],
  },
  sellerAnalytics: {
    summary: 'Views and leads of the seller’s listings by day, listing and category',
    query: z.object({
      days: z.coerce
        .number()
        .pipe(z.union(analyticsPeriods.map((days) => z.literal(days))))
        .default(30),
    }),
    reply: z.object({
      days: count,
      totals: z.object(sums),
      /** The same number of days just before. */
      previous: z.object(sums),
      /** Every day of the period, oldest first, including those without views. */
      byDay: z.array(z.object({ day: z.iso.date(), views: count, leads: count })),
      /** The 50 with the most views. */
      byListing: z.array(z.object({ slug: z.string(), title: z.string(), ...sums })),
      byCategory: z.array(z.object({ name: z.string(), ...sums })),
    }),
    errors: ['SIGNED_OUT'],
  },
})
