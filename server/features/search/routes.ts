import type { searchEndpoints } from '#contract/search/parts-search.ts'
import type { searchWordEndpoints } from '#contract/search/search-words.ts'
import type { suggestionEndpoints } from '#contract/search/suggestions.ts'
import { liveList } from '#server/features/listings/find/list-queries.ts'
import type { Lists } from '#server/features/listings/find/lists.ts'
import { milesFrom } from '#server/features/listings/find/places.ts'
import { readSearch } from '#server/features/listings/find/read-search.ts'
import { auditActorOf } from '#server/platform/database/audit.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import type { Reads } from '#server/platform/database/reads.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { presentCard, type ReadCard } from './cards.ts'
import {
  addWord,
  changeWord,
  dismissEmptySearch,
  findTradeWords,
  listEmptySearches,
  removeWord,
} from './manage-words.ts'
import type { Suggestions } from './suggestions.ts'
import type { TradeWord } from './trade-words.ts'

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

const presentEmptySearch = (search: Awaited<ReturnType<typeof listEmptySearches>>['items'][number]) => ({
  ...search,
  firstAt: search.firstAt.toISOString(),
  lastAt: search.lastAt.toISOString(),
})
