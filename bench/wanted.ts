import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { readPartTypes, readVehicles } from '#db/data/read-data.ts'
import { demoSellers } from '#server/features/demo/demo-sellers.ts'
import { demoStock, demoToday, type GeneratedListing, listingRows } from '#server/features/demo/demo-stock.ts'
import { listSellerIds, readLookupIds } from '#server/features/demo/load-demo.ts'
import { withChangeSet } from '#server/features/history/change-sets.ts'
import { matchingIds } from '#server/features/listings/find/search-queries.ts'
import { loadSearchNames } from '#server/features/listings/find/search-rows.ts'
import { copyListings, draftListings } from '#server/features/listings/listing-draft.ts'
import { MOST_WAITING } from '#server/features/saved-searches/match-arrivals.ts'
import { openAsking, readAddress, searchOf } from '#server/features/search/asked-parts.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { type Random, seededRandom } from '#server/platform/seeded-random.ts'
import { makeDemoDatabase } from './demo-database.ts'
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
  const [listings, searches, rows] = [values.listings, values.searches, values.rows].map(Number) as [
    number,
    number,
    number,
  ]
  const made = await makeDemoDatabase(listings, { safe: true })
  const { db } = made.database
  try {
    const stock = await openStock(db, listings + searches + rows)
    const costs = await measureNoting(db, stock)
    await sql`truncate listing_arrival`.execute(db)
    await saveSearches(db, stock.stock({ from: listings, to: listings + searches }))
    const measured = await withHelpers(async (start) => {
      const work = (helper: Helper, name: WantedOrder['work']) =>
        helper.ask<{ ms: number; result: { hits?: number; mails?: number } }>({
          databaseUrl: made.url,
          work: name,
        })
      const reader = start('wanted-program.ts')
      const reading = await work(reader, 'read')
      const again = await work(reader, 'match')
      await bringIn(db, stock, { from: listings + searches, to: listings + searches + rows })
      await sql`vacuum analyze saved_search, saved_search_key, listing, listing_search`.execute(db)
      const matching = await killedHalfway(start, work, {
        name: 'match',
        left: () => countRows(db, sql`listing_arrival`),
      })
      await sql`
        update saved_search set frequency = 'off' where owner_id not in (select id from saved_search_owner order by id limit ${OWNERS_MAILED})
      `.execute(db)
      const due = sql`(select distinct owner_id from saved_search where waiting > 0 and frequency <> 'off') due`
      const owners = await countRows(db, due)
      const mailing = await killedHalfway(start, work, { name: 'mail', left: () => countRows(db, due) })
      return { reading, again, matching, mailing, owners }
    })
    return await tellWanted(db, { listings, searches, rows, measured, costs })
  } finally {
    await made.close()
  }
}

type Measured = {
  reading: { ms: number }
  again: { ms: number }
  matching: { ms: number }
  mailing: { ms: number }
  owners: number
}

async function tellWanted(
  db: Db,
  of: { listings: number; searches: number; rows: number; measured: Measured; costs: Costs },
): Promise<boolean> {
  const { listings, searches, rows, measured, costs } = of
  const checked = await checkMatches(db)
  const { rows: sums } = await sql<{ hits: number; searches: number; mails: number; twice: number }>`
    select (select count(*) from saved_search_hit) as hits,
           (select count(distinct search_id) from saved_search_hit) as searches,
           (select count(*) from mail) as mails,
           (select count(*) from (select recipient from mail group by recipient having count(*) > 1) m) as twice
  `.execute(db)
  const { hits, searches: hit, mails, twice } = onlyRow(sums)
  const perSecond = (count: number, ms: number) => figure(count / (ms / 1_000))
  const { reading, again, matching, mailing, owners } = measured
  const table = [
    [
      `read ${figure(searches)} queries again, after a name or word changed`,
      duration(reading.ms),
      perSecond(searches, reading.ms),
    ],
    ['match, nothing came in', duration(again.ms), ''],
    [`match ${figure(rows)} listings with them`, duration(matching.ms), perSecond(rows, matching.ms)],
    [`email ${figure(owners)} buyers`, duration(mailing.ms), perSecond(owners, mailing.ms)],
  ]
  const noting = Object.entries(costs).map(([name, { with: on, without }]) => [
    name,
    duration(median(on)),
    duration(median(without)),
    percent(median(on) / median(without)),
  ])
  return report(
    [
      `${figure(listings)} listings, ${figure(searches)} saved searches, ${figure(rows)} listings that come in`,
      markdownTable(['step', 'time', 'a second'], table),
      `${figure(hits)} parts found for ${figure(hit)} searches. The worker was killed once while matching and once while emailing.`,
      markdownTable([`a page of ${figure(PAGE)}`, 'noted', 'not noted', 'of it'], noting),
    ],
    [
      none(
        `parts missed or wrong, of ${figure(checked.searches)} searches with ${figure(checked.parts)} parts`,
        checked.wrong,
      ),
      none('buyers emailed twice', twice),
      none('buyers not emailed', owners - mails),
      {
        name: 'noting, of a page that is written',
        found: percent(Math.max(...noting.map((_, at) => costOf(costs, at)))),
        wanted: '≤ 105%',
        isMet: noting.every((_, at) => costOf(costs, at) <= 1.05),
      },
    ],
  )
}

const none = (name: string, found: number): Target => ({
  name,
  found: figure(found),
  wanted: '0',
  isMet: found === 0,
})

/** What the yards list after what they have, and how it is written. */
async function openStock(db: Db, size: number) {
  const sellers = demoSellers()
  const catalog = { vehicles: readVehicles(), partTypes: readPartTypes() }
  const stock = demoStock(sellers, catalog, { size, today: demoToday(new Date()) })
  const emails = sellers.map(({ email }) => email)
  const toRow = listingRows(sellers, await listSellerIds(db, emails), await readLookupIds(db))
  const names = await loadSearchNames(db)
  return {
    stock,
    draft: (listings: readonly GeneratedListing[]) => draftListings(db, listings.map(toRow), names),
  }
}
type Stock = Awaited<ReturnType<typeof openStock>>

/* Searches that look real: most name a vehicle and a part, some only words or a number. */

const ZIPS = ['74103', '73102', '75201', '77002', '85001', '90012', '60601', '30303', '80202', '10001']
const OWNERS_SHARE = 0.7

export function queryFor({ text, category }: GeneratedListing, random: Random): string {
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
export async function saveSearches(db: Db, like: readonly GeneratedListing[]): Promise<void> {
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

/* Listings that come in */

const bench = { actorKind: 'system', reason: 'bench' } as const

async function bringIn(
  db: Db,
  { stock, draft }: Stock,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await sql`create table came_in (id uuid primary key)`.execute(db)
  for (let at = from; at < to; at += PAGE) {
    const listings = stock({ from: at, to: Math.min(at + PAGE, to) })
    const page = await draft(listings)
    await withChangeSet(db, bench, (trx) => copyListings(trx, page))
    await sql`insert into came_in select unnest(${listings.map(({ id }) => id)}::uuid[])`.execute(db)
  }
}

type Costs = Record<string, { with: number[]; without: number[] }>

const costOf = (costs: Costs, at: number) => {
  const { with: on = [], without = [] } = Object.values(costs)[at] ?? {}
  return median(on) / median(without)
}

/** Writes pages with the triggers that note listings, and without them, in turns. */
async function measureNoting(db: Db, { stock, draft }: Stock): Promise<Costs> {
  const costs: Costs = {
    'create listings': { with: [], without: [] },
    'lower prices': { with: [], without: [] },
  }
  const time = async (name: string, isNoted: boolean, work: () => Promise<unknown>) => {
    const began = performance.now()
    await work()
    costs[name]?.[isNoted ? 'with' : 'without'].push(performance.now() - began)
  }
  for (let round = 0; round < 2 * ROUNDS; round += 1) {
    const isNoted = round % 2 === 0
    await noteListings(db, isNoted)
    const listings = stock({ from: round * PAGE, to: (round + 1) * PAGE }).map((one, at) => ({
      ...one,
      // Ids of their own: the stock has these listings already.
      id: `${one.id.slice(0, 24)}${(round * PAGE + at).toString(16).padStart(12, 'b')}`,
    }))
    const page = await draft(listings)
    const ids = listings.map(({ id }) => id)
    await time('create listings', isNoted, () => withChangeSet(db, bench, (trx) => copyListings(trx, page)))
    await time('lower prices', isNoted, () =>
      withChangeSet(db, bench, (trx) =>
        sql`update listing set price_cents = price_cents - 1, version = version + 1 where id = any(${ids}::uuid[]) and price_cents > 0`.execute(
          trx,
        ),
      ),
    )
  }
  await noteListings(db, true)
  return costs
}

async function noteListings(db: Db, isNoted: boolean): Promise<void> {
  const state = isNoted ? sql`enable` : sql`disable`
  await sql`alter table listing_search ${state} trigger listing_search_arrived`.execute(db)
  await sql`alter table listing_search ${state} trigger listing_search_followed`.execute(db)
  await sql`alter table listing ${state} trigger listing_cheaper`.execute(db)
}

/* The worker, killed once */

async function countRows(db: Db, table: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from ${table}`.execute(db)
  return onlyRow(rows).count
}

/** Runs a job, kills its process when half is done, and runs it again. Both times count. */
async function killedHalfway(
  start: (program: string) => Helper,
  work: (helper: Helper, name: WantedOrder['work']) => Promise<{ ms: number }>,
  { name, left }: { name: WantedOrder['work']; left: () => Promise<number> },
): Promise<{ ms: number }> {
  const all = await left()
  const first = start('wanted-program.ts')
  const began = performance.now()
  void work(first, name)
  while ((await left()) > all / 2) await sleep(20)
  await first.kill()
  const before = performance.now() - began
  const { ms } = await work(start('wanted-program.ts'), name)
  return { ms: before + ms }
}

/* What the search itself finds */

/** Compares some searches with what the list's own statement finds among the listings that came in. */
async function checkMatches(db: Db) {
  const ask = openAsking(() => new Date())
  const { rows } = await sql<{ id: string; query: string }>`
    select id, query from saved_search where words is not null or category_id is not null or meant_category_ids is not null
    order by md5(id::text) limit ${CHECKED}
  `.execute(db)
  let [parts, wrong] = [0, 0]
  for (const { id, query } of rows) {
    const asked = await ask(db, readAddress(new URLSearchParams(query)))
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
    // A search keeps only so many until its next email.
    if (hits.length < MOST_WAITING) wrong += found.filter(({ isHit }) => !isHit).length
  }
  return { searches: rows.length, parts, wrong }
}
