import { sql } from 'kysely'
import type { ListingRecord } from '#server/features/listings/write-queries.ts'
import type { Db } from '#server/platform/database.ts'
import type { Source } from './action-decision.ts'
import type { ListedPart } from './listed-part.ts'

export type FoundPart = ListedPart & {
  /** Which row of the seller's files it is; null where it is of none. */
  readonly place: Pick<Source, 'key' | 'ordinal'> | null
}

type Row = ListingRecord & Pick<ListedPart, 'categoryName' | 'imageUrl'> & Pick<FoundPart, 'place'>

const partColumns = sql`
  l.*, c.name as "categoryName", picture.source_url as "imageUrl",
  (select jsonb_build_object('key', encode(s.source_key, 'hex'), 'ordinal', s.ordinal)
   from listing_source s where s.listing_id = l.id) as place`

const partJoins = sql`
  left join category c on c.id = l.category_id
  left join lateral (
    select source_url from listing_image i where i.listing_id = l.id and i.source_url is not null
    order by position limit 1
  ) picture on true`

// The row is its listing, with some columns more: a million of them are not copied.
const toPart = (row: Row): FoundPart => {
  const { categoryName, imageUrl, place } = row
  return { listing: row, categoryName, imageUrl, place }
}

/** Those of the listings that are the seller's, deleted and ended ones too, by id. */
export async function findListedParts(
  db: Db,
  sellerId: string,
  ids: readonly string[],
): Promise<Map<string, FoundPart>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Row>`
    select ${partColumns} from listing l ${partJoins}
    where l.id = any(${[...new Set(ids)]}::uuid[]) and l.seller_id = ${sellerId}
  `.execute(db)
  return new Map(rows.map((row) => [row.id, toPart(row)]))
}

/** The next of a seller's listings that are neither ended nor deleted, hidden ones too, newest first. */
export async function listPartsBelow(
  db: Db,
  sellerId: string,
  { below, limit }: { below: string; limit: number },
): Promise<ListedPart[]> {
  const { rows } = await sql<Row>`
    select ${partColumns}
    from (
      select * from listing
      where seller_id = ${sellerId} and deleted_at is null and ended_at is null and id < ${below}
      order by id desc limit ${limit}
    ) l ${partJoins}
    order by l.id desc
  `.execute(db)
  return rows.map(toPart)
}
