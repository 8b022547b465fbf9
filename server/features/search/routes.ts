import type { searchEndpoints } from '#contract/search/parts-search.ts'
import type { suggestionEndpoints } from '#contract/search/suggestions.ts'
import { liveList } from '#server/features/listings/find/list-queries.ts'
import type { Lists } from '#server/features/listings/find/lists.ts'
import { milesFrom } from '#server/features/listings/find/places.ts'
import { readSearch } from '#server/features/listings/find/read-search.ts'
import type { Reads } from '#server/platform/database/reads.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { presentCard, type ReadCard } from './cards.ts'
import type { Suggestions } from './suggestions.ts'

type SearchRouteDeps = {
  cards: Lists<ReadCard>
  reads: Reads
}

export function searchRoutes({ cards, reads }: SearchRouteDeps): Handlers<typeof searchEndpoints> {
  return {
    async searchPublic({ query }) {
      const { page, perPage, zip } = query
      const sort = query.sort === 'relevance' ? 'newest' : query.sort
      const search = await reads((from) => readSearch(from, { ...query, sort }))
      const { items, ...found } = await cards.find(
        search,
        liveList(sort === 'nearest' ? 'newest' : (sort ?? 'newest')),
        query,
      )
      const ids = items.map(({ id }) => id)
      const miles = zip ? await reads((from) => milesFrom(from, zip, ids)) : undefined
      const presented = items.map((row) => {
        const distanceMiles = miles?.get(row.id)
        return { ...presentCard(row), ...(distanceMiles !== undefined && { distanceMiles }) }
      })
      return { ...found, items: presented, page, perPage, understood: [] }
    },
  }
}

export function suggestionRoutes({ suggest }: Suggestions): Handlers<typeof suggestionEndpoints> {
  return {
    async readSuggestions({ query: { q }, setHeader }) {
      // The same for everybody, and typed by many: "head", "headl", "headli".
      setHeader('cache-control', 'public, max-age=60')
      return { suggestions: await suggest(q) }
    },
  }
}
