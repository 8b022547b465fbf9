import { legendOf, withoutLegend } from '#contract/csv/header-legend.ts'
import { foldText, wordsOf } from '#contract/trade-language/names.ts'
import type { WordRoles } from '#contract/trade-language/words.ts'

/*
 * Whether a cell says that its part is for sale. Yards leave sold and reserved parts in their files, with a word, a check
 * box or a date in some column. The words are those of `db/data/words.csv`.
 */

export type SaleState = 'for sale' | 'not for sale' | 'unknown'

/**
 * What a column says by its name. `status`: words or letters; `place`: also a column of towns' states; `for sale` and
 * `not for sale`: check boxes; `enabled`: 1 or 2, as Magento writes it; `sold date`: any date; `customer`: whom it is kept for.
 */
const columnRoles = {
  'status column': 'status',
  'place or status column': 'place',
  'for sale column': 'for sale',
  'not for sale column': 'not for sale',
  'enabled column': 'enabled',
  'sold date column': 'sold date',
  'customer column': 'customer',
} as const
type StateColumn = (typeof columnRoles)[keyof typeof columnRoles]

export type SaleStates = {
  /** Undefined for a column whose name says nothing about sales. */
  readonly columnOf: (header: string) => StateColumn | undefined
  /**
   * The meaning of a cell. `unknown`: an unknown word in a state column. Undefined: it says nothing about sales.
   * Outside state columns, only a few words do.
   */
  readonly stateOfSale: (header: string, cell: string) => SaleState | undefined
  /** The same for one column, for reading many cells. */
  readonly readerOf: (header: string) => CellReader
  /** The text without a mark that its part is sold, at its start or end; undefined if there is none. */
  readonly withoutSoldMark: (text: string) => string | undefined
  /** Whether a cell of an amount says instead that its part is not for sale: "HOLD", "N/A - sold", "$85 (sold)". */
  readonly isWithdrawn: (amount: string) => boolean
  /** Whether a column's name speaks of selling: “Post to eBay”. */
  readonly speaksOfSales: (header: string) => boolean
  /** Whether a cell is a yes or a no. */
  readonly isYesOrNo: (cell: string) => boolean
}

/** No state is longer, even with a date or a customer's name. */
const LONGEST = 60
const DATE = String.raw`\d{1,4}[\d/.:\s-]*(?:[ap]m)?`
const DATED = new RegExp(
  String.raw`^(.*?\D)\s*(?:\(?\s*(?:(?:on|le|el|am|date|since|until)\s)?\s*${DATE}\)?)?$`,
  'i',
)
/** "On hold for Smith", "Reserved - J. Doe", "Sold to walk-in"; but not "Sold as is". */
const FOLLOWED = /^(?:\s*[-–—:(,/*]|\s+(?:for|to|until|till?|by|since|on|at|para|pour|bis|fur|per)\s)/i
const EMPTY_DATE = /^[0/.\-: ]+$|^(?:1899|1900)-0?[01]-|^0?1\/0?[01]\/(?:19)?00/

export function openSaleStates(roles: WordRoles): SaleStates {
  const columns = new Map(
    Object.entries(columnRoles).flatMap(([role, column]) =>
      roles.list(role).map((name) => [plain(name), column] as const),
    ),
  )
  const phrases = roles
    .meanings('not for sale')
    .flatMap(([word, means]) => (means === 'anywhere' ? [word] : []))
  const readers = cellReaders(roles)
  const inAnyColumn = anyColumn(phrases)
  const columnOf = (typed: string) => {
    const header = withoutLegend(typed)
    return columns.get(plain(header)) ?? columns.get(plain(header.replace(AS_BOX, '')))
  }
  const readerOf = (header: string) => {
    const column = columnOf(header)
    const read = column === undefined ? inAnyColumn : readers[column]
    const legend = legendOf(header)
    return (sent: string): SaleState | undefined => {
      if (sent.length > LONGEST) return undefined
      const cell = legend.get(sent.trim().toLowerCase()) ?? sent.trim()
      if (column === undefined) return inAnyColumn(cell)
      return SAYS_SOMETHING.test(cell) ? read(cell) : undefined
    }
  }
  const withoutSoldMark = soldMarks(phrases, roles.list('sold mark first'))
  const [selling, answers] = [
    roles.set('selling word'),
    new Set([...roles.list('yes'), ...roles.list('no')].map(plain)),
  ]
  return {
    columnOf,
    readerOf,
    isWithdrawn(amount) {
      if (amount.length > LONGEST || !/\p{L}{3}/u.test(amount)) return false
      const said = amount.replace(NO_AMOUNT, '')
      return readers.status(said) === 'not for sale' || withoutSoldMark(amount) !== undefined
    },
    speaksOfSales: (header) =>
      wordsOf(header.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')).some((word) => selling.has(word)),
    isYesOrNo: (cell) => cell === '0' || cell === '1' || answers.has(plain(cell)),
    stateOfSale: (header, cell) => readerOf(header)(cell),
    withoutSoldMark,
  }
}

/** What stands before it where no amount is: “N/A - sold”. */
const NO_AMOUNT = /^\W*(?:n\/?a|none|tbd|no price)?\W+(?=\p{L})/iu

/** “For Sale Y/N” */
const AS_BOX = /[\s_(]*(?:y\s*\/\s*n|yes\s*\/\s*no|s[ií]\s*\/\s*no|fla?g)\)?\s*$/i

const SAYS_SOMETHING = /[\p{L}\p{N}]/u

type CellReader = (cell: string) => SaleState | undefined

function cellReaders(roles: WordRoles): Record<StateColumn, CellReader> {
  const setOf = (role: string) => new Set(roles.list(role).map(plain))
  const [yes, no, codes, soldCodes] = [
    setOf('yes'),
    setOf('no'),
    setOf('for sale code'),
    setOf('not for sale code'),
  ]
  const byWord = wordReader(setOf('for sale'), setOf('not for sale'))
  const byBox = (cell: string, column: 'for sale' | 'not for sale'): SaleState => {
    const text = plain(cell)
    if (yes.has(text)) return column
    if (no.has(text)) return column === 'for sale' ? 'not for sale' : 'for sale'
    return byWord(cell) ?? 'unknown'
  }
  return {
    status(cell) {
      const text = plain(cell)
      if (soldCodes.has(text)) return 'not for sale'
      return codes.has(text) ? 'for sale' : (byWord(cell) ?? 'unknown')
    },
    // A town's state has two letters.
    place(cell) {
      if (cell.length > 3) return byWord(cell)
      const text = cell.length === 1 ? plain(cell) : ''
      if (soldCodes.has(text)) return 'not for sale'
      return codes.has(text) ? 'for sale' : undefined
    },
    // A number is a count of pieces; WooCommerce writes -1 for a draft.
    'for sale'(cell) {
      const number = numberIn(cell)
      if (number === undefined) return byBox(cell, 'for sale')
      return number > 0 ? 'for sale' : 'not for sale'
    },
    // Databases write 1 or -1 for a checked box; more is a count of pieces sold before.
    'not for sale'(cell) {
      const number = numberIn(cell)
      if (number === 0) return 'for sale'
      if (number !== undefined) return Math.abs(number) === 1 ? 'not for sale' : undefined
      return isDate(cell) ? 'not for sale' : byBox(cell, 'not for sale')
    },
    enabled(cell) {
      const number = numberIn(cell)
      if (number === undefined) return byBox(cell, 'for sale')
      return number === 1 ? 'for sale' : 'not for sale'
    },
    'sold date': (cell) => (isDate(cell) ? 'not for sale' : byWord(cell)),
    // A name, or a customer's number.
    customer(cell) {
      const text = plain(cell)
      if (no.has(text) || NOBODY.test(cell) || numberIn(cell) === 0) return undefined
      return byWord(cell) ?? 'not for sale'
    },
  }
}

const NOBODY = /^\W*(?:n\/?a|none|nobody|no one|null|nil|tbd|nadie|niemand|personne)\W*$/i

/** By the words that mean the same in every column of states. */
function wordReader(forSale: ReadonlySet<string>, notForSale: ReadonlySet<string>): CellReader {
  return (cell) => {
    const spellings = [plain(cell), plain(undated(cell))]
    if (spellings.some((text) => notForSale.has(text))) return 'not for sale'
    if (spellings.some((text) => forSale.has(text))) return 'for sale'
    return isFollowed(cell, notForSale) ? 'not for sale' : undefined
  }
}

function anyColumn(phrases: readonly string[]): CellReader {
  const known = new Set(phrases.map(plain))
  const firstWords = new Set([...phrases.map((phrase) => phrase.split(' ')[0]), 'hold', 'holding'])
  // "*SOLD* 2.4L, runs great"
  const marked = new RegExp(
    String.raw`^\s*[*(\[!]+\s*(?:${phrases.map((phrase) => phrase.replaceAll(' ', '[\\s-]+')).join('|')})\s*[*)\]!]`,
    'iu',
  )
  return (cell) => {
    // Nearly no cell begins with one of these words, and comparing it is faster than folding the text.
    if (letterFrom(cell, 0) > MOST_MARKS || !firstWords.has(foldText(firstWord(cell)))) return undefined
    return known.has(plain(undated(cell))) || marked.test(cell) || isForSomebody(cell)
      ? 'not for sale'
      : undefined
  }
}

/** "ON HOLD for Jim till Fri" and "sold to Mike"; "sold for parts" is how a part is sold. */
const FOR_SOMEBODY =
  /^\W*(?:(?:on\s+)?hold(?:ing)?\s+(?:for|['’]?till?|until)|reserved\s+(?:for|['’]?till?|until)|sold\s+to)\s+\S/i
const LONGEST_REMARK = 40
const isForSomebody = (cell: string): boolean => cell.length <= LONGEST_REMARK && FOR_SOMEBODY.test(cell)

/** "On Hold", "ON_HOLD" and "OnHold" are one word. */
const plain = (text: string): string => wordsOf(text).join('')

/** "SOLD 11/2" and "On hold since 2026-11-02!" without the date. */
function undated(cell: string): string {
  const text = cell.replace(/[^\p{L}\p{N})]+$/u, '')
  return DATED.exec(text)?.[1] ?? text
}

const isDate = (cell: string): boolean => /\d/.test(cell) && /[1-9]/.test(cell) && !EMPTY_DATE.test(cell)

function numberIn(cell: string): number | undefined {
  return /^-?\d{1,6}(?:\.0+)?$/.test(cell) ? Number(cell) : undefined
}

function isFollowed(cell: string, words: ReadonlySet<string>): boolean {
  const pieces = [...cell.matchAll(/[\p{L}\p{N}]+/gu)].slice(0, 4)
  return pieces.some((piece) => {
    const end = piece.index + piece[0].length
    return words.has(plain(cell.slice(0, end))) && FOLLOWED.test(cell.slice(end))
  })
}

/** "Trunk lid SOLD" and "*SOLD* Trunk lid", as typed lines say it; "sold as is" and "not sold" mean something else. */
function soldMarks(phrases: readonly string[], first: readonly string[]): SaleStates['withoutSoldMark'] {
  const any = phrases
    .toSorted((a, b) => b.length - a.length)
    .map((phrase) => phrase.replaceAll(' ', '[\\s-]+'))
    .join('|')
  const atEnd = new RegExp(
    String.raw`(?:[\s(*\[!–—,;-])[\s(*\[!–—,;-]*(?:${any}|(?<=[(*\[–—-]\s*)hold)(?:\s+(?:on\s)?${DATE})?[^\p{L}\p{N}]*$`,
    'iu',
  )
  const atStart = new RegExp(String.raw`^[(*\[!\s]*(?:${any})[)*\]!\s]*[-–—:*)\]!]+\s*(?=\p{L}|\p{N})`, 'iu')
  // “SOLD Alternator”; in small letters it may be a sentence, as “Sold separately” is.
  const upperFirst = new RegExp(
    String.raw`^(?:${first.map((word) => word.toUpperCase()).join('|')})\s+(?=\p{L}|\p{N})`,
    'u',
  )
  // Comparing a name's first and last word is faster than the patterns.
  const edges = new Set([...phrases.flatMap((phrase) => phrase.split(' ')), 'hold'])
  return (text) => {
    if (text.length > LONGEST_LINE || !(edges.has(lastWord(text)) || edges.has(firstWord(text)))) {
      return undefined
    }
    if (NOT_A_MARK.test(text) || HOW_SOLD.test(text)) return undefined
    const bare = text.replace(atEnd, '').replace(atStart, '').replace(upperFirst, '')
    return bare === text || bare === '' ? undefined : bare.trim()
  }
}

const LONGEST_LINE = 500

/** Before the first letter of a state: “*SOLD*”. */
const MOST_MARKS = 5

function letterFrom(text: string, start: number): number {
  let at = start
  while (at < text.length && !isLetter(text.charCodeAt(at))) at++
  return at
}

function firstWord(text: string): string {
  const start = letterFrom(text, 0)
  let end = start
  while (end < text.length && isLetter(text.charCodeAt(end))) end++
  return text.slice(start, end).toLowerCase()
}

function lastWord(text: string): string {
  let end = text.length
  while (end > 0 && !isLetter(text.charCodeAt(end - 1))) end--
  let start = end
  while (start > 0 && isLetter(text.charCodeAt(start - 1))) start--
  return text.slice(start, end).toLowerCase()
}

const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && ((code | 0x20) <= 0x7a || code >= 0xc0)

const NOT_A_MARK = /\b(?:not|be|being|as|is|are|if|until|often|never|usually|only|to) (?:sold|reserved)\W*$/i

/** How a part is sold says nothing of whether it was. */
const HOW_SOLD =
  /^sold (?:as|at|by|each|for|from|in|individually|only|per|separate|separately|state|together|with|without)\b/i
