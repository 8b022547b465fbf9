import type { sellerEndpoints } from '#contract/pages/sellers.ts'
import type { yardEndpoints } from '#contract/pages/yard.ts'
import { auditActorOf } from '#server/platform/database/audit.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { findYardDistance, getPublicYard } from './public-seller.ts'
import { changeYard, readYard } from './yard.ts'

export function sellerRoutes(): Handlers<typeof sellerEndpoints> {
  return {
    readSeller: ({ db, params: { slug } }) => getPublicYard(db, slug),
    readSellerDistance: async ({ db, params: { slug }, query: { zip } }) => ({
      miles: await findYardDistance(db, slug, zip),
    }),
  }
}

export function yardRoutes(): Handlers<typeof yardEndpoints> {
  return {
    readYard: ({ db, actor: { sellerId } }) => readYard(db, sellerId),
    async changeYard(request) {
      const { db, actor, body } = request
      return changeYard(db, actor.sellerId, { yard: await body(), by: auditActorOf(request) })
    },
  }
}
