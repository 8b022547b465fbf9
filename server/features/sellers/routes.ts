import type { sellerEndpoints } from '#contract/pages/sellers.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { getPublicSeller } from './public-seller.ts'

export function sellerRoutes(): Handlers<typeof sellerEndpoints> {
  return { readSeller: ({ db, params: { slug } }) => getPublicSeller(db, { slug }) }
}
