import type { searchEndpoints } from '#contract/search/parts-search.ts'
import type { suggestionEndpoints } from '#contract/search/suggestions.ts'
import type { PartsSearch } from '#server/features/finding/search/page/find-parts.ts'
import { readKeptCards } from '#server/features/finding/search/page/kept-cards.ts'
import type { Suggestions } from '#server/features/finding/search/suggest/suggestions.ts'
import { isAdmin } from '#server/platform/actor.ts'
import type { Handlers } from '#server/platform/http/handler.ts'

type SearchRouteDeps = {
  search: PartsSearch
  /** For signed-in people, who must find what they just listed. */
  ownSearch: PartsSearch
  now: () => Date
}

export function searchRoutes({ search, ownSearch, now }: SearchRouteDeps): Handlers<typeof searchEndpoints> {
  return {
    searchPublic: ({ query, actor, scope }) =>
      (actor ? ownSearch : search).find(query, { isAdmin: isAdmin(actor), scope }),

    async readCards({ db, query }) {
      return { items: await readKeptCards(db, { ...query, now: now() }) }
    },
  }
}

export function suggestionRoutes({
  suggest,
  isOfAnyVehicle,
}: Suggestions): Handlers<typeof suggestionEndpoints> {
  return {
    async readSuggestions({ query: { q, whole }, setHeader }) {
      // The same for everyone, and many people type the same prefixes.
      setHeader('cache-control', 'public, max-age=60')
      const suggestions = await suggest(q)
      return { suggestions, ...(whole && { isOfAnyVehicle: await isOfAnyVehicle(q) }) }
    },
  }
}
