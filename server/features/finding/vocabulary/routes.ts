import type { searchWordEndpoints, WordReach } from '#contract/search/search-words.ts'
import { auditActorOf } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { type EmptySearch, listEmptySearches } from './empty-searches.ts'
import { addWord, changeWord, dismissEmptySearch, findTradeWords, removeWord } from './manage-words.ts'
import { type TradeWord, wordsById } from './trade-words.ts'
import { listChanges, undoChange } from './word-changes.ts'

type WordRouteDeps = {
  /** What each word affects: searches, saved searches and parts, which know words but are not known to them. */
  readReach: (db: Db, words: readonly string[]) => Promise<WordReach[]>
}

export function searchWordRoutes({ readReach }: WordRouteDeps): Handlers<typeof searchWordEndpoints> {
  return {
    async listSearchWords({ db, query }) {
      const { items, total } = await findTradeWords(db, query)
      return { items: items.map(presentWord), total, page: query.page, perPage: query.perPage }
    },

    async addSearchWord(request) {
      const written = await request.body()
      return async (db) => presentChanged(await addWord(db, written, auditActorOf(request)))
    },

    async changeSearchWord(request) {
      const { db, params } = request
      const written = await request.body()
      return presentChanged(
        await inTransaction(db, (trx) => changeWord(trx, params.id, written, auditActorOf(request))),
      )
    },

    async removeSearchWord(request) {
      const { db, params } = request
      const change = await inTransaction(db, (trx) => removeWord(trx, params.id, auditActorOf(request)))
      return { ok: true, change }
    },

    async readWordReach({ db, query: { ids, word } }) {
      return { items: await readReach(db, [...(ids ? await wordsById(db, ids) : []), word]) }
    },

    async listWordChanges({ db, query }) {
      return { ...(await listChanges(db, query)), page: query.page, perPage: query.perPage }
    },

    async undoWordChange(request) {
      const { db, params } = request
      await inTransaction(db, (trx) => undoChange(trx, params.id, auditActorOf(request)))
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

const presentChanged = ({ word, change }: { word: TradeWord; change: string }) => ({
  ...presentWord(word),
  change,
})

const presentEmptySearch = (search: EmptySearch) => ({
  ...search,
  firstAt: search.firstAt.toISOString(),
  lastAt: search.lastAt.toISOString(),
})
