import type { searchEndpoints } from '#contract/search/parts-search.ts'
import type { suggestionEndpoints } from '#contract/search/suggestions.ts'
import { isAdmin } from '#server/platform/actor.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import type { PartsSearch } from './find-parts.ts'
import type { Suggestions } from './suggestions.ts'

export function searchRoutes(search: PartsSearch): Handlers<typeof searchEndpoints> {
  return {
    searchPublic: ({ query, actor }) => search.find(query, { isAdmin: isAdmin(actor) }),
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
