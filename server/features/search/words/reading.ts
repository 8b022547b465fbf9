import { sql } from 'kysely'
import { isVinLike, plainVin } from '#contract/vehicle/vin-rules.ts'
import { isRowForSale } from '#server/features/for-sale/for-sale.ts'
import { findLexemes } from '#server/features/listings/search-row/search-rows.ts'
import {
  foldText,
  readTerms,
  toQuery,
  wordKey,
  wordsOfTerms,
} from '#server/features/listings/search-row/search-terms.ts'
import { openKnownResults } from '#server/features/search/known-results.ts'
import { lexemesOf } from '#server/features/search/meant-search.ts'
import { isBodyWord, isTrim } from '#server/features/stock-files/match/model-words.ts'
import { squash } from '#server/features/stock-files/match/name-form.ts'
import { catalogVehicle, type Vehicles } from '#server/features/vin/vehicles.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { findNamedSellers, isOfSeller } from './seller-names.ts'
import { openSpelling, type Spelling } from './spelling.ts'
import { openStockWords, type StockWords } from './stock-words.ts'
import { isNumberLike, splitWords, type Understanding, understand } from './understand.ts'
import { openVocabulary, type Vocabulary } from './vocabulary.ts'

/** The interpretation of a typed search, with corrected spelling. A VIN is replaced by its year, make and model. */
export type Reading = {
  readonly meant: Understanding
  readonly lexemes: ReadonlyMap<string, string>
  readonly corrected: { readonly from: string; readonly to: string } | undefined
  /** The typed text with the VIN replaced by its car; absent if there was no VIN. */
  readonly withoutVin?: string
}

type TypedSearch = { q?: string | undefined; exact?: boolean | undefined }

/** Only a VIN was typed, and we cannot decode it. */
type UnknownVin = 'unknown VIN'

type KnownReading = {
  reading: Reading | UnknownVin | undefined
  /** Version of the stock's words, if the reading depends on them. */
  stockVersion: number | undefined
}

const NO_READING: KnownReading = { reading: undefined, stockVersion: undefined }

// 2 kB each.
const READINGS_KEPT = 2_000

/** Returns undefined if only punctuation and words such as "the" were typed. */
export function openReading(
  now: () => Date,
  vehicles: Vehicles,
): (db: Db, typed: TypedSearch) => Promise<Reading | UnknownVin | undefined> {
  const vocabularyOf = openVocabulary()
  const stock = openStockWords(now)
  const spellingOf = rememberedSpelling(stock)
  const read = async (
    db: Db,
    { q = '', exact }: TypedSearch,
    vocabulary: Vocabulary,
  ): Promise<KnownReading> => {
    const words = splitWords(q)
    const vin = await readVin(db, words, vehicles)
    if (vin) return { reading: await readCar(db, vin, { vocabulary, now: now() }), stockVersion: undefined }
    if (words.length === 0 || (await areStopWords(db, q))) return NO_READING
    const unknown = words.filter((word) => !isKnown(foldText(word), vocabulary))
    const sellers = await findNamedSellers(db, words, unknown)
    const wrong = exact ? [] : unknown.filter((word) => !isOfSeller(word, words, sellers))
    if (wrong.length > 0) await stock.refresh(db)
    const stockVersion = wrong.length > 0 ? stock.version() : undefined
    const spelled = await correctWords(db, { words, wrong }, { vocabulary, stock, spellingOf })
    const meant = understand(await joinNumber(db, spelled), { vocabulary, sellers, now: now() })
    const from = words.join(' ')
    const to = spelled.map((word) => (!exact && vocabulary.typos.get(foldText(word))) || word).join(' ')
    const corrected = from === to ? undefined : { from: q.trim(), to }
    return { reading: { meant, lexemes: await lexemesOf(db, meant), corrected }, stockVersion }
  }
  const readings = openKnownResults<KnownReading>(READINGS_KEPT, now)
  return async (db, typed) => {
    const { vocabulary, writes } = await vocabularyOf(db)
    const key = JSON.stringify([typed.q, typed.exact])
    const known = readings.recall(key)
    if (known?.writes === writes) {
      const { reading, stockVersion } = known.value
      if (stockVersion !== undefined) await stock.refresh(db)
      if (stockVersion === undefined || stockVersion === stock.version()) return reading
    }
    const found = await read(db, typed, vocabulary)
    readings.remember(key, writes, found)
    return found.reading
  }
}

async function readCar(
  db: Db,
  vin: WordsOfVin,
  { vocabulary, now }: { vocabulary: Vocabulary; now: Date },
): Promise<Reading | UnknownVin> {
  if (vin.words.length === 0) return 'unknown VIN'
  const meant = fromVin(understand(vin.words, { vocabulary, sellers: new Map(), now }), vin)
  return {
    meant,
    lexemes: await lexemesOf(db, meant),
    corrected: undefined,
    withoutVin: vin.words.join(' '),
  }
}

/** The words of a search with its VIN replaced by the car's words, the first `ofCar` ones. */
type WordsOfVin = { readonly words: readonly string[]; readonly ofCar: number; readonly isSure: boolean }

/**
 * Returns undefined if no word is a VIN. The VIN itself is dropped here: it identifies a person's car, and searches are
 * stored.
 */
async function readVin(
  db: Db,
  typed: readonly string[],
  vehicles: Vehicles,
): Promise<WordsOfVin | undefined> {
  const at = typed.findIndex((word, place) => {
    const vin = plainVin(word)
    // A word with a dash or dot is a part number of the same length, unless the buyer wrote "VIN".
    return isVinLike(vin) && (vin === word.toUpperCase() || foldText(typed[place - 1] ?? '') === 'vin')
  })
  if (at === -1) return undefined
  const [decoder, catalog] = await Promise.all([vehicles.decoder(), vehicles.catalog(db)])
  const decoded = decoder.decode(plainVin(typed[at] ?? ''))
  const { year, make, model } = decoded.car
  const own = catalogVehicle(catalog, decoded)
  // A year alone does not identify a car.
  const names = [own.make?.name ?? make?.value, own.model?.name ?? model?.value].filter(
    (name) => name !== undefined,
  )
  const car = names.length === 0 ? [] : splitWords([year?.value, ...names].join(' '))
  const others = typed.toSpliced(at, 1).filter((word) => foldText(word) !== 'vin')
  return { words: [...car, ...others], ofCar: car.length, isSure: decoded.valid }
}

/** One chip for everything decoded from the VIN. */
function fromVin(meant: Understanding, { words, ofCar, isSure }: WordsOfVin): Understanding {
  const at = Array.from({ length: ofCar }, (_, place) => place)
  if (ofCar === 0) return meant
  const others = meant.recognized.filter((one) => one.at.every((place) => place >= ofCar))
  const car = words.slice(0, ofCar).join(' ')
  const label = isSure ? `${car}, from the VIN` : `${car}, from a VIN with a typo`
  return { ...meant, recognized: [{ kind: 'vin', label, at }, ...others] }
}

async function areStopWords(db: Db, q: string): Promise<boolean> {
  const terms = readTerms(q)
  return !terms || toQuery(terms, await findLexemes(db, wordsOfTerms(terms)), { own: false }) === undefined
}

/** Keeps the spelling corrector of vocabulary and stock; rebuilds it when either changes. */
function rememberedSpelling(stock: StockWords) {
  let known: { vocabulary: Vocabulary; version: number; spelling: Spelling } | undefined
  return (vocabulary: Vocabulary): Spelling => {
    const version = stock.version()
    if (known?.vocabulary === vocabulary && known.version === version) return known.spelling
    const weights = new Map<string, number>()
    for (const word of stock.common().keys()) weights.set(word, 0)
    for (const [word, weight] of vocabulary.words) weights.set(word, weight)
    known = { vocabulary, version, spelling: openSpelling(weights) }
    return known.spelling
  }
}

const isKnown = (word: string, vocabulary: Vocabulary): boolean =>
  /\d/.test(word) || vocabulary.isWord(squash(word)) || isTrim(word) || isBodyWord(word)

type Book = {
  vocabulary: Vocabulary
  stock: StockWords
  spellingOf: (vocabulary: Vocabulary) => Spelling
}

async function correctWords(
  db: Db,
  { words, wrong }: { words: readonly string[]; wrong: readonly string[] },
  { vocabulary, stock, spellingOf }: Book,
): Promise<readonly string[]> {
  const meant = new Map<string, string>()
  for (const word of wrong) {
    const better =
      splitIn(foldText(word), vocabulary) ?? spellingOf(vocabulary).correct(squash(foldText(word)))
    if (better === undefined) continue
    if (!(await isInStock(db, { typed: foldText(word), better, stock }))) meant.set(word, better)
  }
  return meant.size === 0 ? words : words.flatMap((word) => (meant.get(word) ?? word).split(' '))
}

// A word in at least this many listings is not a typo.
const OFTEN = 3

/** Whether listings contain the typed word, and not just one with the same stem. */
async function isInStock(
  db: Db,
  { typed, better, stock }: { typed: string; better: string; stock: StockWords },
): Promise<boolean> {
  if (stock.count(typed) >= OFTEN) return true
  const lexemes = await findLexemes(db, [typed, better])
  const lexeme = lexemes.get(typed)
  return lexeme ? lexeme !== lexemes.get(better) && (await countHaving(db, lexeme)) >= OFTEN : false
}

async function countHaving(db: Db, lexeme: string): Promise<number> {
  const { rows } = await sql<{ found: number }>`
    select count(*)::int as found from (
      select from listing_search t where ${isRowForSale} and t.document @@ ${`'${lexeme}'`}::tsquery limit ${OFTEN}
    ) found
  `.execute(db)
  return onlyRow(rows).found
}

// Shorter sequences are usually a year and a model.
const SHORTEST_NUMBER = 6

/** Joins words that together are a part number in stock: "31 75 4 513 114" is neither years nor models. */
async function joinNumber(db: Db, words: readonly string[]): Promise<readonly string[]> {
  const at = words.findIndex((word) => /\d/.test(word))
  let end = at
  while (at >= 0 && end < words.length && isNumberLike([words[at] ?? '', words[end] ?? ''])) end += 1
  const run = words.slice(at, end)
  const key = wordKey(foldText(run.join('')))
  if (run.length < 2 || key.length < SHORTEST_NUMBER || (await countHaving(db, key)) === 0) return words
  return [...words.slice(0, at), run.join('-'), ...words.slice(end)]
}

// Both halves must be known words, and long enough not to match by chance.
const SHORTEST_HALF = 3

/** Splits two words typed as one: "hondacivic". */
function splitIn(word: string, vocabulary: Vocabulary): string | undefined {
  for (let at = SHORTEST_HALF; at <= word.length - SHORTEST_HALF; at += 1) {
    const halves = [word.slice(0, at), word.slice(at)]
    if (halves.every((half) => isAlone(half, vocabulary))) return halves.join(' ')
  }
  return undefined
}

const isAlone = (word: string, vocabulary: Vocabulary) =>
  vocabulary.meaningsOf([word]).some((meaning) => meaning.kind !== 'skip' && meaning.kind !== 'side')
