import { foldText } from './names.ts'
import type { WordRoles } from './words.ts'

/*
 * Where on a car a part sits: its side, its end, and other positions. Whatever reads a side asks here: the marks of listings,
 * buyers' words, yards' columns of sides, and the matching of part names with categories.
 */

export type Side = 'left' | 'right'
export type End = 'front' | 'rear'
export type Place = End | Side
const ends = ['front', 'rear'] as const
const sides = ['left', 'right'] as const
const opposites = [sides, ends, ['upper', 'lower'], ['inner', 'outer']] as const
type Position = (typeof opposites)[number][number] | 'center'

/** What a word may mean: "left", "front left". */
export const placeNames: readonly string[] = [
  ...sides,
  ...ends,
  ...ends.flatMap((end) => sides.map((side) => `${end} ${side}`)),
]

type PlaceWord = { readonly word: string; readonly places: readonly Place[] }

export type Places = {
  /** The side in a part's name; undefined also for a pair. */
  sideOf(name: string): Side | undefined
  /** Front or rear, if the name contains one of them. */
  endOf(name: string): End | undefined
  /** The positions in a cell of a sides column; undefined for anything else, such as a shelf. */
  positionsOf(cell: string, header?: string): ReadonlySet<Position> | undefined
  /**
   * A part's name with the position from a cell of its row, in the yard's own words; undefined if the cell adds
   * nothing. 'contradiction' if the name has the opposite.
   */
  withPosition(
    name: string,
    cell: string,
    header?: string,
    corners?: readonly string[],
  ): { name: string; added: string } | 'contradiction' | undefined
  /** Which of the codes that may be ends only are corners among the values of a column of sides: FR beside FL. */
  cornersAmong(cells: readonly string[]): ('fr' | 'rr')[]
  /** Whether a column has fronts and rears by its name: "F/R". */
  isOfEnds(header: string): boolean
  /** The words with "left" for the German "links", which next to other words means sway bar links. */
  inEnglish(words: readonly string[]): readonly string[]
  /** How buyers write a position: single words and phrases. */
  readonly typed: readonly PlaceWord[]
  /** Whether it is the code of a corner, such as "rr". */
  isCorner(word: string): boolean
  /** Whether a word is the side of a part rather than its type: there are driver and passenger airbags. */
  isSideWord(word: string): boolean
}

/*
 * How words express a position. `plain`: anywhere in a name. `beside`: also trims and letters, so in a name only
 * beside a part that cars have on both sides ("Fender RT", not "Emblem RT"). `typed`: something else in names
 * ("piloto trasero"), but not if a buyer types it; without spaces. `column`: something else in a search, too ("sway
 * bar links"), but not in a column of sides.
 */
type SaidBy = 'plain' | 'beside' | 'typed' | 'column'

type PlaceWords = {
  readonly by: (how: SaidBy) => readonly (readonly [string, Place])[]
  readonly plainSides: ReadonlyMap<string, Side>
  readonly besideSides: ReadonlyMap<string, Side>
  readonly plainEnds: ReadonlyMap<string, End>
  readonly corners: ReadonlyMap<string, readonly [End, Side]>
  /** Corner codes that many yards use for front or rear only. Next to another side, their own side is ignored. */
  readonly endCodes: ReadonlySet<string>
  readonly otherPositions: ReadonlyMap<string, Position>
  readonly besidePositions: ReadonlySet<string>
  /** Parts that cars have on both sides, and parts in the middle, whose FR or RR is front or rear; in the singular. */
  readonly sided: ReadonlySet<string>
  readonly centered: ReadonlySet<string>
  readonly trims: ReadonlySet<string>
  /** Words between a part's noun and a letter at the end of its name: "assembly". */
  readonly between: ReadonlySet<string>
  /** Sides only in a name with one of these words. */
  readonly foreignSides: ReadonlyMap<string, Side>
  readonly foreignWords: ReadonlySet<string>
}

const isSide = (place: string): place is Side => place === 'left' || place === 'right'

function readPlaceWords(words: WordRoles): PlaceWords {
  const by = (how: SaidBy) => words.meanings(`place ${how}`) as readonly (readonly [string, Place])[]
  const sidesBy = (how: SaidBy) =>
    by(how).flatMap(([word, place]) => (isSide(place) ? [[word, place] as const] : []))
  return {
    by,
    plainSides: new Map(sidesBy('plain')),
    besideSides: new Map(sidesBy('beside')),
    plainEnds: new Map(
      by('plain').flatMap(([word, place]) => (isSide(place) ? [] : [[word, place] as const])),
    ),
    corners: new Map(
      words
        .meanings('corner')
        .map(([word, means]) => [word, means.split(' ') as unknown as readonly [End, Side]]),
    ),
    endCodes: words.set('end code'),
    otherPositions: new Map(words.meanings('position') as readonly (readonly [string, Position])[]),
    besidePositions: words.set('beside position'),
    sided: words.set('sided part'),
    centered: words.set('centered part'),
    trims: words.set('trim like a side'),
    between: new Set([...words.list('look'), ...words.list('between part and side')]),
    foreignSides: new Map(words.meanings('place behind foreign') as readonly (readonly [string, Side])[]),
    foreignWords: words.set('foreign word'),
  }
}

/** “Pass” alone may be a highway pass or a passenger; with “side” it is one. */
const inFull = (folded: string): string =>
  folded.includes('side')
    ? folded
        .replace(/\bpas(?:s|sgr)?\.?[ -]side\b/g, 'passenger side')
        .replace(/\bdrv(?:r|rs)?\.?[ -]side\b/g, 'driver side')
    : folded

// Reading a name takes 7 µs; a search counts the sides of 500 listings, and an import marks those of all of its rows.
const MOST_REMEMBERED = 10_000

export function openPlaces(roles: WordRoles): Places {
  const words = readPlaceWords(roles)
  const remembered = new Map<string, ReadonlySet<Place>>()
  const placesIn = (name: string): ReadonlySet<Place> => {
    const known = remembered.get(name)
    if (known) return known
    const found = placesAmong(wordsIn(inFull(foldText(name))), words)
    if (remembered.size >= MOST_REMEMBERED) remembered.clear()
    remembered.set(name, found)
    return found
  }
  const onlyOf = <T extends Place>(all: readonly [T, T], name: string): T | undefined => {
    const found = placesIn(name)
    const [one, ...others] = all.filter((place) => found.has(place))
    return others.length === 0 ? one : undefined
  }
  const column = new ColumnPlaces(words, new Set(roles.list('end column')))
  return {
    sideOf: (name) => onlyOf(sides, name),
    endOf: (name) => onlyOf(ends, name),
    positionsOf: (cell, header = '') => column.positionsOf(cell, header),
    withPosition: (name, cell, header = '', corners = []) =>
      column.withPosition(name, { cell, header, corners }),
    cornersAmong,
    typed: typedPlaces(words),
    isOfEnds: (header) => column.isOfEnds(header),
    inEnglish: (text) => inEnglish(text, words),
    isCorner: (word) => words.corners.has(word),
    isSideWord: (word) =>
      (words.plainSides.has(word) && !/^(?:driver|passenger)s?$/.test(word)) ||
      words.besideSides.has(word) ||
      words.corners.has(word),
  }
}

function typedPlaces({ by, plainSides, corners }: PlaceWords): PlaceWord[] {
  const typed = (['plain', 'beside', 'typed'] as const).flatMap(by)
  const ofEnds = typed.filter(([, place]) => !isSide(place))
  const both = [...plainSides].flatMap(([word, side]) =>
    ofEnds.flatMap(([end, place]) =>
      [`${word} ${end}`, `${end} ${word}`, `${word} side ${end}`, `${end} ${word} side`].map((text) => ({
        word: text,
        places: [place, side],
      })),
    ),
  )
  return [
    ...ofEnds.map(([word, place]) => ({ word, places: [place] })),
    ...typed
      .filter(([, place]) => isSide(place))
      .flatMap(([word, side]) =>
        [word, `${word} side`, `${word} hand`, `${word} hand side`, `lado ${word}`, `lado del ${word}`].map(
          (text) => ({
            word: text,
            places: [side],
          }),
        ),
      ),
    ...both,
    ...Array.from(corners, ([word, of]) => ({ word, places: of })),
  ]
}

/* In a part's name. */

/** An LED driver, a van for passengers, left-hand drive, a radio's receiver and a mirror are on no side or end. */
const ELSEWHERE =
  /\b(?:(?:led|hid|ballast|injector) drivers?|drivers? (?:module|assist|info|information|board|circuit)|\d+ passengers?|passengers? (?:van|wagon|car|cabin|compartment|capacity)|(?:left|right) hand (?:drive|thread)|rf (?:module|receiver|antenna|transmitter)|rear view)\b/g

/** The words of a folded text. "L/H" and "L.H." are one and "LH/RH" two; a letter at a slash stays with it: "R/T". */
function wordsIn(text: string): string[] {
  const plain = text.replace(/['’`]/g, '').replace(/\b([lr])[\s./-]?h\b/g, '$1h')
  const words = plain
    .replace(/[^\p{L}\p{N}/]+/gu, ' ')
    .trim()
    .replace(ELSEWHERE, '-')
    .split(' ')
  return words.flatMap((word) => (word.includes('/') && !LETTER_AT_SLASH.test(word) ? word.split('/') : word))
}
const LETTER_AT_SLASH = /(?:^|\/).(?:\/|$)/

const among = (nouns: ReadonlySet<string>, word = '') => nouns.has(word.replace(/s$/, ''))

const LONGEST_TRIM = 2

/** "Fender RT", "LT door", "Door, front, LT" */
function isBesidePart(
  words: readonly string[],
  at: number,
  { sided, trims, between, plainEnds, otherPositions }: PlaceWords,
) {
  const around = [words[at - 1], words[at + 1]]
  if (around.some((word) => word !== undefined && trims.has(word))) return false
  const [before, after] = around
  const isPosition = (word = '') => plainEnds.has(word) || (otherPositions.get(word) ?? 'center') !== 'center'
  const neighbor = at === 0 ? after : before
  // "Tail light assembly L"
  const isLast = words[at]?.length === 1 && after === undefined && between.has(before ?? '')
  // “Pass cv axle”: no trim, but a highway pass has no parts with sides either.
  const isWord = (words[at]?.length ?? 0) > LONGEST_TRIM
  if ((isLast || isWord) && words.some((word) => among(sided, word))) return true
  return among(sided, neighbor) || (isPosition(neighbor) && words.some((word) => among(sided, word)))
}

/** "Kotflügel links", and not "sway bar links". */
function inEnglish(words: readonly string[], { foreignSides, foreignWords }: PlaceWords): readonly string[] {
  if (!words.some((word) => foreignSides.has(word)) || !words.some((word) => foreignWords.has(word)))
    return words
  return words.map((word) => foreignSides.get(word) ?? word)
}

/** The positions in a part's name; both sides for a pair. */
function placesAmong(typed: readonly string[], known: PlaceWords): ReadonlySet<Place> {
  const words = inEnglish(typed, known)
  const { plainSides, besideSides, plainEnds, corners, endCodes } = known
  const codes = words.filter((word) => corners.has(word))
  const plain = words.flatMap((word) => plainSides.get(word) ?? [])
  const beside = words.flatMap((word, at) => {
    const side = besideSides.get(word)
    return side && isBesidePart(words, at, known) ? side : []
  })
  const said = plain.length > 0 ? plain : beside
  const clear = codes.filter((code) => !endCodes.has(code))
  const isUnclear = said.length > 0 || (clear.length === 0 && saysEndsOnly(words, codes, known))
  const sided = isUnclear ? clear : codes
  return new Set<Place>([
    ...words.flatMap((word) => plainEnds.get(word) ?? []),
    ...codes.flatMap((code) => corners.get(code)?.[0] ?? []),
    ...said,
    ...sided.flatMap((code) => corners.get(code)?.[1] ?? []),
  ])
}

/** Both FR and RR, or one of them beside a part that is in the middle. */
const saysEndsOnly = (
  words: readonly string[],
  codes: readonly string[],
  { endCodes, centered, between }: PlaceWords,
): boolean =>
  new Set(codes).size > 1 ||
  words.some(
    (word, at) =>
      endCodes.has(word) &&
      [words.slice(0, at).findLast((before) => !between.has(before)), words[at + 1]].some((beside) =>
        among(centered, beside),
      ),
  )

/**
 * Increment when a name's side or end may be read differently than before: `migrate` then marks live listings again.
 */
export const SIDE_RULES = '6'

/* In a yard's column of sides and positions. */

const LONGEST_CELL = 40
const LONGEST_LETTERS = 2
const plainHeader = (header: string) => foldText(header).replaceAll(/[^\p{L}\p{N}]+/gu, '')
const FRENCH_HEADER = /^cotes?$/
const frenchLetters: Readonly<Record<string, string>> = { g: 'gauche', d: 'droite' }

const endLetters: Readonly<Record<string, string>> = {
  f: 'Front',
  r: 'Rear',
  b: 'Rear',
  fr: 'Front',
  rr: 'Rear',
}

class ColumnPlaces {
  readonly #words: PlaceWords
  readonly #endHeaders: ReadonlySet<string>
  readonly #positions: ReadonlyMap<string, readonly Position[]>

  constructor(words: PlaceWords, endHeaders: ReadonlySet<string>) {
    this.#words = words
    this.#endHeaders = endHeaders
    const toList = ([word, position]: readonly [string, Position]) => [word, [position]] as const
    this.#positions = new Map<string, readonly Position[]>([
      ...(['plain', 'beside', 'typed', 'column'] as const).flatMap(words.by).map(toList),
      ...[...words.otherPositions].map(toList),
      ...words.corners,
    ])
  }

  isOfEnds(header: string): boolean {
    return this.#endHeaders.has(plainHeader(header))
  }

  /** D is the driver's side, but under "Côté" it is the right; the R of a column "F/R" is the rear. */
  #inWords(cell: string, header: string): string {
    const letter = cell.trim().toLowerCase()
    if (letter.length > LONGEST_LETTERS) return cell
    if (this.isOfEnds(header)) return endLetters[letter] ?? cell
    return (FRENCH_HEADER.test(foldText(header)) && frenchLetters[letter]) || cell
  }

  positionsOf(typed: string, header: string): ReadonlySet<Position> | undefined {
    const cell = this.#inWords(typed, header)
    if (cell.length > LONGEST_CELL) return undefined
    const found = new Set<Position>()
    for (const word of wordsIn(foldText(cell.trim()).replace(/\b([dpno])\/s\b/g, '$1s'))) {
      const positions = this.#positions.get(word)
      if (!positions && word !== '' && !this.#words.besidePositions.has(word)) return undefined
      for (const position of positions ?? []) found.add(position)
    }
    return found.size > 0 ? found : undefined
  }

  withPosition(
    name: string,
    { cell: ofColumn, header, corners }: { cell: string; header: string; corners: readonly string[] },
  ): ReturnType<Places['withPosition']> {
    const cell = this.#inWords(ofColumn, header)
    const positions = this.positionsOf(cell, '')
    if (!positions) return undefined
    const said = this.#positionsIn(name)
    // Beside the cell's side, the RR of "RR Door" is the rear.
    const together = this.#positionsIn(`${name} ${spelledOut(positions)}`)
    for (const [one, other] of opposites) {
      const isOpposite = said.has(one) !== said.has(other) && positions.has(said.has(one) ? other : one)
      if (isOpposite && together.has(one) && together.has(other)) return 'contradiction'
    }
    if ([...positions].every((position) => said.has(position))) return undefined
    const typed = cell.trim().replace(/\s+/g, ' ')
    const own = typed.length <= 3 ? typed.toUpperCase() : typed
    const read = this.#positionsIn(`${name} ${own}`)
    // "Links" may be those of a sway bar; names of earlier files have LH for it, too.
    const { foreignSides, plainSides } = this.#words
    const isPlain = wordsIn(foldText(own)).every((word) => !foreignSides.has(word) || plainSides.has(word))
    const isRead = own.length > 1 && isPlain && [...positions].every((position) => read.has(position))
    const code = own.toLowerCase()
    const isEnd = this.#words.endCodes.has(code) && !corners.includes(code)
    const added = isRead || isEnd ? own : spelledOut(positions)
    return { name: `${name} ${added}`, added }
  }

  #positionsIn(name: string): ReadonlySet<Position> {
    const words = wordsIn(foldText(name))
    return new Set<Position>([
      ...placesAmong(words, this.#words),
      ...words.flatMap((word) => this.#words.otherPositions.get(word) ?? []),
    ])
  }
}

const DRIVER = "driv(?:er)?(?:'?s)?|drv(?:r|rs)?"
const PASSENGER = "pass(?:enger)?(?:'?s)?|psgr"
const IN_NAME = [
  new RegExp(`\\b(?:${DRIVER})[ -]?side\\b`, 'gi'),
  new RegExp(`\\b(?:${PASSENGER})[ -]?side\\b`, 'gi'),
] as const
const IN_CELL = [
  new RegExp(`\\b(?:(?:${DRIVER})(?:[ -]?side)?|d[ ./-]?s(?:ide)?|d)\\b`, 'gi'),
  new RegExp(`\\b(?:(?:${PASSENGER})(?:[ -]?side)?|p[ ./-]?s(?:ide)?|p)\\b`, 'gi'),
] as const

/** Where the driver sits on the right, a name or a cell of sides with the sides that “driver” and “passenger” are. */
export function withDriverOnRight(text: string, of: 'name' | 'cell'): string {
  const [driver, passenger] = of === 'cell' ? IN_CELL : IN_NAME
  return text.replace(driver, 'RH').replace(passenger, 'LH')
}

/** With the end first, FL, FR, RL and RR are corners; with the side first, LF, RF, LR and RR. */
function cornersAmong(cells: readonly string[]): ('fr' | 'rr')[] {
  const codes = new Set(cells.map((cell) => cell.trim().toLowerCase()))
  const [isEndFirst, isSideFirst] = [codes.has('fl') || codes.has('rl'), codes.has('lf') || codes.has('lr')]
  return (['fr', 'rr'] as const).filter(
    (code) => codes.has(code) && isEndFirst !== isSideFirst && (isEndFirst || code === 'rr'),
  )
}

/** For letters, and words that would mean nothing in a name: "Front LH". */
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
