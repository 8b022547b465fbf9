import type { adminListingEndpoints } from '#contract/admin/listings.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { readHistory } from './changes.ts'

export function historyRoutes(): Pick<Handlers<typeof adminListingEndpoints>, 'listingHistory'> {
  return {
    async listingHistory({ db, params, query }) {
      const { items, nextBefore, created } = await readHistory(db, params.id, query.before)
      return {
        items: items.map((change) => ({ ...change, at: change.at.toISOString() })),
        nextBefore,
        created: { ...created, at: created.at.toISOString() },
      }
    },
  }
}
