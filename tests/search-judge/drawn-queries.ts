import { type Random, seededRandom, weightedChoice } from '#server/platform/seeded-random.ts'
import {
  isOneAway,
  type JudgedListing,
  type JudgedQuery,
  partOf,
  type Side,
  type Wanted,
} from './relevance.ts'
import { saidForMake, saidForPart, saidForVehicle } from './spoken-names.ts'

/*
 * Queries drawn from the stock: a listing is drawn, then a buyer who would be glad to find it types some of what it is.
 * What the query leaves out or says broadly ("silverado", "mirror") makes more listings relevant.
 */

/** A piece of a query and what it asks for. `typed` says which words a slip of the finger may hit. */
type Piece = { words: string; wanted: Wanted; typed?: 'by heart' | 'to the letter' }

export type Facts = {
  listing: JudgedListing
  part: string
  year: number
  /** Left or right, and front or rear, as the name says after its comma. */
  sides: Side[]
  /** "5.3L V8", "17 in", "130A" at the end of the name. */
  size: string | undefined
}

// One query in five is slipped in. Studies of search logs say 10 to 15%; phones make more of them.
const SLIPS = 0.2
const FILLERS = 0.06
const MIXED_ORDER = 0.25

/** `count` queries, the same for the same stock and seed. */
export function drawQueries(
  stock: readonly JudgedListing[],
  { seed, count }: { seed: string; count: number },
): JudgedQuery[] {
  const random = seededRandom(seed)
  const vocabulary = wordsOf(stock)
  const numbers = new Set(stock.map(({ partnum }) => bare(partnum ?? '')))
  const queries = new Map<string, JudgedQuery>()
  while (queries.size < count) {
    const listing = random.pick(stock)
    // "F-150 (Heritage)" is a catalog's name; nobody types it.
    if (listing.partmodel?.includes('(')) continue
    const query = random.chance(0.08)
      ? numberQuery(listing, numbers, random)
      : wordsQuery(factsOf(listing), vocabulary, random)
    queries.set(query.query, query)
  }
  return [...queries.values()]
}

function wordsOf(stock: readonly JudgedListing[]): ReadonlySet<string> {
  const parts = new Set(stock.map(partOf))
  const texts = new Set([
    ...stock.flatMap(({ partname, partmanuname, partmodel }) => [partname, partmanuname, partmodel ?? '']),
    ...[...parts].flatMap((part) => saidForPart(part).map(({ words }) => words)),
  ])
  return new Set([...texts].flatMap((text) => text.toLowerCase().split(/[^a-z0-9]+/)))
}

export function factsOf(listing: JudgedListing): Facts {
  const [name = '', afterComma = ''] = listing.partname.split(', ')
  return {
    listing,
    part: listing.partcategory?.name ?? '',
    year: Number(listing.partyear),
    sides: (afterComma.match(/\b(left|right|front|rear)\b/g) ?? []) as Side[],
    size: / (\d\.\dL|\d\d in|\d+A)\b/.exec(name)?.[1],
  }
}

type Form = readonly ('year' | 'make' | 'vehicle' | 'part' | 'side' | 'size')[]

/** How buyers put a query together, with how often they do. */
const forms: readonly (readonly [share: number, form: Form])[] = [
  [0.24, ['vehicle', 'part']],
  [0.26, ['year', 'vehicle', 'part']],
  [0.16, ['vehicle', 'side', 'part']],
  [0.14, ['year', 'vehicle', 'side', 'part']],
  [0.06, ['part']],
  [0.05, ['side', 'part']],
  [0.04, ['make', 'part']],
  [0.02, ['year', 'vehicle']],
  [0.03, ['size', 'vehicle', 'part']],
]

function wordsQuery(facts: Facts, vocabulary: ReadonlySet<string>, random: Random): JudgedQuery {
  const form = drawForm(facts, random)
  const pieces = form.map((kind) => sayings[kind](facts, random))
  const inOrder = random.chance(MIXED_ORDER) ? shuffled(pieces, random) : pieces
  const slipAt = random.chance(SLIPS) ? random.whole(0, inOrder.length - 1) : -1
  const words = inOrder.map((piece, at) =>
    at === slipAt && piece.typed !== 'to the letter' ? slip(piece.words, vocabulary, random) : piece.words,
  )
  const wanted = Object.assign({}, ...pieces.map((piece) => piece.wanted))
  return { query: withFiller(words.join(' '), random), wanted }
}

const chooseForm = weightedChoice(forms, ([share]) => share)

function drawForm(facts: Facts, random: Random): Form {
  const [, form] = chooseForm(random)
  const lacks = (form.includes('side') && facts.sides.length === 0) || (form.includes('size') && !facts.size)
  return lacks ? drawForm(facts, random) : form
}

const sayings: Record<Form[number], (facts: Facts, random: Random) => Piece> = {
  year: ({ year }, random) => sayYear(year, random),
  make: ({ listing: { partmanuname } }, random) => ({
    words: random.pick(saidForMake(partmanuname)),
    wanted: { vehicles: [`${partmanuname}/*`] },
  }),
  vehicle: ({ listing }, random) => {
    const { words, vehicles } = random.pick(saidForVehicle(listing.partmanuname, listing.partmodel ?? ''))
    return { words, wanted: { vehicles } }
  },
  part: ({ part }, random) => {
    const { words, parts } = random.pick(saidForPart(part))
    return { words, wanted: { parts } }
  },
  side: ({ sides }, random) => saySide(sides, random),
  size: ({ size = '' }, random) => saySize(size, random),
}

export function sayYear(year: number, random: Random): Piece {
  const short = String(year % 100).padStart(2, '0')
  const chance = random.next()
  if (chance < 0.65) return { words: String(year), wanted: { years: [year, year] }, typed: 'to the letter' }
  if (chance < 0.85) {
    return {
      words: random.pick([short, `'${short}`]),
      wanted: { years: [year, year] },
      typed: 'to the letter',
    }
  }
  const from = year - random.whole(0, 3)
  const to = Math.max(from + 1, year + random.whole(0, 2))
  const shortTo = String(to % 100).padStart(2, '0')
  const words = random.pick([`${from}-${to}`, `${from} to ${to}`, `${from}-${shortTo}`])
  return { words, wanted: { years: [from, to] }, typed: 'to the letter' }
}

const sideWords: Record<Side, readonly string[]> = {
  left: ['left', 'left', 'lh', 'driver', 'driver side', 'drivers side', "driver's side", 'left side', 'l/h'],
  right: ['right', 'right', 'rh', 'passenger', 'passenger side', 'pass side', 'right side', 'r/h'],
  front: ['front'],
  rear: ['rear', 'back'],
}
const cornerWords: Readonly<Record<string, readonly string[]>> = {
  'left front': ['left front', 'front left', 'lf', 'fl', 'driver front', 'front driver side'],
  'right front': ['right front', 'front right', 'rf', 'fr', 'passenger front', 'front passenger side'],
  'left rear': ['left rear', 'rear left', 'lr', 'rl', 'driver rear', 'rear driver side'],
  'right rear': ['right rear', 'rear right', 'rr', 'passenger rear', 'rear passenger side'],
}

export function saySide(sides: Side[], random: Random): Piece {
  // Half of those who look for a corner say only on which side it is.
  const said = sides.length > 1 && random.chance(0.5) ? sides.slice(0, 1) : sides
  const words = cornerWords[said.join(' ')] ?? sideWords[said[0] ?? 'left']
  return { words: random.pick(words), wanted: { sides: said }, typed: 'to the letter' }
}

const unitWords: Readonly<Record<string, readonly string[]>> = {
  L: ['', 'l', 'L', ' liter'],
  A: [' amp', 'a'],
  in: [' inch', '"', 'in'],
}

function saySize(size: string, random: Random): Piece {
  const [, number = size, unit = ''] = /^([\d.]+) ?(\w+)$/.exec(size) ?? []
  const words = number + random.pick(unitWords[unit] ?? [''])
  return { words, wanted: { inName: [size] }, typed: 'to the letter' }
}

/** The number as another counter writes it; half of the time one character is wrong. */
function numberQuery({ partnum }: JudgedListing, numbers: ReadonlySet<string>, random: Random): JudgedQuery {
  const number = partnum ?? ''
  const pieces = number.split(/[- ]/)
  const typed = random.pick([
    number,
    pieces.join(''),
    pieces.join(' '),
    number.toLowerCase(),
    pieces.join('-'),
  ])
  const isWrong = random.chance(0.5)
  if (!isWrong) return { query: typed, wanted: { number } }
  for (;;) {
    const wrong = misread(typed, random)
    if (!numbers.has(bare(wrong)) && isOneAway(bare(wrong), bare(number)))
      return { query: wrong, wanted: { number: `~${wrong}` } }
  }
}

const bare = (text: string) => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')

/** As a number is misread from a stamped part: one character for another, left out, or two swapped. */
function misread(number: string, random: Random): string {
  const at = random.whole(1, number.length - 1)
  const before = number.slice(0, at)
  const after = number.slice(at + 1)
  const character = number.charAt(at)
  const looksLike: Readonly<Record<string, string>> = {
    0: 'O',
    1: 'I',
    5: 'S',
    8: 'B',
    6: '8',
    3: '8',
    B: '8',
  }
  const kind = random.whole(0, 2)
  if (kind === 0) return before + after
  if (kind === 1) return before + after.charAt(0) + character + after.slice(1)
  return before + (looksLike[character] ?? String(random.whole(0, 9))) + after
}

const KEYBOARD = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm']

/** One edit inside of one word of five letters or more; words with digits and those that a slip makes another word stay. */
function slip(words: string, vocabulary: ReadonlySet<string>, random: Random): string {
  const parts = words.split(' ')
  const long = parts.filter((word) => /^[a-z]{5,}$/.test(word))
  if (long.length === 0) return words
  const word = random.pick(long)
  for (;;) {
    const wrong = slipInWord(word, random)
    if (wrong !== word && !vocabulary.has(wrong))
      return parts.map((part) => (part === word ? wrong : part)).join(' ')
  }
}

/** The first letter stays, as it does in nearly all misspellings. */
function slipInWord(word: string, random: Random): string {
  const at = random.whole(1, word.length - 1)
  const [before, letter, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)]
  const kind = random.whole(0, 3)
  if (kind === 0) return before + after
  if (kind === 1) return before + letter + letter + after
  if (kind === 2) return before + after.charAt(0) + letter + after.slice(1)
  return before + neighborOf(letter, random) + after
}

function neighborOf(letter: string, random: Random): string {
  const row = KEYBOARD.find((keys) => keys.includes(letter)) ?? letter
  const at = row.indexOf(letter)
  return random.pick([row.charAt(at - 1), row.charAt(at + 1)].filter((key) => key !== ''))
}

function withFiller(query: string, random: Random): string {
  if (!random.chance(FILLERS)) return query
  return random.pick([
    `used ${query}`,
    `oem ${query}`,
    `${query} for sale`,
    `need a ${query}`,
    `looking for ${query}`,
  ])
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => ({ item, place: random.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
}
