import { sql } from 'kysely'
import { foldText, wordKey } from '#server/features/listings/search-words.ts'
import type { Db } from '#server/platform/database.ts'
import type { LastChange } from './change-words.ts'

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

/** Who changed each of these listings last. */
export async function findLastChanges(
  db: Db,
  listingIds: readonly string[],
): Promise<Map<string, LastChange>> {
  if (listingIds.length === 0) return new Map()
  const { rows } = await sql<LastChange & { listingId: string }>`
    select c.listing_id as "listingId", u.name as by, s.reason as how, c.at
    from unnest(${[...listingIds]}::uuid[]) as asked(id)
    cross join lateral (
      select listing_id, change_set_id, at from listing_change
      where listing_id = asked.id order by version desc limit 1
    ) c
    join change_set s on s.id = c.change_set_id left join app_user u on u.id = s.actor_user_id
  `.execute(db)
  return new Map(rows.map(({ listingId, ...change }) => [listingId, change]))
}
