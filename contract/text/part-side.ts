/*
 * The words for where on a car a part sits. Whatever reads a side has them from here: the marks of listings, buyers' words,
 * yards' columns of sides, and the matching of part names with categories.
 */

export type Side = 'left' | 'right'
export type Place = 'front' | 'rear' | Side
/** In the order in which they are said. */
export const places: readonly Place[] = ['front', 'rear', 'left', 'right']
const ends = ['front', 'rear'] as const
const sides = ['left', 'right'] as const

/** What a word may mean: "left", "front left". */
export const placeNames: readonly string[] = [
  ...sides,
  ...ends,
  ...ends.flatMap((end) => sides.map((side) => `${end} ${side}`)),
]

const listOf = (text: string) => text.trim().split(/\s+/)

type SideWords = {
  /** Say it anywhere in a name. */
  plain: readonly string[]
  /** Also trims and letters, so in a name only beside a part that cars have on both sides: "Fender RT", not "Emblem RT". */
  beside: readonly string[]
  /** Something else in names, such as "piloto trasero", but not if a buyer types it, without spaces. */
  typed: readonly string[]
  /** Something else in a search, too ("sway bar links"), but not in a column of sides. */
  column: readonly string[]
}
const sideWords: Readonly<Record<Side, SideWords>> = {
  left: {
    plain: listOf('left lh lhs driver drivers driverside izquierdo izquierda izq gauche fahrerseite'),
    beside: listOf('lt l'),
    typed: listOf('ls ds dside drside drv drvr drvrs drivside conductor piloto'),
    column: listOf('d links'),
  },
  right: {
    plain: listOf(
      'right rh rhs passenger passengers passengerside derecho derecha pasajero copiloto droit droite rechts beifahrerseite',
    ),
    beside: listOf('rt r'),
    typed: listOf('der pass psgr passgr pssgr pside psside curbside'),
    column: listOf('p ps rs'),
  },
}
/** "Back" is a part, too: a seat back. */
const endWords = {
  front: { plain: listOf('front frt delantero delantera vorne'), typed: [] as string[] },
  rear: { plain: listOf('rear trasero trasera hinten'), typed: listOf('back aft') },
} as const
/** Codes of corners that many yards write for an end alone. Beside another side they say nothing of theirs. */
export const endCodes = { fr: 'front', rr: 'rear' } as const
const corners: Readonly<Record<string, readonly [Place, Side]>> = {
  fl: ['front', 'left'],
  lf: ['front', 'left'],
  fr: ['front', 'right'],
  rf: ['front', 'right'],
  rl: ['rear', 'left'],
  lr: ['rear', 'left'],
  rr: ['rear', 'right'],
}

const bySide = (list: keyof SideWords) =>
  sides.flatMap((side) => sideWords[side][list].map((word): [string, Side] => [word, side]))
const byEnd = (list: 'plain' | 'typed') =>
  ends.flatMap((end) => endWords[end][list].map((word): [string, Place] => [word, end]))
const plainSides: ReadonlyMap<string, Side> = new Map(bySide('plain'))
const besideSides: ReadonlyMap<string, Side> = new Map(bySide('beside'))
const plainEnds: ReadonlyMap<string, Place> = new Map(byEnd('plain'))

/** Whether it is the code of a corner, such as "rr". */
export const isCorner = (word: string): boolean => Object.hasOwn(corners, word)

/** Whether a word says which side a part is from and not what it is. There are airbags for drivers and passengers. */
export const isSideWord = (word: string): boolean =>
  (plainSides.has(word) && !/^(?:driver|passenger)s?$/.test(word)) || besideSides.has(word) || isCorner(word)

type PlaceWord = { readonly word: string; readonly places: readonly Place[] }

/** What buyers type for a place: single words, and those that belong together. */
export function buyersPlaceWords(): PlaceWord[] {
  const ofSides = [...bySide('plain'), ...bySide('beside'), ...bySide('typed')]
  const ofEnds = [...byEnd('plain'), ...byEnd('typed')]
  const both = bySide('plain').flatMap(([word, side]) =>
    ofEnds.flatMap(([end, place]) =>
      [`${word} ${end}`, `${end} ${word}`, `${word} side ${end}`, `${end} ${word} side`].map((text) => ({
        word: text,
        places: [place, side],
      })),
    ),
  )
  return [
    ...ofEnds.map(([word, place]) => ({ word, places: [place] })),
    ...ofSides.flatMap(([word, side]) =>
      [word, `${word} side`, `${word} hand`, `${word} hand side`, `lado ${word}`].map((text) => ({
        word: text,
        places: [side],
      })),
    ),
    ...both,
    ...Object.entries(corners).map(([word, of]) => ({ word, places: of })),
  ]
}

/* In a part's name. */

/** An LED driver, a van for passengers, left-hand drive, a radio's receiver and a mirror are on no side or end. */
const ELSEWHERE =
  /\b(?:(?:led|hid|ballast|injector) drivers?|drivers? (?:module|assist|info|information|board|circuit)|\d+ passengers?|passengers? (?:van|wagon|car|cabin|compartment|capacity)|(?:left|right) hand (?:drive|thread)|rf (?:module|receiver|antenna|transmitter)|rear view)\b/g

const ASCII_ONLY = /^[\0-\x7f]*$/
const folded = (text: string): string =>
  (ASCII_ONLY.test(text) ? text : text.normalize('NFKD').replace(/[\p{M}’]/gu, '')).toLowerCase()

/** The words of a folded text. "L/H" and "L.H." are one and "LH/RH" two; a letter at a slash stays with it: "R/T". */
function wordsIn(text: string): string[] {
  const plain = text.replace(/['`]/g, '').replace(/\b([lr])[\s./-]?h\b/g, '$1h')
  const words = plain
    .replace(/[^\p{L}\p{N}/]+/gu, ' ')
    .trim()
    .replace(ELSEWHERE, '-')
    .split(' ')
  return words.flatMap((word) => (word.includes('/') && !LETTER_AT_SLASH.test(word) ? word.split('/') : word))
}
const LETTER_AT_SLASH = /(?:^|\/).(?:\/|$)/

/** Parts that cars have on both sides, in the singular. */
const SIDED = new Set(
  listOf(`apron arm axle bezel caliper door fender flare foglight glass handle headlamp headlight hinge hub knuckle lamp
    latch light lock marker mirror molding moulding panel pillar quarter regulator rocker shock skirt spindle strut
    taillamp taillight visor window`),
)
/** Parts in the middle of a car, whose FR or RR is front or rear; and papers in French. */
const CENTERED = new Set(
  listOf('axle book bumper cradle crossmember decal diff differential label manual seat spoiler subframe'),
)
const among = (nouns: ReadonlySet<string>, word = '') => nouns.has(word.replace(/s$/, ''))
const OTHER_TRIMS = new Set(listOf('hd ls ltz lx sle slt srt ss sxt'))
const OTHER_POSITIONS = new Set(listOf('upper lower inner outer'))

/** "Fender RT", "LT door", "Door, front, LT" */
function isBesidePart(words: readonly string[], at: number): boolean {
  const around = [words[at - 1], words[at + 1]]
  if (around.some((word) => word !== undefined && OTHER_TRIMS.has(word))) return false
  const [before, after] = around
  const isPosition = (word = '') => plainEnds.has(word) || OTHER_POSITIONS.has(word)
  const neighbor = at === 0 ? after : before
  return among(SIDED, neighbor) || (isPosition(neighbor) && words.some((word) => among(SIDED, word)))
}

// Reading a name takes 7 µs; a search counts the sides of 500 listings, and an import marks those of all of its rows.
const MOST_REMEMBERED = 10_000
const remembered = new Map<string, ReadonlySet<Place>>()

/** The places that a part's name says; both sides for a pair. */
function placesIn(name: string): ReadonlySet<Place> {
  const known = remembered.get(name)
  if (known) return known
  const found = placesAmong(wordsIn(folded(name)))
  if (remembered.size >= MOST_REMEMBERED) remembered.clear()
  remembered.set(name, found)
  return found
}

function placesAmong(words: readonly string[]): ReadonlySet<Place> {
  const codes = words.filter(isCorner)
  const plain = words.flatMap((word) => plainSides.get(word) ?? [])
  const beside = words.flatMap((word, at) =>
    besideSides.has(word) && isBesidePart(words, at) ? (besideSides.get(word) ?? []) : [],
  )
  const said = plain.length > 0 ? plain : beside
  const clear = codes.filter((code) => !isEndToo(code))
  const isUnclear = said.length > 0 || (clear.length === 0 && saysEndsOnly(words, codes))
  const sided = isUnclear ? clear : codes
  return new Set<Place>([
    ...words.flatMap((word) => plainEnds.get(word) ?? []),
    ...codes.flatMap((code) => corners[code]?.[0] ?? []),
    ...said,
    ...sided.flatMap((code) => corners[code]?.[1] ?? []),
  ])
}

const isEndToo = (code: string) => Object.hasOwn(endCodes, code)

/** Both FR and RR, or one of them beside a part that is in the middle. */
const saysEndsOnly = (words: readonly string[], codes: readonly string[]): boolean =>
  new Set(codes).size > 1 ||
  words.some(
    (word, at) => isEndToo(word) && [words[at - 1], words[at + 1]].some((beside) => among(CENTERED, beside)),
  )

function onlyOf<T extends Place>(all: readonly [T, T], name: string): T | undefined {
  const found = placesIn(name)
  const [one, ...others] = all.filter((place) => found.has(place))
  return others.length === 0 ? one : undefined
}

/** Increment when a name may say another side than before: `migrate` then marks live listings again. */
export const SIDE_RULES = '1'

/** The side that a part's name says; undefined for a pair, too. */
export const sideOf = (name: string): Side | undefined => onlyOf(sides, name)

/** Front or rear, if the name says one of them. */
export const endOf = (name: string): (typeof ends)[number] | undefined => onlyOf(ends, name)

/* In a yard's column of sides and positions. */

const opposites = [sides, ends, ['upper', 'lower'], ['inner', 'outer']] as const
type Position = (typeof opposites)[number][number] | 'center'

const otherPositions: ReadonlyMap<string, Position> = new Map(
  Object.entries({
    upper: 'upper upr',
    lower: 'lower lwr',
    inner: 'inner inr inside',
    outer: 'outer otr outside',
    center: 'center centre ctr middle',
  }).flatMap(([position, words]) => listOf(words).map((word) => [word, position as Position])),
)
const columnPlaces: ReadonlyMap<string, readonly Position[]> = new Map<string, readonly Position[]>([
  ...[...bySide('plain'), ...bySide('beside'), ...bySide('typed'), ...bySide('column')].map(toList),
  ...[...byEnd('plain'), ...byEnd('typed')].map(toList),
  ...[...otherPositions].map(toList),
  ...Object.entries(corners),
])

function toList<T>([word, position]: readonly [string, T]): [string, T[]] {
  return [word, [position]]
}

const BESIDE_POSITIONS = new Set(listOf('side hand position and only lado seite cote'))
const LONGEST_CELL = 40

const FRENCH_HEADER = /^cotes?$/
const frenchLetters: Readonly<Record<string, string>> = { g: 'gauche', d: 'droite' }

/** D is the driver's side, but under "Côté" it is the right. */
const inWords = (cell: string, header: string): string =>
  (FRENCH_HEADER.test(folded(header)) && frenchLetters[cell.trim().toLowerCase()]) || cell

/** The positions that a cell says; undefined if it is anything else, such as a shelf. */
export function positionsOf(typed: string, header = ''): ReadonlySet<Position> | undefined {
  const cell = inWords(typed, header)
  if (cell.length > LONGEST_CELL) return undefined
  const found = new Set<Position>()
  for (const word of wordsIn(folded(cell.trim()).replace(/\b([dp])\/s\b/g, '$1s'))) {
    const positions = columnPlaces.get(word)
    if (!positions && word !== '' && !BESIDE_POSITIONS.has(word)) return undefined
    for (const position of positions ?? []) found.add(position)
  }
  return found.size > 0 ? found : undefined
}

function positionsIn(name: string): ReadonlySet<Position> {
  const words = wordsIn(folded(name))
  return new Set<Position>([
    ...placesAmong(words),
    ...words.flatMap((word) => otherPositions.get(word) ?? []),
  ])
}

/**
 * A part's name with what a cell of its row says of its position, in the yard's own words; undefined if the cell says
 * nothing new. 'contradiction' if the name says the opposite.
 */
export function withPosition(
  name: string,
  ofColumn: string,
  header = '',
): { name: string; added: string } | 'contradiction' | undefined {
  const cell = inWords(ofColumn, header)
  const positions = positionsOf(cell)
  if (!positions) return undefined
  const said = positionsIn(name)
  // Beside the cell's side, the RR of "RR Door" is the rear.
  const together = positionsIn(`${name} ${spelledOut(positions)}`)
  for (const [one, other] of opposites) {
    const isOpposite = said.has(one) !== said.has(other) && positions.has(said.has(one) ? other : one)
    if (isOpposite && together.has(one) && together.has(other)) return 'contradiction'
  }
  if ([...positions].every((position) => said.has(position))) return undefined
  const typed = cell.trim().replace(/\s+/g, ' ')
  const own = typed.length <= 3 ? typed.toUpperCase() : typed
  const read = positionsIn(`${name} ${own}`)
  const isRead = own.length > 1 && [...positions].every((position) => read.has(position))
  const added = isRead || isEndToo(own.toLowerCase()) ? own : spelledOut(positions)
  return { name: `${name} ${added}`, added }
}

/** For letters, and words that would say nothing in a name: "Front LH". */
const spelledOut = (positions: ReadonlySet<Position>): string =>
  (Object.keys(spelled) as Position[]).flatMap((one) => (positions.has(one) ? spelled[one] : [])).join(' ')

const spelled: Readonly<Record<Position, string>> = {
  front: 'Front',
  rear: 'Rear',
  center: 'Center',
  upper: 'Upper',
  lower: 'Lower',
  inner: 'Inner',
  outer: 'Outer',
  left: 'LH',
  right: 'RH',
}
