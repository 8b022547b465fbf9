import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Search } from '#server/features/listings/find/list-queries.ts'
import { readSearch } from '#server/features/listings/find/read-search.ts'
import type { Database, Db } from '#server/platform/database/database.ts'
import { OLD_WORD, RARE_WORD } from './lists-database.ts'

/** A page of the program, and the fastest statement for the same page that we could write by hand. */
export type MeasuredPage = {
  name: string
  paths: string[]
  /** Signed in as the seller with the most listings. */
  signedIn?: true
  statement: string
  values: string[][]
}

const PER_PAGE = 12
const DEEP_PAGES = 200
const TRIES = 5

const live = `l.status = 'ACTIVE' and l.ended_at is null and l.deleted_at is null`

/** Everything a page shows of its listings `page`, in one statement. */
const withDetails = (page: string, order = 'l.id desc') => `
  with page as materialized (${page})
  select l.*, c.name as category_name, g.key as category_group, s.show_phone_publicly,
         (select json_agg(json_build_object('id', i.id, 'sha256', i.sha256, 'alt', i.alt, 'width', i.width, 'height', i.height)
                           order by i.position)
          from listing_image i where i.listing_id = l.id and i.state = 'ready') as images
  from page join listing l on l.id = page.id join seller s on s.id = l.seller_id
  left join category c on c.id = l.category_id left join category_group g on g.id = c.group_id
  order by ${order}`

export async function choosePages(database: Database, sellerId: string): Promise<MeasuredPage[]> {
  const { db, pool } = database
  const partNumber = await someText(
    db,
    sql`select lower(part_number_key) as text from listing where part_number like '%-%' order by id limit 1 offset 5000`,
  )
  const category = await someText(
    db,
    sql`select category_id::text as text from listing where category_id is not null
        group by 1 order by count(*) desc limit 1 offset 3`,
  )
  return [
    {
      name: 'public list',
      paths: [`/api/list-auto-parts/1?perPage=${PER_PAGE}`],
      statement: withDetails(`select l.id from listing l where ${live} order by l.id desc limit ${PER_PAGE}`),
      values: [[]],
    },
    {
      name: 'seller list',
      paths: [`/api/seller/parts?perPage=${PER_PAGE}`],
      signedIn: true,
      statement: withDetails(
        `select l.id from listing l where l.seller_id = '${sellerId}' and l.deleted_at is null
         and l.ended_at is null order by l.id desc limit ${PER_PAGE}`,
      ),
      values: [[]],
    },
    await searched(database, 'rare word', { q: RARE_WORD }),
    await searched(database, 'broad word', { q: 'door' }),
    await searched(database, 'only old matches', { q: OLD_WORD }),
    await searched(database, 'part number', { q: partNumber }),
    await searched(database, 'word and category', { q: 'ford', categoryId: category }),
    await deepPages(pool),
    {
      name: 'count',
      paths: ['/api/auto-parts-count'],
      statement: `select t.live + (select coalesce(sum(live), 0) from listing_tally_change) as live
                  from listing_tally t where seller_id = '00000000-0000-0000-0000-000000000000'`,
      values: [[]],
    },
  ]
}

async function someText(db: Db, query: ReturnType<typeof sql>): Promise<string> {
  const { rows } = await sql<{ text: string }>`${query}`.execute(db)
  return rows[0]?.text ?? ''
}

type Filter = { q: string; categoryId?: string }

/** Gathering all by the index, going through the newest, or along the category: by hand one would write what is faster for this search. */
async function searched({ db, pool }: Database, name: string, filter: Filter): Promise<MeasuredPage> {
  const search = await readSearch(db, filter)
  if (typeof search === 'string') throw new Error(`${name} is no search`)
  const condition = conditionOf(search)
  const statements = [
    withDetails(`with matching as materialized (select t.listing_id as id from listing_search t where ${condition})
      select id from matching order by id desc limit ${PER_PAGE}`),
    withDetails(`select t.listing_id as id from (select * from listing_search order by listing_id desc offset 0) t
      where ${condition} order by t.listing_id desc limit ${PER_PAGE}`),
    search.categoryId === undefined
      ? []
      : withDetails(`select l.id
          from (select l.id from listing l where ${live} and l.category_id = '${search.categoryId}' order by l.id desc offset 0) l
          cross join lateral (select from listing_search t where t.listing_id = l.id and ${condition} offset 0) t
          order by l.id desc limit ${PER_PAGE}`),
  ].flat()
  let fastest = { statement: '', ms: Number.POSITIVE_INFINITY }
  for (const statement of statements) {
    const ms = await timeOf(pool, statement)
    if (ms < fastest.ms) fastest = { statement, ms }
  }
  const query = new URLSearchParams({ ...filter, perPage: String(PER_PAGE) })
  return { name, paths: [`/api/parts?${query}`], statement: fastest.statement, values: [[]] }
}

function conditionOf({ query, categoryId }: Search): string {
  const words = `t.live and t.document @@ '${query.replaceAll("'", "''")}'::tsquery`
  return categoryId === undefined ? words : `${words} and t.category_id = '${categoryId}'`
}

async function timeOf(pool: Pool, statement: string): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let n = 0; n < TRIES; n += 1) {
    const begin = performance.now()
    await pool.query(statement)
    best = Math.min(best, performance.now() - begin)
  }
  return best
}

/** Whoever knows at which listing each of the pages begins has nothing to count off. */
async function deepPages(pool: Pool): Promise<MeasuredPage> {
  const { rows: counted } = await pool.query<{ n: number }>(
    `select count(*) as n from listing l where ${live}`,
  )
  const last = Math.floor((counted[0]?.n ?? 0) / PER_PAGE)
  const pages = Array.from(
    { length: DEEP_PAGES },
    (_, at) => 1 + Math.floor((((at * 7_919) % 9_973) / 9_973) * last),
  )
  const { rows } = await pool.query<{ id: string; place: number }>(
    `select id, place from (select l.id, row_number() over (order by l.id desc) - 1 as place from listing l where ${live}) l
     where place = any($1)`,
    [pages.map((page) => (page - 1) * PER_PAGE)],
  )
  const first = new Map(rows.map(({ place, id }) => [place, id]))
  return {
    name: '200 deep pages',
    paths: pages.map((page) => `/api/list-auto-parts/${page}?perPage=${PER_PAGE}`),
    statement: withDetails(
      `select l.id from listing l where ${live} and l.id <= $1 order by l.id desc limit ${PER_PAGE}`,
    ),
    values: pages.map((page) => [first.get((page - 1) * PER_PAGE) ?? '']),
  }
}
