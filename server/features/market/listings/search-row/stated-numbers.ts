import { type Insertable, sql } from 'kysely'
import { numberKey, readInterchange } from '#contract/listing/interchange.ts'
import type { DB } from '#db/schema.gen.ts'
import type { Db } from '#server/platform/database/database.ts'

type NumberedListing = { id: string } & Pick<
  Insertable<DB['listing']>,
  'seller_id' | 'part_number' | 'interchange'
>

type Unproven = { sellerId: string; isNew: boolean; removed: [string, string][] }

/**
 * The numbers that listings are found by: their own, and those that their sellers state. A new seller's statements count
 * nothing yet (`established.ts`), nor do those that are held (`held-statements.ts`), and those that an administrator removed
 * never do.
 */
export async function findNumbers(
  db: Db,
  listings: readonly NumberedListing[],
): Promise<(listing: NumberedListing) => string[]> {
  const withStatements = listings.filter(({ interchange }) => interchange)
  const stating = new Set(withStatements.map((one) => one.seller_id))
  const held = await findHeld(
    db,
    withStatements.map(({ id }) => id),
  )
  const unproven = new Map((await findUnproven(db, [...stating])).map((one) => [one.sellerId, one]))
  return ({ id, seller_id, part_number, interchange }) => {
    const own = part_number ?? ''
    const { isNew = false, removed = [] } = unproven.get(seller_id) ?? {}
    if (isNew || held.has(id)) return [own]
    const stated = readInterchange(interchange ?? '').map(({ number }) => number)
    return [own, ...stated.filter((number) => !isRemoved(removed, own, number))]
  }
}

function isRemoved(removed: Unproven['removed'], own: string, number: string): boolean {
  const keys = [numberKey(own), numberKey(number)]
  return removed.some((pair) => pair.every((key) => keys.includes(key)))
}

async function findHeld(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select listing_id as id from held_statement where listing_id = any(${[...ids]}::uuid[])
  `.execute(db)
  return new Set(rows.map(({ id }) => id))
}

async function findUnproven(db: Db, sellerIds: readonly string[]): Promise<Unproven[]> {
  if (sellerIds.length === 0) return []
  const { rows } = await sql<Unproven>`
    select s.id as "sellerId", s.established_at is null as "isNew",
           coalesce(jsonb_agg(jsonb_build_array(r.number_key, r.other_key)) filter (where r.seller_id is not null), '[]')
             as removed
    from seller s left join removed_claim r on r.seller_id = s.id
    where s.id = any(${[...sellerIds]}::uuid[]) and (s.established_at is null or r.seller_id is not null)
    group by s.id
  `.execute(db)
  return rows
}
