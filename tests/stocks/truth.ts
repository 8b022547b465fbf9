import type { Listing } from '#contract/listings.ts'
import { sideOf } from '#server/features/vocabulary/built-in.ts'

/* What is true of every row of a stock, and how the yard's live listings compare with it. */

export type TrueRow = {
  key: string
  stock?: string | null
  /** Several parts may have this one, such as the car's. */
  stockAny?: string
  make?: string | null
  model?: string | null
  modelAlso?: string[]
  year?: number | null
  yearto?: number | null
  part?: string
  cats?: string[]
  side?: string
  price?: number | null
  grade?: string | null
  miles?: number | null
  milesIsKm?: boolean
  num?: string | null
  exp: Expected
  /** Other outcomes that are fine, too. */
  also?: Expected[]
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
export const currencyOf = ({ currency, note }: TrueRow): string =>
  currency ?? (note?.startsWith('MXN') ? 'MXN' : 'USD')

export type Wrong = { key: string; fields: string[] }
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

/** A plain wheel is of either kind: the stocks of before there was a category for it name both. */
const isAmong = (cats: readonly string[], category: string) =>
  cats.map(plain).includes(plain(category)) ||
  (category === 'Wheel' && ['Alloy Wheel', 'Steel Wheel'].every((kind) => cats.includes(kind)))

/** The fields of a listing that differ from the truth, each with both values. */
export function wrongFields(truth: TrueRow, live: Listing, rates: Rates): string[] {
  const { make, model, modelAlso = [], cats = [], side, price, grade, num, stock } = truth
  const wrong: string[] = []
  const expect = (field: string, isRight: boolean, expected: unknown, found: unknown) => {
    if (!isRight) wrong.push(`${field} ${JSON.stringify(expected)} is ${JSON.stringify(found)}`)
  }
  if (make !== undefined) expect('make', plain(make) === plain(live.partmanuname), make, live.partmanuname)
  if (model !== undefined) {
    const models = [model, ...modelAlso].map(plain)
    expect('model', models.includes(plain(live.partmodel)), model, live.partmodel)
  }
  if (truth.year !== undefined) {
    const [from, to] = [year(live.partyear), year(live.partyearto)]
    const firsts = [truth.year, ...(truth.yearAny ?? [])]
    const lasts = [truth.yearto, ...(truth.yeartoAny ?? [])].map((last) => last ?? from)
    const isRight = firsts.includes(from) && lasts.includes(to ?? from)
    expect('year', isRight, [truth.year, truth.yearto], [from, to])
  }
  const category = live.partcategory?.name ?? ''
  if (cats.length > 0) expect('category', isAmong(cats, category), cats, category)
  if (side !== undefined) {
    const found = sideOf(live.partname)
    const letter = found === undefined ? '' : found.charAt(0).toUpperCase()
    expect('side', letter === side, side, live.partname)
  }
  if (typeof price === 'number') {
    const rate = rates[currencyOf(truth)] ?? 1
    const isRight = [price, ...(truth.priceAny ?? [])].some(
      (one) => Math.round(Math.round(one * CENTS) * rate + ROUNDING) === Math.round(live.partprice * CENTS),
    )
    expect('price', isRight, price, live.partprice)
  }
  // What the listing leaves empty is not wrong.
  if (grade !== undefined && live.partgrade) {
    expect('grade', [grade, ...(truth.gradeAny ?? [])].includes(live.partgrade), grade, live.partgrade)
  }
  if (truth.miles !== undefined && live.partmiles !== null) {
    const isRight = [truth.miles, ...(truth.milesAny ?? [])].some((miles) =>
      milesAgree(miles, live.partmiles, truth.milesIsKm),
    )
    expect('miles', isRight, truth.miles, live.partmiles)
  }
  if (num && live.partnum) expect('number', plain(num) === plain(live.partnum), num, live.partnum)
  if (stock && live.stocknum) expect('stock', plain(stock) === plain(live.stocknum), stock, live.stocknum)
  return wrong
}

/** Optional fields that a listing leaves empty although the truth has a value. */
function blankFields({ grade, miles, num, stock }: TrueRow, live: Listing): string[] {
  const lacks = { grade: grade && !live.partgrade, miles: miles && live.partmiles === null }
  const ids = { number: num && !live.partnum, stock: stock && !live.stocknum }
  return Object.entries({ ...lacks, ...ids }).flatMap(([field, isBlank]) => (isBlank ? [field] : []))
}

/** Amounts of another currency may go live once their rate was asked. */
const mayBeLive = (truth: TrueRow) =>
  [truth.exp, ...(truth.also ?? [])].includes('live') || (truth.exp === 'ask' && currencyOf(truth) !== 'USD')

/** Pairs rows and listings by part number, then by stock number and, where several have it, by whatever differs least. */
export function compareWithTruth(
  rows: readonly TrueRow[],
  listings: readonly Listing[],
  rates: Rates = {},
): Compared {
  const left = new Set(listings)
  const takeBest = (truth: TrueRow, isCandidate: (live: Listing) => boolean): Listing | undefined => {
    const found = [...left]
      .filter(isCandidate)
      .map((live) => ({ live, wrong: wrongFields(truth, live, rates).length }))
      .toSorted((a, b) => a.wrong - b.wrong)[0]?.live
    if (found) left.delete(found)
    return found
  }
  const pairs = new Map<TrueRow, Listing>()
  const pairBy = (keyOf: (truth: TrueRow) => string, ofLive: (live: Listing) => string) => {
    for (const truth of rows) {
      const key = keyOf(truth)
      if (key === '' || pairs.has(truth)) continue
      const live = takeBest(truth, (one) => ofLive(one) === key)
      if (live) pairs.set(truth, live)
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
    for (const truth of rows) {
      const isAlike = (live: Listing) =>
        plain(live.partmanuname) === plain(truth.make) &&
        isAmong(truth.cats ?? [], live.partcategory?.name ?? '') &&
        wrongFields(truth, live, rates).length <= most
      const isOpen = !pairs.has(truth) && (most === 0 || mayBeLive(truth))
      const live = isOpen ? takeBest(truth, isAlike) : undefined
      if (live) pairs.set(truth, live)
    }
  }
  const compared: Compared = {
    rows: rows.length,
    expected: rows.filter(({ exp }) => exp === 'live').length,
    right: 0,
    wrong: [],
    blank: new Map(),
    missing: [],
    unwanted: [],
    unknown: [...left].map(({ stocknum, partnum, partname }) => `${stocknum} ${partnum} ${partname}`),
    ids: new Map(),
  }
  for (const truth of rows) {
    const live = pairs.get(truth)
    if (live) compared.ids.set(truth.key, live.id)
    for (const field of live ? blankFields(truth, live) : []) {
      compared.blank.set(field, (compared.blank.get(field) ?? 0) + 1)
    }
    if (!live) {
      if (truth.exp === 'live') compared.missing.push(`${truth.key} ${truth.part ?? ''}`)
    } else if (mayBeLive(truth)) {
      const fields = wrongFields(truth, live, rates)
      if (fields.length === 0) compared.right += 1
      else compared.wrong.push({ key: truth.key, fields })
    } else compared.unwanted.push(`${truth.key} ${live.partname} ${live.partprice}`)
  }
  return compared
}
