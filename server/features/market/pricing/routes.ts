import { isId } from '#contract/endpoint.ts'
import type { pricingEndpoints } from '#contract/listing/pricing.ts'
import { readYearSpan } from '#contract/listing/year-span.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { findPriceRange, listAged } from './like-parts.ts'

// A page of My Listings.
const MOST_IDS = 100

export function pricingRoutes({ now }: { now: () => Date }): Handlers<typeof pricingEndpoints> {
  return {
    async priceHelp({ db, query }) {
      const { categoryId, modelId, grade, except } = query
      const years = readYearSpan(query.year ?? '')
      if (!categoryId || !modelId || !years) return { range: null }
      const span = { yearFrom: years.from, yearTo: years.to }
      const part = { categoryId, modelId, ...span, grade: grade || undefined, except: except || undefined }
      return { range: (await findPriceRange(db, part, now())) ?? null }
    },

    async agedPrices({ db, actor, query }) {
      const ids = query.ids.split(',').filter((id) => isId(id))
      const listings = await listAged(db, actor.sellerId, ids.slice(0, MOST_IDS), now())
      const aged: Awaited<ReturnType<Handlers<typeof pricingEndpoints>['agedPrices']>>['aged'] = {}
      for (const { id, days, grade, ...part } of listings) {
        const range = await findPriceRange(db, { ...part, grade: grade ?? undefined, except: id }, now())
        if (range) aged[id] = { ...range, days }
      }
      return { aged }
    },
  }
}
