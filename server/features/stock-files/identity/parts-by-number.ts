import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { plainNumber } from './row-identity.ts'

/* The parts that a price list names by their stock numbers alone. */

/** The ids of the seller's parts for sale under these stock numbers, by the number in small letters. */
export async function findPartsByNumber(
  db: Db,
  sellerId: string,
  numbers: readonly string[],
): Promise<Map<string, string[]>> {
  const sent = [...new Set(numbers)]
  if (sent.length === 0) return new Map()
  const { rows } = await sql<{ number: string; ids: string[] }>`
    select n.number, array_agg(l.id) as ids
    from unnest(${sent}::text[]) n (number) join listing l on lower(l.stock_number) = lower(n.number)
    where l.seller_id = ${sellerId} and l.deleted_at is null and l.ended_at is null and l.stock_number is not null
    group by n.number
  `.execute(db)
  const found = new Map(rows.map(({ number, ids }) => [number, ids]))
  const missing = sent.filter((number) => !found.has(number))
  for (const [number, ids] of await findByPlainNumber(db, sellerId, missing)) found.set(number, ids)
  return found
}

/** Numbers in a different spelling, if only one spelling is for sale. */
async function findByPlainNumber(
  db: Db,
  sellerId: string,
  numbers: readonly string[],
): Promise<[number: string, ids: string[]][]> {
  if (numbers.length === 0) return []
  const { rows } = await sql<{ number: string; ids: string[] }>`
    select n.number, array_agg(l.id) as ids
    from unnest(${[...numbers]}::text[]) n (number)
    join listing l on ${plainNumber(sql`l.stock_number`)} = ${plainNumber(sql`n.number`)}
    where l.seller_id = ${sellerId} and l.deleted_at is null and l.ended_at is null and l.stock_number is not null
      and ${plainNumber(sql`n.number`)} <> ''
    group by n.number having count(distinct lower(l.stock_number)) = 1
  `.execute(db)
  return rows.map(({ number, ids }) => [number, ids])
}
