import { sql } from 'kysely'
import { foldText, wordKey } from '#server/features/listings/search-words.ts'
import type { Db } from '#server/platform/database/database.ts'

/**
 * Listings, not deleted, of part numbers in any spelling, by the number as it was asked. The search's index knows every part
 * number as one word, which other texts may have too.
 */
export async function findByPartNumbers(
  db: Db,
  partNumbers: readonly string[],
): Promise<Map<string, string[]>> {
  const asked = [...new Set(partNumbers)].flatMap((typed) => {
    const key = wordKey(foldText(typed))
    return key === '' ? [] : { typed, word: `'${key}'` }
  })
  if (asked.length === 0) return new Map()
  const { rows } = await sql<{ typed: string; ids: string[] }>`
    select k.typed, array_agg(l.id order by l.id) as ids
    from unnest(${asked.map(({ typed }) => typed)}::text[], ${asked.map(({ word }) => word)}::text[]) as k(typed, word)
    join listing_search t on t.document @@ k.word::tsquery
    join listing l on l.id = t.listing_id and l.part_number_key = part_number_key(k.typed)
    group by k.typed
  `.execute(db)
  return new Map(rows.map(({ typed, ids }) => [typed, ids]))
}
