import { sql } from 'kysely'
import { foldText } from '#contract/trade-language/names.ts'
import { isForSale } from '#server/features/market/for-sale/for-sale.ts'
import { eachWord } from '#server/features/market/listings/search-row/search-terms.ts'
import type { Db } from '#server/platform/database/database.ts'

/*
 * The words of part names in our stock: if a yard sells a fairlead, "fairlead" is not a typo, and "farelead" can be
 * corrected to it. Each process reads the names of the newest listings once, and then those of later listings.
 */

export type StockWords = {
  /** Reads names added since the last call, at most once every few seconds. */
  refresh(db: Db): Promise<void>
  /** The number of names read that contain the word. */
  count(word: string): number
  /** Words that occur in several names. */
  common(): ReadonlyMap<string, number>
  /** Increases when `common` changes. */
  version(): number
}

// 0.3 s for a marketplace of a million: names repeat, so the database returns a few thousand.
const NAMES_READ = 100_000
const REFRESHED_AFTER_MS = 5_000
// A few hundred bytes each; yards use about 3,000 words.
const WORDS_KEPT = 20_000
// Fewer may be a single yard's typo.
const COMMON_FROM = 3

export function openStockWords(now: () => Date): StockWords {
  const counts = new Map<string, number>()
  let newest: string | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let version = 0
  let reading: Promise<void> | undefined
  const read = async (db: Db) => {
    const names = await readNames(db, newest)
    for (const { name, listings } of names) {
      eachWord(foldText(name), (word) => {
        const count = counts.get(word)
        if (count !== undefined || counts.size < WORDS_KEPT) counts.set(word, (count ?? 0) + listings)
      })
    }
    for (const name of names) if (newest === undefined || name.newest > newest) newest = name.newest
    readAt = now().getTime()
    if (names.length > 0) version += 1
  }
  return {
    async refresh(db) {
      if (now().getTime() - readAt < REFRESHED_AFTER_MS) return
      reading ??= read(db).finally(() => {
        reading = undefined
      })
      await reading
    },
    count: (word) => counts.get(word) ?? 0,
    common: () => new Map([...counts].filter(([, count]) => count >= COMMON_FROM)),
    version: () => version,
  }
}

type StockName = { name: string; listings: number; newest: string }

async function readNames(db: Db, since: string | undefined): Promise<StockName[]> {
  const { rows } = await sql<StockName>`
    select name, count(*)::int as listings, (array_agg(id order by id desc))[1]::text as newest
    from (
      select l.id, l.name from listing l
      where ${isForSale} and ${since === undefined ? sql`true` : sql`l.id > ${since}`}
      order by l.id desc limit ${NAMES_READ}
    ) l group by name
  `.execute(db)
  return rows
}
