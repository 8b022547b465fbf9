import { MIN_CERTAINTY } from '#contract/column-mapping/suggest-columns.ts'
import type { SaleState, SaleStates } from '#contract/column-questions/sale-states.ts'
import { findColumn } from '#contract/csv/csv-header.ts'
import { nameSays } from '#contract/csv/field-headers.ts'
import type { ImportField, ImportMapping } from '#contract/csv/import-fields.ts'
import { mileUnit } from '#contract/vehicle/mile-units.ts'
import { shopOf } from '#contract/yard-file/shops/shop-layouts.ts'
import {
  type ColumnFacts,
  factOf,
  MAX_UNNAMED_STATES,
  type MilesFacts,
  type PriceFacts,
} from './column-facts.ts'
import { currencyIn, currencyName, currencyOfHeader, isInCents } from './currencies.ts'
import { findCurrencyColumn } from './currency-columns.ts'
import { namesPrice, pricesInOrder } from './money-columns.ts'
import {
  type ColumnAnswer,
  type ColumnAssumption,
  type ColumnQuestion,
  MAX_VALUES_SHOWN,
  type UnitChoice,
} from './questions.ts'

/* The open questions about a file's columns, given its values and the answers so far. */

export type AskedFile = {
  readonly header: readonly string[]
  /** As sent, before an answer chooses another column for the price. */
  readonly mapping: ImportMapping
  readonly facts: ColumnFacts
  readonly answers: readonly ColumnAnswer[]
  /** Fields whose columns were only suggested. Other mappings were chosen by the user. */
  readonly suggested: ReadonlySet<ImportField>
  /** How the column of miles was read, if not as plain miles. */
  readonly milesAs?: string | undefined
  /** The column of currencies as the file was read; by its name if not given. */
  readonly currencyColumn?: string | undefined
  /** The currency of the price's bare amounts, if others name it. */
  readonly amounts?: string | undefined
  readonly saleStates: Pick<SaleStates, 'columnOf' | 'readerOf' | 'speaksOfSales' | 'isYesOrNo'>
}

/** More questions at once would not be answered carefully; the rest follow later. */
const MOST_QUESTIONS = 4

/** The open questions, the most important first. */
export function openQuestions(file: AskedFile): ColumnQuestion[] {
  const prices = priceQuestions(file)
  // Which column is the price comes first.
  const currencies = currencyQuestions(file).filter(
    ({ column }) => !prices.some((asked) => asked.column === column),
  )
  return [...prices, ...currencies, ...stateQuestions(file), ...unitQuestions(file)].slice(0, MOST_QUESTIONS)
}

/** The mapping with the price column from an answer, and without miles that an answer leaves out. */
export function answeredMapping(mapping: ImportMapping, answers: readonly ColumnAnswer[]): ImportMapping {
  if (answers.length === 0) return mapping
  const { partprice, partmiles, ...others } = mapping
  const price = partprice === undefined ? undefined : priceAnswer(partprice, answers)
  const priceColumn = price ? price.use : partprice
  const leavesMiles = partmiles !== undefined && answers.find(isOf('units', partmiles))?.use === 'leave-out'
  return {
    ...others,
    ...(priceColumn !== undefined && { partprice: priceColumn }),
    ...(partmiles !== undefined && !leavesMiles && { partmiles }),
  }
}

/** The unit of the miles according to the seller. */
export function answeredUnit(
  { partmiles }: ImportMapping,
  answers: readonly ColumnAnswer[],
): Exclude<UnitChoice, 'leave-out'> | undefined {
  const use = partmiles === undefined ? undefined : answers.find(isOf('units', partmiles))?.use
  return use === 'leave-out' ? undefined : use
}

type Answer<Kind extends ColumnAnswer['kind']> = Extract<ColumnAnswer, { kind: Kind }>

const isOf =
  <Kind extends ColumnAnswer['kind']>(kind: Kind, column: string) =>
  (answer: ColumnAnswer): answer is Answer<Kind> =>
    answer.kind === kind && findColumn([answer.column], column) === 0

const priceAnswer = (column: string, answers: readonly ColumnAnswer[]) => answers.find(isOf('price', column))

const quoted = (text: string) => `“${text.slice(0, 60)}”`
/** What an amount of a column is in dollars, as far as nothing else is said. */
function dollars(text: string, column: string): string {
  if (isInCents(column) && /^\d+$/.test(text)) return `$${(Number(text) / 100).toFixed(2)}`
  const currency = currencyOfHeader(column)
  if (currency !== undefined && currency !== 'USD') return `${text} ${currency}`
  return /^\d/.test(text) && currencyIn(text) === undefined ? `$${text}` : text
}
const shownAmounts = (column: string, first: readonly string[]) =>
  first.slice(0, 2).map((text) => dollars(text, column))

/* Which column is the price. */

function priceQuestions({ header, mapping, facts, answers, suggested }: AskedFile): ColumnQuestion[] {
  const column = header[findColumn(header, mapping.partprice ?? '')]
  const found = column === undefined ? undefined : factOf(facts.prices, column)
  if (column === undefined || !found || found.rows === 0) return []
  const money = facts.money ?? []
  const isAsked =
    looksLikeCodes(column, found) || (suggested.has('partprice') && isUnsure(column, { header, facts }))
  const answer = priceAnswer(column, answers)
  // An answer for an earlier file is no reason to give up a column that looks like a price this time.
  const isAnswered = answer && (!answer.remembered || answer.use === column || isAsked)
  if (isAnswered || (!isAsked && !answer)) return []
  const others = money.filter((other) => other.column !== column)
  return [
    {
      id: `price:${column}`,
      kind: 'price',
      column,
      sentence: `Is ${quoted(column)} your price? First parts would cost ${shownAmounts(column, found.first).join(' and ')}.`,
      values: found.first.map((value) => ({ value, rows: 1 })),
      choices: [
        { id: 'yes', label: `Yes, ${quoted(column)}` },
        ...others.map((other) => ({
          id: other.column,
          label: `${other.column} (${shownAmounts(other.column, other.first).join(', ')})`,
        })),
        { id: 'none', label: 'None of these' },
      ],
      several: false,
      takesRate: false,
    },
  ]
}

const FEWEST_IN_ORDER = 6
const FEWEST_OF_KIND = 10

/** Whether amounts are codes: of part types, ZIP codes, or a running number. */
function looksLikeCodes(column: string, facts: PriceFacts): boolean {
  const { rows, whole, prefixes, next, five, ofKind, sameAsKind } = facts
  if (prefixes >= 0.5 * rows) return true
  if (whole < 0.98 * rows) return false
  // Yards that sell by a price list have one price for each kind of part, and confirm that it is the price.
  if (namesPrice(column)) return false
  if (rows >= FEWEST_IN_ORDER && next >= 0.9 * (rows - 1)) return true
  if (five >= 0.9 * rows) return true
  return ofKind >= FEWEST_OF_KIND && sameAsKind >= 0.98 * ofKind
}

/**
 * Whether a suggested column may not be what a buyer pays: from the certainty on that is sure, 99 of 100 of the labeled files'
 * prices are right (`certainty.test.ts`).
 */
function isUnsure(column: string, { header, facts }: Pick<AskedFile, 'header' | 'facts'>): boolean {
  // Made of the two columns of prices that such a file has, so that those are no others.
  if (column === 'Price' && shopOf(header) === 'woocommerce') return false
  // A sale price and the regular one are read together.
  if (pricesInOrder(header, header.indexOf(column))) return false
  const { likelyPrice } = facts
  return likelyPrice?.column !== column || likelyPrice.confidence < MIN_CERTAINTY
}

/** The price's column as a person or program named it, where we would have asked: the answer for the next files. */
export function namedPrice({ header, mapping, facts, answers, suggested }: AskedFile): ColumnAnswer[] {
  const column = header[findColumn(header, mapping.partprice ?? '')]
  if (column === undefined || suggested.has('partprice') || priceAnswer(column, answers)) return []
  return isUnsure(column, { header, facts })
    ? [{ id: `price:${column}`, kind: 'price', column, use: column }]
    : []
}

/* Currencies. */

type Foreign = { column: string; currency: string; rows: number; first: readonly string[] }

/** Asked only if at least this many cells name another currency; fewer are left out without a question. */
const LEAST_SHARE = 0.02

/** Amounts in other currencies; each currency under the first column that has it. */
function foreignAmounts(file: AskedFile): Foreign[] {
  const { header, facts, answers } = file
  const mapping = answeredMapping(file.mapping, answers)
  const money = [mapping.partprice, mapping.partshipping, mapping.corecharge].flatMap(
    (name) => header[findColumn(header, name ?? '')] ?? [],
  )
  const rowsIn = header[findCurrencyColumn(header, file.currencyColumn)]
  const found = new Map<string, Foreign>()
  for (const column of [...(rowsIn === undefined || money.length === 0 ? [] : [rowsIn]), ...money]) {
    const counted = Object.entries(factOf(facts.currencies, column) ?? {})
    const all = counted.reduce((sum, [, { rows }]) => sum + rows, 0)
    const ofHeader = column === rowsIn ? undefined : (currencyOfHeader(column) ?? file.amounts)
    for (const [said, { rows, first }] of counted) {
      const currency = said || ofHeader
      const isRare = said !== '' && column !== rowsIn && said !== ofHeader && rows < LEAST_SHARE * all
      if (!isRare) addAmounts(found, { column, currency, rows, first })
    }
  }
  return [...found.values()]
}

/** Amounts with and without their currency are of one. */
function addAmounts(
  found: Map<string, Foreign>,
  { currency = 'USD', ...amounts }: Omit<Foreign, 'currency'> & { currency: string | undefined },
): void {
  if (currency === 'USD') return
  const known = found.get(currency)
  if (known?.column === amounts.column) known.rows += amounts.rows
  if (!known) found.set(currency, { ...amounts, currency })
}

const idOfCurrency = ({ column, currency }: Foreign, all: readonly Foreign[]) =>
  all.some((other) => other.column === column && other.currency !== currency)
    ? `currency:${column} (${currency})`
    : `currency:${column}`

function currencyQuestions(file: AskedFile): ColumnQuestion[] {
  const all = foreignAmounts(file)
  return all
    .filter((foreign) => !currencyAnswer(foreign, all, file.answers))
    .map((foreign): ColumnQuestion => {
      const { column, currency, rows, first } = foreign
      const name = currencyName(currency)
      const isAll = rows >= 0.9 * file.facts.rows
      const said = isAll ? `Your prices are in ${name}.` : `${counted(rows)} in ${name}.`
      return {
        id: idOfCurrency(foreign, all),
        kind: 'currency',
        column,
        sentence: `${said} We list in US dollars. Enter a rate, or leave these parts out.`,
        values: first.map((value) => ({ value, rows: 1 })),
        choices: [
          { id: 'rate', label: `Convert at a rate: dollars for 1 ${currency}` },
          { id: 'leave-out', label: `Leave out ${isAll ? 'these parts' : `the parts in ${name}`}` },
        ],
        several: false,
        takesRate: true,
      }
    })
}

const counted = (rows: number) =>
  rows === 1 ? '1 part is priced' : `${rows.toLocaleString('en-US')} parts are priced`

function currencyAnswer(
  { column, currency }: Foreign,
  all: readonly Foreign[],
  answers: readonly ColumnAnswer[],
): Answer<'currency'> | undefined {
  const isAlone = all.every((other) => other.column !== column || other.currency === currency)
  const own = answers.filter(isOf('currency', column))
  return own.find((answer) => answer.currency === currency || (isAlone && answer.currency === undefined))
}

/* States of sale. */

/** What a column of words must look like to contain sale states if its header does not say so. */
const isShortWord = (value: string) => /^[\p{L}\d]+(?:[ _-][\p{L}\d]+)?$/u.test(value) && value.length <= 20

/** Reads a column's words as sale states. */
const stateReader = (column: string, { columnOf, readerOf }: AskedFile['saleStates']) =>
  readerOf(columnOf(column) === undefined ? 'Status' : column)

/** What a column's words mean according to the seller, or undefined if the seller has not answered. */
function answeredState(
  { column, forSale, known }: Answer<'state'>,
  saleStates: AskedFile['saleStates'],
): (cell: string) => SaleState | undefined {
  const read = stateReader(column, saleStates)
  const chosen = new Set(forSale)
  // Of a column that is not named for states, all of its words were asked about.
  const isOpen = saleStates.columnOf(column) === undefined
  return (cell) => {
    if (chosen.has(cell)) return 'for sale'
    const state = read(cell)
    if (!isOpen && state !== 'unknown') return state
    if (known === undefined || known.includes(cell)) return 'not for sale'
    return state === 'unknown' ? undefined : state
  }
}

/** The same by column. */
export const answeredStates = (answers: readonly ColumnAnswer[], saleStates: AskedFile['saleStates']) =>
  new Map(
    answers.flatMap((answer) =>
      answer.kind === 'state' ? [[answer.column, answeredState(answer, saleStates)] as const] : [],
    ),
  )

const STATE_FOUND = {
  named: 'has words that we don’t know',
  likely: 'seems to say whether a part is for sale',
} as const

const rowsOf = (values: readonly (readonly [value: string, rows: number])[]) =>
  values.reduce((sum, [, rows]) => sum + rows, 0)

/** The values of most rows first. */
const byRows = (values: readonly (readonly [value: string, rows: number])[]) =>
  values.toSorted((a, b) => b[1] - a[1]).slice(0, MAX_VALUES_SHOWN)

function stateQuestions({ header, facts, answers, saleStates }: AskedFile): ColumnQuestion[] {
  return header.flatMap((column): ColumnQuestion[] => {
    const values = factOf(facts.states, column)
    if (!values) return []
    const filled = rowsOf(values)
    const isNamed = saleStates.columnOf(column) !== undefined
    const read = stateReader(column, saleStates)
    const open = isNamed ? values.filter(([value]) => read(value) === 'unknown') : values
    const isOfOne = values.length === 1 && filled === facts.rows
    if (isOfOne || open.length === 0) return []
    if (!isNamed && !mayBeStates(column, values, { filled, facts, saleStates })) return []
    if (isStateAnswered(answers.find(isOf('state', column)), open)) return []
    return [
      {
        id: `state:${column}`,
        kind: 'state',
        column,
        sentence: `${quoted(column)} ${STATE_FOUND[isNamed ? 'named' : 'likely']}. Which of these are for sale?`,
        values: byRows(values).map(([value, rows]) => ({ value, rows })),
        choices: byRows(open).map(([value]) => ({ id: value, label: value })),
        several: true,
        takesRate: false,
      },
    ]
  })
}

/** Whether all of a column's words are known, and those for gone parts are read in any column: "Disponible", "Vendu". */
const areReadAnyway = (
  column: string,
  values: readonly (readonly [string, number])[],
  saleStates: AskedFile['saleStates'],
): boolean => {
  const asState = stateReader(column, saleStates)
  const inAny = saleStates.readerOf(column)
  return values.every(([value]) => asState(value) === 'for sale' || inAny(value) === 'not for sale')
}

type Looked = Pick<AskedFile, 'facts' | 'saleStates'> & { filled: number }

/** Whether a column without a name for it has states that its words do not settle by themselves. */
const mayBeStates = (
  column: string,
  values: readonly (readonly [string, number])[],
  looked: Looked,
): boolean => looksLikeStates(column, values, looked) && !areReadAnyway(column, values, looked.saleStates)

/**
 * Whether the words of a column are states although its name does not say so: a yes or no under a name that speaks of selling,
 * or short words, one of which says that a part is gone.
 */
function looksLikeStates(
  column: string,
  values: readonly (readonly [string, number])[],
  { filled, facts, saleStates }: Looked,
): boolean {
  if (values.length > MAX_UNNAMED_STATES || !values.every(([value]) => isShortWord(value))) return false
  const isFull = filled >= 0.9 * facts.looked
  const areAnswers = values.every(([value]) => saleStates.isYesOrNo(value))
  // A single 1 may be a count or the store's number.
  const isCount = values.length === 1 && /^\d$/.test(values[0]?.[0] ?? '')
  if (areAnswers && !isCount && saleStates.speaksOfSales(column)) return true
  const read = stateReader(column, saleStates)
  // A letter may mean anything.
  const states = values.map(([value]) => (value.length > 1 ? read(value) : 'unknown'))
  const isGone = states.includes('not for sale')
  return isGone && (isFull || states.every((state) => state !== 'unknown'))
}

function isStateAnswered(
  answer: Answer<'state'> | undefined,
  unknown: readonly (readonly [string, number])[],
): boolean {
  if (!answer) return false
  const { known, forSale } = answer
  return known === undefined || unknown.every(([value]) => known.includes(value) || forSale.includes(value))
}

/* Units of the miles. */

function unitQuestions({ header, mapping, facts, answers, milesAs, suggested }: AskedFile): ColumnQuestion[] {
  const column = header[findColumn(header, mapping.partmiles ?? '')]
  const { miles } = facts
  if (column === undefined || !miles) return []
  if (answers.some(isOf('units', column))) return []
  // Short numbers without a name may be a row of the yard, too.
  const isNameless = suggested.has('partmiles') && milesAs === 'thousands' && nameSays(column) === 'nothing'
  const shown = isNameless ? miles.first : contradictingMiles(column, miles, milesAs)
  if (shown.length === 0) return []
  const labels: Record<UnitChoice, string> = {
    miles: 'Miles',
    kilometers: 'Kilometers',
    thousands: 'Thousands of miles',
    'leave-out': 'Leave the miles out',
  }
  return [
    {
      id: `units:${column}`,
      kind: 'units',
      column,
      sentence: `What are the numbers in ${quoted(column)}? It has ${shown.map(quoted).join(' and ')}.`,
      values: shown.map((value) => ({ value, rows: 1 })),
      choices: Object.entries(labels).map(([id, label]) => ({ id, label })),
      several: false,
      takesRate: false,
    },
  ]
}

/** The values that contradict each other; empty if they don't. */
function contradictingMiles(column: string, miles: MilesFacts, readAs: string | undefined): string[] {
  const { kilometers, bare, low, high, first, firstLow, firstHigh } = miles
  // The column's name says it.
  if (mileUnit(column, []) !== undefined) return []
  const pair = [firstLow[0], firstHigh[0]].flatMap((value) => value ?? [])
  if (readAs?.startsWith('thousand') && miles.firstFull.length > 0)
    return [...firstLow.slice(0, 1), ...miles.firstFull.slice(0, 1)]
  const all = kilometers + miles.miles + bare
  const isUnmarked = kilometers >= 0.1 * all && bare > 0
  if (isUnmarked) return first
  const isMixed = low >= FEWEST_LOW && low >= 0.2 * bare && high > 0
  return isMixed ? pair : []
}

const FEWEST_LOW = 5

/* The answers, for display and for the next file. */

/** The answers as sentences. */
export function assumptions(answers: readonly ColumnAnswer[]): ColumnAssumption[] {
  return answers.map((answer) => ({ id: answer.id, sentence: sentenceOf(answer) }))
}

function sentenceOf(answer: ColumnAnswer): string {
  const column = quoted(answer.column)
  switch (answer.kind) {
    case 'price':
      if (answer.use === undefined) return 'No column is the price'
      return `The price is ${quoted(answer.use)}`
    case 'currency': {
      const name = answer.currency === undefined ? 'another currency' : currencyName(answer.currency)
      if (answer.use === 'leave-out') return `Parts priced in ${name} are left out`
      return `Prices are ${name} at ${answer.use}`
    }
    case 'units':
      if (answer.use === 'leave-out') return `${column} is left out`
      return `${column} is in ${answer.use === 'thousands' ? 'thousands of miles' : answer.use}`
    case 'state':
      if (answer.forSale.length === 0) return `Of the words in ${column}, no word means for sale`
      return `For sale in ${column}: ${answer.forSale.slice(0, 10).join(', ')}`
  }
}

/** Answers with the values they were about, so that they don't apply to anything else in a later file. */
export function answersToKeep(file: AskedFile): ColumnAnswer[] {
  const all = foreignAmounts(file)
  return file.answers.flatMap((answer): ColumnAnswer[] => {
    if (answer.kind === 'currency' && answer.currency === undefined) {
      const found = all.find((foreign) => currencyAnswer(foreign, all, [answer]))
      return found ? [{ ...answer, currency: found.currency }] : []
    }
    if (answer.kind === 'state') {
      const values = (factOf(file.facts.states, answer.column) ?? []).map(([value]) => value)
      return [{ ...answer, known: [...new Set([...(answer.known ?? []), ...values])].slice(0, 100) }]
    }
    return [answer]
  })
}
