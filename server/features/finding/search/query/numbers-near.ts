import { sql } from 'kysely'
import { isForSale } from '#server/features/market/for-sale/for-sale.ts'
import type { Db } from '#server/platform/database/database.ts'

/* Part numbers in stock that differ from a typed one in one character. */

// Longer numbers have too many variants and are rarely typed.
const LONGEST_NUMBER = 18
const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Lists every key that differs in one character: wrong, missing, added, or swapped with the next. */
function numbersNear(key: string): string[] {
  if (key.length > LONGEST_NUMBER) return []
  const near = new Set<string>()
  for (let at = 0; at <= key.length; at += 1) {
    const [before, after] = [key.slice(0, at), key.slice(at + 1)]
    for (const character of CHARACTERS) {
      near.add(before + character + key.slice(at))
      if (at < key.length) near.add(before + character + after)
    }
    if (at === key.length) continue
    near.add(before + after)
    if (after !== '') near.add(before + after[0] + key[at] + after.slice(1))
  }
  near.delete(key)
  return [...near]
}

// More matches are usually other generations of the part.
const MOST_FOUND = 20

/** Finds similar keys of live listings; 700 index lookups take 3 ms. `key` is letters and digits only. */
export async function findNumbersNear(db: Db, key: string): Promise<string[]> {
  const near = numbersNear(key.toUpperCase())
  if (near.length === 0) return []
  const { rows } = await sql<{ key: string }>`
    select distinct l.part_number_key as key from listing l
    where ${isForSale} and l.part_number_key = any(${near}::text[]) limit ${MOST_FOUND}
  `.execute(db)
  return rows.map((row) => row.key)
}
