import { gradeWords } from '#contract/listing-rules.ts'
import type { Matter, SlotBits } from './grammar.ts'
import type { PartFacts } from './part-facts.ts'
import { inSentence, type PartName, readPartName, shownName } from './part-name.ts'

/* The facts of a part as the values of slots. */

export const PART = 1
export const CAR = 2
const DONOR = 4
export const NUMBER = 8
export const MILES = 16
export const GRADE = 32
const DAMAGE = 64
const UNDAMAGED = 128
const PRICE = 256
const FREE = 512
const FLAT = 1024
const PICKUP = 2048
const PLACE = 4096
const QUANTITY = 8192
const AMPS = 16_384
const INCHES = 32_768
const SPEC = 65_536
const DETAIL = 131_072
const TRIM = 262_144
const VIN = 524_288
/** Whether the number of years is more than one. */
const SPAN = 1_048_576
const MAKE = 2_097_152

export const partBits: SlotBits = {
  item: PART,
  part: PART,
  noun: PART,
  car: CAR,
  years: CAR,
  donor: DONOR,
  make: MAKE,
  model: MAKE,
  number: NUMBER,
  miles: MILES,
  grade: GRADE,
  gradeWord: GRADE,
  damage: DAMAGE,
  undamaged: UNDAMAGED,
  price: PRICE,
  free: FREE,
  flat: FLAT,
  pickup: PICKUP,
  place: PLACE,
  quantity: QUANTITY,
  amps: AMPS,
  inches: INCHES,
  spec: SPEC,
  detail: DETAIL,
  trim: TRIM,
  vin: VIN,
  span: SPAN,
}

/** What the part is may be said as often as it takes; everything else is said once. */
export const SAID_ONCE = ~(PART | CAR | DONOR | SPAN | MAKE)
export const SPECS = AMPS | INCHES | SPEC
export const OFFER = PRICE | FREE | FLAT | PICKUP
export const DAMAGES = DAMAGE | UNDAMAGED
export { DETAIL, PLACE, QUANTITY, TRIM, VIN }

/** A part as sentences speak of it. */
export type PartMatter = Matter & { readonly open: number; readonly name: PartName }

type Values = Record<string, string | undefined>

export function partMatter(facts: PartFacts): PartMatter {
  const name = readPartName(shownName(facts))
  const used = isUsed(facts) ? 'used ' : ''
  const car = carOf(facts)
  const values: Values = {
    item: `${used}${name.part}`,
    part: name.part,
    noun: name.noun,
    ...car,
    donor: car?.car !== undefined && used !== '' ? car.car : undefined,
    number: facts.partNumber,
    miles: facts.miles === undefined ? undefined : wholeText(facts.miles),
    ...gradeOf(facts),
    ...offerOf(facts),
    ...specOf(name),
    detail: name.detail,
    trim: facts.trim,
    vin: facts.vin,
  }
  return { values, plural: name.plural, open: openOf(values), name }
}

function openOf(values: Values): number {
  let open = 0
  for (const slot in values) if (values[slot] !== undefined) open |= partBits[slot] ?? 0
  return open
}

/** A part of a car that has run is used, whoever forgot to say so. */
const isUsed = ({ condition, miles }: PartFacts) =>
  condition === 'used' || (condition === undefined && miles !== undefined)

function carOf(facts: PartFacts): Values | undefined {
  const { manufacturer, model } = facts
  if (manufacturer === undefined && model === undefined) return undefined
  const years = yearsText(facts.yearFrom, facts.yearTo)
  return {
    car: [years, manufacturer, model].filter((word) => word !== undefined).join(' '),
    make: model === undefined ? undefined : manufacturer,
    model: manufacturer === undefined ? undefined : model,
    span: facts.yearFrom === facts.yearTo ? undefined : years,
  }
}

/** "2014", "2012–2015" */
export function yearsText(from: number | undefined, to: number | undefined): string | undefined {
  if (from === undefined) return undefined
  return to === undefined || to === from ? String(from) : `${from}–${to}`
}

function gradeOf({ grade, damage }: PartFacts): Values {
  const isNone = damage !== undefined && /^none\.?$/i.test(damage)
  return {
    grade,
    gradeWord: grade && gradeWords[grade],
    damage: damage === undefined || isNone ? undefined : inSentence(damage.replace(/[.\s]+$/, '')),
    undamaged: isNone ? '' : undefined,
  }
}

function offerOf({ priceCents, shipping, city, state, quantity }: PartFacts): Values {
  return {
    price: priceCents === undefined ? undefined : priceText(priceCents),
    free: shipping?.kind === 'free' ? '' : undefined,
    flat: shipping?.kind === 'flat' ? priceText(shipping.cents) : undefined,
    pickup: shipping?.kind === 'pickup' ? '' : undefined,
    place: city === undefined ? state : [city, state].filter((word) => word !== undefined).join(', '),
    quantity: quantity === undefined || quantity < 2 ? undefined : wholeText(quantity),
  }
}

function specOf({ spec }: PartName): Values {
  if (spec === undefined) return {}
  if (/^\d+\s?(?:A|amps?)$/i.test(spec)) return { amps: spec }
  return /^\d+(?:\.\d+)?\s?(?:in|inch)$/i.test(spec) ? { inches: spec } : { spec }
}

/** "84,213"; Intl takes a hundred times as long. */
export function wholeText(value: number): string {
  const text = String(value)
  return text.length <= 3 ? text : text.replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** "$95", "$1,250.50" */
export function priceText(cents: number): string {
  const dollars = wholeText(Math.floor(cents / 100))
  const rest = cents % 100
  return rest === 0 ? `$${dollars}` : `$${dollars}.${String(rest).padStart(2, '0')}`
}
