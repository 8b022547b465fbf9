import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type RawBuilder, sql } from 'kysely'
import { readPartTypes, readVehicles } from '#db/data/read-data.ts'
import { MAX_WAITING } from '#server/features/finding/saved-searches/found-mails.ts'
import { matchingIds } from '#server/features/finding/search/matches/match-queries.ts'
import { searchOf } from '#server/features/finding/search/query/conditions.ts'
import { openReading, readAddress } from '#server/features/finding/search/query/reading.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { copyListings, draftListings } from '#server/features/market/listings/copy-listings.ts'
import { loadSearchNames } from '#server/features/market/listings/search-row/search-rows.ts'
import { demoSellers } from '#server/features/running/demo/demo-sellers.ts'
import {
  demoStock,
  demoToday,
  type GeneratedListing,
  listingRows,
} from '#server/features/running/demo/demo-stock.ts'
import { listSellerIds, readLookupIds } from '#server/features/running/demo/load-demo.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { type Random, seededRandom } from '#server/platform/seeded-random.ts'
import { type DemoDatabase, makeDemoDatabase } from './demo-database.ts'
import { type Helper, withHelpers } from './programs.ts'
import { duration, figure, markdownTable, median, percent, report, type Target } from './report.ts'
import type { WantedOrder } from './wanted-program.ts'

/*
 * Saved searches against an import: how long matching takes, whether anything is missed or mailed twice when the worker is
 * killed in between, and what noting the listings costs the import.
 */

const PAGE = 4_000
const ROUNDS = 6
const CHECKED = 400
const OWNERS_MAILED = 3_000
const MOST_FOR_NOTING = 1.05

type Sizes = { listings: number; searches: number; rows: number }

/** Prints what was measured; returns whether all targets were met. */
export async function benchWanted(args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: {
      listings: { type: 'string', default: '1000000' },
      searches: { type: 'string', default: '100000' },
      rows: { type: 'string', default: '100000' },
    },
  })
  const sizes = {
    listings: Number(values.listings),
    searches: Number(values.searches),
    rows: Number(values.rows),
  }
  const made = await makeDemoDatabase(sizes.listings, { safe: true })
  try {
    const { db } = made.database
    const stock = await openStock(db, sizes.listings + sizes.searches + sizes.rows)
    const noting = await measureNoting(db, stock)
    await sql`truncate listing_arrival`.execute(db)
    const steps = await withHelpers((start) => runSteps(made, stock, { start, sizes }))
    return tell(sizes, { noting, steps, checked: await checkMatches(db), sums: await sumUp(db) })
  } finally {
    await made.close()
  }
}

type Figures = {
  noting: readonly Noting[]
  steps: Awaited<ReturnType<typeof runSteps>>
  checked: Awaited<ReturnType<typeof checkMatches>>
  sums: Awaited<ReturnType<typeof sumUp>>
}

function tell({ listings, searches, rows }: Sizes, { noting, steps, checked, sums }: Figures): boolean {
  const { readMs, matchMs, mailMs, owners } = steps
  const step = (name: string, count: number, ms: number) => [name, duration(ms), figure(count / (ms / 1_000))]
  return report(
    [
      `${figure(listings)} listings, ${figure(searches)} saved searches, ${figure(rows)} listings that come in`,
      markdownTable(
        ['step', 'time', 'a second'],
        [
          step(`match the ${figure(rows)} listings`, rows, matchMs),
          step(`email ${figure(owners)} buyers`, owners, mailMs),
          step(`read all searches again, after a name or word changed`, searches, readMs),
        ],
      ),
      `${figure(sums.hits)} parts found for ${figure(sums.searches)} searches. The worker was killed once while matching and once while emailing.`,
      markdownTable(
        [`a page of ${figure(PAGE)}`, 'noted', 'not noted', 'of it'],
        noting.map((one) => [
          one.name,
          duration(median(one.on)),
          duration(median(one.off)),
          percent(costOf(one)),
        ]),
      ),
    ],
    [
      none(`missed or wrong, of ${figure(checked.parts)} parts of ${CHECKED} searches`, checked.wrong),
      none('buyers emailed twice', sums.twice),
      none('buyers not emailed', owners - sums.mails),
      ...noting.map((one) => ({
        name: `${one.name}, with noting them`,
        found: percent(costOf(one)),
        wanted: `≤ ${percent(MOST_FOR_NOTING)}`,
        isMet: costOf(one) <= MOST_FOR_NOTING,
      })),
    ],
  )
}

const none = (name: string, found: number): Target => ({
  name,
  found: figure(found),
  wanted: '0',
  isMet: found === 0,
})

/* The worker, killed once in each of its jobs */

type Start = (program: string) => Helper

async function runSteps(
  { url: databaseUrl, database: { db } }: DemoDatabase,
  stock: Stock,
  { start, sizes: { listings, searches, rows } }: { start: Start; sizes: Sizes },
) {
  const work: Work = (helper, work) => helper.ask<number>({ databaseUrl, work } satisfies WantedOrder)
  await saveSearches(db, stock.at({ from: listings, to: listings + searches }))
  const readMs = await work(start('wanted-program.ts'), 'read')
  await bringIn(db, stock, { from: listings + searches, to: listings + searches + rows })
  await sql`vacuum analyze saved_search, saved_search_key, listing, listing_search`.execute(db)
  const arrivals = () => countRows(db, sql`listing_arrival`)
  const matchMs = await killHalfway(start, work, { name: 'match', left: arrivals })
  await sql`
    update saved_search set frequency = 'off'
    where owner_id not in (select id from saved_search_owner order by id limit ${OWNERS_MAILED})
  `.execute(db)
  const due = () =>
    countRows(
      db,
      // Daily ones, which the demo has three of, wait for the morning.
      sql`(select distinct owner_id from saved_search where waiting > 0 and frequency = 'hourly') due`,
    )
  const owners = await due()
  const mailMs = await killHalfway(start, work, { name: 'mail', left: due })
  return { readMs, matchMs, mailMs, owners }
}

/** In milliseconds. */
type Work = (helper: Helper, name: WantedOrder['work']) => Promise<number>

/** Runs a job, kills its process when half is done, and runs it again. Both times count. */
async function killHalfway(
  start: Start,
  work: Work,
  { name, left }: { name: WantedOrder['work']; left: () => Promise<number> },
): Promise<number> {
  const half = (await left()) / 2
  const killed = start('wanted-program.ts')
  const began = performance.now()
  void work(killed, name)
  while ((await left()) > half) await sleep(20)
  await killed.kill()
  const ms = performance.now() - began
  return ms + (await work(start('wanted-program.ts'), name))
}

async function countRows(db: Db, table: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from ${table}`.execute(db)
  return onlyRow(rows).count
}

async function sumUp(db: Db) {
  const { rows } = await sql<Record<'hits' | 'searches' | 'mails' | 'twice', number>>`
    select (select count(*) from saved_search_hit) as hits,
           (select count(distinct search_id) from saved_search_hit) as searches,
           (select count(*) from mail) as mails,
           (select count(*) from (select from mail group by recipient having count(*) > 1) again) as twice
  `.execute(db)
  return onlyRow(rows)
}

/* Listings */

/** What the yards list after what they have, and how it is written. */
async function openStock(db: Db, size: number) {
  const sellers = demoSellers()
  const catalog = { vehicles: readVehicles(), partTypes: readPartTypes() }
  const stock = demoStock(sellers, catalog, { size, today: demoToday(new Date()) })
  const emails = sellers.map(({ email }) => email)
  const toRow = listingRows(sellers, await listSellerIds(db, emails), await readLookupIds(db))
  const names = await loadSearchNames(db)
  return {
    at: stock,
    draft: (listings: readonly GeneratedListing[]) => draftListings(db, listings.map(toRow), names),
  }
}
type Stock = Awaited<ReturnType<typeof openStock>>

const bench = { actorKind: 'system', reason: 'bench' } as const

async function bringIn(db: Db, stock: Stock, { from, to }: { from: number; to: number }): Promise<void> {
  await sql`create table came_in (id uuid primary key)`.execute(db)
  for (let at = from; at < to; at += PAGE) {
    const listings = stock.at({ from: at, to: Math.min(at + PAGE, to) })
    const page = await stock.draft(listings)
    await withChangeSet(db, bench, (trx) => copyListings(trx, page))
    await sql`insert into came_in select unnest(${listings.map(({ id }) => id)}::uuid[])`.execute(db)
  }
}

/** Milliseconds of writing a page with the triggers that note listings, and without them. */
type Noting = { name: string; on: number[]; off: number[] }

const costOf = ({ on, off }: Noting) => median(on) / median(off)

/** Writes pages with and without the triggers, in turns. */
async function measureNoting(db: Db, stock: Stock): Promise<Noting[]> {
  const create: Noting = { name: 'create listings', on: [], off: [] }
  const lower: Noting = { name: 'lower their prices', on: [], off: [] }
  for (let round = 0; round < 2 * ROUNDS; round += 1) {
    const state = round % 2 === 0 ? 'on' : 'off'
    await noteListings(db, state)
    const listings = stock.at({ from: round * PAGE, to: (round + 1) * PAGE }).map((listing, at) => ({
      ...listing,
      // The stock has these listings already.
      id: listing.id.slice(0, 24) + (round * PAGE + at).toString(16).padStart(12, 'b'),
    }))
    const page = await stock.draft(listings)
    const ids = listings.map(({ id }) => id)
    create[state].push(await timeOf(() => withChangeSet(db, bench, (trx) => copyListings(trx, page))))
    lower[state].push(
      await timeOf(() =>
        withChangeSet(db, bench, (trx) =>
          sql`
            update listing set price_cents = price_cents - 1, version = version + 1
            where id = any(${ids}::uuid[]) and price_cents > 0
          `.execute(trx),
        ),
      ),
    )
  }
  await noteListings(db, 'on')
  return [create, lower]
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

async function noteListings(db: Db, state: 'on' | 'off'): Promise<void> {
  const change = state === 'on' ? sql`enable` : sql`disable`
  await sql`alter table listing_search ${change} trigger listing_search_arrived`.execute(db)
  await sql`alter table listing_search ${change} trigger listing_search_followed`.execute(db)
  await sql`alter table listing ${change} trigger listing_cheaper`.execute(db)
}

/* Searches that look real: most name a vehicle and a part, some only words or a number. */

const ZIPS = ['74103', '73102', '75201', '77002', '85001', '90012', '60601', '30303', '80202', '10001']
const OWNERS_SHARE = 0.7

function queryFor({ text, category }: GeneratedListing, random: Random): string {
  const { partyear, partmanuname, partmodel, partname, partnum } = text
  const part = category.replace(/ Assembly$/, '')
  const vehicle = `${partmanuname} ${partmodel}`
  const side = random.chance(0.15) ? random.pick(['left', 'right', 'lh']) : ''
  const words = random.pick([
    ...Array.from({ length: 12 }, () => [partyear, vehicle, part, side]),
    ...Array.from({ length: 4 }, () => [vehicle, part, side]),
    ...Array.from({ length: 2 }, () => [partmodel, part]),
    [part, partname.split(' ').at(-1)],
    [part, side],
    [partnum ?? vehicle],
    [partname],
    [partyear, vehicle],
  ])
  const zip = random.chance(0.35) ? random.pick(ZIPS) : undefined
  return new URLSearchParams({
    q: words.filter(Boolean).join(' '),
    ...(random.chance(0.3) && { priceMax: String(random.whole(3, 40) * 10) }),
    ...(random.chance(0.08) && { grade: 'A,B' }),
    ...(zip && { zip, radius: random.pick(['50', '100', '250', '500']) }),
  }).toString()
}

/** As they are before they are read: `followVocabulary` fills in the rest. */
async function saveSearches(db: Db, like: readonly GeneratedListing[]): Promise<void> {
  const random = seededRandom('saved searches')
  const owners = Math.ceil(like.length * OWNERS_SHARE)
  await sql`
    insert into saved_search_owner (email) select 'buyer-' || n || '@garage.example' from generate_series(1, ${owners}::int) n
  `.execute(db)
  const queries = like.map((listing) => queryFor(listing, random))
  await sql`
    with owner as (select id, row_number() over (order by id) as n from saved_search_owner)
    insert into saved_search (owner_id, query, title, frequency, confirmed_at, changed_at, created_at)
    select owner.id, query, '', 'hourly', now(), now(), now() - interval '1 day'
    from unnest(${queries}::text[]) with ordinality as t(query, at) join owner on owner.n = 1 + at % ${owners}::int
  `.execute(db)
}

/* What the search itself finds */

/** Compares some searches with what the list's own statement finds among the listings that came in. */
async function checkMatches(db: Db) {
  const ask = openReading(() => new Date())
  const { rows } = await sql<{ id: string; query: string }>`
    select id, query from saved_search where words is not null or category_id is not null or meant_category_ids is not null
    order by md5(id::text) limit ${CHECKED}
  `.execute(db)
  let [parts, wrong] = [0, 0]
  for (const { id, query } of rows) {
    const { asked } = await ask(db, readAddress(new URLSearchParams(query)).query)
    const search = asked === 'nothing' ? undefined : searchOf(asked)
    if (!search) continue
    const { rows: found } = await sql<{ listingId: string; isHit: boolean | null; isFound: boolean | null }>`
      select coalesce(f.listing_id, h.listing_id) as "listingId", h.listing_id is not null as "isHit", f.listing_id is not null as "isFound"
      from (select m.listing_id from (${matchingIds(search)}) m join came_in c on c.id = m.listing_id) f
      full join (select listing_id from saved_search_hit where search_id = ${id}) h on h.listing_id = f.listing_id
    `.execute(db)
    const hits = found.filter(({ isHit }) => isHit)
    parts += hits.length
    wrong += hits.filter(({ isFound }) => !isFound).length
    // A search stores at most 20 parts until its next email.
    if (hits.length < MAX_WAITING) wrong += found.filter(({ isHit }) => !isHit).length
  }
  return { parts, wrong }
}
