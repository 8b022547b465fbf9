import type { searchEndpoints } from '#contract/search/parts-search.ts'
import { isAdmin } from '#server/platform/actor.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import type { PartsSearch } from './find-parts.ts'

export function searchRoutes(search: PartsSearch): Handlers<typeof searchEndpoints> {
  return {
    searchPublic: ({ query, actor }) => search.find(query, { isAdmin: isAdmin(actor) }),
  }
}
