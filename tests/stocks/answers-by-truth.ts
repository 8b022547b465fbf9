import type { ColumnQuestion } from '#contract/column-questions/questions.ts'
import type { ImportField } from '#contract/csv/import-fields.ts'
import type { ImportMode, ImportQuestion } from '#contract/imports.ts'
import { currencyOf, plain, type Rates, type TrueRow } from './truth.ts'
import type { YardClient } from './yard-client.ts'

/* Answers as the truth implies them. */

/** What the yard knows of its file. */
export type Yard = {
  file: File
  truth: readonly TrueRow[]
  rates: Rates
  /** Whether the file is all of its stock. */
  mode: ImportMode
  defaults: Readonly<Partial<Record<ImportField, string>>>
}

export type Known = { header: readonly string[]; rows: readonly (readonly string[])[]; yard: Yard }

const MONEY = /\d[\d.,]*\d|\d/
/** “1.156,50 €” has a decimal comma. */
const amountIn = (cell: string) => {
  const digits = MONEY.exec(cell)?.[0] ?? ''
  const isComma = /,\d\d?$/.test(digits)
  return Number(
    isComma ? digits.replaceAll('.', '').replace(',', '.') : digits.replaceAll(',', '') || Number.NaN,
  )
}

/** The truth of the row with these cells. */
function truthOf(cells: readonly string[], truth: readonly TrueRow[]): TrueRow | undefined {
  const texts = new Set(cells.map(plain).filter((text) => text !== ''))
  const typed = plain(`${cells[0] ?? ''}${cells[1] ?? ''}`)
  return truth.find(
    ({ key, num, stock, line }) =>
      [key, num, stock].some((one) => one && texts.has(plain(one))) ||
      (line !== undefined && plain(line).startsWith(typed)),
  )
}

/** What a column means by the truth of its rows. */
export function columnAnswer(question: ColumnQuestion, known: Known): string | string[] {
  const { yard } = known
  if (question.kind === 'price') return priceColumn(question, known)
  if (question.kind === 'units') return unitOf(question, known)
  if (question.kind === 'state') return statesForSale(question, known)
  const currency = yard.truth.map(currencyOf).find((one) => one !== 'USD') ?? ''
  const rate = yard.rates[currency]
  return rate === undefined ? 'leave-out' : `rate:${rate}`
}

const cellsIn = (column: string, { header, rows }: Known) =>
  rows.map((cells) => (cells[header.indexOf(column)] ?? '').trim())

/** The column that has the most of the true prices. */
function priceColumn({ column, choices }: ColumnQuestion, known: Known): string {
  const prices = new Set(known.yard.truth.map(({ price }) => price))
  const hits = choices.map(({ id }) => ({
    id,
    hits: cellsIn(id === 'yes' ? column : id, known).filter((cell) => prices.has(amountIn(cell))).length,
  }))
  const best = hits.toSorted((a, b) => b.hits - a.hits)[0]
  return best && best.hits > 0 ? best.id : 'none'
}

/** A cell in thousands is a thousandth of its miles, one in kilometers 1.6 times as much. */
const FEWER = 0.01
const MORE = 1.3

function unitOf({ column }: ColumnQuestion, { header, rows, yard }: Known): string {
  const ratios = rows.flatMap((cells) => {
    const miles = truthOf(cells, yard.truth)?.miles
    const cell = amountIn(cells[header.indexOf(column)] ?? '')
    return miles && cell > 0 ? [cell / miles] : []
  })
  const middle = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? 1
  if (middle < FEWER) return 'thousands'
  return middle > MORE ? 'kilometers' : 'miles'
}

function statesForSale({ column, choices }: ColumnQuestion, { header, rows, yard }: Known): string[] {
  const isLive = (cells: readonly string[]) => ['live', 'ask'].includes(truthOf(cells, yard.truth)?.exp ?? '')
  return choices.flatMap(({ id }) => {
    const ofValue = rows.filter((cells) => (cells[header.indexOf(column)] ?? '').trim() === id)
    return 2 * ofValue.filter(isLive).length > ofValue.length ? [id] : []
  })
}

/** What a name means by the rows that have it; undefined if the yard wouldn't know. */
export async function meaningOf(
  client: YardClient,
  { kind, typed, about, example, mayBeNew, choices }: ImportQuestion,
  { rows, yard }: Known,
): Promise<string | null | undefined> {
  const has = (text: string) => (cells: readonly string[]) => {
    const all = plain(cells.join(' '))
    return text !== '' && text.split(/\s+/).every((word) => all.includes(plain(word)))
  }
  const rowsOfName = rows.filter(has(typed === '' ? about : typed))
  const ofExample = rows.filter((cells) => (typed === '' || has(typed)(cells)) && has(example)(cells))
  const [first] = [...ofExample, ...rowsOfName]
  const truths = [...(first ? [first] : []), ...rowsOfName].flatMap(
    (cells) => truthOf(cells, yard.truth) ?? [],
  )
  const truth = truths[0]
  if (!truth) return undefined
  if (kind === 'category') {
    const all = await client.get<{ id: string; name: string }[]>('/categories')
    const cats = (truth.cats ?? []).map(plain)
    return (
      choices.find(({ name }) => cats.includes(plain(name))) ??
      all.find(({ name }) => cats.includes(plain(name)))
    )?.id
  }
  const wanted = plain(kind === 'manufacturer' ? truth.make : truth.model)
  const choice = choices.find(({ name }) => plain(name) === wanted || plain(name).endsWith(wanted))
  if (choice) return choice.id
  return mayBeNew ? null : undefined
}
