import type { Listing } from '#contract/listings.ts'
import { sideOf } from '#server/features/finding/vocabulary/built-in.ts'

/* What is true of every row of a stock, and how the yard's live listings compare with it. */

export type TrueRow = {
  key: string
  stock?: string | null
  /** Several parts may have this one, such as the car's. */
  stockAny?: string
  make?: string | null
  makeAlso?: string[]
  model?: string | null
  modelAlso?: string[]
  year?: number | null
  yearto?: number | null
  part?: string
  cats?: string[]
  side?: string
  sideAny?: string[]
  price?: number | null
  grade?: string | null
  miles?: number | null
  milesIsKm?: boolean
  num?: string | null
  exp: Expected
  /** Other outcomes that are fine, too. */
  also?: Expected[]
  expAny?: Expected[]
  /** Of the price, other than US dollars. */
  currency?: string
  note?: string
  /** The line of a typed list. */
  line?: string
  /* Other values that are right as well. */
  priceAny?: number[]
  gradeAny?: (string | null)[]
  milesAny?: (number | null)[]
  yearAny?: (number | null)[]
  yeartoAny?: (number | null)[]
}
type Expected = 'live' | 'reject' | 'notlive' | 'ask'

/** Dollars for one unit, by currency. */
export type Rates = Readonly<Record<string, number>>

/** The currency of a row's price. */
export const currencyOf = ({ currency, note = '' }: TrueRow): string =>
  currency ?? /^(?:AUD|CAD|EUR|MXN)\b/.exec(note)?.[0] ?? 'USD'

type Wrong = { key: string; fields: string[] }
export type Compared = {
  rows: number
  expected: number
  right: number
  wrong: Wrong[]
  /** Optional values that the truth has and the listing lacks, by field. */
  blank: Map<string, number>
  /** Rows that should be live and are not. */
  missing: string[]
  /** Rows that should not be live and are. */
  unwanted: string[]
  /** Live listings that no row made. */
  unknown: string[]
  ids: Map<string, string>
}

export const plain = (text: string | null | undefined) =>
  (text ?? '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

const CENTS = 100
// Half a cent is rounded up, which a product of binary fractions may miss.
const ROUNDING = 1e-6
const MILE_TOLERANCE = 0.001
const THOUSAND = 1_000

function milesAgree(miles: number | null, live: number | null, isKm = false): boolean {
  // Nothing may be made up.
  if (miles === null || live === null) return miles === live
  if (isKm) return Math.abs(live - miles) <= MILE_TOLERANCE * miles + 1
  // A file in thousands has no more digits.
  return live === miles || (live % THOUSAND === 0 && Math.abs(live - miles) < THOUSAND)
}

const year = (text: string | null) => (text ? Number(text) : null)

const isAmong = (cats: readonly string[], category: string) => cats.map(plain).includes(plain(category))

/** The fields of a listing that differ from the truth, each with both values. */
function wrongFields(truth: TrueRow, live: Listing, rates: Rates): string[] {
  const { make, makeAlso = [], model, modelAlso = [], cats = [], side, sideAny = [], num, stock } = truth
  const place = sideOf(live.partname)
  const letter = place === undefined ? '' : place.charAt(0).toUpperCase()
  const category = live.partcategory?.name ?? ''
  const makes = [make, ...makeAlso].map(plain)
  // Mazda's 3 is a MAZDA3 in the catalog.
  const models = [model, ...modelAlso, `${make}${model}`].map(plain)
  const expected: [field: string, isRight: boolean, truth: unknown, found: unknown][] = [
    ['make', makes.includes(plain(live.partmanuname)), make, live.partmanuname],
    ['model', models.includes(plain(live.partmodel)), model, live.partmodel],
    ['year', areYears(truth, live), [truth.year, truth.yearto], [live.partyear, live.partyearto]],
    ['category', cats.length === 0 || isAmong(cats, category), cats, category],
    ['side', side === undefined || [side, ...sideAny].includes(letter), side, live.partname],
    ['price', isPrice(truth, live, rates), truth.price, live.partprice],
    // What the listing leaves empty is not wrong.
    ['grade', !live.partgrade || isGrade(truth, live.partgrade), truth.grade, live.partgrade],
    ['miles', live.partmiles === null || areMiles(truth, live.partmiles), truth.miles, live.partmiles],
    ['number', !num || !live.partnum || plain(num) === plain(live.partnum), num, live.partnum],
    ['stock', !stock || !live.stocknum || plain(stock) === plain(live.stocknum), stock, live.stocknum],
  ]
  return expected.flatMap(([field, isRight, own, found]) =>
    isRight ? [] : [`${field} ${JSON.stringify(own)} is ${JSON.stringify(found)}`],
  )
}

function areYears({ year: first, yearAny = [], yearto, yeartoAny = [] }: TrueRow, live: Listing): boolean {
  const [from, to] = [year(live.partyear), year(live.partyearto)]
  const lasts = [yearto, ...yeartoAny].map((last) => last ?? from)
  return [first, ...yearAny].includes(from) && lasts.includes(to ?? from)
}

function isPrice(truth: TrueRow, live: Listing, rates: Rates): boolean {
  const { price, priceAny = [] } = truth
  if (typeof price !== 'number') return true
  const rate = rates[currencyOf(truth)] ?? 1
  return [price, ...priceAny].some(
    (one) => Math.round(Math.round(one * CENTS) * rate + ROUNDING) === Math.round(live.partprice * CENTS),
  )
}

const isGrade = ({ grade = null, gradeAny = [] }: TrueRow, live: string): boolean =>
  [grade, ...gradeAny].includes(live)

const areMiles = ({ miles = null, milesAny = [], milesIsKm }: TrueRow, live: number): boolean =>
  [miles, ...milesAny].some((one) => milesAgree(one, live, milesIsKm))

/** Optional fields that a listing leaves empty although the truth has a value. */
function blankFields({ grade, miles, num, stock }: TrueRow, live: Listing): string[] {
  const lacks = { grade: grade && !live.partgrade, miles: miles && live.partmiles === null }
  const ids = { number: num && !live.partnum, stock: stock && !live.stocknum }
  return Object.entries({ ...lacks, ...ids }).flatMap(([field, isBlank]) => (isBlank ? [field] : []))
}

/** Pairs rows and listings by part number, then by stock number and, where several have it, by whatever differs least. */
function pairRows(rows: readonly TrueRow[], listings: readonly Listing[], rates: Rates) {
  const left = new Set(listings)
  const pairs = new Map<TrueRow, Listing>()
  const pair = (truth: TrueRow, isCandidate: (live: Listing) => boolean): void => {
    const found = [...left]
      .filter(isCandidate)
      .map((live) => ({ live, wrong: wrongFields(truth, live, rates).length }))
      .toSorted((a, b) => a.wrong - b.wrong)[0]?.live
    if (!found || pairs.has(truth)) return
    left.delete(found)
    pairs.set(truth, found)
  }
  const pairBy = (keyOf: (truth: TrueRow) => string, ofLive: (live: Listing) => string) => {
    for (const truth of rows) {
      const key = keyOf(truth)
      if (key !== '' && !pairs.has(truth)) pair(truth, (live) => ofLive(live) === key)
    }
  }
  pairBy(
    ({ num, key }) => plain(num ?? key),
    ({ partnum }) => plain(partnum),
  )
  pairBy(
    ({ stock, stockAny, key }) => plain(stock ?? stockAny ?? key),
    ({ stocknum }) => plain(stocknum),
  )
  // A typed list has no numbers: its rows are known by what they say, those first that say it exactly.
  for (const most of [0, 1]) {
    for (const truth of rows.filter((row) => !pairs.has(row) && (most === 0 || mayBeLive(row)))) {
      pair(
        truth,
        (live) =>
          plain(live.partmanuname) === plain(truth.make) &&
          isAmong(truth.cats ?? [], live.partcategory?.name ?? '') &&
          wrongFields(truth, live, rates).length <= most,
      )
    }
  }
  return { pairs, left }
}

/** How the live listings of a yard compare with the truth of its file. */
export function compareWithTruth(
  rows: readonly TrueRow[],
  listings: readonly Listing[],
  rates: Rates = {},
): Compared {
  const { pairs, left } = pairRows(rows, listings, rates)
  const compared: Compared = {
    rows: rows.length,
    expected: rows.filter(({ exp }) => exp === 'live').length,
    right: 0,
    wrong: [],
    blank: new Map(),
    missing: rows.flatMap((row) => (row.exp === 'live' && !pairs.has(row) ? [namedRow(row)] : [])),
    unwanted: [],
    unknown: [...left].map(({ stocknum, partnum, partname }) => `${stocknum} ${partnum} ${partname}`),
    ids: new Map([...pairs].map(([{ key }, { id }]) => [key, id])),
  }
  for (const [truth, live] of pairs) {
    for (const field of blankFields(truth, live)) {
      compared.blank.set(field, (compared.blank.get(field) ?? 0) + 1)
    }
    const fields = wrongFields(truth, live, rates)
    if (!mayBeLive(truth)) compared.unwanted.push(`${namedRow(truth)} ${live.partname} ${live.partprice}`)
    else if (fields.length === 0) compared.right += 1
    else compared.wrong.push({ key: truth.key, fields })
  }
  return compared
}

const namedRow = ({ key, part = '' }: TrueRow) => `${key} ${part}`.trim()

/** Amounts of another currency may go live once their rate was asked. */
const mayBeLive = (truth: TrueRow) =>
  [truth.exp, ...(truth.also ?? []), ...(truth.expAny ?? [])].includes('live') ||
  (truth.exp === 'ask' && currencyOf(truth) !== 'USD')
