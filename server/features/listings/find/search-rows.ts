import { type Selectable, sql } from 'kysely'
import type { DB } from '#db/schema.gen.ts'
import type { Db } from '#server/platform/database/database.ts'
import { eachWord, foldText, hasStem, ownMark, wordKey, yearMark } from './search-terms.ts'

// Half of what is kept: a catalogue has some 20,000 words, descriptions bring typing errors without end.
const WORDS_KEPT = 50_000

// A stem depends on the word alone, so all databases of the process share them. Two halves: the older is given up as a
// whole when the newer is full, and what is asked of it meanwhile moves over.
let lexemeQueriesNewer = new Map<string, string>()
let lexemeQueriesOlder = new Map<string, string>()

function lexemeQueriesRecall(word: string): string | undefined {
  const known = lexemeQueriesNewer.get(word)
  if (known !== undefined) return known
  const before = lexemeQueriesOlder.get(word)
  if (before !== undefined) lexemeQueriesKeep(word, before)
  return before
}

function lexemeQueriesKeep(word: string, lexeme: string): void {
  if (lexemeQueriesNewer.size >= WORDS_KEPT) {
    lexemeQueriesOlder = lexemeQueriesNewer
    lexemeQueriesNewer = new Map()
  }
  // A copy of the word lets go of the long text that it was cut from.
  lexemeQueriesNewer.set(Buffer.from(word).toString(), lexeme)
}

/**
 * The lexemes of folded words, as PostgreSQL's English dictionary stems them; '' for a stop word, which is not searched
 * for. Words that this process has not met yet are asked for in one statement.
 */
export async function findLexemes(db: Db, words: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const lexemes = new Map<string, string>()
  const unknown: string[] = []
  for (const word of words) {
    const lexeme = hasStem(word) ? lexemeQueriesRecall(word) : word
    if (lexeme === undefined) unknown.push(word)
    else lexemes.set(word, lexeme)
  }
  for (const { word, lexeme } of await stem(db, unknown)) {
    lexemeQueriesKeep(word, lexeme)
    lexemes.set(word, lexeme)
  }
  return lexemes
}

async function stem(db: Db, words: string[]): Promise<{ word: string; lexeme: string }[]> {
  if (words.length === 0) return []
  const { rows } = await sql<{ word: string; lexeme: string }>`
    select word, coalesce((ts_lexize('english_stem', word))[1], '') as lexeme from unnest(${words}::text[]) as word
  `.execute(db)
  return rows
}

type Lexemes = readonly string[]

// Names, and the words that a yard's descriptions are written with, come again in every row; numbers come once. In two
// halves, as in `lexeme-queries.ts`.
const KEPT = 5_000
const LONGEST_KEPT = 200
let newer = new Map<string, Lexemes>()
let older = new Map<string, Lexemes>()

function recall(said: string): Lexemes | undefined {
  const known = newer.get(said)
  if (known !== undefined) return known
  const before = older.get(said)
  if (before !== undefined) keep(said, before)
  return before
}

function keep(said: string, lexemes: Lexemes): void {
  if (said.length > LONGEST_KEPT) return
  if (newer.size >= KEPT) {
    older = newer
    newer = new Map()
  }
  // A copy lets go of the long text that it was cut from.
  newer.set(Buffer.from(said).toString(), lexemes)
}

/**
 * The lexemes of words and names as they were typed, in the order of the words of each text. Folding and taking apart each
 * of each listing anew took half of the time of making its search document.
 */
export async function findWordLexemes(db: Db, texts: readonly (readonly string[])[]): Promise<Lexemes[][]> {
  const unknown = new Map<string, Lexemes | undefined>()
  const found = texts.map((text) => text.map((said) => recall(said) ?? noted(unknown, said)))
  if (unknown.size === 0) return found as Lexemes[][]
  const words = new Map(Array.from(unknown.keys(), (said) => [said, wordsOf(said)]))
  const lexemes = await findLexemes(db, new Set([...words.values()].flat()))
  for (const [said, parts] of words) {
    const own = parts.map((word) => lexemes.get(word) ?? '').filter((lexeme) => lexeme !== '')
    unknown.set(said, own)
    keep(said, own)
  }
  return found.map((text, of) => text.map((known, at) => known ?? unknown.get(texts[of]?.[at] ?? '') ?? []))
}

function noted(unknown: Map<string, Lexemes | undefined>, said: string): undefined {
  unknown.set(said, undefined)
}

function wordsOf(said: string): string[] {
  const words: string[] = []
  eachWord(foldText(said), (word) => words.push(word))
  return words
}

/** What a listing is found by. */
export type SearchedText = {
  name: string
  yearFrom: number
  yearTo: number
  manufacturerName: string
  modelName: string
  trimName: string | null | undefined
  /** Name, group and aliases, from `loadSearchNames`. */
  categoryWords: string
  manufacturerWords: string
  partNumber: string | null | undefined
  stockNumber: string | null | undefined
  vin: string | null | undefined
  description: string | null | undefined
}

// Longer descriptions say the same again.
const DESCRIPTION_READ = 2_000
// Bounds what one call holds in memory, however many listings come.
const LISTINGS_A_ROUND = 1_000

/**
 * The search documents of listings, as text of tsvectors, in the same order. Forms and imports both make them here. The
 * whole part number is one word, without dashes, so that any spelling of it finds the part. Years, stock number and VIN
 * also stand there marked (`search-words.ts`). Nothing ranks, so words have no places.
 */
export async function searchDocuments(db: Db, listings: readonly SearchedText[]): Promise<string[]> {
  const documents: string[] = []
  for (let from = 0; from < listings.length; from += LISTINGS_A_ROUND) {
    const round = listings.slice(from, from + LISTINGS_A_ROUND)
    const texts = round.map(saidOf)
    const lexemes = await findWordLexemes(db, texts)
    round.forEach((listing, at) => {
      documents.push(toDocument(lexemes[at] ?? [], listing))
    })
  }
  return documents
}

/** All that is said of it: names, which many listings share, as they are, and its description cut at its spaces. */
function saidOf(listing: SearchedText): string[] {
  const description = listing.description?.slice(0, DESCRIPTION_READ) ?? ''
  const said = description.split(' ')
  said.push(
    listing.name,
    years(listing),
    listing.manufacturerName,
    listing.modelName,
    listing.trimName ?? '',
    listing.categoryWords,
    listing.manufacturerWords,
  )
  return said
}

function years({ yearFrom, yearTo }: SearchedText): string {
  let text = String(yearFrom)
  for (let year = yearFrom + 1; year <= yearTo; year++) text += ` ${year}`
  return text
}

function toDocument(
  words: readonly (readonly string[])[],
  { partNumber, stockNumber, vin, yearFrom, yearTo }: SearchedText,
): string {
  const found = new Set<string>()
  for (const lexemes of words) for (const lexeme of lexemes) found.add(lexeme)
  if (partNumber) found.add(wordKey(foldText(partNumber)))
  found.delete('')
  for (let year = yearFrom; year <= yearTo; year++) found.add(yearMark(year))
  for (const own of [stockNumber, vin]) {
    const key = own ? wordKey(foldText(own)) : ''
    if (key) found.add(ownMark(key))
  }
  // Letters, digits and our marks need no quotes in the text of a tsvector.
  return [...found].join(' ')
}

/** Under which words a listing is found by its category and manufacturer; '' for none. */
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

const readColumns = [
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
  'part_number',
  'stock_number',
  'vin',
  'description',
] as const satisfies readonly (keyof Listing)[]

/** What a search row is made of. */
export type SearchedRecord = Pick<Listing, (typeof readColumns)[number]>
export type SearchRow = { record: SearchedRecord; document: string }

/** Writes the search rows of these listings from what stands in their tables now; deleted ones have none. */
export async function writeSearchRows(trx: Db, listingIds: readonly string[]): Promise<void> {
  const records = await trx
    .selectFrom('listing')
    .select(readColumns)
    .where('id', '=', (eb) => eb.fn.any(eb.val([...listingIds])))
    .where('deleted_at', 'is', null)
    .execute()
  const rows = await makeSearchRows(trx, records, await namesFor(trx, records))
  await sql`
    insert into listing_search
      (listing_id, seller_id, category_id, manufacturer_id, car_model_id, live, hidden, document)
    select id, seller_id, category_id, manufacturer_id, car_model_id, live, hidden, document::tsvector from ${written(rows)}
    on conflict (listing_id) do update
      set category_id = excluded.category_id, manufacturer_id = excluded.manufacturer_id,
          car_model_id = excluded.car_model_id, live = excluded.live, hidden = excluded.hidden,
          document = excluded.document
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
  const documents = await searchDocuments(
    trx,
    records.map((record) => ({
      name: record.name,
      yearFrom: record.year_from,
      yearTo: record.year_to,
      manufacturerName: record.manufacturer_name,
      modelName: record.model_name,
      trimName: record.trim_name,
      categoryWords: names.category(record.category_id),
      manufacturerWords: names.manufacturer(record.manufacturer_id),
      partNumber: record.part_number,
      stockNumber: record.stock_number,
      vin: record.vin,
      description: record.description,
    })),
  )
  return records.map((record, at) => ({ record, document: documents[at] ?? '' }))
}

/**
 * Brings search rows up to date that are there already, and answers how many are: an update takes PostgreSQL three fifths
 * of the time of an insert that meets them.
 */
export async function updateSearchRows(trx: Db, rows: readonly SearchRow[]): Promise<number> {
  if (rows.length === 0) return 0
  const { numAffectedRows } = await sql`
    update listing_search t
    set category_id = n.category_id, manufacturer_id = n.manufacturer_id, car_model_id = n.car_model_id, live = n.live,
        hidden = n.hidden, document = n.document::tsvector
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
           ${all(({ status }) => status === 'HIDDEN')}::boolean[], ${rows.map(({ document }) => document)}::text[])
      as n(id, seller_id, category_id, manufacturer_id, car_model_id, live, hidden, document)`
}
