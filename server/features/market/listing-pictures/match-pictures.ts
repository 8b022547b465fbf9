import { sql } from 'kysely'
import type { PictureMatch } from '#contract/pictures.ts'
import { listingTitle, type TitleFields } from '#server/features/market/listings/titles.ts'
import type { Db } from '#server/platform/database/database.ts'

/* Matches picture files named by stock number with listings. */

// Folders further up name a day or a yard; a name of more pieces is a sentence.
const MOST_FOLDERS = 4
const MOST_PIECES = 10

/**
 * Returns the stock numbers that a file name may contain, best first: each prefix of its name and its folders' names
 * that ends before a space or punctuation mark. The longest is first, so that A12-3 is tried before picture 3 of A12;
 * on equal length the file comes before its folders, nearest first. ASCII letters are lower case, as in the index of
 * stock numbers.
 */
export function stockNumbersIn(name: string): string[] {
  const [file = '', ...folders] = name.normalize('NFC').split(/[/\\]/).toReversed()
  const stem = file.replace(/\.[a-z0-9]{1,5}$/i, '')
  const found = [stem, ...folders.slice(0, MOST_FOLDERS)].flatMap(beginnings)
  return [...new Set(found)].sort((a, b) => b.length - a.length)
}

function beginnings(text: string): string[] {
  const whole = asciiLower(text.trim())
  const ends = [...whole.matchAll(/[\s_.,;#([+~-]+/g)].map(({ index }) => whole.slice(0, index))
  return [whole, ...ends.slice(0, MOST_PIECES)].filter((beginning) => beginning !== '')
}

const asciiLower = (text: string) => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Maximum listings shown for one stock number: a yard may number its cars, and a car has hundreds of parts. */
const MOST_SHOWN = 50

type Found = {
  /** Index in the list of names. */
  at: number
  stock: string
  /** Only for the first name of each stock number, up to the maximum. */
  listings: (TitleFields & { id: string; stock: string })[] | null
  count: number
}

/** Returns the match of each name, in order. */
export async function matchPictures(
  db: Db,
  sellerId: string,
  names: readonly string[],
): Promise<PictureMatch[]> {
  const found = new Map<number, Found>()
  const listingsOf = new Map<string, PictureMatch['listings']>()
  for (const row of await findByStock(db, sellerId, names)) {
    found.set(row.at, row)
    if (row.listings) listingsOf.set(row.stock, row.listings.map(presented))
  }
  return names.map((name, at) => {
    const { stock, count } = found.get(at) ?? {}
    const listings = (stock !== undefined && listingsOf.get(stock)) || []
    const [first] = listings
    if (!first || count === undefined) return { name, stock: null, listings: [], why: NONE }
    return { name, stock: first.stock, listings, why: count === 1 ? null : several(first.stock, count) }
  })
}

const presented = ({ id, stock, ...titled }: TitleFields & { id: string; stock: string }) => ({
  id,
  stock,
  title: listingTitle(titled),
})

const NONE =
  'None of your live listings has the stock number that this name begins with. Rename the file to begin with the stock number, such as A1234_2.jpg, or put it in a folder named after it.'

function several(stock: string, count: number): string {
  const shown = count > MOST_SHOWN ? ` The first ${MOST_SHOWN} are shown.` : ''
  return `${count.toLocaleString('en-US')} of your listings have the stock number ${stock}. Choose the one in the picture.${shown}`
}

/** Finds the best stock number of each name, if any, with its live listings. */
async function findByStock(db: Db, sellerId: string, names: readonly string[]): Promise<Found[]> {
  const wanted = names.flatMap((name, at) => stockNumbersIn(name).map((stock, rank) => ({ at, stock, rank })))
  const { rows } = await sql<Found>`
    with wanted as materialized (
      select at, stock collate "C" as stock, rank
      from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as t(at integer, stock text, rank integer)
    ), part as (
      select id, stock_number, year_from, year_to, manufacturer_name, model_name, name,
             lower(stock_number) as stock, row_number() over (partition by lower(stock_number) order by id) as place
      from listing
      where seller_id = ${sellerId} and deleted_at is null and ended_at is null and stock_number is not null
        and lower(stock_number) = any(array(select distinct stock from wanted))
    ), known as (
      select stock, count(*)::int as count,
             jsonb_agg(jsonb_build_object(
               'id', id, 'stock', stock_number, 'yearFrom', year_from, 'yearTo', year_to,
               'manufacturerName', manufacturer_name, 'modelName', model_name, 'name', name
             ) order by id) filter (where place <= ${MOST_SHOWN}) as listings
      from part group by stock
    ), best as (
      select distinct on (at) at, stock, count, listings from wanted join known using (stock) order by at, rank
    )
    select at, stock, count,
           case when row_number() over (partition by stock order by at) = 1 then listings end as listings
    from best
  `.execute(db)
  return rows
}
