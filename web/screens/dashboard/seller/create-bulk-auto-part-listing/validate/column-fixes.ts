import { currencyIn } from '#contract/column-questions/currencies.ts'
import { findColumn } from '#contract/csv/csv-header.ts'
import {
  type ImportField,
  type ImportMapping,
  importFieldLabels,
  importFields,
  isMapped,
  requiredImportFields,
  splitsOf,
} from '#contract/csv/import-fields.ts'
import { fileFields, fileNameOf } from '#contract/listing/listing-fields.ts'
import { longestText } from '#contract/listing/listing-rules.ts'
import { yearSpanText } from '#contract/listing/year-span.ts'
import { readYears } from '#contract/trade-language/years.ts'
import { rowsInWords } from '#web/components/imports/import-words.ts'
import {
  eachFailingRow,
  type FailingRows,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/dry-run-result.ts'
import { fitted } from './fixing-sheet.ts'

/* One fix for all rows of a file that have the same problem in a column. */

export type ProblemGroup = {
  key: string
  column: string
  code: string
  /** The column's index; -1 if the problem is about the whole row. */
  at: number
  field: ImportField | undefined
  /** The number of the file's columns. */
  width: number
  /** The rows with this problem, and what their cells contain. */
  rows: readonly { row: number; value: string }[]
}

export const groupKey = ({ column, code }: Pick<ProblemGroup, 'column' | 'code'>) => `${column}\n${code}`

/** A check's findings, by column and kind of problem. */
export async function problemGroups(
  failing: FailingRows,
  { headers, mapping }: { headers: readonly string[]; mapping: ImportMapping },
): Promise<Map<string, ProblemGroup>> {
  const groups = new Map<string, ProblemGroup & { rows: { row: number; value: string }[] }>()
  for await (const { issues } of eachFailingRow(failing)) {
    for (const { row, column, code, value } of issues) {
      const key = groupKey({ column, code })
      let group = groups.get(key)
      if (!group) {
        const at = column === '' ? -1 : findColumn(headers, column)
        group = {
          key,
          column,
          code,
          at,
          field: fieldOf({ column, code, mapping }),
          width: headers.length,
          rows: [],
        }
        groups.set(key, group)
      }
      if (group.rows.at(-1)?.row !== row) group.rows.push({ row, value })
    }
  }
  return groups
}

const fieldOfCode: Readonly<Record<string, ImportField>> = {
  INVALID_YEAR: 'partyear',
  INVALID_PRICE: 'partprice',
  INVALID_GRADE: 'partgrade',
  INVALID_ZIPCODE: 'zipcode',
  INVALID_SHIPPING: 'partshipping',
  INVALID_FITMENT: 'fitment',
  INVALID_ADDRESS: 'imageUrl',
  INSIDE_ADDRESS: 'imageUrl',
  UNKNOWN_LISTING: 'listingid',
  GONE_LISTING: 'listingid',
}

type ColumnProblem = { column: string; code: string; mapping: ImportMapping }

function fieldOf({ column, code, mapping }: ColumnProblem): ImportField | undefined {
  const known = fieldOfCode[code]
  if (known !== undefined && isMapped(mapping, known)) return known
  if (splitsOf(mapping).some(({ from, as }) => from === column && as === 'years')) return 'partyear'
  return importFields.find((field) => mapping[field] === column)
}

/** An empty array skips the row; undefined means no fix for these cells. */
type Mend = (cells: readonly string[]) => readonly string[] | undefined

export type ColumnFix = {
  id: string
  label: string
  /** The rows that it fixes. */
  rows: readonly number[]
  mend: Mend
}

const LEFT_OUT: readonly string[] = []

/** The fixes for these rows of a group, the most useful first. `pending`: rows that no other fix has mended. */
export function fixesFor(group: ProblemGroup, pending: ProblemGroup['rows'], year: number): ColumnFix[] {
  if (pending.length === 0 || group.code === 'NOT_A_PART') return []
  const rows = pending.map(({ row }) => row)
  const fixes: ColumnFix[] = []
  const mender = menderOf(group, year)
  if (mender) {
    const mended = pending.filter(({ value }) => mender.mend(value) !== undefined)
    if (mended.length > 0) {
      fixes.push({
        // Listing a sold part fixes nothing, so it is not the main action.
        id: group.code === 'OUT_OF_STOCK' ? 'list' : 'mend',
        label: mender.label(mended.map(({ value }) => value)),
        rows: mended.map(({ row }) => row),
        mend: inCell(group.at, mender.mend),
      })
    }
  }
  if (group.code === 'TOO_FEW_CELLS') return shortLineFixes(group, pending)
  if (canBeEmpty(group)) {
    const name = group.field ? importFieldLabels[group.field] : group.column
    fixes.push({
      id: 'clear',
      label: `Leave “${name}” empty in ${rowsInWords(rows.length)}`,
      rows,
      mend: inCell(group.at, () => ''),
    })
  }
  return [...fixes, leaveOut(rows)]
}

const leaveOut = (rows: readonly number[]): ColumnFix => {
  const these = rows.length === 1 ? 'this row' : `these ${rowsInWords(rows.length)}`
  return { id: 'out', label: `Leave ${these} out`, rows, mend: () => LEFT_OUT }
}

/** A line with one cell is not a part; a longer one may be a part whose last cells are missing. */
function shortLineFixes({ width }: ProblemGroup, pending: ProblemGroup['rows']): ColumnFix[] {
  const lines = pending.filter(({ value }) => !value.includes(',')).map(({ row }) => row)
  const short = pending.filter(({ value }) => value.includes(',')).map(({ row }) => row)
  const these = lines.length === 1 ? 'this line' : `these ${lines.length.toLocaleString('en-US')} lines`
  const skip: ColumnFix = { id: 'out', label: `Skip ${these}`, rows: lines, mend: () => LEFT_OUT }
  const fill: ColumnFix = {
    id: 'fill',
    label: `Read missing cells as empty in ${rowsInWords(short.length)}`,
    rows: short,
    mend: (cells) => fitted(cells, width),
  }
  if (short.length === 0) return [skip]
  return lines.length === 0 ? [fill, leaveOut(short)] : [skip, fill]
}

/** Sets one value in all these rows; undefined if the problem has no cell of its own. */
export function setFix(
  group: ProblemGroup,
  pending: ProblemGroup['rows'],
  text: string,
): ColumnFix | undefined {
  if (!canBeSet(group)) return undefined
  const rows = pending.map(({ row }) => row)
  return {
    id: 'set',
    label: `${nameOf(group)} set to “${text}” in ${rowsInWords(rows.length)}`,
    rows,
    mend: inCell(group.at, () => text),
  }
}

export const nameOf = ({ field, column }: ProblemGroup): string =>
  field === undefined ? column : importFieldLabels[field]

/** A stock or part number is different in each row. */
const own = new Set<ImportField | undefined>([
  'stocknum',
  'partnum',
  'vin',
  'listingid',
  'imageUrl',
  undefined,
])

export const canBeSet = ({ at, field, code }: ProblemGroup): boolean =>
  at >= 0 && !own.has(field) && code !== 'UNSURE_SPLIT'

const canBeEmpty = ({ at, field, code }: ProblemGroup): boolean =>
  at >= 0 && field !== undefined && !requiredImportFields.includes(field) && code !== 'UNSURE_SPLIT'

const inCell =
  (at: number, mend: (text: string) => string | undefined): Mend =>
  (cells) => {
    const before = cells[at] ?? ''
    const text = mend(before.trim())
    return text === undefined || text === before ? undefined : cells.with(at, text)
  }

/* The usable content of a rejected value. */

type Mender = { mend: (text: string) => string | undefined; label: (values: readonly string[]) => string }

function menderOf({ code, field }: ProblemGroup, year: number): Mender | undefined {
  if (code === 'INVALID_YEAR' || (code === 'UNSURE_SPLIT' && field === 'partyear'))
    return { mend: (text) => yearIn(text, year), label: readAs((text) => yearIn(text, year)) }
  if (code === 'INVALID_GRADE') return { mend: gradeOf, label: readAs(gradeOf, 'grade ') }
  if (code === 'INVALID_PRICE') {
    return { mend: priceIn, label: readAs(priceIn, '$') }
  }
  if (code === 'INVALID_NUMBER') return numberMender(field)
  if (code === 'INVALID_ADDRESS') {
    return {
      mend: withScheme,
      label: ({ length }) => `Put https:// before ${counted(length, 'picture address', 'picture addresses')}`,
    }
  }
  if (code === 'NOT_ONE_LINE' || code === 'CONTROL_CHARACTERS') {
    return {
      mend: onOneLine,
      label: ({ length }) => `Remove line breaks and unreadable characters in ${rowsInWords(length)}`,
    }
  }
  if (code === 'OUT_OF_STOCK' && field === 'partquantity') {
    return { mend: () => '1', label: ({ length }) => `List ${rowsInWords(length)} with quantity 1` }
  }
  return code === 'TOO_LONG' ? cutMender(field) : undefined
}

const counted = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`

const MOST_NAMED = 3

/** "Read “Exc” as grade A and “Gd” as grade B: fixes 212 rows" */
const readAs =
  (mend: Mender['mend'], kind = '') =>
  (values: readonly string[]): string => {
    const distinct = [...new Set(values.map((value) => value.trim()))]
    const named = distinct.slice(0, MOST_NAMED).map((value) => `“${value}” as ${kind}${mend(value)}`)
    const more = distinct.length > MOST_NAMED ? ' and so on' : ''
    return `Read ${named.join(', ')}${more}: fixes ${rowsInWords(values.length)}`
  }

const LETTERS = /^[\dOolI]{4}$/
const ALONE = /^\D*((?:19[5-9]|20[0-4])\d)\D*$/

function yearIn(text: string, year: number): string | undefined {
  const { years } = readYears(text, year)
  if (years !== undefined) return yearSpanText(years)
  const digits = LETTERS.test(text) ? text.replace(/o/gi, '0').replace(/[lI]/g, '1') : text
  const [, alone] = ALONE.exec(digits) ?? []
  return alone !== undefined && Number(alone) <= year ? alone : undefined
}

const gradeWords: readonly [letter: string, words: RegExp][] = [
  ['A', /^(?:a\+*|a-?1|exc(?:el|ell|l|\.)?|xlnt|exlnt|mint|nos|nib|like new|grade ?1)\.?$/i],
  ['B', /^(?:gd|v\.?g\.?|very gd|nice|above avg|good used|used good|good[ -]?cond)\.?$/i],
  ['C', /^(?:fr|avg|med|medium|okay?|decent|usable|fair[ -]?cond)\.?$/i],
  ['D', /^(?:pr|poor[ -]?cond|parts only|scrap|broken|junk)\.?$/i],
]

const gradeOf = (text: string): string | undefined => gradeWords.find(([, words]) => words.test(text))?.[0]

const AMOUNT = /^[^\d-]*(\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?|\d+(?:\.\d{1,2})?)(?![\d.,])[^\d-]*$/

/** The only amount in a text; one with a minus could be a credit, and 0 is a missing one. */
function amountIn(text: string): string | undefined {
  const amount = /[-–()]/.test(text) ? undefined : AMOUNT.exec(text)?.[1]?.replaceAll(',', '')
  return Number(amount) === 0 ? undefined : amount
}

/** An amount in another currency is not in dollars: it needs a rate, which is asked once per column. */
const priceIn = (text: string): string | undefined => {
  const currency = currencyIn(text)
  return currency === undefined || currency === 'USD' ? amountIn(text) : undefined
}

const COUNT = /^\D*?(\d{1,3}(?:[, ]\d{3})+|\d+)(?:\.\d+)?\s*(k(?!\w))?\D*$/i
const KILOMETERS = /^\D*?(\d{1,3}(?:[, ]\d{3})+|\d+)(?:\.\d+)?\s*(k(?=\s))?\s*(?:km|kms|kilomet\w*)\b\D*$/i
const KILOMETERS_PER_MILE = 1.609344
const MOST_MILES = 9_999_999

function numberMender(field: ImportField | undefined): Mender | undefined {
  if (field === 'partquantity') {
    return {
      mend: countIn,
      label: ({ length }) => `Remove the words from ${counted(length, 'quantity', 'quantities')}`,
    }
  }
  if (field !== 'partmiles') return undefined
  const mend = (text: string) => milesIn(text) ?? countIn(text)
  return {
    mend,
    label: (values) =>
      values.every((value) => milesIn(value.trim()) !== undefined)
        ? `Convert ${counted(values.length, 'mileage')} from kilometers`
        : `Remove the unit from ${counted(values.length, 'mileage')}`,
  }
}

const wholeIn = (digits: string, thousands: string | undefined) =>
  Number(digits.replace(/\D/g, '')) * (thousands === undefined ? 1 : 1_000)

function countIn(text: string): string | undefined {
  if (/[-–]/.test(text)) return undefined
  const [, digits, thousands] = COUNT.exec(text) ?? []
  const count = digits === undefined ? Number.NaN : wholeIn(digits, thousands)
  return count <= MOST_MILES ? String(count) : undefined
}

function milesIn(text: string): string | undefined {
  const [, digits, thousands] = KILOMETERS.exec(text) ?? []
  return digits === undefined
    ? undefined
    : String(Math.round(wholeIn(digits, thousands) / KILOMETERS_PER_MILE))
}

const withScheme = (text: string): string | undefined =>
  /^(?:www\.|[\w-]+(?:\.[\w-]+)+\/)\S+$/i.test(text) ? `https://${text}` : undefined

const onOneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()

function cutMender(field: ImportField | undefined): Mender | undefined {
  const found = fileFields.find((one) => fileNameOf(one) === field)
  const longest = found && longestText(found)
  // An address or a number cut short is another one.
  if (longest === undefined || own.has(field)) return undefined
  const cut = (text: string) =>
    text
      .slice(0, longest + 1)
      .replace(/\s*\S*$/, '')
      .slice(0, longest) || text.slice(0, longest)
  return {
    mend: cut,
    label: ({ length }) => `Cut ${counted(length, 'text')} to ${longest.toLocaleString('en-US')} characters`,
  }
}
