import type { analyticsEndpoints } from '#contract/analytics.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { readAnalytics, readFigures } from './figures.ts'

export function analyticsRoutes({ now }: { now: () => Date }): Handlers<typeof analyticsEndpoints> {
  return {
    sellerFigures: ({ db, actor }) => readFigures(db, { sellerId: actor.sellerId, now: now() }),
    sellerAnalytics: ({ db, actor, query }) =>
      readAnalytics(db, { sellerId: actor.sellerId, days: query.days, now: now() }),
  }
}
