/**
 * The other numbers of a part, as its seller states them: `81150-06380; replaces 81150-06370; replaced by 81150-06490`.
 * This text is stored, exported and edited; parsing and printing it gives the same text. Nothing is rejected: anything
 * but a part number is kept as the yard's own text.
 */

/** The field of a listing, as in `listing-fields.ts`. */
export const interchangeSpec = {
  partinterchange: {
    label: 'Interchange numbers',
    type: 'long text',
    column: 'interchange',
    longest: 1_000,
    input: { section: 'part', hint: '81150-06380; replaces 81150-06370; replaced by 81150-06490' },
    bulk: { width: 160 },
    file: {
      // A column called just "Interchange" is the part number of a file that has no other one.
      names:
        'interchange oeminterchange interchangeoem oemic oemhollander partnuminterchange interchangenumber interchangenum interchangeno intchnum intchno hollander hollandernumber hollandernum hollanderno hollanderinterchange intch intchg intchgnum intchnbr hollandernbr interchangenbr ic icnumber icnum alternatenumbers alternatepartnumbers otherpartnumbers otheroemnumbers crossreference crossreferences',
    },
  },
} as const

const relations = ['same', 'replaces', 'replaced by'] as const
type Relation = (typeof relations)[number]

/** How the listed part relates to the number. */
export type StatedNumber = { readonly relation: Relation; readonly number: string }

// Within a number, a dash has no spaces around it, and there are no commas or slashes.
const BETWEEN = /[;,|\r\n]+|\s\/(?=\s|$)/

const WORDS: readonly (readonly [RegExp, Relation])[] = [
  [/^(?:is )?(?:replaced by|superseded by|supersedes to|new number)\b[\s:/]*/i, 'replaced by'],
  [/^(?:replaces|supersedes|formerly|old number)\b[\s:/]*/i, 'replaces'],
  [/^(?:same(?: part)? as|also|alias|interchanges? with)\b[\s:/]*/i, 'same'],
]

/** Parses the numbers in order, without duplicates. */
export function readInterchange(text: string): StatedNumber[] {
  const found = new Map<string, StatedNumber>()
  for (const piece of text.split(BETWEEN)) {
    const stated = readPiece(piece)
    const key = `${stated.relation} ${numberKey(stated.number) || stated.number}`
    if (stated.number !== '' && !found.has(key)) found.set(key, stated)
  }
  return [...found.values()]
}

function readPiece(piece: string): StatedNumber {
  let number = piece.replaceAll(/\s+/g, ' ').replaceAll(/^[ /]+|[ /]+$/g, '')
  let relation: Relation = 'same'
  // Repeated, so that printing and parsing again gives the same result.
  for (let word = wordOf(number); word; word = wordOf(number)) {
    if (word.relation !== 'same') relation = word.relation
    number = number.slice(word.length)
  }
  return { relation, number }
}

function wordOf(text: string): { relation: Relation; length: number } | undefined {
  for (const [pattern, relation] of WORDS) {
    const [found] = pattern.exec(text) ?? []
    if (found !== undefined) return { relation, length: found.length }
  }
  return undefined
}

/** The stored form. */
const printInterchange = (stated: readonly StatedNumber[]): string =>
  stated.map(({ relation, number }) => (relation === 'same' ? number : `${relation} ${number}`)).join('; ')

export const plainInterchange = (text: string): string => printInterchange(readInterchange(text))

/** One key for all spellings of a number; the database has the same rule (`part_number_key`). */
export const numberKey = (number: string): string => number.replaceAll(/[^\p{L}\p{N}]+/gu, '').toUpperCase()

// Hollander's numbers are proprietary: they stay in the yard's own listing.
const HOLLANDER = /^\d{3}-\d{4,5}[A-Z]{0,2}$/i
// Shorter words are shelf labels and sizes, longer ones text.
const SHORTEST_KEY = 5
const LONGEST_KEY = 30

/**
 * Whether a number is compared with those of other yards, unlike words and numbers in Hollander's format. The database
 * has the same rule (`links_parts`).
 */
export function linksParts(number: string): boolean {
  const key = numberKey(number)
  return (
    /\d/.test(key) &&
    key.length >= SHORTEST_KEY &&
    key.length <= LONGEST_KEY &&
    !HOLLANDER.test(number.trim())
  )
}

/** Pairs of numbers that a yard may state in a day; more of its listings' wait for the next days. */
export const STATEMENTS_A_DAY = 5_000
