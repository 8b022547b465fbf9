import { nameReader } from '#contract/column-mapping/value-shapes.ts'
import { type Donor, readDonor } from './donor-line.ts'
import type { Ruler } from './ruler.ts'

/*
 * A list as people type it: a line names a car, and each line below it is a part with its price at the end, with or without
 * a bullet: "• Left headlight - $85". Or each line is all of it: "2014 Impala - radiator - $85".
 */

/** Whether amounts have a dollar sign, or stand bare at the ends of the lines. */
type Amounts = NonNullable<Ruler['typed']>

const titledColumns = ['Title', 'Price', 'Remarks']
const columns = ['Part', 'Price', 'Remarks', 'Year', 'Make', 'Model', 'Trim', 'Stock number', 'Miles', 'VIN']
const carKeys = ['year', 'make', 'model', 'trim', 'stock', 'miles', 'vin'] as const satisfies (keyof Donor)[]
const NO_CAR = carKeys.map(() => '')

type Item = { readonly name: string; readonly price: string; readonly remark: string }

/** What a chat on a phone writes before each message of its export: “[11/28/26, 8:14:03 AM] Mike: ”. */
const STAMP =
  /^[\s\u200e\u200f]*\[?\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4},?\s+\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:\s?[ap]\.?\s?m\.?)?\]?\s*[-–]?\s*[^:$]{1,40}:\s/iu

/** “07 tundra” and “99-04 mustang”, as people type the years of a list. */
const SHORT_YEARS = /^['’]?(\d\d)(?:\s?[-–]\s?['’]?(\d\d))?(?=\s+\p{L}[\p{L}\d-]*\s)/u
const inFull = (year: string) => `${Number(year) >= FIRST_OF_CENTURY ? '19' : '20'}${year}`
const FIRST_OF_CENTURY = 50

/** A line as it was typed, with its years in full if it is all of a part. */
function plainLine(line: string, isTitled: boolean): string {
  const typed = line.replace(STAMP, '')
  if (!isTitled || TITLED_YEAR.test(typed)) return typed
  return typed
    .trimStart()
    .replace(SHORT_YEARS, (_, from: string, to?: string) => [from, to ?? []].flat().map(inFull).join('-'))
}

const BULLET = /^\s*(?:[-–—*•·‣◦▪●○>+]+|\(?\d{1,2}[.)]|\[[ x]?\])\s+/u
const SIGNED = /\$\s?\d[\d,]*(?:\.\d+)?(?:\s?k\b)?/gi
/** Behind two spaces, a colon, a dash or dots: an amount; behind one space only where the list has no signs. */
const BARE =
  /(?:\s{2,}|\s*[:=…]+\s*|\s+[-–—]+\s*|\s*\.{2,}\s*|\t)(\d{1,3}(?:,\d{3})+|\d{1,5})(\.\d\d)?(\s?k)?(?=\s|$)/i
const LAST_BARE = /\s(\d{1,3}(?:,\d{3})+|\d{2,5})(\.\d\d)?(\s?k)?(?=\s*(?:obo|firm|ea(?:ch)?|sold)?\W*$)/i
/** What stands where the price would. */
const NO_AMOUNT =
  /(?:\s{2,}|\s*[:=…]+\s*|\s+[-–—]+\s*|\s*\.{2,}\s*|\t)((?:call|ask|text|free|sold|tbd|poa|make (?:an )?offer|hold|on hold|pending)\b.*)$/i
const LONGEST_REMARK = 60
const LONGEST_LINE = 300
const MOST_WORDS = 14

/** A line's part, amount and what stands behind it; undefined if it has no amount. */
function itemIn(line: string, amounts: Amounts): Item | undefined {
  if (line.length > LONGEST_LINE) return undefined
  const isBulleted = BULLET.test(line)
  const text = line.replace(BULLET, '').trim()
  const signed = [...text.matchAll(SIGNED)]
  if (signed.length > 0) {
    const [only] = signed
    // Of two amounts nobody knows which one a buyer pays.
    if (signed.length > 1 || !only) return { name: text, price: '', remark: '' }
    return itemAt(text, only.index, only[0])
  }
  const words = NO_AMOUNT.exec(text)
  if (words) return itemAt(text, words.index, text.slice(words.index), words[1])
  const bare = BARE.exec(text) ?? (amounts === 'bare' ? LAST_BARE.exec(text) : null)
  if (bare) return itemAt(text, bare.index, bare[0], bare[0].replace(/^[^\d]+/, '').trim())
  return isBulleted && text.split(/\s+/).length <= MOST_WORDS
    ? { name: text, price: '', remark: '' }
    : undefined
}

function itemAt(text: string, index: number, found: string, price = found): Item | undefined {
  const name = text.slice(0, index).replace(/[\s.:=,…–—-]+$/u, '')
  const remark = text
    .slice(index + found.length)
    .replace(/^[\s.:,;–—-]+/u, '')
    .trim()
  if (name === '' || remark.length > LONGEST_REMARK) return undefined
  // "SOLD" and "hold for Dave" are states, and no amounts.
  const isState = /^(?:sold|hold|on hold|pending)\b/i.test(price)
  return isState ? { name, price: '', remark: `${price} ${remark}`.trim() } : { name, price, remark }
}

/** A heading of parts of any car: their names need none, or nobody knows whose they are. */
const OTHER_PARTS = /\b(?:tires?|wheels?|rims?|misc\w*|other|tools?|extras?|odds)\b/i
/** Below “TIRES”, people write the size and the brand. */
const KINDS = [
  [/\btires?\b/i, 'Tire'],
  [/\b(?:wheels?|rims?)\b/i, 'Wheel'],
] as const
const readNames = nameReader(undefined)
const groupsCar = (heading: string): boolean =>
  !OTHER_PARTS.test(heading) && readNames(heading.replace(/[\s:]+$/, '')).includes('partGroup')

const donorIn = (line: string): Donor | undefined =>
  readDonor(line.replace(BULLET, '').replace(/[\s:–—-]+$/u, ''))

function readLine(line: string, typed: Amounts) {
  const donor = amountless(line, typed) ? donorIn(line) : undefined
  return { donor, item: donor ? undefined : itemIn(line, typed) }
}

/** Cuts the lines of a typed list in order, from its first one: each gets the car of the heading above it. */
export function typedCutter({ names, typed = 'signed' }: Ruler): (line: string) => string[] | undefined {
  let above: Heading = NO_HEADING
  const isTitled = names.length === titledColumns.length
  let isFirst = !isTitled
  let isAfterGap = true
  return (typedLine) => {
    const line = plainLine(typedLine, isTitled)
    if (line.trim() === '') {
      isAfterGap = true
      return []
    }
    const { donor, item } = readLine(line, typed)
    if (donor) above = { car: carKeys.map((key) => donor[key]), kind: '' }
    else if (!item && isAfterGap) above = headingOf(line, above)
    isAfterGap = false
    if (isFirst) {
      isFirst = false
      return [...names]
    }
    if (isTitled) return item ? cellsOf(item) : unpriced(line)
    return item && [...cellsOf(item, above.kind), ...above.car]
  }
}

const cellsOf = ({ name, price, remark }: { name: string; price: string; remark: string }, kind = '') => [
  ofKind(name, kind),
  price,
  remark,
]

/** A part without an amount that can be told: its row says that the price is missing. */
const unpriced = (line: string): string[] | undefined =>
  /^\s*\d{4}\b/.test(line) && TITLED_YEAR.test(line) ? [line.trim(), '', ''] : undefined

/** What holds for the lines below a heading. */
type Heading = { readonly car: readonly string[]; readonly kind: string }
const NO_HEADING: Heading = { car: NO_CAR, kind: '' }

/** What is between the cars and is none itself begins other parts, but for a group of the car's own. */
function headingOf(line: string, above: Heading): Heading {
  if (groupsCar(line.trim())) return above
  return { car: NO_CAR, kind: KINDS.find(([heading]) => heading.test(line))?.[1] ?? '' }
}

const ofKind = (name: string, kind: string): string =>
  kind === '' || readNames(name).includes('partWords') ? name : `${kind} ${name}`

/** Miles and model numbers at a heading's end are no prices. */
const amountless = (line: string, amounts: Amounts): boolean =>
  !/\$\s?\d/.test(line) && (amounts === 'signed' || donorIn(line) !== undefined)

const FEWEST_PARTS = 3
const LEAST_PARTS = 0.6
const MOST_CUT = 0.2
const MOST_LINES = 600

/** How a text is cut that is such a list; undefined for any other. */
export function findTypedList(text: string): { ruler: Ruler; headerRow: number } | undefined {
  const lines = text.split(/\r\n|\r|\n/, MOST_LINES)
  const filled = lines.map((line) => line.replace(STAMP, '')).filter((line) => line.trim() !== '')
  const headerRow = lines.findIndex((line) => line.trim() !== '') + 1
  const firstCar = filled.findIndex((line) => !/\$\s?\d/.test(line) && donorIn(line) !== undefined)
  const titled = areTitled(filled.map((line) => plainLine(line, true)))
    ? { ruler: titledRuler, headerRow: 0 }
    : undefined
  if (firstCar === -1) return titled
  const below = filled
    .slice(firstCar + 1)
    .filter((line) => /\$\s?\d/.test(line) || donorIn(line) === undefined)
  const hasSigns = below.some((line) => /\$\s?\d/.test(line))
  const typed = hasSigns ? 'signed' : 'bare'
  const parts = below.filter((line) => itemIn(line, typed) !== undefined && namesPart(line))
  const isList = parts.length >= Math.max(FEWEST_PARTS, LEAST_PARTS * below.length)
  if (!isList || areCut(parts)) return titled
  const kinds: Ruler['kinds'] = ['part', 'price', 'text', ...carKeys.map(() => 'code' as const)]
  return { ruler: { names: columns, kinds, typed }, headerRow }
}

/** Cells between delimiters are those of a table. */
const areCut = (parts: readonly string[]): boolean =>
  parts.filter((line) => (line.match(/[\t|;]|,(?!\d{3}\b)/g) ?? []).length > 1).length >
  MOST_CUT * parts.length

const titledRuler: Ruler = { names: titledColumns, kinds: ['part', 'price', 'text'], typed: 'signed' }

/** Whether lines name a car's year and a part, and most of them its price. */
function areTitled(lines: readonly string[]): boolean {
  const named = lines.filter((line) => TITLED_YEAR.test(line) && namesPart(line))
  const titled = named.filter((line) => itemIn(line, 'signed')?.price.startsWith('$'))
  const isList = 2 * titled.length >= named.length && named.length >= LEAST_PARTS * lines.length
  return titled.length >= FEWEST_PARTS && isList && !areCut(titled)
}
const TITLED_YEAR = /(?<![\d$-])(?:19[89]|20[0-4])\d(?!\d)/

const namesPart = (line: string): boolean => readNames(line.replace(BULLET, '')).includes('partWords')
