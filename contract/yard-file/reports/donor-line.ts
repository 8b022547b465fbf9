import { nameReader, shapesOf } from '#contract/column-mapping/value-shapes.ts'

/*
 * A line above parts that names their car: "2010 Nissan Altima 2.5 S   Stk B1001   196,838 miles   red".
 */

export type Donor = Record<'year' | 'make' | 'model' | 'trim' | 'stock' | 'miles' | 'vin', string>

const VIN = /\b(?=[A-Z]*\d)[A-HJ-NPR-Z0-9]{17}\b/i
const STOCK =
  /(?:\b(?:stk|stock|unit|tag|inv(?:entory)?)\b\.?\s*(?:no\b|num(?:ber)?\b|id\b)?[\s.:#-]*|#\s*)([A-Z]{0,4}-?\d[A-Z0-9-]*)/i
const DISTANCE = '\\d{1,3}(?:,\\d{3})+|\\d{3,6}|\\d{1,3}(?:\\.\\d)?\\s?k'
const KILOMETERS = '(?:\\s*(kms?|kilomet\\w+)\\b)'
/** "Miles: 120,333", then "120,333 miles". */
const MILES = [
  new RegExp(
    `\\b(?:miles|mileage|odo(?:meter)?|mi)\\b\\s*[.:]+\\s*(${DISTANCE})(?![\\d,])${KILOMETERS}?`,
    'i',
  ),
  new RegExp(`\\b(?:mileage|odo(?:meter)?)\\s+(${DISTANCE})(?![\\d,])${KILOMETERS}?`, 'i'),
  new RegExp(`(?<![\\w,.-])(${DISTANCE})(?:\\s*(?:miles?|mi|mls)\\b\\.?|${KILOMETERS})`, 'i'),
]
const LABEL = /\b(?:year|yr|make|model|vehicle|car|donor|vin|trim|style|color|colour|ext|int)\s*[:#]\s*/gi
/** At the end, a car's color is no trim. */
const COLOR =
  /(?<=\S[\s,(-]+)(?:(?:dark|light|pearl|metallic)\s+)?(?:black|white|silver|gr[ae]y|red|blue|green|gold|maroon|brown|beige|tan|orange|yellow|purple|burgundy|champagne)(?=[\s),]*$)/i
const YEAR = /(?<![\d-])((?:19[5-9]|20[0-4])\d)(?![\d-])/
const SHORT_YEAR = /^['’]?(\d\d)(?=\s+\p{L})/u
const BETWEEN = /\s{2,}|\s[-–|/]\s|[|;()]|,(?!\d{3}(?!\d))/

const readNames = nameReader(undefined)
const LONGEST = 200
const MAX_MAKE_WORDS = 3

/** The car that a line names; undefined if it names none, or a part of one. */
export function readDonor(line: string): Donor | undefined {
  if (line.length > LONGEST || !/\d\d/.test(line)) return undefined
  let text = line.trim()
  const cut = (found: RegExpExecArray | null): RegExpExecArray | null => {
    if (found) text = `${text.slice(0, found.index)}   ${text.slice(found.index + found[0].length)}`
    return found
  }
  const vin = cut(VIN.exec(text))?.[0] ?? ''
  const [, number = '', kilometers] = firstOf(MILES, text, cut) ?? []
  const stock = cut(STOCK.exec(text))?.[1] ?? ''
  text = text.replaceAll(LABEL, '   ').replace(COLOR, '   ').trim()
  const year = cut(YEAR.exec(text))?.[1] ?? fullYear(cut(SHORT_YEAR.exec(text))?.[1])
  if (year === undefined) return undefined
  const { pieces, loose } = piecesOf(text)
  const car = readCar(pieces, { isSure: `${vin}${stock}${number}` !== '' })
  if (!car) return undefined
  return {
    year,
    ...car,
    stock: stock || (loose.find((piece) => BARE_STOCK.test(piece)) ?? ''),
    miles: kilometers
      ? `${number} ${kilometers}`
      : number || (loose.find((piece) => BARE_MILES.test(piece)) ?? ''),
    vin: vin.toUpperCase(),
  }
}

function firstOf(
  patterns: readonly RegExp[],
  text: string,
  cut: (found: RegExpExecArray | null) => RegExpExecArray | null,
): RegExpExecArray | undefined {
  const found = patterns.map((pattern) => pattern.exec(text)).find((match) => match !== null)
  return found && (cut(found) ?? undefined)
}

/** Values between separators, without a word that explains them: "05 Camry / T4100 / 136k". */
const BARE_STOCK = /^[A-Z]{1,4}-?\d{3,}(?:-\w+)*$/i
const BARE_MILES = /^\d{1,3},\d{3}$|^\d{1,3}\s?k$/i

/** The text between separators, and the numbers that are alone or at the end there. */
function piecesOf(text: string): { pieces: string[]; loose: string[] } {
  const loose: string[] = []
  const pieces = text.split(BETWEEN).map((piece) => {
    const words = piece.trim().split(/\s+/)
    let last = words.at(-1) ?? ''
    while ((BARE_STOCK.test(last) || BARE_MILES.test(last)) && !isOnlyModel(words)) {
      loose.unshift(last)
      words.pop()
      last = words.at(-1) ?? ''
    }
    return words.join(' ')
  })
  return { pieces, loose }
}

/** "F-150" behind "Ford" or alone is the model, although it looks like a stock number. */
const isOnlyModel = (words: readonly string[]): boolean =>
  words.length === 1 ? isModel(words) : makeIn(words.slice(0, -1))?.end === words.length - 1

/** "05" is 2005 and "98" is 1998, as far as cars in yards go. */
const fullYear = (short: string | undefined): string | undefined =>
  short === undefined ? undefined : `${Number(short) > 50 ? '19' : '20'}${short}`

/** @param isSure whether a number of the car is next to it */
function readCar(
  texts: readonly string[],
  { isSure }: { isSure: boolean },
): Pick<Donor, 'make' | 'model' | 'trim'> | undefined {
  const pieces = texts.map((piece) => piece.split(/\s+/).filter(Boolean)).filter((words) => words.length > 0)
  const at = pieces.findIndex((words) => makeIn(words) !== undefined)
  const own = pieces[at] ?? pieces[0] ?? []
  const others = pieces.filter((words, place) => words !== own && (place < at || !isSure))
  // "Rear door off 2012 Ford Focus" is a part.
  if (others.some((words) => namesPart(words))) return undefined
  const found = makeIn(own)
  if (!found)
    return isModel(own.slice(0, 1)) && !namesPart(own) ? { make: '', ...modelAndTrim(own) } : undefined
  const behind = own.slice(found.end)
  // "Make: Nissan   Model: Altima" has the model in the next piece.
  const rest = behind.length > 0 ? behind : (pieces[at + 1] ?? [])
  return rest.length === 0 || namesPart(rest) ? undefined : { make: found.make, ...modelAndTrim(rest) }
}

const isModel = (words: readonly string[]) => readNames(words.join(' ')).includes('model')

/** The first make in some words, and the index of the word after it. */
function makeIn(words: readonly string[]): { make: string; end: number } | undefined {
  for (let from = 0; from < Math.min(words.length, 2); from++) {
    for (let count = MAX_MAKE_WORDS; count > 0; count--) {
      const make = words.slice(from, from + count).join(' ')
      if (from + count <= words.length && readNames(make).includes('make')) return { make, end: from + count }
    }
  }
  return undefined
}

const DOORS = /\b[2-5][\s-]?(?:dr|doors?)\b/gi
const isTrim = (text: string) =>
  shapesOf(text).includes('trim') ||
  /^\d\.\d|^(?:4x4|[4afr]wd|x?drive\w*|quattro|\d?matic|4matic)$/i.test(text)

/** A part's title is not a car: "2012 Ford F-150 Tailgate". */
function namesPart(words: readonly string[]): boolean {
  const named = words.join(' ').replaceAll(DOORS, '').trim().split(/\s+/)
  const last = named.at(-1) ?? ''
  if (last === '' || isModel([last]) || OF_CARS.test(last) || isTrim(named.slice(-2).join(' '))) return false
  return named.some((word) => readNames(word).includes('partWords')) && !isTrim(last)
}
const OF_CARS = /^(?:cab|bed|engine|motor|trans|body|auto|box|base|key|frame|car)$/i

/** A model in our list with its number, else all words up to a trim. */
function modelAndTrim(words: readonly string[]): Pick<Donor, 'model' | 'trim'> {
  let end = 0
  for (let count = Math.min(words.length, 3); count > 0 && end === 0; count--) {
    if (isModel(words.slice(0, count))) end = count
  }
  if (end === 0) end = firstTrim(words)
  else while (/^(?:\d{3,4}(?:hd)?|hd)$/i.test(words[end] ?? '')) end += 1
  return { model: words.slice(0, end).join(' '), trim: words.slice(end).join(' ') }
}

/** The index of the first word that is a trim, alone or with the next. */
function firstTrim(words: readonly string[]): number {
  const at = words.findIndex(
    (word, place) => place > 0 && (isTrim(word) || isTrim(words.slice(place, place + 2).join(' '))),
  )
  return at === -1 ? words.length : at
}
