import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { readQuery } from '#server/features/finding/search/query/read-query.ts'
import { queryOf, type Search } from '#server/features/finding/search/query/search.ts'
import type { Database, Db } from '#server/platform/database/database.ts'
import { type DemoDatabase, makeDemoDatabase, OLD_WORD, RARE_WORD, signInLargest } from './demo-database.ts'
import {
  differentTable,
  differentTargets,
  type MeasuredDifferent,
  measureDifferent,
} from './different-pages.ts'
import type { LoadFigures, LoadOrder } from './http-load.ts'
import type { ServerOrder } from './lists-server.ts'
import { withHelpers } from './programs.ts'
import { figure, markdownTable, percent, report, type Target } from './report.ts'
import { type MeasuredTyped, measureTyped, TYPED, typedTable, typedTargets } from './typed-searches.ts'

/* How fast lists and searches are, compared with a bare route with the same bytes and one with only the page's statement. */

const CONNECTIONS = [1, 16, 64]
// What a page has not needed before is compiled first, in the app and, as plans, in each of its connections.
const WARMUP_MS = 3_000
const PER_PAGE = 12
const DEEP_PAGES = 200
const TRIES = 5

/** A page of the program, and the fastest statement for the same page that we could write by hand. */
type MeasuredPage = { name: string; paths: string[]; statement: string; values: string[][] }

type Measured = {
  rows: number
  name: string
  connections: number
  /** The same bytes without a database. */
  bare: LoadFigures
  /** Only the fastest statement for the page. */
  statement: LoadFigures
  ours: LoadFigures
}

/** Prints a table for every size; returns whether all targets were met. */
export async function benchLists(args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: {
      rows: { type: 'string', default: '10000,100000,1000000' },
      only: { type: 'string', default: '' },
      seconds: { type: 'string', default: '1' },
      // How long searches come as buyers type them.
      load: { type: 'string', default: '30' },
      // And how many a second.
      rate: { type: 'string', default: '50' },
      // Vehicles that a listing fits besides its own; 0 to compare.
      fitment: { type: 'string', default: '5' },
    },
  })
  const measured: Measured[] = []
  const differing: MeasuredDifferent[] = []
  const typed: MeasuredTyped[] = []
  for (const rows of values.rows.split(',').map(Number)) {
    // With the buffers of an installation.
    const made = await makeDemoDatabase(rows, { safe: true, fitmentRows: Number(values.fitment) })
    try {
      const { sellerId, token } = await signInLargest(made.database.db)
      if (new RegExp(values.only).test(TYPED)) {
        const steady = { seconds: Number(values.load), perSecond: Number(values.rate) }
        const found = await measureTyped(made, { rows, ...steady, token, sellerId })
        console.log(`\n${figure(rows)} listings, searches as typed\n\n${typedTable(found)}`)
        typed.push(found)
      }
      const all = await choosePages(made.database, sellerId)
      const pages = all.filter(({ name }) => new RegExp(values.only).test(name))
      const different = await measureDifferent(made, {
        rows,
        only: values.only,
        ms: Number(values.seconds) * 1_000,
      })
      differing.push(...different)
      const found = await measure(made, pages, {
        token,
        warmupMs: WARMUP_MS,
        ms: Number(values.seconds) * 1_000,
      })
      console.log(`\n${figure(rows)} listings\n\n${differentTable(different)}\n\n${tableOf(found)}`)
      measured.push(...found.map((one) => ({ rows, ...one })))
    } finally {
      await made.close()
    }
  }
  return report([], [...typed.flatMap(typedTargets), ...differentTargets(differing), ...targetsOf(measured)])
}

function measure(
  { url: databaseUrl, dataDir }: DemoDatabase,
  pages: readonly MeasuredPage[],
  asking: Pick<LoadOrder, 'token' | 'warmupMs' | 'ms'>,
): Promise<Omit<Measured, 'rows'>[]> {
  return withHelpers(async (start) => {
    const client = start('http-load.ts')
    const serve = (order: Pick<ServerOrder, 'pages'>) =>
      start('lists-server.ts').ask<number>({ databaseUrl, dataDir, ...order })
    const load = async (port: number, paths: string[], connections: number) => {
      const figures = await client.ask<LoadFigures>({ ...asking, port, paths, connections })
      if (figures.failures > 0) throw new Error(`${figures.failures} requests of ${paths[0]} failed`)
      return figures
    }
    const app = await serve({})
    const bare = []
    for (const { name, paths, statement, values } of pages) {
      const { bytes } = await load(app, paths, 1)
      bare.push({
        name: slug(name),
        bytes,
        runs: values.map((its) => [{ name, text: statement, values: its }]),
      })
    }
    const beside = await serve({ pages: bare })
    const measured: Omit<Measured, 'rows'>[] = []
    for (const { name, paths } of pages) {
      for (const connections of CONNECTIONS) {
        measured.push({
          name,
          connections,
          bare: await load(beside, [`/bare/${slug(name)}`], connections),
          statement: await load(beside, [`/statement/${slug(name)}`], connections),
          ours: await load(app, paths, connections),
        })
      }
    }
    return measured
  })
}

const slug = (name: string) => name.replaceAll(' ', '-')

/* Pages and the statements beside them */

const live = `l.status = 'ACTIVE' and l.ended_at is null and l.deleted_at is null`

/** Everything a page shows of its listings `page`, in one statement. */
const withDetails = (page: string) => `
  with page as materialized (${page})
  select l.*, c.name as category_name, g.key as category_group, s.show_phone_publicly,
         (select json_agg(json_build_object('id', i.id, 'sha256', i.sha256, 'alt', i.alt, 'width', i.width, 'height', i.height)
                           order by i.position)
          from listing_image i where i.listing_id = l.id and i.state = 'ready') as images
  from page join listing l on l.id = page.id join seller s on s.id = l.seller_id
  left join category c on c.id = l.category_id left join category_group g on g.id = c.group_id
  order by l.id desc`

const newest = (condition: string) =>
  withDetails(`select l.id from listing l where ${condition} order by l.id desc limit ${PER_PAGE}`)

async function choosePages(database: Database, sellerId: string): Promise<MeasuredPage[]> {
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
  const page = (name: string, path: string, statement: string): MeasuredPage => ({
    name,
    paths: [path],
    statement,
    values: [[]],
  })
  const own = `l.seller_id = '${sellerId}' and l.deleted_at is null and l.ended_at is null`
  const count = `select t.live + (select coalesce(sum(live), 0) from listing_tally_change) as live
                 from listing_tally t where seller_id = '00000000-0000-0000-0000-000000000000'`
  return [
    page('public list', `/api/list-auto-parts/1?perPage=${PER_PAGE}`, newest(live)),
    page('seller list', `/api/seller/parts?perPage=${PER_PAGE}`, newest(own)),
    await searched(database, 'rare word', { q: RARE_WORD }),
    await searched(database, 'broad word', { q: 'door' }),
    await searched(database, 'only old matches', { q: OLD_WORD }),
    await searched(database, 'part number', { q: partNumber }),
    await searched(database, 'word and category', { q: 'ford', categoryId: category }),
    await deepPages(pool),
    page('count', '/api/auto-parts-count', count),
  ]
}

async function someText(db: Db, query: ReturnType<typeof sql>): Promise<string> {
  const { rows } = await sql<{ text: string }>`${query}`.execute(db)
  return rows[0]?.text ?? ''
}

type Filter = { q: string; categoryId?: string }

/** All matches by the index, or the newest listings one by one, or those of the category: by hand one writes the fastest. */
async function searched({ db, pool }: Database, name: string, filter: Filter): Promise<MeasuredPage> {
  const search = await readQuery(db, filter)
  if (typeof search === 'string') throw new Error(`${name} is no search`)
  const condition = conditionOf(search)
  const statements = [
    withDetails(`with matching as materialized (select t.listing_id as id from listing_search t where ${condition})
      select id from matching order by id desc limit ${PER_PAGE}`),
    withDetails(`select t.listing_id as id from (select * from listing_search order by listing_id desc offset 0) t
      where ${condition} order by t.listing_id desc limit ${PER_PAGE}`),
  ]
  if (search.categoryId !== undefined) {
    statements.push(
      withDetails(`select l.id
        from (select l.id from listing l where ${live} and l.category_id = '${search.categoryId}' order by l.id desc offset 0) l
        cross join lateral (select from listing_search t where t.listing_id = l.id and ${condition} offset 0) t
        order by l.id desc limit ${PER_PAGE}`),
    )
  }
  const timed = []
  for (const statement of statements) timed.push({ statement, ms: await timeOf(pool, statement) })
  const [fastest] = timed.sort((a, b) => a.ms - b.ms)
  const query = new URLSearchParams({ ...filter, perPage: String(PER_PAGE) })
  return { name, paths: [`/api/parts?${query}`], statement: fastest?.statement ?? '', values: [[]] }
}

function conditionOf(search: Search): string {
  const { categoryId } = search
  const words = `t.live and t.document @@ '${queryOf(search).replaceAll("'", "''")}'::tsquery`
  return categoryId === undefined ? words : `${words} and t.category_id = '${categoryId}'`
}

async function timeOf(pool: Pool, statement: string): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY
  for (let n = 0; n < TRIES; n += 1) {
    const begin = performance.now()
    await pool.query(statement)
    shortest = Math.min(shortest, performance.now() - begin)
  }
  return shortest
}

/** Pages all over a list of this length, always the same ones. */
export const deepPageNumbers = (count: number, lastPage: number): number[] =>
  Array.from({ length: count }, (_, at) => 1 + Math.floor((((at * 7_919) % 9_973) / 9_973) * lastPage))

const FAR_FROM = 10_000

/** A statement that knows at which listing each page begins has nothing to skip. */
async function deepPages(pool: Pool): Promise<MeasuredPage> {
  const counted = await pool.query<{ n: number }>(`select count(*) as n from listing l where ${live}`)
  // Further down, only two are read at a time.
  const rows = Math.min(counted.rows[0]?.n ?? 0, FAR_FROM)
  const pages = deepPageNumbers(DEEP_PAGES, Math.floor(rows / PER_PAGE))
  const begins = await pool.query<{ id: string; place: number }>(
    `select id, place from (select l.id, row_number() over (order by l.id desc) - 1 as place from listing l where ${live}) l
     where place = any($1)`,
    [pages.map((page) => (page - 1) * PER_PAGE)],
  )
  const first = new Map(begins.rows.map(({ place, id }) => [place, id]))
  return {
    name: `${DEEP_PAGES} deep pages`,
    paths: pages.map((page) => `/api/list-auto-parts/${page}?perPage=${PER_PAGE}`),
    statement: newest(`${live} and l.id <= $1`),
    values: pages.map((page) => [first.get((page - 1) * PER_PAGE) ?? '']),
  }
}

/* Tables and targets */

const LEAST_OF_STATEMENT = 0.6
const MOST_P99_OF_STATEMENT = 2
const MOST_DEEP_OF_FIRST = 10
const MOST_OF_SMALL = 2

const milliseconds = (ms: number) => ms.toFixed(ms < 10 ? 2 : 1)

function tableOf(measured: readonly Omit<Measured, 'rows'>[]): string {
  const head = 'page,connections,p50 ms,p99 ms,a second,statement p50,p99,a second,bare a second,of statement'
  return markdownTable(
    head.split(','),
    measured.map(({ name, connections, bare, statement, ours }) => [
      name,
      String(connections),
      milliseconds(ours.p50),
      milliseconds(ours.p99),
      figure(ours.perSecond),
      milliseconds(statement.p50),
      milliseconds(statement.p99),
      figure(statement.perSecond),
      figure(bare.perSecond),
      percent(ours.perSecond / statement.perSecond),
    ]),
  )
}

function targetsOf(measured: readonly Measured[]): Target[] {
  const smallest = Math.min(...measured.map(({ rows }) => rows))
  const sameAs = (one: Measured, other: Partial<Measured>) => {
    const { name, rows, connections } = { ...one, ...other }
    return measured.find(
      (each) => each.name === name && each.rows === rows && each.connections === connections,
    )?.ours
  }
  const ratio = (value: number, to: number | undefined) => (to ? value / to : undefined)
  const times = (most: number) => ({ wanted: `≤ ${most}×`, isMet: (found: number) => found <= most })
  return [
    worst(measured, ({ ours, statement }) => ratio(-ours.perSecond, statement.perSecond), {
      name: "throughput, of the statement's route",
      wanted: `≥ ${percent(LEAST_OF_STATEMENT)}`,
      isMet: (found) => -found >= LEAST_OF_STATEMENT,
    }),
    worst(
      measured.filter(({ connections }) => connections === 16),
      ({ ours, statement }) => ratio(ours.p99, statement.p99),
      { name: "p99 at 16 connections, of the statement's route", ...times(MOST_P99_OF_STATEMENT) },
    ),
    worst(
      measured.filter(({ name }) => name === `${DEEP_PAGES} deep pages`),
      (one) => ratio(one.ours.p99, sameAs(one, { name: 'public list' })?.p99),
      { name: "p99 of deep pages, of the first page's", ...times(MOST_DEEP_OF_FIRST) },
    ),
    worst(
      measured.filter(({ rows }) => rows > smallest),
      (one) => ratio(one.ours.p50, sameAs(one, { rows: smallest })?.p50),
      { name: `p50, of that of ${figure(smallest)} listings`, ...times(MOST_OF_SMALL) },
    ),
  ].flatMap((target) => target ?? [])
}

type Limit = { name: string; wanted: string; isMet: (found: number) => boolean }

/** The target at the page where it is missed by most; undefined where nothing was measured for it. */
function worst(
  measured: readonly Measured[],
  of: (one: Measured) => number | undefined,
  { name, wanted, isMet }: Limit,
): Target | undefined {
  const found = measured.flatMap((one) => ({ one, value: of(one) ?? Number.NaN }))
  const [most] = found.filter(({ value }) => !Number.isNaN(value)).sort((a, b) => b.value - a.value)
  if (!most) return undefined
  const { one, value } = most
  const where = `${one.name}, ${figure(one.rows)} listings, ${one.connections} connections`
  const shown = value < 0 ? percent(-value) : `${value.toFixed(1)}×`
  return { name, found: `${shown} (${where})`, wanted, isMet: isMet(value) }
}
