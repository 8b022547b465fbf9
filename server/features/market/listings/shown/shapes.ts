import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/* Pages of listings, each in the shape that its page needs: whole, or only what a card shows. */

/** The columns that a page reads from each listing `l`. */
export type Shape<Item extends { id: string }> = {
  /** Columns named as in `Item`, including `id`. */
  columns: RawBuilder<Item>
  joins: RawBuilder<unknown>
}

export async function readInShape<Item extends { id: string }>(
  db: Db,
  shape: Shape<Item>,
  ids: readonly string[],
): Promise<Item[]> {
  if (ids.length === 0) return []
  const { rows } =
    await sql<Item>`/* prepared */ ${listingsOf(shape, sql`${ids}::uuid[]`)} order by place`.execute(db)
  return rows
}

/**
 * A page in one statement: `head` is a select of one row with an array `ids` among its columns; `fields` lists the columns
 * to return beside the listings, as arguments of json_build_object. One round trip instead of two saves a third of a short
 * page, and returning the head once instead of with every listing saves a tenth.
 */
export async function readPage<Head, Item extends { id: string }>(
  db: Db,
  shape: Shape<Item>,
  { head, fields }: Record<'head' | 'fields', RawBuilder<Head>>,
): Promise<{ head: Head; items: Item[] }> {
  const { rows } = await sql<PageRow<Head, Item>>`/* prepared */
    with head as materialized (${head})
    select case when place > 1 then null else json_build_object(${fields}) end as fields, page.*
    from head left join lateral (${listingsOf(shape, sql`head.ids`)}) page on true
  `.execute(db)
  return { head: headOf(rows), items: inOrder(rows) }
}

/** A listing with its place; a page without listings is one row with the head only. */
type PageRow<Head, Item> = { fields: Head | null } & ((Item & { place: number }) | { id: null })

function headOf<Head>(rows: readonly { fields: Head | null }[]): Head {
  const head = rows.find(({ fields }) => fields !== null)?.fields
  if (!head) throw new Error('the first row of a page must have its head')
  return head
}

// Sorting in the database would move all columns, a tenth of a page's time.
function inOrder<Item extends { id: string }>(rows: readonly PageRow<unknown, Item>[]): Item[] {
  const listings = rows.filter((row) => row.id !== null) as (Item & { place: number })[]
  return listings.sort((a, b) => a.place - b.place)
}

const listingsOf = ({ columns, joins }: Shape<{ id: string }>, ids: RawBuilder<unknown>) => sql`
  select ${columns}, place
  from unnest(${ids}) with ordinality as listed(id, place) join listing l on l.id = listed.id ${joins}
`
