import { nameReader, shapesOf } from '#contract/column-mapping/value-shapes.ts'

/*
 * A line above parts that says which car they are from: "2010 Nissan Altima 2.5 S   Stk B1001   196,838 miles   red".
 */

export type Donor = Record<'year' | 'make' | 'model' | 'trim' | 'stock' | 'miles' | 'vin', string>

const VIN = /\b(?=[A-Z]*\d)[A-HJ-NPR-Z0-9]{17}\b/i
const STOCK =
  /(?:\b(?:stk|stock|unit|tag|inv(?:entory)?|veh(?:icle)?|car|donor|ref)\b\.?\s*(?:no\b|num(?:ber)?\b|id\b)?[\s.:#-]*|#\s*)([A-Z]{0,4}-?\d[A-Z0-9-]*)/i
const DISTANCE = '\\d{1,3}(?:,\\d{3})+|\\d{3,6}|\\d{1,3}(?:\\.\\d)?\\s?k'
const MILES = new RegExp(
  `(?:\\b(?:miles|mileage|odo(?:meter)?|mi)\\b[\\s.:]*)(${DISTANCE})(?![\\d,])(?:\\s*(kms?|kilomet\\w+)\\b)?|(?<![\\d,.])(${DISTANCE})\\s*(?:(?:miles?|mi|mls)\\b\\.?|(kms?|kilomet\\w+)\\b)`,
  'i',
)
const LABEL = /\b(?:year|yr|make|model|vehicle|car|donor|vin|trim|style|color|colour|ext|int)\s*[:#]\s*/gi
const YEAR = /(?<![\d-])((?:19[5-9]|20[0-4])\d)(?![\d-])/
const SHORT_YEAR = /^['’]?(\d\d)(?=\s+\p{L})/u
const BETWEEN = /\s{2,}|\s[-–|/]\s|[|;,()]/

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
  const distance = cut(MILES.exec(text))
  const stock = cut(STOCK.exec(text))?.[1] ?? ''
  text = text.replaceAll(LABEL, '   ').trim()
  const year = cut(YEAR.exec(text))?.[1] ?? fullYear(cut(SHORT_YEAR.exec(text))?.[1])
  if (year === undefined) return undefined
  const car = readCar(text)
  if (!car) return undefined
  const [, before, unitBefore, behind, unitBehind] = distance ?? []
  const unit = unitBefore ?? unitBehind
  const number = before ?? behind ?? ''
  return { year, ...car, stock, miles: unit ? `${number} ${unit}` : number, vin: vin.toUpperCase() }
}

/** "05" is 2005 and "98" is 1998, as far as cars in yards go. */
const fullYear = (short: string | undefined): string | undefined =>
  short === undefined ? undefined : `${Number(short) > 50 ? '19' : '20'}${short}`

function readCar(text: string): Pick<Donor, 'make' | 'model' | 'trim'> | undefined {
  const pieces = text
    .split(BETWEEN)
    .map((piece) => piece.trim().split(/\s+/).filter(Boolean))
    .filter((words) => words.length > 0)
  for (const [at, words] of pieces.entries()) {
    const found = makeIn(words)
    if (!found) continue
    const behind = words.slice(found.end)
    // "Make: Nissan   Model: Altima" has the model in the next piece.
    const rest = behind.length > 0 ? behind : (pieces[at + 1] ?? [])
    if (rest.length === 0 || namesPart(rest)) return undefined
    return { make: found.make, ...modelAndTrim(rest) }
  }
  const [first = []] = pieces
  if (first.length === 0 || !isModel(first.slice(0, 1)) || namesPart(first)) return undefined
  return { make: '', ...modelAndTrim(first) }
}

const isModel = (words: readonly string[]) => readNames(words.join(' ')).includes('model')

/** The first make in some words, and the index of the word behind it. */
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
/** A title of a part is no car: "2012 Ford F-150 Tailgate". */
function namesPart(words: readonly string[]): boolean {
  const last = words.join(' ').replaceAll(DOORS, '').trim().split(/\s+/).at(-1) ?? ''
  return last !== '' && !isModel([last]) && !OF_CARS.test(last) && readNames(last).includes('partWords')
}
const OF_CARS = /^(?:cab|bed|engine|motor|trans|body|auto|box|base|key|frame)$/i

/** A model in our list with its number, else all words up to a trim. */
function modelAndTrim(words: readonly string[]): Pick<Donor, 'model' | 'trim'> {
  let end = 0
  for (let count = Math.min(words.length, 3); count > 0 && end === 0; count--) {
    if (isModel(words.slice(0, count))) end = count
  }
  if (end > 0) while (/^(?:\d{3,4}(?:hd)?|hd)$/i.test(words[end] ?? '')) end += 1
  else {
    const trim = words.findIndex(
      (word, at) => at > 0 && (shapesOf(word).includes('trim') || /^\d\.\d/.test(word)),
    )
    end = trim === -1 ? words.length : trim
  }
  return { model: words.slice(0, end).join(' '), trim: words.slice(end).join(' ') }
}
