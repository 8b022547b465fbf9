/* Sizes as buyers and yards write them: 5.3L, 17", 130a, V8, 205/55R16, 17x7.5, 5 lug; and numbers as they are dictated. */

/** The part beside which a number alone is a measure: a wheel's inches, a bed's feet, an axle's gears. */
export type Measured = 'wheel' | 'bed' | 'axle' | undefined

/**
 * A size: its chip's label, and alternatives of which a listing must contain one: a word, or several words that must
 * all occur.
 */
export type Size = {
  readonly label: string
  readonly spellings: readonly (string | readonly string[])[]
  /** How a listing's name alone says it, if that is not the same. */
  readonly inNames?: readonly (string | readonly string[])[]
  /** It is no size but a code, such as LS1; a name such as Powerstroke reads like a size. */
  readonly isCode?: true
}

/** A size and the number of words it was read from. */
type ReadSize = { readonly value: Size; readonly words: number } | undefined

/** Half inches, from 4 to 14. */
const RIM_WIDTHS = Array.from({ length: 21 }, (_, at) => String(4 + at / 2).replace('.', ''))
/** A listing's "17x7.5" is the word 17x75, and names 17 inches. */
const widthsOf = (rim: string) => RIM_WIDTHS.flatMap((width) => [`${rim}x${width}`, `${rim}x${width}j`])

const UNITS: readonly {
  readonly number: RegExp
  readonly unit: RegExp
  /** What the number may end in, besides its unit. */
  readonly ending?: RegExp
  /** Whether it is written without its unit. */
  readonly goesAlone?: (of: Measured, number: string) => boolean
  readonly size: (number: string, of: Measured) => Size
}[] = [
  {
    number: /^\d(?:\.\d)?$/,
    unit: /^(?:ft|foot|feet)$/,
    goesAlone: (of, number) => of === 'bed' && number.includes('.'),
    size: (number) => {
      const digits = number.replace('.', '')
      return {
        label: `${number} ft`,
        spellings: [`${digits}ft`, [digits, 'ft'], [digits, 'foot'], `${digits}foot`],
      }
    },
  },
  {
    number: /^(?:[4-9]|10)$/,
    unit: /^(?:speed|spd)$/,
    size: (number) => ({
      label: `${number}-speed`,
      spellings: [`${number}speed`, [number, 'speed'], `${number}spd`, [number, 'spd']],
    }),
  },
  {
    // An axle is named by the inches of its ring gear.
    number: /^(?:[7-9]|1[0-2])\.\d{1,2}$/,
    unit: /^(?:in|inch|"|”|'')$/,
    goesAlone: (of) => of === 'axle',
    size: (number) => ({ label: `${number} inch`, spellings: decimal(number) }),
  },
  {
    number: /^[2-5]\.\d\d$/,
    unit: /^(?:ratio|gears?|gearing)$/,
    goesAlone: (of) => of === 'axle',
    size: (number) => ({ label: `${number} ratio`, spellings: decimal(number) }),
  },
  {
    number: /^\d\.\d$/,
    unit: /^(?:l|liters?|litres?|ltr)$/,
    // "2.0T"
    ending: /^(?:tt?|td|tdi|tsi|tfsi)$/,
    goesAlone: () => true,
    size: (number) => {
      const digits = number.replace('.', '')
      return {
        label: `${number}L`,
        spellings: [`${digits}l`, ...decimal(number)],
        inNames: [`${digits}l`, digits],
      }
    },
  },
  {
    number: /^(?:1[2-9]|2[0-6])$/,
    unit: /^(?:in|inch|inches|inchs|"|”|'')$/,
    goesAlone: (of) => of === 'wheel',
    size: (number, of) => ({
      label: `${number} inch`,
      spellings: [number, `${number}in`, `${number}inch`, ...(of === 'wheel' ? widthsOf(number) : [])],
    }),
  },
  {
    number: /^\d{2,3}$/,
    unit: /^(?:a|amps?)$/,
    size: (number) => ({ label: `${number} amp`, spellings: [`${number}a`, `${number}amp`, number] }),
  },
  {
    number: /^[4-8]$/,
    unit: /^(?:lugs?|bolts?|holes?)$/,
    size: (number) => ({
      label: `${number} lug`,
      spellings: [`${number}lug`, [number, 'lug'], `${number}bolt`],
    }),
  },
  {
    number: /^(?:8|12|16|20|24|32)$/,
    unit: /^valves?$/,
    size: (number) => ({
      label: `${number}-valve`,
      spellings: [`${number}v`, `${number}valve`, [number, 'valve']],
    }),
  },
  {
    number: /^\d\d$/,
    unit: /^splines?$/,
    size: (number) => ({ label: `${number}-spline`, spellings: [`${number}spline`, [number, 'spline']] }),
  },
  {
    number: /^\d\d$/,
    unit: /^offset$/,
    size: (number) => ({ label: `offset ${number}`, spellings: [`et${number}`, [number, 'offset']] }),
  },
]

/** The words of a listing's "5.3"; a 53 alone may be anything. */
const decimal = (number: string): (readonly string[])[] => [[number.replace('.', ''), ...number.split('.')]]

/** "P205/55R16", "205 55 16", "275-55-20", "lt245/75 r16": widths end in 5, and rims have 12 to 26 inches. */
const TIRE = String.raw`(?<![\w./-])(?:p|lt|st)?\s?([1-3]\d5)SEP([2-9][05])SEP(?:zr|r)?\s?(1[2-9]|2[0-6])(?![\w./]|-\w)`
const APART = new RegExp(TIRE.replaceAll('SEP', String.raw`(?:\s*[-/x.]\s*|\s+|(?=z?r))`), 'gi')
/** "2256517" is a part number anywhere else. */
const TOGETHER = new RegExp(TIRE.replaceAll('SEP', ''), 'gi')
const joined = '$1/$2r$3'
const READ_TIRE = /^(\d{3})\/(\d{2})r(\d{2})$/

/** The text with each size of a tire as one word. */
export function joinTireSizes(text: string): string {
  const apart = text.replaceAll(APART, joined)
  return /\b(?:tire|tyre|rim|wheel)s?\b/i.test(text) ? apart.replaceAll(TOGETHER, joined) : apart
}

/** "17x7.5", "20x9" */
const WHEEL = /^(\d{2})x(\d{1,2}(?:\.\d{1,2})?)j?j?$/
/** "5x114.3", "6x5.5" */
const BOLTS = /^([4-8])x(\d{2,3}(?:\.\d{1,2})?|\d\.\d{1,2})$/

const BOLTS_WORD = /^([4-8])x(?:\d{3,4}|4[57]|5[05]|65)$/

/** The word by which "5 lug" finds a listing's word such as 5x1143, its "5x114.3". */
export function boltCountOf(word: string): string | undefined {
  const [, bolts] = BOLTS_WORD.exec(word) ?? []
  return bolts && `${bolts}lug`
}

/** Reads a size from the first of these folded words. `of`: the part that the words name. */
export function readSize(words: readonly string[], of?: Measured): ReadSize {
  const [first = '', second = ''] = words
  const [, digits = '', behind = ''] = /^\+?([\d.]+)(.*)$/.exec(first) ?? []
  const mark = behind.replace(/^-/, '')
  for (const { unit, ending, goesAlone, size } of UNITS.filter((one) => one.number.test(digits))) {
    if (mark === '' && unit.test(second)) return { value: size(digits, of), words: 2 }
    const isWhole = mark === '' ? goesAlone?.(of, digits) : unit.test(mark) || ending?.test(mark)
    if (isWhole) return { value: size(digits, of), words: 1 }
  }
  return readTire(first) ?? readWheel(first) ?? readCylinders(first)
}

function readTire(word: string): ReadSize {
  const [, width, aspect, rim] = READ_TIRE.exec(word) ?? []
  if (width === undefined || aspect === undefined || rim === undefined) return undefined
  // A listing's "205/55R16" is the words 205, 55r16 and 20555r16.
  const spellings = [`${width}${aspect}r${rim}`, `p${width}${aspect}r${rim}`, `lt${width}${aspect}r${rim}`]
  return {
    value: {
      label: `${width}/${aspect}R${rim}`,
      spellings: [...spellings, `${width}${aspect}${rim}`, [width, aspect, rim]],
    },
    words: 1,
  }
}

function readWheel(word: string): ReadSize {
  const [, rim, width] = WHEEL.exec(word) ?? []
  if (rim !== undefined && width !== undefined) {
    const joined = width.replace('.', '')
    return {
      value: { label: `${rim}x${width}`, spellings: [`${rim}x${joined}`, `${rim}x${joined}j`] },
      words: 1,
    }
  }
  const [, bolts, circle] = BOLTS.exec(word) ?? []
  if (bolts === undefined || circle === undefined) return undefined
  return {
    value: { label: `${bolts}x${circle}`, spellings: [`${bolts}x${circle.replace('.', '')}`] },
    words: 1,
  }
}

function readCylinders(word: string): ReadSize {
  if (!/^[vli](?:3|4|5|6|8|10|12)$/.test(word)) return undefined
  return { value: { label: word.toUpperCase(), spellings: [word] }, words: 1 }
}

/** The digits of numbers in words: "two thousand twelve" is 2012, "one fifty" 150, "oh eight" 08, "five point three" 5.3. */
export function inDigits(words: readonly string[], values: ReadonlyMap<string, string>): readonly string[] {
  const read: string[] = []
  let said: string[] = []
  const end = () => {
    const number = joinedNumber(said)
    if (number !== '') read.push(number)
    said = []
  }
  for (const word of words) {
    const value = values.get(word)
    // "Two thousand and seven"
    const isWithin = word === 'and' && Number(said.at(-1)) % 100 === 0 && Number(said.at(-1)) > 0
    if (value !== undefined) said.push(value)
    else if (!isWithin) {
      end()
      read.push(word)
    }
  }
  end()
  return read
}

function joinedNumber(values: readonly string[]): string {
  const groups: string[] = []
  for (const value of values) {
    const [before, next] = [Number(groups.at(-1)), Number(value)]
    const isMore = before > 0 && next > 0
    if (isMore && (next === 100 || next === 1000)) groups[groups.length - 1] = String(before * next)
    else if (isMore && next < roundness(before)) groups[groups.length - 1] = String(before + next)
    else groups.push(value)
  }
  return groups.join('')
}

/** What may be added to a number said in words: 9 to twenty, 99 to fifteen hundred. */
const roundness = (number: number): number => {
  if (number % 1000 === 0) return 1000
  if (number % 100 === 0) return 100
  return number % 10 === 0 && number > 10 ? 10 : 0
}
