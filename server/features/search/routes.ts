import type { searchEndpoints } from '#contract/search/parts-search.ts'
import type { searchWordEndpoints } from '#contract/search/search-words.ts'
import type { suggestionEndpoints } from '#contract/search/suggestions.ts'
import { readKeptCards } from '#server/features/search/page/cards.ts'
import type { PartsSearch } from '#server/features/search/page/find-parts.ts'
import type { Suggestions } from '#server/features/search/suggest/suggestions.ts'
import { type EmptySearch, listEmptySearches } from '#server/features/vocabulary/empty-searches.ts'
import {
  addWord,
  changeWord,
  dismissEmptySearch,
  findTradeWords,
  removeWord,
} from '#server/features/vocabulary/manage-words.ts'
import type { TradeWord } from '#server/features/vocabulary/trade-words.ts'
import { isAdmin } from '#server/platform/actor.ts'
import { auditActorOf } from '#server/platform/database/audit.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import type { Handlers } from '#server/platform/http/handler.ts'

type SearchRouteDeps = {
  search: PartsSearch
  /** For signed-in people, who must find what they just listed. */
  ownSearch: PartsSearch
  now: () => Date
}

export function searchRoutes({ search, ownSearch, now }: SearchRouteDeps): Handlers<typeof searchEndpoints> {
  return {
    searchPublic: ({ query, actor }) => (actor ? ownSearch : search).find(query, { isAdmin: isAdmin(actor) }),

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
      // The same for everybody, and many people type the same prefixes.
      setHeader('cache-control', 'public, max-age=60')
      const suggestions = await suggest(q)
      return { suggestions, ...(whole && { isOfAnyVehicle: await isOfAnyVehicle(q) }) }
    },
  }
}

export function searchWordRoutes(): Handlers<typeof searchWordEndpoints> {
  return {
    async listSearchWords({ db, query }) {
      const { items, total } = await findTradeWords(db, query)
      return { items: items.map(presentWord), total, page: query.page, perPage: query.perPage }
    },

    async addSearchWord(request) {
      const written = await request.body()
      return async (db) => presentWord(await addWord(db, written, auditActorOf(request)))
    },

    async changeSearchWord(request) {
      const { db, params } = request
      const written = await request.body()
      return presentWord(
        await inTransaction(db, (trx) => changeWord(trx, params.id, written, auditActorOf(request))),
      )
    },

    async removeSearchWord(request) {
      const { db, params } = request
      await inTransaction(db, (trx) => removeWord(trx, params.id, auditActorOf(request)))
      return { ok: true }
    },

    async listEmptySearches({ db, query }) {
      const { items, total } = await listEmptySearches(db, query)
      const { page, perPage } = query
      return { items: items.map(presentEmptySearch), total, page, perPage }
    },

    async dismissEmptySearch(request) {
      const { words } = await request.body()
      await inTransaction(request.db, (trx) => dismissEmptySearch(trx, words, auditActorOf(request)))
      return { ok: true }
    },
  }
}

const presentWord = (word: TradeWord) => ({ ...word, createdAt: word.createdAt.toISOString() })

const presentEmptySearch = (search: EmptySearch) => ({
  ...search,
  firstAt: search.firstAt.toISOString(),
  lastAt: search.lastAt.toISOString(),
})
