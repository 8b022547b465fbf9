import { type Insertable, type Selectable, sql } from 'kysely'
import { readFitment } from '#contract/listing/fitment.ts'
import { foldText } from '#contract/trade-language/names.ts'
import { SIDE_RULES } from '#contract/trade-language/places.ts'
import { boltCountOf } from '#contract/trade-language/query/sizes.ts'
import type { DB } from '#db/schema.gen.ts'
import type { Db } from '#server/platform/database/database.ts'
import { RecentValues } from '#server/platform/recent-values.ts'
import { marksOf, placeMark, placesOf, yearMark } from './fact-marks.ts'
import { type Fit, findFits, fitMarks } from './fitment-marks.ts'
import { findLexemes } from './lexemes.ts'
import { findPlaces } from './places.ts'
import { eachWord, ownMark, wordKey } from './search-terms.ts'
import { findNumbers } from './stated-numbers.ts'

type Lexemes = readonly string[]

// Names and the usual words of a yard's descriptions repeat in every row; numbers do not.
const phrases = new RecentValues<Lexemes>(5_000)
const MAX_PHRASE_LENGTH = 200

/**
 * The lexemes of words and names as typed, in the order of each text. Folding and splitting them again for every listing
 * took half of the time of building its search document.
 */
export async function findWordLexemes(db: Db, texts: readonly (readonly string[])[]): Promise<Lexemes[][]> {
  const unknown = new Map<string, Lexemes | undefined>()
  const found = texts.map((text) => text.map((phrase) => phrases.get(phrase) ?? markUnknown(unknown, phrase)))
  if (unknown.size === 0) return found as Lexemes[][]
  const words = new Map(Array.from(unknown.keys(), (phrase) => [phrase, wordsOf(phrase)]))
  const lexemes = await findLexemes(db, new Set([...words.values()].flat()))
  for (const [phrase, parts] of words) {
    const own = parts.map((word) => lexemes.get(word) ?? '').filter((lexeme) => lexeme !== '')
    unknown.set(phrase, own)
    if (phrase.length <= MAX_PHRASE_LENGTH) phrases.set(phrase, own)
  }
  return found.map((text, of) => text.map((known, at) => known ?? unknown.get(texts[of]?.[at] ?? '') ?? []))
}

function markUnknown(unknown: Map<string, Lexemes | undefined>, phrase: string): undefined {
  unknown.set(phrase, undefined)
}

function wordsOf(phrase: string): string[] {
  const words: string[] = []
  eachWord(foldText(phrase), (word) => words.push(word))
  return words
}

/** The columns that listings are found by, besides where they are. */
type SearchedColumns = { id: string; has_picture?: boolean | undefined } & Pick<
  Insertable<DB['listing']>,
  | 'name'
  | 'year_from'
  | 'year_to'
  | 'manufacturer_name'
  | 'model_name'
  | 'trim_name'
  | 'body_style'
  | 'fitment'
  | 'category_id'
  | 'manufacturer_id'
  | 'car_model_id'
  | 'seller_id'
  | 'part_number'
  | 'interchange'
  | 'stock_number'
  | 'vin'
  | 'description'
  | 'grade'
  | 'shipping_kind'
>

// Longer descriptions repeat themselves.
const DESCRIPTION_READ = 2_000
// Bounds the memory of one call, no matter how many listings it gets.
const LISTINGS_A_ROUND = 1_000

/**
 * The search documents of listings, as text of tsvectors, in the same order; for forms and imports alike. Each whole part
 * number is one word without dashes, so that any spelling of it finds the part. Years, stock number, VIN, what it fits and
 * what buyers filter by are added with a mark (`yearMark`, `ownMark`, `fitMarks`, `marksOf`). Nothing ranks, so words have no positions.
 */
export async function searchDocuments(
  db: Db,
  listings: readonly SearchedColumns[],
  names: SearchNames,
): Promise<string[]> {
  const documents: string[] = []
  for (let from = 0; from < listings.length; from += LISTINGS_A_ROUND) {
    const round = listings.slice(from, from + LISTINGS_A_ROUND)
    const texts = round.map((listing) => phrasesOf(listing, names))
    const lexemes = await findWordLexemes(db, texts)
    const fits = await findFits(
      db,
      round.flatMap(({ fitment }) => fitment || []),
    )
    const numbersOf = await findNumbers(db, round)
    round.forEach((listing, at) => {
      const found = { numbers: numbersOf(listing), fits: fits.get(listing.fitment ?? '') ?? [] }
      documents.push(toDocument(lexemes[at] ?? [], listing, found))
    })
  }
  return documents
}

/** All texts of a listing: the words of its description, and whole names, which many listings share. */
function phrasesOf(listing: SearchedColumns, names: SearchNames): string[] {
  const description = listing.description?.slice(0, DESCRIPTION_READ) ?? ''
  return [
    ...description.split(' '),
    listing.name,
    years(listing),
    listing.manufacturer_name,
    listing.model_name,
    listing.trim_name ?? '',
    listing.body_style ?? '',
    ...fittingVehicles(listing.fitment),
    names.category(listing.category_id),
    names.manufacturer(listing.manufacturer_id),
  ]
}

/** Their notes are no words that a buyer looks for a part by: "without A/C". */
function fittingVehicles(fitment: string | null | undefined): string[] {
  const read = readFitment(fitment ?? '')
  return 'rows' in read ? read.rows.map(({ vehicle }) => vehicle) : []
}

function years(listing: SearchedColumns): string {
  const { from, to } = yearsOf(listing)
  return Array.from({ length: to - from + 1 }, (_, at) => from + at).join(' ')
}

/** No year of a part that names no vehicle. */
const yearsOf = ({ year_from, year_to }: Pick<SearchedColumns, 'year_from' | 'year_to'>) => ({
  from: year_from ?? 0,
  to: year_to ?? -1,
})

function toDocument(
  words: readonly (readonly string[])[],
  listing: SearchedColumns,
  { numbers, fits }: { numbers: readonly string[]; fits: readonly Fit[] },
): string {
  const found = new Set<string>()
  for (const lexemes of words) {
    for (const lexeme of lexemes) found.add(lexeme).add(boltCountOf(lexeme) ?? lexeme)
  }
  for (const number of numbers) found.add(wordKey(foldText(number)))
  found.delete('')
  const own = {
    ...yearsOf(listing),
    makeId: listing.manufacturer_id,
    modelId: listing.car_model_id,
  }
  for (const { from, to } of [own, ...fits])
    for (let year = from; year <= to; year++) found.add(yearMark(year))
  for (const mark of fitMarks([own, ...fits])) found.add(mark)
  for (const number of [listing.stock_number, listing.vin]) {
    const key = number ? wordKey(foldText(number)) : ''
    if (key) found.add(ownMark(key))
  }
  for (const mark of marksOf(listing)) found.add(mark)
  // Letters, digits and our marks need no quotes in the text of a tsvector.
  return [...found].join(' ')
}

/** The words that find a listing by its category or manufacturer; '' if it has none. */
export type SearchNames = {
  category(id: string | null | undefined): string
  manufacturer(id: string | null | undefined): string
}

type Named = { id: string; words: string }

/** Names, groups and aliases of all categories and manufacturers, or of these `only`. */
export async function loadSearchNames(
  db: Db,
  only?: { categoryIds: readonly string[]; manufacturerIds: readonly string[] },
): Promise<SearchNames> {
  const categories = await sql<Named>`
    select c.id, concat_ws(' ', c.name, g.name, string_agg(a.alias, ' ')) as words
    from category c
    left join category_group g on g.id = c.group_id
    left join category_alias a on a.category_id = c.id
    where ${only ? sql`c.id = any(${[...only.categoryIds]}::uuid[])` : sql`true`}
    group by c.id, g.name
  `.execute(db)
  const manufacturers = await sql<Named>`
    select m.id, concat_ws(' ', m.name, string_agg(a.alias, ' ')) as words
    from manufacturer m left join manufacturer_alias a on a.manufacturer_id = m.id
    where ${only ? sql`m.id = any(${[...only.manufacturerIds]}::uuid[])` : sql`true`}
    group by m.id
  `.execute(db)
  return { category: lookUp(categories.rows), manufacturer: lookUp(manufacturers.rows) }
}

function lookUp(rows: readonly Named[]): (id: string | null | undefined) => string {
  const words = new Map(rows.map((row) => [row.id, row.words]))
  return (id) => (id ? (words.get(id) ?? '') : '')
}

type Listing = Selectable<DB['listing']>

const rowColumns = [
  'id',
  'seller_id',
  'category_id',
  'manufacturer_id',
  'car_model_id',
  'status',
  'ended_at',
  'deleted_at',
  'name',
  'year_from',
  'year_to',
  'manufacturer_name',
  'model_name',
  'trim_name',
  'body_style',
  'fitment',
  'part_number',
  'interchange',
  'stock_number',
  'vin',
  'description',
  'grade',
  'shipping_kind',
  'latitude',
  'longitude',
  'zip',
  'city',
  'state',
] as const satisfies readonly (keyof Listing)[]

/** The columns that a search row is made of. */
export const searchColumns: ReadonlySet<string> = new Set(rowColumns)

export type SearchedRecord = Pick<Listing, (typeof rowColumns)[number]>
export type SearchRow = { record: SearchedRecord; place: number | null; document: string }

/** Writes the search rows of these listings from their current rows; deleted listings have none. */
export async function writeSearchRows(trx: Db, listingIds: readonly string[]): Promise<void> {
  const records = await trx
    .selectFrom('listing')
    .select(rowColumns)
    .where('id', '=', (eb) => eb.fn.any(eb.val([...listingIds])))
    .where('deleted_at', 'is', null)
    .execute()
  const rows = await makeSearchRows(trx, records, await namesFor(trx, records))
  await sql`
    insert into listing_search
      (listing_id, seller_id, category_id, manufacturer_id, car_model_id, live, hidden, place, document)
    select id, seller_id, category_id, manufacturer_id, car_model_id, live, hidden, place,
           document::tsvector || picture_mark(id)
    from ${written(rows)}
    on conflict (listing_id) do update
      set category_id = excluded.category_id, manufacturer_id = excluded.manufacturer_id,
          car_model_id = excluded.car_model_id, live = excluded.live, hidden = excluded.hidden,
          place = excluded.place, document = excluded.document
  `.execute(trx)
  if (records.length === listingIds.length) return
  await sql`
    delete from listing_search where listing_id in (
      select id from listing where id = any(${listingIds}::uuid[]) and deleted_at is not null
    )
  `.execute(trx)
}

/** The words of the categories and manufacturers of these listings. */
export async function namesFor(trx: Db, records: readonly SearchedRecord[]): Promise<SearchNames> {
  if (records.length === 0) return noNames
  return loadSearchNames(trx, {
    categoryIds: [...new Set(records.flatMap((record) => record.category_id ?? []))],
    manufacturerIds: [...new Set(records.flatMap((record) => record.manufacturer_id ?? []))],
  })
}

const noNames: SearchNames = { category: () => '', manufacturer: () => '' }

export async function makeSearchRows(
  trx: Db,
  records: readonly SearchedRecord[],
  names: SearchNames,
): Promise<SearchRow[]> {
  const documents = await searchDocuments(trx, records, names)
  const places = await findPlaces(trx, records)
  return records.map((record, at) => ({ record, place: places[at] ?? null, document: documents[at] ?? '' }))
}

/**
 * Updates existing search rows and returns how many there were: an update takes PostgreSQL three fifths of the time of an
 * insert with conflicts.
 */
export async function updateSearchRows(trx: Db, rows: readonly SearchRow[]): Promise<number> {
  if (rows.length === 0) return 0
  const { numAffectedRows } = await sql`
    update listing_search t
    set category_id = n.category_id, manufacturer_id = n.manufacturer_id, car_model_id = n.car_model_id, live = n.live,
        hidden = n.hidden, place = n.place, document = n.document::tsvector || picture_mark(n.id)
    from ${written(rows)} where t.listing_id = n.id
  `.execute(trx)
  return Number(numAffectedRows)
}

function written(rows: readonly SearchRow[]) {
  const all = <T>(value: (record: SearchedRecord) => T) => rows.map(({ record }) => value(record))
  return sql`
    unnest(${all(({ id }) => id)}::uuid[], ${all((one) => one.seller_id)}::uuid[],
           ${all((one) => one.category_id)}::uuid[], ${all((one) => one.manufacturer_id)}::uuid[],
           ${all((one) => one.car_model_id)}::uuid[],
           ${all((one) => one.status === 'ACTIVE' && one.ended_at === null)}::boolean[],
           ${all(({ status }) => status === 'HIDDEN')}::boolean[], ${rows.map(({ place }) => place)}::integer[],
           ${rows.map(({ document }) => document)}::text[])
      as n(id, seller_id, category_id, manufacturer_id, car_model_id, live, hidden, place, document)`
}

// Rows are locked for as long as a page takes: a quarter of a second if all of them change.
const ROWS_PER_PAGE = 2_000

/**
 * Once for each version of the rules of names (`SIDE_RULES`), marks the listings again whose names have a different
 * side or end than their marks. Returns how many. Each page commits separately, so an interrupted run starts over and
 * finds fewer.
 */
export async function remarkSides(db: Db): Promise<number> {
  const known = await sql`
    select from loaded_data where name = 'side marks' and sha256 = ${SIDE_RULES}
  `.execute(db)
  if (known.rows.length > 0) return 0
  let changed = 0
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const { rows } = await sql<{ id: string; name: string }>`
      select l.id, l.name from listing_search t join listing l on l.id = t.listing_id
      where t.listing_id > ${after} order by t.listing_id limit ${ROWS_PER_PAGE}
    `.execute(db)
    const last = rows.at(-1)
    if (last === undefined) break
    changed += await remarkPage(db, rows)
    after = last.id
  }
  await sql`
    insert into loaded_data (name, sha256) values ('side marks', ${SIDE_RULES})
    on conflict (name) do update set sha256 = excluded.sha256, loaded_at = now()
  `.execute(db)
  return changed
}

const PLACE_MARKS = (['left', 'right', 'front', 'rear'] as const).map(placeMark)

async function remarkPage(db: Db, rows: readonly { id: string; name: string }[]): Promise<number> {
  const marks = rows.map(({ name }) => placesOf(name).map(placeMark).join(' '))
  // A name that changed in between has its marks already.
  const { numAffectedRows } = await sql`
    update listing_search t set document = ts_delete(t.document, ${PLACE_MARKS}::text[]) || n.marks::tsvector
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ name }) => name)}::text[], ${marks}::text[])
           as n(id, name, marks)
    join listing l on l.id = n.id and l.name = n.name
    where t.listing_id = n.id
      and t.document <> ts_delete(t.document, ${PLACE_MARKS}::text[]) || n.marks::tsvector
  `.execute(db)
  return Number(numAffectedRows)
}
