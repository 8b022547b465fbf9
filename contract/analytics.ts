import { z } from 'zod'
import { endpoints } from './endpoint.ts'

export const analyticsPeriods = [7, 30, 90] as const

const sums = {
  views: z.number().int(),
  leads: z.number().int(),
  /** Leads over views in whole percent; null where nothing was looked at. */
  conversionPercent: z.number().int().nullable(),
}

export const analyticsEndpoints = endpoints({
  sellerFigures: {
    summary: 'The three figures of the Pro command center; leads and conversion of the last 30 days',
    reply: z.object({ activeListings: z.number().int(), ...sums }),
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
      days: z.number().int(),
      totals: z.object(sums),
      /** The same number of days just before. */
      previous: z.object(sums),
      /** Every day of the period, oldest first, also those without a view. */
      byDay: z.array(z.object({ day: z.iso.date(), views: z.number().int(), leads: z.number().int() })),
      /** The 50 with most views. */
      byListing: z.array(z.object({ slug: z.string(), title: z.string(), ...sums })),
      byCategory: z.array(z.object({ name: z.string(), ...sums })),
    }),
    errors: ['SIGNED_OUT'],
  },
})
