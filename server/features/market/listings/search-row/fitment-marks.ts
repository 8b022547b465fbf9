import { sql } from 'kysely'
import { FIRST_FITMENT_YEAR, readFitment } from '#contract/listing/fitment.ts'
import type { Db } from '#server/platform/database/database.ts'
import { quotedLexeme } from '#server/platform/database/quoted-text.ts'
import { unlistedMark, yearMark } from './fact-marks.ts'

/*
 * The fitment of a part, as marks in its search document: the car it came from and its fitment rows, which are text.
 * A search for a vehicle asks for one mark, so that the one index answers it however many vehicles a part fits
 * (decision 57).
 */

/** A make or model of a part, and the years. */
export type Fit = {
  readonly from: number
  readonly to: number
  readonly makeId?: string | null | undefined
  readonly modelId?: string | null | undefined
}

// The end of a UUIDv7 is random: of 10,000 makes and models, two have the same 36 bits once in 1,400 installations. A whole
// id would double the documents.
const ID_DIGITS = 9

/** A make or model in any year, or in one. */
export const fitMark = (lookupId: string, year?: number): string =>
  `^${lookupId.slice(-ID_DIGITS)}${year === undefined ? '' : (year - FIRST_FITMENT_YEAR).toString(16).padStart(2, '0')}`

export function fitMarks(fits: readonly Fit[]): Set<string> {
  const marks = new Set<string>()
  for (const { from, to, makeId, modelId } of fits) {
    for (const id of [makeId, modelId]) {
      if (!id) continue
      marks.add(fitMark(id))
      for (let year = from; year <= to; year += 1) marks.add(fitMark(id, year))
    }
  }
  return marks
}

/** Any of these makes or models, or words of a model that no lookup has. */
export type MeantVehicle = {
  readonly manufacturerIds: readonly string[]
  readonly modelIds: readonly string[]
  /** Text of a tsquery; '' for none. */
  readonly modelWords: string
  /** Any of which it fits; undefined for any at all. */
  readonly years?: readonly number[] | undefined
  /** Of a model that only some of them are meant of, by its id: an E90 is a Corolla of other years than a 3 Series. */
  readonly yearsOf?: Readonly<Record<string, readonly number[]>>
}

/** The buyer's choices and the understood words. */
type VehicleConditions = {
  /** Models or a make, one of which the part must fit; empty for any. */
  readonly chosenIds: readonly string[]
  readonly year: number | undefined
  readonly meant: MeantVehicle | undefined
}

/**
 * What a search asks of the vehicles that a part fits, as texts of tsqueries, any of which must be met; none for any
 * vehicle. The year belongs to the vehicle: a part off a 2008 Accord that fits a 2014 TSX fits no 2014 Accord.
 */
export function vehicleQueries({ chosenIds, year, meant }: VehicleConditions): string[] {
  const chosen = chosenIds.map((id) => quotedLexeme(fitMark(id, year)))
  const marks = chosen.length > 0 ? [anyOf(chosen)] : []
  return meant ? meantQueries(meant, year).map((each) => [...marks, each].join(' & ')) : marks
}

const anyOf = (some: readonly string[]) => (some.length > 1 ? `(${some.join(' | ')})` : (some[0] ?? ''))

/** For a listed vehicle, and one whose model is only known from words. */
function meantQueries(
  { manufacturerIds, modelIds, modelWords, years, yearsOf = {} }: MeantVehicle,
  year: number | undefined,
): string[] {
  const inYears = years ?? [year]
  const fits = [...manufacturerIds, ...modelIds].flatMap((id) =>
    (yearsOf[id] ?? inYears).map((each) => quotedLexeme(fitMark(id, each))),
  )
  const listed = fits.length > 0 ? [anyOf(fits)] : []
  if (modelWords === '') return listed
  const marks = inYears.flatMap((each) => (each === undefined ? [] : quotedLexeme(yearMark(each))))
  const unlisted = [
    `(${modelWords})`,
    quotedLexeme(unlistedMark),
    ...(marks.length > 0 ? [anyOf(marks)] : []),
  ]
  return [...listed, unlisted.join(' & ')]
}

/** The make and model of each vehicle in a row, as written. */
type NamedVehicle = { readonly makeId: string | null; readonly modelId: string | null }

/** Finds the make and the model of each vehicle by name or alias, the longest make first; unknown ones are not in the map. */
export async function findVehicles(
  db: Db,
  vehicles: readonly string[],
): Promise<ReadonlyMap<string, NamedVehicle>> {
  if (vehicles.length === 0) return new Map()
  const { rows } = await sql<NamedVehicle & { vehicle: string }>`/* prepared */
    with named as materialized (
      select vehicle, at as words, name_key(array_to_string(word[:at], ' ')) as make,
             name_key(array_to_string(word[at + 1:], ' ')) as model
      from (select vehicle, string_to_array(vehicle, ' ') as word from unnest(${[...new Set(vehicles)]}::text[]) vehicle) v
      cross join lateral generate_series(1, least(cardinality(word) - 1, ${MOST_WORDS_OF_A_MAKE})) at
    )
    select distinct on (n.vehicle) n.vehicle, f.id as "makeId", m.id as "modelId"
    from named n
    cross join lateral (
      select coalesce(l.merged_into, l.id) as id from manufacturer l where l.name_key = n.make and l.merged_into is null
      union all
      select manufacturer_id from manufacturer_alias where alias_key = n.make
    ) f
    left join lateral (
      select c.id, 1 as place from car_model c
      where c.manufacturer_id = f.id and c.name_key = n.model and c.merged_into is null
      union all
      select coalesce(c.merged_into, c.id), 2 from car_model_alias a join car_model c on c.id = a.car_model_id
      where a.manufacturer_id = f.id and a.alias_key = n.model
      order by place limit 1
    ) m on true
    order by n.vehicle, m.id is null, n.words desc
  `.execute(db)
  return new Map(rows.map(({ vehicle, ...its }) => [vehicle, its]))
}

// "Alfa Romeo", "Land Rover", "American Motors Corporation".
const MOST_WORDS_OF_A_MAKE = 3

/** The fits of each text; one that cannot be read has none. */
export async function findFits(
  db: Db,
  texts: Iterable<string>,
): Promise<ReadonlyMap<string, readonly Fit[]>> {
  const read = Array.from(new Set(texts), (text) => {
    const fitment = readFitment(text)
    return [text, 'rows' in fitment ? fitment.rows : []] as const
  })
  const vehicles = await findVehicles(
    db,
    read.flatMap(([, rows]) => rows.map(({ vehicle }) => vehicle)),
  )
  return new Map(
    read.map(([text, rows]) => [text, rows.map((row) => ({ ...row, ...vehicles.get(row.vehicle) }))]),
  )
}

/** The next listings by id that fit a make or model in any year. */
export async function listFitting(
  db: Db,
  { lookupId, after, limit }: { lookupId: string; after: string | null; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select listing_id as id from listing_search
    where document @@ ${quotedLexeme(fitMark(lookupId))}::tsquery and (${after}::uuid is null or listing_id > ${after}::uuid)
    order by listing_id limit ${limit}
  `.execute(db)
  return rows.map(({ id }) => id)
}
