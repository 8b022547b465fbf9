import type { savedSearchEndpoints } from '#contract/search/saved-searches.ts'
import type { ReadPartsQuery } from '#server/features/finding/search/query/reading.ts'
import { rememberMailbox } from '#server/features/people/accounts/known-devices.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { readConditions } from './conditions.ts'
import { changeSearches, getManaged, listSearches, removeSearch, type SavedSearch } from './saved-searches.ts'
import { confirmSearches, findLinkedSearches, type Site, saveSearch } from './search-links.ts'
import { listWanted } from './wanted-parts.ts'

type Deps = { ask: ReadPartsQuery; site: Site; now: () => Date }

export function savedSearchRoutes({ ask, site, now }: Deps): Handlers<typeof savedSearchEndpoints> {
  return {
    async describeSearch({ db, query }) {
      const { title, problem = null } = await readConditions(db, ask, query.query)
      return { title, problem }
    },

    async saveSearch({ db, actor, ip, headers, body }) {
      const { query, ...asked } = await body()
      const conditions = await readConditions(db, ask, query)
      const cookie = headers.cookie?.toString()
      return (db) => saveSearch(db, { ...asked, conditions, actor, ip, cookie, now: now() }, site)
    },

    async checkSearchLink({ db, body }) {
      const { token } = await body()
      const { email, searches } = await findLinkedSearches(db, { token, now: now() })
      return { email, items: searches.map(presentSearch) }
    },

    async confirmSearches(request) {
      const confirmed = await confirmSearches(request.db, { ...(await request.body()), now: now() })
      await rememberMailbox(request, { email: confirmed.email, publicUrl: site.publicUrl, now: now() })
      return confirmed
    },

    async listSavedSearches({ db, actor, body }) {
      const { key } = await body()
      const { email, ownerIds } = await getManaged(db, { key, actor })
      const searches = await listSearches(db, ownerIds, { confirmed: true })
      return { email, items: searches.map(presentSearch) }
    },

    async changeSavedSearches({ db, actor, body }) {
      const { key, id, frequency } = await body()
      const { ownerIds } = await getManaged(db, { key, actor })
      await changeSearches(db, { ownerIds, id, frequency, now: now() })
      return { ok: true }
    },

    async removeSavedSearch({ db, actor, body }) {
      const { key, id } = await body()
      const { ownerIds } = await getManaged(db, { key, actor })
      await removeSearch(db, ownerIds, id)
      return { ok: true }
    },

    async listWanted({ db, actor, query }) {
      const { radius, ownMakes, page, perPage } = query
      const { sellerId } = actor
      const wanted = await listWanted(db, { sellerId, radius, ownMakes: ownMakes === '1', page, perPage })
      return { ...wanted, page, perPage }
    },
  }
}

const presentSearch = ({ createdAt, mailedAt, ...search }: SavedSearch) => ({
  ...search,
  createdAt: createdAt.toISOString(),
  mailedAt: mailedAt?.toISOString() ?? null,
})
