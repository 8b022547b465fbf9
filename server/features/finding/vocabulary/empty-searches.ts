import { sql } from 'kysely'
import { foldText } from '#contract/trade-language/names.ts'
import type { Db } from '#server/platform/database/database.ts'

/* Searches without results, counted by their words. They show missing trade words and unmet demand. */

export type EmptySearch = { words: string; times: number; firstAt: Date; lastAt: Date }

/** Lists searches without results, most frequent first. */
export async function listEmptySearches(
  db: Db,
  { page, perPage }: { page: number; perPage: number },
): Promise<{ items: EmptySearch[]; total: number }> {
  const { rows } = await sql<EmptySearch>`
    select words, times, first_at as "firstAt", last_at as "lastAt" from empty_search
    order by times desc, last_at desc, words limit ${perPage} offset ${(page - 1) * perPage}
  `.execute(db)
  const counted = await sql<{ total: number }>`select count(*)::int as total from empty_search`.execute(db)
  return { items: rows, total: counted.rows[0]?.total ?? 0 }
}

/** Deletes a search, because its words were added or are meaningless. Returns whether it existed. */
export async function deleteEmptySearch(db: Db, words: string): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from empty_search where words = ${words}`.execute(db)
  return numAffectedRows === 1n
}

// Visitors could fill the table, so the oldest rows are deleted above this number.
const MOST_KEPT = 10_000
const REMOVED_AT_ONCE = 500

export async function recordEmptySearch(db: Db, typed: readonly string[]): Promise<void> {
  const words = wordsToRecord(typed)
  if (words === undefined) return
  await sql`
    insert into empty_search as e (words) values (${words})
    on conflict (words) do update set times = e.times + 1, last_at = now()
  `.execute(db)
  await sql`
    delete from empty_search where words in (
      select words from empty_search order by last_at
      limit (select case when count(*) > ${MOST_KEPT} then ${REMOVED_AT_ONCE} else 0 end from empty_search)
    )
  `.execute(db)
}

const LONGEST = 200
const ADDRESS_OR_PHONE = /@|\b(?:\d{3}[ .-]?\d{3}[ .-]?\d{4})\b|\b[a-hj-npr-z0-9]{17}\b/

/** Returns the words folded and sorted; undefined if they could identify a person or a car. */
export function wordsToRecord(typed: readonly string[]): string | undefined {
  const text = foldText(typed.join(' '))
  if (ADDRESS_OR_PHONE.test(text)) return undefined
  const words = [...new Set(text.split(' '))].sort().join(' ').slice(0, LONGEST)
  return words === '' ? undefined : words
}
