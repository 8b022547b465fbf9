import { joinAddresses, splitAddresses } from '#contract/csv/picture-addresses.ts'
import { type FitmentRow, fitmentWords, MAX_FITMENT_ROWS, printFitment } from '#contract/listing/fitment.ts'
import { yearSpanText } from '#contract/listing/year-span.ts'
import { eachYear, findYears, readYears, runsOf } from '#contract/trade-language/years.ts'
import { type EbayColumn, ebayHeader, findEbayColumns } from './ebay-columns.ts'
import { textOfHtml } from './html-text.ts'

/**
 * eBay's conditions as our grades: A excellent, B mint, C fair, D bad. Never a better grade than eBay's own words promise.
 * “Used” (3000) is said of nearly every part and gives none: buyers read C as “with damage”. Neither do “New other” and
 * “Remanufactured”, which say where a part comes from and not how it is.
 */
const conditions: readonly [id: string, grade: 'A' | 'B' | 'C' | 'D', ...words: string[]][] = [
  ['1000', 'A', 'new', 'brand new', 'new with tags', 'new with box'],
  ['2750', 'B', 'like new'],
  ['2990', 'B', 'pre-owned - excellent'],
  ['3010', 'C', 'pre-owned - fair'],
  ['4000', 'C', 'very good'],
  ['5000', 'C', 'good'],
  ['6000', 'D', 'acceptable'],
  ['7000', 'D', 'for parts or not working', 'for parts', 'not working'],
]

const grades = new Map(
  conditions.flatMap(([id, grade, ...words]) => [id, ...words].map((word) => [word, grade])),
)

/**
 * The grade of a “Condition ID” or “Condition”, such as 4000, "4000-Very good" or "Very good"; '' if it gives no
 * grade.
 */
export function gradeFromCondition(condition: string): string {
  const words = condition.trim().toLowerCase().replaceAll(/[–—]/g, '-').replaceAll(/\s+/g, ' ')
  const id = /^(\d{4})\b/.exec(words)?.[1]
  return grades.get(id ?? words) ?? ''
}

/** A vehicle that a part fits; '' for what eBay's row leaves out. */
type Fitment = { make: string; model: string; trim: string; engine: string; note: string; years: number[] }

/** "2012", "2012-2015" and "2012,2014" as years; anything else is left out. */
const yearsIn = (text: string): number[] =>
  text.split(/[,/]/).flatMap((piece) => {
    const { years } = readYears(piece, LAST_YEAR)
    return years ? eachYear(years) : []
  })

// eBay's catalog has cars of next year; a file is read without a clock.
const LAST_YEAR = 2_048

type Properties = Map<string, string[]>

/** "Trim=All" means the same as no trim. */
const firstOf = (properties: Properties, ...names: string[]) =>
  names.map((name) => properties.get(name)?.[0]?.trim()).find((value) => value && !/^all$/i.test(value)) ?? ''

function fitmentOf(properties: Properties): Fitment | undefined {
  const years = (properties.get('year') ?? []).flatMap(yearsIn)
  const fitment = {
    make: firstOf(properties, 'make'),
    model: firstOf(properties, 'model'),
    trim: firstOf(properties, 'trim', 'submodel'),
    engine: firstOf(properties, 'engine'),
    note: firstOf(properties, 'notes', 'note', 'compatibilitynotes', 'fitmentcomments'),
    years,
  }
  return fitment.make === '' && fitment.model === '' ? undefined : fitment
}

/**
 * The vehicles in a cell of “Relationship details”: "Year=2012|Make=Ford|Model=F-150|Trim=XLT" in any order, with
 * several vehicles separated by semicolons, and so are a property's further values ("Year=2012;2013|Make=Ford|…").
 */
export function readFitments(details: string): Fitment[] {
  const vehicles: Properties[] = []
  let vehicle: Properties = new Map()
  for (const { name, value, isLater } of propertiesOf(details)) {
    if (isLater && vehicle.has(name)) {
      vehicles.push(vehicle)
      vehicle = new Map()
    }
    vehicle.set(name, [...(vehicle.get(name) ?? []), value])
  }
  return [...vehicles, vehicle].flatMap((properties) => fitmentOf(properties) ?? [])
}

/** `isLater`: named after a semicolon, where a repeated name starts the next vehicle. */
type Property = { name: string; value: string; isLater: boolean }

function propertiesOf(details: string): Property[] {
  return details.split('|').flatMap((property) => {
    let name = ''
    return property.split(/[;\r\n]+/).flatMap((piece, place) => {
      const equals = piece.indexOf('=')
      if (equals !== -1) name = piece.slice(0, equals).trim().toLowerCase()
      const value = piece.slice(equals + 1).trim()
      return name === '' || value === '' ? [] : [{ name, value, isLater: equals !== -1 && place > 0 }]
    })
  })
}

const sameName = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
const isSameCar = (a: Fitment, b: Fitment) => sameName(a.make, b.make) && sameName(a.model, b.model)

/** A part's fitment for our columns. */
type FitmentSummary = Record<'make' | 'model' | 'year' | 'trim' | 'all', string>

/**
 * The years that a title names for the same car, if its fitment rows are some of them: “2007-2011 Toyota Camry” with rows for
 * three years.
 */
function titleYears(title: string, { make, model }: Fitment, run: PartRun): PartRun | undefined {
  const [only, ...others] = findYears(title, LAST_YEAR)
  const words = title.toLowerCase()
  const namesCar = make !== '' && words.includes(make.toLowerCase()) && words.includes(model.toLowerCase())
  const years = others.length === 0 && namesCar ? only?.years : undefined
  return years && years.from <= run.from && run.to <= years.to ? years : undefined
}
type PartRun = { readonly from: number; readonly to: number }

/** The first car, with the run of years around its first year, and all cars. */
export function summarizeFitments(fitments: readonly Fitment[], title = ''): FitmentSummary {
  const [first] = fitments
  if (!first) return { make: '', model: '', year: '', trim: '', all: '' }
  const ofCar = fitments.filter((fitment) => isSameCar(fitment, first))
  const [firstYear] = ofCar.flatMap(({ years }) => years)
  const runs = runsOf(ofCar.flatMap(({ years }) => years))
  const own = runs.find(({ from, to }) => firstYear !== undefined && from <= firstYear && firstYear <= to)
  // Rows that leave years out are more exact than a title.
  const run = own && runs.length === 1 ? (titleYears(title, first, own) ?? own) : own
  const trims = new Set(ofCar.map(({ trim }) => trim))
  return {
    make: first.make,
    model: first.model,
    year: run ? yearSpanText(run) : '',
    // A part that fits several trims has none of its own.
    trim: trims.size === 1 ? first.trim : '',
    all: allCars(fitments),
  }
}

/**
 * "2012-2014 Ford F-150 (trim: XLT); 2016 Ford F-150 (trim: XLT); 2014 Lincoln Navigator", in the order of the file.
 * eBay allows 3,000 rows: with too many cars, the list leaves out their details, and then is cut.
 */
function allCars(fitments: readonly Fitment[]): string {
  const rows = rowsOf(fitments, { withDetails: true })
  const shown = rows.length > MAX_FITMENT_ROWS ? rowsOf(fitments, { withDetails: false }) : rows
  return printFitment(shown.slice(0, MAX_FITMENT_ROWS))
}

/** One row for each run of years of a car. */
function rowsOf(fitments: readonly Fitment[], { withDetails }: { withDetails: boolean }): FitmentRow[] {
  const cars = new Map<string, { row: Omit<FitmentRow, 'from' | 'to'>; years: number[] }>()
  for (const { make, model, years, ...details } of fitments) {
    if (make === '' || model === '') continue
    const { trim, engine, note } = withDetails ? details : { trim: '', engine: '', note: '' }
    const row = {
      vehicle: fitmentWords(`${make} ${model}`),
      ...(trim && { trim: fitmentWords(trim) }),
      ...(engine && { engine: fitmentWords(engine) }),
      ...(note && { note: fitmentWords(note) }),
    }
    const key = JSON.stringify(row).toLowerCase()
    const car = cars.get(key) ?? { row, years: [] as number[] }
    car.years.push(...years)
    cars.set(key, car)
  }
  return [...cars.values()].flatMap(({ row, years }) => runsOf(years).map((span) => ({ ...span, ...row })))
}

/** Positions of the columns that eBay's rules use. */
type EbayColumns = ReadonlyMap<EbayColumn, number>

function readCell(cells: readonly string[], columns: EbayColumns, column: EbayColumn): string {
  return cells[columns.get(column) ?? -1]?.trim() ?? ''
}

/** A row that lists a part, with its rows below. */
type EbayItem = {
  readonly cells: readonly string[]
  readonly fitments: Fitment[]
  /** The item's row, its variations, and undefined for each folded row. */
  readonly rows: (readonly string[] | undefined)[]
  /** Number of variation rows: each is a part, but the item they share is not. */
  variations: number
  /** Characters of the rows below. */
  waiting: number
}

/** The item's rows as the import reads them: `width` cells of the file, then ours. */
function rowsOfItem(item: EbayItem, columns: EbayColumns, width: number): string[][] {
  const fitment = summarizeFitments(item.fitments, readCell(item.cells, columns, 'title'))
  return item.rows.map((cells, at) => {
    if (cells === undefined || (at === 0 && item.variations > 0)) return []
    const own = at === 0 ? cells : variationCells(item.cells, cells, columns)
    // A short row stays short: its check reports the missing cells.
    if (own.length < width) return [...own]
    const sold = withBuyersPrice(at === 0 ? titled(own, columns) : own, columns)
    return [...sold.slice(0, width), ...addedCells(own, columns, fitment), ...sold.slice(width)]
  })
}

const AUCTION = /^(?:auction|chinese)/i

/**
 * What a buyer pays now stands where the price at the start does, since that is the column which mappings name: of an
 * auction its Buy It Now price, or none, since bids are no price; else the current price, which a sale may have lowered.
 */
function withBuyersPrice(cells: readonly string[], columns: EbayColumns): string[] {
  const at = columns.get('start')
  const isAuction = AUCTION.test(readCell(cells, columns, 'format'))
  const price = readCell(cells, columns, isAuction ? 'buyNow' : 'current')
  if (at === undefined || (price === '' && !isAuction)) return [...cells]
  return cells.with(at, price)
}

/** A variation that is a row of its own, as in reports: its title names all of them. */
function titled(cells: readonly string[], columns: EbayColumns): readonly string[] {
  return columns.has('relationship') ? cells : variationCells(cells, cells, columns)
}

/** In the order of `ebayAddedColumns`. */
function addedCells(cells: readonly string[], columns: EbayColumns, fitment: FitmentSummary): string[] {
  const read = (column: EbayColumn) => readCell(cells, columns, column)
  return [
    fitment.make || read('make'),
    fitment.model || read('model'),
    fitment.year || read('year'),
    fitment.trim,
    fitment.all,
    gradeFromCondition(read('condition')),
    read('type') || lastStep(read('category')),
    joinAddresses(splitAddresses(read('picture'))),
    textOfHtml(read('description')),
  ]
}

/** The variation's cells, else the item's, and a title of its own. */
function variationCells(
  item: readonly string[],
  variation: readonly string[],
  columns: EbayColumns,
): string[] {
  const title = columns.get('title')
  const values = readCell(variation, columns, 'details')
    .split('|')
    .flatMap((property) => property.split('=')[1]?.replace(/\]$/, '').trim() || [])
  return Array.from({ length: Math.max(item.length, variation.length) }, (_, at) => {
    const own = variation[at] ?? ''
    const shared = item[at] ?? ''
    if (at === title && values.length > 0) return ownTitle(own.trim() || shared, values)
    return own.trim() === '' ? shared : own
  })
}

const SIDE = '(?:driver|passenger|left|right|lh|rh)(?: side)?'
/** What all variations are together: “Left or Right”. */
const BOTH_SIDES = new RegExp(`\\b${SIDE}(?: hand)?\\s*(?:or|and|&|/|,)\\s*${SIDE}\\b`, 'i')
const ONE_SIDE = new RegExp(`\\b${SIDE}\\b`, 'i')

/** The title of a variation. One of a side is not for both. */
function ownTitle(title: string, values: readonly string[]): string {
  const isSided = values.some((value) => ONE_SIDE.test(value))
  const own = isSided ? title.replace(BOTH_SIDES, '').replaceAll(/\s+/g, ' ').trim() : title
  return `${own} (${values.join(', ')})`
}

/** "Headlights" of "Car & Truck Parts > Lighting > Headlights"; the slash of A/C separates nothing; '' for a number. */
function lastStep(path: string): string {
  const step = path.split(/\s*(?:>|:|(?<!\ba)\/)\s*/i).findLast((name) => name !== '') ?? ''
  return /^\d+$/.test(step) ? '' : step
}

/** Why a row of an eBay file is left out. */
type LeftOut = 'ended' | 'action' | 'remark' | 'orphan'

const reasons: Record<LeftOut, (one: boolean) => string> = {
  ended: (one) => (one ? 'ends or deletes its listing' : 'end or delete their listings'),
  action: (one) => (one ? 'has an action that doesn’t list a part' : 'have actions that don’t list a part'),
  remark: (one) => (one ? 'is a note in eBay’s template' : 'are notes in eBay’s template'),
  orphan: (one) =>
    one
      ? 'is fitment or a variation without its part above it'
      : 'are fitment or variations without their part above them',
}
const order = Object.keys(reasons) as LeftOut[]

const MAX_NAMED = 5

/** Collects the rows that are left out, and reports how many of each kind and the first ones. */
function ebayNotes() {
  const found = new Map<LeftOut, { count: number; first: number[] }>()
  return {
    add: (reason: LeftOut, row: number) => {
      const kind = found.get(reason) ?? { count: 0, first: [] }
      kind.count += 1
      if (kind.first.length < MAX_NAMED) kind.first.push(row)
      found.set(reason, kind)
    },
    sentences: () =>
      order.flatMap((reason) => {
        const kind = found.get(reason)
        return kind
          ? `${rowsText(kind.count, kind.first)} ${reasons[reason](kind.count === 1)}: left out.`
          : []
      }),
  }
}

function rowsText(count: number, first: readonly number[]): string {
  if (count === 1) return `Row ${first[0]}`
  const named = first.map((row) => row.toLocaleString('en-US'))
  if (count > first.length) return `${count.toLocaleString('en-US')} rows (${named.join(', ')}, …)`
  return `Rows ${named.slice(0, -1).join(', ')} and ${named.at(-1)}`
}

type EbayFolder = {
  /** The file's columns, then ours (`ebayAddedColumns`). */
  readonly header: string[]
  /** Returns as many rows as it takes, in order; those of the last item wait for the next call. */
  push(rows: readonly (readonly string[])[]): string[][]
  /** The rows that were still waiting. */
  finish(): string[][]
  /** Sentences about the rows left out so far. */
  notes(): string[]
}

// The maximum per item: eBay allows 3,000 vehicles and 250 variations. Further rows are not held with it.
const MAX_ITEM_ROWS = 6_000
const MAX_WAITING = 1024 * 1024

/**
 * Folds eBay's rows: fitment rows into the item above them; variations become parts with the item's cells where they
 * have none; rows that end a listing are left out. A folded row leaves a blank one, so that row numbers stay the same.
 * Pass all data rows of a file in order.
 * @param firstRow the spreadsheet number of the first of them, for the notes
 */
export function ebayFolder(header: readonly string[], firstRow = 2): EbayFolder {
  const columns = findEbayColumns(header)
  const notes = ebayNotes()
  let row = firstRow - 1
  let item: EbayItem | undefined
  // Rows below one that was left out belong to it and need no note.
  let isLeftOut = false

  const release = (): string[][] => {
    const rows = item ? rowsOfItem(item, columns, header.length) : []
    item = undefined
    return rows
  }
  const keep = (cells: readonly string[] | undefined): string[][] => {
    if (item === undefined) return [[]]
    item.rows.push(cells)
    return item.rows.length > MAX_ITEM_ROWS || item.waiting > MAX_WAITING ? release() : []
  }
  const addToItem = (kind: 'fitment' | 'variation', cells: readonly string[]): string[][] => {
    if (item === undefined || !isOfItem(item, cells, columns)) {
      if (item !== undefined || !isLeftOut) notes.add('orphan', row)
      return keep(undefined)
    }
    item.waiting += cells.reduce((length, cell) => length + cell.length, 0)
    if (kind === 'variation') {
      item.variations += 1
      return keep(cells)
    }
    item.fitments.push(...readFitments(readCell(cells, columns, 'details')))
    return keep(undefined)
  }
  /** A complete variation, as in reports of active listings, needs no item above it. */
  const kindHere = (cells: readonly string[]): RowKind => {
    const kind = kindOf(cells, columns)
    if (kind !== 'variation' || readCell(cells, columns, 'title') === '') return kind
    return item && isOfItem(item, cells, columns) ? kind : 'item'
  }
  const take = (cells: readonly string[]): string[][] => {
    const kind = kindHere(cells)
    if (kind === 'blank') return keep(undefined)
    if (kind === 'fitment' || kind === 'variation') return addToItem(kind, cells)
    const released = release()
    isLeftOut = kind !== 'item'
    if (kind === 'item') {
      const fitments = readFitments(readCell(cells, columns, 'details'))
      item = { cells, fitments, rows: [cells], variations: 0, waiting: 0 }
      return released
    }
    notes.add(kind, row)
    return [...released, []]
  }
  return {
    header: ebayHeader(header),
    push: (rows) =>
      rows.flatMap((cells) => {
        row += 1
        return take(cells)
      }),
    finish: release,
    notes: notes.sentences,
  }
}

// “Draft” is an unpublished listing.
const LISTS = /^(add|additem|addfixedpriceitem|verifyadd|revise|relist|draft)$/i
const ENDS = /^(end|enditem|delete)$/i

type RowKind = 'item' | 'fitment' | 'variation' | 'blank' | Exclude<LeftOut, 'orphan'>

function kindOf(cells: readonly string[], columns: EbayColumns): RowKind {
  if (cells.every((cell) => cell.trim() === '')) return 'blank'
  if (/^(#|info$)/i.test(cells[0]?.trim() ?? '')) return 'remark'
  const relationship = readCell(cells, columns, 'relationship').toLowerCase()
  const hasTitle = readCell(cells, columns, 'title') !== ''
  if (relationship === 'compatibility' && !hasTitle) return 'fitment'
  if (relationship === 'variation') return 'variation'
  const action = readCell(cells, columns, 'action')
  if (ENDS.test(action)) return 'ended'
  return action === '' || LISTS.test(action) ? 'item' : 'action'
}

/** A row may repeat its item's number; another number belongs to a listing that is not above it. */
function isOfItem(item: EbayItem, cells: readonly string[], columns: EbayColumns): boolean {
  const own = readCell(item.cells, columns, 'item')
  const stated = readCell(cells, columns, 'item')
  return own === '' || stated === '' || own === stated
}
