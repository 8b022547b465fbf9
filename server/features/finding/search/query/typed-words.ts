import { sql } from 'kysely'
import { interpret } from '#contract/trade-language/interpret.ts'
import { foldText, nameKey } from '#contract/trade-language/names.ts'
import type { Wanted } from '#contract/trade-language/query/query.ts'
import { readSize } from '#contract/trade-language/query/sizes.ts'
import { isNumberLike, plainWord, splitWords } from '#contract/trade-language/query/split-words.ts'
import { editsBetween, openSpelling, type Spelling } from '#contract/trade-language/spelling.ts'
import type { Vocabulary } from '#contract/trade-language/vocabulary.ts'
import { readYears } from '#contract/trade-language/years.ts'
import { isVinLike, plainVin } from '#contract/vehicle/vin-rules.ts'
import { vocabularyOf, wordsVersion } from '#server/features/finding/vocabulary/vocabulary.ts'
import { isRowForSale } from '#server/features/market/for-sale/for-sale.ts'
import { versionOfAll } from '#server/features/market/for-sale/part-type-versions.ts'
import { tallyOf } from '#server/features/market/for-sale/tally.ts'
import { findLexemes } from '#server/features/market/listings/search-row/lexemes.ts'
import { eachWord, wordKey } from '#server/features/market/listings/search-row/search-terms.ts'
import { catalogVehicle, type Vehicles } from '#server/features/market/vin/vehicles.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { quotedLexeme } from '#server/platform/database/quoted-text.ts'
import { openSharedReads } from '#server/platform/database/reads.ts'
import { RecentValues } from '#server/platform/recent-values.ts'
import { conditionsOf, lexemesOf, type ReadWords } from './conditions.ts'
import { findNamedSellers, isOfSeller, sellerKey } from './seller-names.ts'
import { openStockWords, type StockWords } from './stock-words.ts'

/** How typed words were read, with corrected spelling. A VIN is replaced by its year, make and model. */
export type TypedWords = Omit<ReadWords, 'interchange'> & {
  readonly vocabulary: Vocabulary
  readonly corrected: { readonly from: string; readonly to: string } | undefined
  /** The typed text with the VIN replaced by its car; absent if there was no VIN. */
  readonly withoutVin?: string
  /** Words at the end of a long text that were not searched for. */
  readonly unread?: readonly string[] | undefined
  /** Whether it depends on the stock, as the spelling of a word that nobody knows and the names of yards that sell do. */
  readonly isOfStock: boolean
}

type TypedSearch = { q?: string | undefined; exact?: boolean | undefined }

/** Only a VIN was typed, and we cannot decode it. */
type UnknownVin = 'unknown VIN'

type KnownReading = {
  reading: TypedWords | UnknownVin | undefined
  /** Version of the stock's words, if the reading depends on them. */
  stockVersion: number | undefined
}

/** A reading is of one version of the stock, or of what belongs to all part types, and used for no other. */
type KeptReading = KnownReading & {
  readonly isOfStock: boolean
  readonly writes: number
  readonly ofAll: number
  readonly at: number
}

const NO_READING: KnownReading = { reading: undefined, stockVersion: undefined }

// 2 kB each; at least half of them are kept at any time.
const READINGS_KEPT = 2_000
// Changes of public data change the version. Answer rates of sellers do not; they are reread after the same time
// (`rank.ts`).
const KEPT_MS = 10 * 60_000

type Circumstances = { vocabulary: Vocabulary; year: number }

/** Returns undefined if nothing that can be searched for was typed. */
export function openTypedWords(
  now: () => Date,
  vehicles: Vehicles,
): (db: Db, typed: TypedSearch) => Promise<TypedWords | UnknownVin | undefined> {
  // Every search checks the version; concurrent searches share one check.
  const share = openSharedReads()
  const stock = openStockWords(now)
  const spellingOf = rememberedSpelling(stock)
  const read = async (
    db: Db,
    { q = '', exact }: TypedSearch,
    vocabulary: Vocabulary,
  ): Promise<KnownReading> => {
    const year = now().getUTCFullYear()
    const { few, unread } = withoutMore(splitWords(q), vocabulary)
    const words = few.flatMap((word) => apart(word, vocabulary))
    const vin = await readVin(db, words, vehicles)
    if (vin) return { reading: await readCar(db, vin, { vocabulary, year }), stockVersion: undefined }
    if (words.length === 0) return NO_READING
    const unknown = words.filter(
      (word, at) =>
        !isKnown(foldText(word), vocabulary) && !isUnit(words, at) && !isOfName(words, at, vocabulary),
    )
    const sellers = await findNamedSellers(db, words, { unknown, roles: vocabulary.language.roles })
    const wrong = exact ? [] : unknown.filter((word) => !isOfSeller(word, words, sellers))
    const { spelled, stockVersion } = await spell(db, { words, wrong }, { vocabulary, stock, spellingOf })
    const number = numberIn(spelled, { vocabulary, year })
    const joined = number && (await isNumberInStock(db, number.key)) ? number.words : spelled
    const meant = { year, sellers, sellerKey, words: joined }
    const wanted = interpret(q, vocabulary, 'query', meant).read
    // "Parts for sale" asks for everything, "of the" for nothing.
    if (conditionsOf(wanted).length === 0 && (await areStopWords(db, words))) return NO_READING
    const corrected = correctionOfText(q, { words, spelled, typos: exact ? undefined : vocabulary.typos })
    const isOfStock = unknown.length > 0 || number !== undefined
    const lexemes = await lexemesOf(db, wanted)
    return { reading: { wanted, vocabulary, lexemes, corrected, isOfStock, unread }, stockVersion }
  }
  const readings = new RecentValues<KeptReading>(READINGS_KEPT / 2)
  return async (db, typed) => {
    const { version, writes, ofAll } = await share('version', () => readVersion(db))
    const vocabulary = await vocabularyOf(db, version)
    const key = JSON.stringify([typed.q, typed.exact])
    const at = now().getTime()
    const known = readings.get(key)
    const isSame = known && (known.isOfStock ? known.writes === writes : known.ofAll === ofAll)
    if (isSame && at - known.at < KEPT_MS) {
      const { reading, stockVersion } = known
      if (stockVersion !== undefined) await stock.refresh(db)
      if (stockVersion === undefined || stockVersion === stock.version()) return reading
    }
    const found = await read(db, typed, vocabulary)
    const isOfStock = typeof found.reading !== 'object' || found.reading.isOfStock
    readings.set(key, { ...found, isOfStock, writes, ofAll, at: now().getTime() })
    return found.reading
  }
}

// More words than anyone types for a part; each may cost a look at the stock. Fillers of a long sentence do not count.
const MOST_WORDS = 20

function withoutMore(words: readonly string[], vocabulary: Vocabulary) {
  let left = MOST_WORDS
  const few: string[] = []
  const unread: string[] = []
  for (const word of words) {
    const isFiller = vocabulary.meaningsOf([plainWord(word)]).some(({ kind }) => kind === 'skip')
    if (!isFiller) left -= 1
    if (isFiller || left >= 0) few.push(word)
    else unread.push(word)
  }
  return { few, unread: unread.length > 0 ? unread : undefined }
}

/** What is shown in place of the typed text, if its spelling or a taught typo was corrected. */
function correctionOfText(
  typed: string,
  {
    words,
    spelled,
    typos,
  }: { words: readonly string[]; spelled: readonly string[]; typos: Vocabulary['typos'] | undefined },
): TypedWords['corrected'] {
  const to = spelled.map((word) => typos?.get(foldText(word)) ?? word).join(' ')
  return to === words.join(' ') ? undefined : { from: typed.trim(), to }
}

async function areStopWords(db: Db, words: readonly string[]): Promise<boolean> {
  const lexemes = await findLexemes(db, words.map(foldText))
  return [...lexemes.values()].every((lexeme) => lexeme === '')
}

type ReadVersion = { version: string; writes: number; ofAll: number }

async function readVersion(db: Db): Promise<ReadVersion> {
  const { rows } = await sql<ReadVersion>`/* prepared */
    select tally.writes, ${versionOfAll} as "ofAll", ${wordsVersion} as version from (${tallyOf(undefined)}) tally
  `.execute(db)
  return onlyRow(rows)
}

async function readCar(
  db: Db,
  vin: WordsOfVin,
  { vocabulary, year }: Circumstances,
): Promise<TypedWords | UnknownVin> {
  if (vin.words.length === 0) return 'unknown VIN'
  const read = interpret('', vocabulary, 'query', { year, words: vin.words }).read
  const wanted = fromVin(read, vin)
  return {
    wanted,
    vocabulary,
    lexemes: await lexemesOf(db, wanted),
    corrected: undefined,
    isOfStock: false,
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
function fromVin(wanted: Wanted, { words, ofCar, isSure }: WordsOfVin): Wanted {
  const at = Array.from({ length: ofCar }, (_, place) => place)
  if (ofCar === 0) return wanted
  const others = wanted.recognized.filter((one) => one.at.every((place) => place >= ofCar))
  const car = words.slice(0, ofCar).join(' ')
  const label = isSure ? `${car}, from the VIN` : `${car} (check your VIN: one character looks wrong)`
  return { ...wanted, recognized: [{ kind: 'vin', label, at }, ...others] }
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

function isKnown(word: string, vocabulary: Vocabulary): boolean {
  const { vehicleWords, roles } = vocabulary.language
  return (
    /\d/.test(word) ||
    vocabulary.isWord(nameKey(word)) ||
    vehicleWords.isTrim(word) ||
    vehicleWords.isBodyWord(word) ||
    ['exclusion', 'alternative', 'look', 'describing', 'damage', 'wish', 'number word'].some((role) =>
      roles.set(role).has(word),
    )
  )
}

/** The liters of "2.4 liter" are no typo of filters. */
const isUnit = (words: readonly string[], at: number): boolean =>
  at > 0 && readSize(words.slice(at - 1, at + 1).map(foldText))?.words === 2

/** Of "high lander", neither word is a typo. */
const isOfName = (words: readonly string[], at: number, vocabulary: Vocabulary): boolean =>
  [words.slice(Math.max(0, at - 1), at + 1), words.slice(at, at + 2)].some(
    (two) =>
      two.length === 2 &&
      vocabulary.meaningsOf(two.map(plainWord)).some(({ kind }) => kind === 'model' || kind === 'make'),
  )

type Book = {
  vocabulary: Vocabulary
  stock: StockWords
  spellingOf: (vocabulary: Vocabulary) => Spelling
}

/** The words with their spelling corrected, and the version of the stock's words that this depends on, if any is wrong. */
async function spell(
  db: Db,
  given: { words: readonly string[]; wrong: readonly string[] },
  book: Book,
): Promise<{ spelled: readonly string[]; stockVersion: number | undefined }> {
  if (given.wrong.length === 0) return { spelled: given.words, stockVersion: undefined }
  await book.stock.refresh(db)
  const stockVersion = book.stock.version()
  return { spelled: await correctWords(db, given, book), stockVersion }
}

async function correctWords(
  db: Db,
  { words, wrong }: { words: readonly string[]; wrong: readonly string[] },
  { vocabulary, stock, spellingOf }: Book,
): Promise<readonly string[]> {
  const corrections = new Map<string, string>()
  for (const word of wrong) {
    const plain = nameKey(word)
    const better = correctionOf(plain, vocabulary, spellingOf(vocabulary))
    if (better === undefined || !isBetter(words, words.indexOf(word), { better, vocabulary })) continue
    if (!(await isInTitles(db, { typed: plain, better, stock }))) corrections.set(word, better)
  }
  return corrections.size === 0 ? words : words.flatMap((word) => (corrections.get(word) ?? word).split(' '))
}

/** A single wrong letter is likelier than two words in one, and those than more wrong letters. */
function correctionOf(word: string, vocabulary: Vocabulary, spelling: Spelling): string | undefined {
  const [, homophone] = vocabulary.language.roles.meanings('homophone').find(([one]) => one === word) ?? []
  if (homophone !== undefined) return homophone
  const near = spelling.correct(word)
  if (near !== undefined && editsBetween(word, near, 1) <= 1) return near
  return splitIn(word, vocabulary) ?? near
}

// Nobody mistypes a double letter in a shorter word.
const SHORTEST_TYPO = 4

/**
 * Whether a correction may be right. An ordinary word is a typo only if the correction forms a name with the word
 * next to it ("tale light"), and a short one ("dor") only if it is a part.
 */
function isBetter(
  words: readonly string[],
  at: number,
  { better, vocabulary }: { better: string; vocabulary: Vocabulary },
): boolean {
  const word = foldText(words[at] ?? '')
  const isPart = (some: readonly string[]) =>
    vocabulary.meaningsOf(some).some((meaning) => meaning.kind === 'part' && !meaning.isEnding)
  if (!vocabulary.language.ordinary.has(word)) return word.length >= SHORTEST_TYPO || isPart([better])
  const beside = [words[at - 1], words[at + 1]].map((one) => one && foldText(one))
  return (beside[0] && isPart([beside[0], better])) || (beside[1] && isPart([better, beside[1]])) || false
}

// A word in at least this many listings is not a typo.
const OFTEN = 3
// A typo that more listings have in their texts than this is no typo.
const TITLES_READ = 50

/**
 * Whether live titles have the typed word, and the better one would not find them: Hitachi is no hitch. A yard's own typo is
 * found by its listing's part type all the same.
 */
async function isInTitles(
  db: Db,
  { typed, better, stock }: { typed: string; better: string; stock: StockWords },
): Promise<boolean> {
  const known = stock.count(typed)
  if (known >= OFTEN) return true
  const lexemes = await findLexemes(db, [typed, ...better.split(' ')])
  const lexeme = lexemes.get(typed)
  const others = better.split(' ').map((word) => lexemes.get(word) ?? '')
  if (!lexeme || others.includes(lexeme) || others.includes('')) return false
  const query = `${quotedLexeme(lexeme)} & !(${others.map(quotedLexeme).join(' & ')})`
  const { rows } = await sql<{ name: string; description: string | null }>`
    select l.name, l.description from listing_search t join listing l on l.id = t.listing_id
    where ${isRowForSale} and t.document @@ ${query}::tsquery limit ${TITLES_READ}
  `.execute(db)
  // The texts of "compression tested" parts have the lexeme of "compresser", and not the word.
  const isOften = rows.length === TITLES_READ && rows.some((row) => hasWord(row.description ?? '', typed))
  return isOften || rows.some(({ name }) => hasWord(name, typed))
}

function hasWord(name: string, word: string): boolean {
  let has = false
  eachWord(foldText(name), (each) => {
    has ||= each === word
  })
  return has
}

// Shorter sequences are usually a year and a model.
const SHORTEST_NUMBER = 6

/**
 * Words that together may be a part number in stock, and the same words with them joined: "31 75 4 513 114" is neither years
 * nor models. A year and a model are no number.
 */
function numberIn(
  words: readonly string[],
  { vocabulary, year }: Circumstances,
): { key: string; words: readonly string[] } | undefined {
  const at = words.findIndex((word) => /\d/.test(word))
  let end = at
  while (at >= 0 && end < words.length && isNumberLike([words[at] ?? '', words[end] ?? ''])) end += 1
  const run = words.slice(at, end)
  const key = wordKey(foldText(run.join('')))
  if (run.length < 2 || key.length < SHORTEST_NUMBER) return undefined
  // In four digits: two may be anything.
  const isYear = (word: string) => word.length === 4 && readYears(word, year).years !== undefined
  if (run.every((word) => isYear(word) || vocabulary.meaningsOf([foldText(word)]).length > 0))
    return undefined
  return { key, words: [...words.slice(0, at), run.join('-'), ...words.slice(end)] }
}

/** @param key letters and digits only */
async function isNumberInStock(db: Db, key: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from listing_search t where ${isRowForSale} and t.document @@ ${quotedLexeme(key)}::tsquery) as found
  `.execute(db)
  return onlyRow(rows).found
}

/** Names typed as one word with a digit between them: "2011civic", "f150tailgate". */
function apart(word: string, vocabulary: Vocabulary): string[] {
  const halves = word.split(/(?<=\d)(?=\p{L}{4,}$)|(?<=^\p{L}{4,})(?=\d{4}$)/u)
  const isName = (half: string) => /^(?:19|20)\d\d$/.test(half) || isAlone(foldText(half), vocabulary)
  return halves.length === 2 && halves.every(isName) ? halves : [word]
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
