import { nameColumns } from '#contract/csv/csv-header.ts'
import type { ImportField } from '#contract/csv/import-fields.ts'
import { type Random, seededRandom } from '#server/platform/seeded-random.ts'
import { type Cell, type ColumnLabel, type Writer, writers } from './column-cells.ts'
import { columnLayouts } from './column-layouts.ts'
import { stockOf, yardsOf } from './yard-stock.ts'

/*
 * Files of many layouts whose columns are labeled, by which the certainty of proposals is measured. They are drawn by
 * rules and seeds and stored nowhere. `column-layouts.ts` has the layouts, `column-cells.ts` what a column contains; here
 * is how files of one layout differ.
 */

export type LabeledFile = {
  layout: string
  wear: Wear
  header: string[]
  rows: string[][]
  /** What each column is: a field, an amount of money that is not the price, a code, or none of ours. */
  labels: readonly ColumnLabel[]
}

type Column = { name: string; writer: Writer }

/** How a file of a layout differs from the plain one. */
const wears = [
  'plain',
  'in capitals, with trailing zeros',
  'with guards against formulas',
  'with remarks in its names',
  'of few rows',
  'with columns left out, in another order',
  'with gaps and words in cells',
  'without names',
] as const
type Wear = (typeof wears)[number]

const FEWEST_ROWS = 14
const MOST_ROWS = 110

/** Every layout in every wear. Layouts take turns, so that both halves have all kinds. */
export function labeledFiles(half: 'tuned' | 'held out'): LabeledFile[] {
  const first = half === 'tuned' ? 0 : 1
  return columnLayouts
    .filter((_, at) => at % 2 === first)
    .flatMap(({ layout, columns }) => wears.map((wear) => makeFile(layout, columns, wear)))
}

function makeFile(layout: string, text: string, wear: Wear): LabeledFile {
  const seed = `${layout} ${wear}`
  const random = seededRandom(seed)
  const columns = wornColumns(columnsOf(text), wear, random)
  const count = wear === 'of few rows' ? random.whole(5, 12) : random.whole(FEWEST_ROWS, MOST_ROWS)
  const style = { ...styleOf(random), zeros: wear === 'in capitals, with trailing zeros' }
  const [yard] = yardsOf(1, seed)
  if (!yard) throw new Error('a file is of no yard')
  const rows = stockOf(count, seed).map((part) => {
    const cell: Cell = { part, yard, style, random }
    return columns.map(({ writer }) => wornCell(String(writer.write(cell)), writer.label, wear, random))
  })
  const names = columns.map(({ name }) => name)
  const header =
    wear === 'without names'
      ? names.map((_, at) => `Column ${at + 1}`)
      : nameColumns(wornNames(names, wear, columns, random))
  return { layout, wear, header, rows, labels: columns.map(({ writer }) => writer.label) }
}

/** “Stock # > stock | Year > year” */
function columnsOf(text: string): Column[] {
  return text.split(' | ').map((column) => {
    const [name = '', key = ''] = column.trim().split(' > ')
    const writer = writers[key.trim()]
    if (!writer) throw new Error(`no column contains “${key}”`)
    return { name, writer }
  })
}

const styleOf = (random: Random): Omit<Cell['style'], 'zeros'> => ({
  money: random.pick(['plain', 'plain', 'dollar', 'whole'] as const),
  capitals: random.chance(0.3),
})

const needed: readonly ColumnLabel[] = ['partname', 'partprice', 'partyear', 'partmanu', 'partmodel']

function wornColumns(columns: Column[], wear: Wear, random: Random): Column[] {
  if (wear !== 'with columns left out, in another order') return columns
  const kept = columns.filter(({ writer }) => needed.includes(writer.label) || random.chance(0.75))
  const cut = random.whole(1, kept.length - 1)
  return [...kept.slice(cut), ...kept.slice(0, cut)]
}

const remarks: Partial<Record<Exclude<ColumnLabel, null>, readonly string[]>> = {
  partprice: ['(USD)', '(USD, no tax)', '(no core)', '(each)', '[$]', '(w/o core)', '(incl. tax)', '- USD'],
  partmiles: ['(mi)', '(miles)', '(in miles)'],
  partyear: ['(YYYY)', '*', '(required)'],
  partnum: ['(if known)', '(optional)'],
  partgrade: ['(A-D)', '(A/B/C)'],
  partquantity: ['(pcs)', '(on hand)'],
  stocknum: ['(unique)', '*'],
  partdescription: ['(optional)', '(max 500 characters)'],
  zipcode: ['(5 digits)'],
  dealerphone: ['(with area code)'],
  imageUrl: ['(URL)', '(link)'],
  partname: ['*', '(required)'],
}

function wornNames(names: string[], wear: Wear, columns: Column[], random: Random): string[] {
  if (wear === 'in capitals, with trailing zeros') return names.map((name) => name.toUpperCase())
  if (wear !== 'with remarks in its names') return names
  return names.map((name, at) => {
    const label = columns[at]?.writer.label
    const fitting = label ? remarks[label] : undefined
    return fitting && random.chance(0.6) && !name.includes('(') ? `${name} ${random.pick(fitting)}` : name
  })
}

const guarded: readonly ColumnLabel[] = [
  'stocknum',
  'partnum',
  'zipcode',
  'partinterchange',
  'vin',
  'dealerphone',
  'code',
]

const messy: Partial<Record<Exclude<ColumnLabel, null>, readonly string[]>> = {
  partquantity: ['In Stock', '2 pcs', '2+', '1 ea', '0', 'out of stock', 'N/A'],
  partprice: ['call', 'SOLD', '0.00', 'Call for price', 'TBD'],
  partmiles: ['TMU', 'exempt', 'unknown', 'N/A', '-', '~98000'],
  partgrade: ['N/A', '-', '?', ''],
  partnum: ['N/A', 'none', '-', '0', 'see photo'],
  partyear: ['', 'N/A'],
  vin: ['', 'N/A', 'no vin'],
  partinterchange: ['', 'N/A'],
}

function wornCell(text: string, label: ColumnLabel, wear: Wear, random: Random): string {
  if (wear === 'with guards against formulas')
    return guarded.includes(label) && text !== '' ? `="${text}"` : text
  if (wear !== 'with gaps and words in cells') return text
  const words = label ? messy[label] : undefined
  if (words && random.chance(label === 'partquantity' ? 0.5 : 0.18)) return random.pick(words)
  const isLasting = label !== null && needed.includes(label)
  return random.chance(isLasting ? 0.02 : 0.1) ? '' : text
}

export const fieldsOf = ({ labels }: LabeledFile): ImportField[] =>
  labels.filter((label): label is ImportField => label !== null && label !== 'money' && label !== 'code')
