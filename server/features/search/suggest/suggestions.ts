import { sql } from 'kysely'
import type { Suggestion } from '#contract/search/suggestions.ts'
import { isVinLike, plainVin } from '#contract/vehicle/vin-rules.ts'
import { isForSale } from '#server/features/for-sale/for-sale.ts'
import { liveBySeller, tallyOf } from '#server/features/for-sale/tally.ts'
import type { ReadPartsQuery } from '#server/features/search/query/reading.ts'
import { catalogVehicle, type Vehicles } from '#server/features/vin/vehicles.ts'
import { wordsVersion } from '#server/features/vocabulary/vocabulary.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { type BackgroundTasks, openBackgroundTasks, type Reads } from '#server/platform/database/reads.ts'
import type { Log } from '#server/platform/log.ts'
import {
  buildIndex,
  type MakeNames,
  type ModelNames,
  type PartNames,
  pairKey,
  type SellerName,
  type SuggestedStock,
  suggestCar,
  suggestFrom,
} from './suggestion-index.ts'

/* Suggestions from the live stock while a buyer types in the search box. */

export type Suggestions = {
  suggest(typed: string): Promise<Suggestion[]>
  /** Whether words ask for a part without saying of which vehicle, with which number or from whom. */
  isOfAnyVehicle(typed: string): Promise<boolean>
  /** Waits for a running refresh. */
  close(): Promise<void>
}

type Deps = { reads: Reads; readQuery: ReadPartsQuery; vehicles: Vehicles; log: Log; now: () => Date }

type CurrentIndex = {
  index: ReturnType<typeof buildIndex>
  version: string
  checkedAt: number
  restMs: number
}

// Refreshing uses at most a twentieth of one core, however large the stock is and however often it changes.
const REST_FOR_EACH_MS = 20
const SHORTEST_REST_MS = 1_000

/**
 * Keeps the suggestion index of one process. After the stock changes, the next request starts a refresh and gets the
 * current index, so changes show a moment later.
 */
export function openSuggestions({ reads, readQuery, vehicles, log, now }: Deps): Suggestions {
  const tasks: BackgroundTasks = openBackgroundTasks(log)
  let kept: CurrentIndex | undefined
  const refresh = async () => {
    const version = await reads(readVersion)
    const checkedAt = now().getTime()
    if (kept?.version === version) {
      kept = { ...kept, checkedAt }
      return
    }
    const began = performance.now()
    const index = buildIndex(await reads(readStock))
    const restMs = Math.max(SHORTEST_REST_MS, (performance.now() - began) * REST_FOR_EACH_MS)
    kept = { index, version, checkedAt, restMs }
  }
  const current = async (): Promise<CurrentIndex> => {
    if (!kept) await tasks.run('index suggestions', refresh)
    // The first refresh failed and was logged; this one throws the reason.
    if (!kept) await refresh()
    const known = kept as CurrentIndex | undefined
    if (!known) throw new Error('the suggestions have no index')
    if (now().getTime() - known.checkedAt > known.restMs) void tasks.run('index suggestions', refresh)
    return known
  }
  return {
    async suggest(typed) {
      const { index } = await current()
      if (isVinLike(plainVin(typed))) {
        const car = await reads((from) => findCar(from, vehicles, typed))
        const known = car && suggestCar(index, car)
        return known ? [known] : []
      }
      const numbers = await reads((from) => findNumbers(from, typed))
      return [...numbers, ...suggestFrom(index, typed)]
    },
    async isOfAnyVehicle(typed) {
      const { asked } = await reads((from) => readQuery(from, { q: typed, page: 1, perPage: 1 }))
      if (asked === 'nothing' || !asked.words) return false
      const { vehicle, years, numbers, sellerId } = asked.words.wanted
      return !vehicle && !years && !sellerId && numbers.length === 0
    },
    close: () => tasks.close(),
  }
}

/** The model that a VIN names, and its year. */
async function findCar(
  db: Db,
  vehicles: Vehicles,
  vin: string,
): Promise<{ modelId: string; year: number | undefined } | undefined> {
  const [decoder, catalog] = await Promise.all([vehicles.decoder(), vehicles.catalog(db)])
  const decoded = decoder.decode(plainVin(vin))
  const { model } = catalogVehicle(catalog, decoded)
  return model && { modelId: model.id, year: decoded.car.year?.value }
}

async function readVersion(db: Db): Promise<string> {
  const { rows } = await sql<{ version: string }>`/* prepared */
    select concat_ws(' ', tally.writes, ${wordsVersion}) as version from (${tallyOf(undefined)}) tally
  `.execute(db)
  return onlyRow(rows).version
}

/** Reads the names of the live stock in one pass over the listings. */
async function readStock(db: Db): Promise<SuggestedStock> {
  const counts = await countStock(db)
  const of = (kind: Count['kind']) => counts.filter((count) => count.kind === kind)
  const total = (kind: Count['kind']) => new Map(of(kind).map(({ first, live }) => [first, live]))
  const years = Map.groupBy(of('year'), ({ first }) => first)
  const [parts, makes, models, sellers] = await Promise.all([
    readNames<PartNames>(db, 'category', total('part')),
    readNames<MakeNames>(db, 'manufacturer', total('make')),
    readNames<ModelNames>(db, 'car_model', total('model')),
    readSellers(db),
  ])
  return {
    parts,
    makes,
    models: models.map((model) => ({ ...model, years: yearsOf(years.get(model.id) ?? []) })),
    sellers,
    together: new Map(of('pair').map(({ first, second, live }) => [pairKey(first, second), live])),
  }
}

type Count = {
  kind: 'part' | 'make' | 'model' | 'year' | 'pair'
  /** The id of what is counted. */
  first: string
  /** Of a pair, the part type. */
  second: string
  yearFrom: number
  yearTo: number
  live: number
}

async function countStock(db: Db): Promise<Count[]> {
  const { rows } = await sql<Count>`
    select case
             when grouping(category_id, car_model_id) = 0 then 'pair'
             when grouping(year_from) = 0 then 'year'
             when grouping(category_id) = 0 then 'part'
             when grouping(manufacturer_id) = 0 then 'make'
             else 'model'
           end as kind,
           coalesce(car_model_id, category_id, manufacturer_id) as first, category_id as second,
           year_from as "yearFrom", year_to as "yearTo", count(*)::int as live
    from listing l where ${isForSale}
    group by grouping sets (
      (car_model_id, category_id), (car_model_id, year_from, year_to), (category_id), (manufacturer_id), (car_model_id)
    )
    having (grouping(car_model_id) = 1 or car_model_id is not null)
       and (grouping(category_id) = 1 or category_id is not null)
       and (grouping(manufacturer_id) = 1 or manufacturer_id is not null)
  `.execute(db)
  return rows
}

/** How many parts there are of each year; a part of several years counts in each. */
function yearsOf(counts: readonly Count[]): Map<number, number> {
  const years = new Map<number, number>()
  for (const { yearFrom, yearTo, live } of counts) {
    for (let year = yearFrom; year <= yearTo; year += 1) years.set(year, (years.get(year) ?? 0) + live)
  }
  return years
}

type Names = { id: string; makeId: string; name: string; otherNames: string[]; live: number }

/** How trade words refer to the names of each table. */
const tradeWordMeanings = {
  category: {
    kind: 'part',
    makeId: sql`null`,
    meant: sql`n.name = any(regexp_split_to_array(w.means, ' *; *'))`,
  },
  manufacturer: { kind: 'make', makeId: sql`null`, meant: sql`w.means = n.name` },
  car_model: {
    kind: 'model',
    makeId: sql`n.manufacturer_id`,
    meant: sql`w.means = (select name from manufacturer where id = n.manufacturer_id) || '/' || n.name`,
  },
}

async function readNames<Row extends PartNames | MakeNames | ModelNames>(
  db: Db,
  table: keyof typeof tradeWordMeanings,
  live: ReadonlyMap<string, number>,
): Promise<Row[]> {
  const { kind, makeId, meant } = tradeWordMeanings[table]
  const { rows } = await sql<Names>`
    select n.id, ${makeId} as "makeId", n.name, array(
             select alias from ${sql.table(`${table}_alias`)} where ${sql.ref(`${table}_id`)} = n.id
             union all select w.word from trade_word w where w.kind = ${kind} and ${meant}
           ) as "otherNames"
    from ${sql.table(table)} n where n.id = any(${[...live.keys()]}::uuid[])
  `.execute(db)
  return rows.map((row) => ({ ...row, live: live.get(row.id) ?? 0 })) as unknown as Row[]
}

// The sellers with the most parts; the search itself finds others by their full names.
const SELLERS_KEPT = 5_000

async function readSellers(db: Db): Promise<SellerName[]> {
  const { rows } = await sql<SellerName>`
    select s.name, s.slug, counted.live::int as live
    from (${liveBySeller}) counted join seller s on s.id = counted.seller_id
    order by counted.live desc limit ${SELLERS_KEPT}
  `.execute(db)
  return rows
}

const NUMBERS_SHOWN = 3
// A short prefix matches thousands of numbers, and counting them all would be slower than typing. Takes the first in
// sort order.
const NUMBERS_COUNTED = 500
// Shorter prefixes match too many numbers to help.
const SHORTEST_NUMBER = 4

/** Finds part numbers of live parts with the typed prefix, ignoring dashes and spaces. */
async function findNumbers(db: Db, typed: string): Promise<Suggestion[]> {
  const start = typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
  // Words with a year ("2012 CAMRY") are not a part number: no maker's numbers have five letters in a row.
  if (start.length < SHORTEST_NUMBER || !/\d.*\d/.test(start) || /[A-Z]{5}/.test(start)) return []
  const { rows } = await sql<{ number: string }>`
    select min(part_number) as number
    from (
      select part_number, part_number_key from listing l
      where part_number_key >= ${start} and part_number_key < ${`${start}a`} and ${isForSale}
      order by part_number_key limit ${NUMBERS_COUNTED}
    ) beginning
    group by part_number_key order by count(*) desc, part_number_key limit ${NUMBERS_SHOWN}
  `.execute(db)
  return rows.map(({ number }) => ({
    kind: 'number' as const,
    label: number,
    url: `/parts?${new URLSearchParams({ q: number })}`,
  }))
}
