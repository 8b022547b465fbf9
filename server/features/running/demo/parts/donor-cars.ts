import { withCheckDigit } from '#contract/vehicle/vin-rules.ts'
import { type DemoPart, makerOf, tireSizes, trimsOf, vinStarts } from '#server/features/running/demo/data.ts'
import { type Random, seededRandom } from '#server/platform/seeded-random.ts'
import { type DonorVehicle, engineSizes, isSuv, isTruck } from './donor-vehicles.ts'

/** A car that a yard took apart; its parts share what is known of it. */
export type DonorCar = DonorVehicle & {
  trim: string
  engine: string
  /** "4WD"; '' if the model has only one drive. */
  drive: string
  paint: string
  /** Of its wheels. */
  inches: number
  miles: number
  /** '' if its maker's VINs are unknown. */
  vin: string
}

const paints = ['white', 'black', 'silver', 'gray', 'red', 'blue', 'dark blue', 'gold', 'green', 'charcoal']

/** Draws what a year and model leave open. */
export function donorCar(vehicle: DonorVehicle, random: Random, thisYear: number): DonorCar {
  const { manufacturer, model, bodyStyles, year } = vehicle
  return {
    manufacturer,
    model,
    bodyStyles,
    year,
    trim: random.pick(trimsOf(vehicle)?.trims ?? makerOf(manufacturer).trims),
    engine: random.pick(engineSizes(vehicle)),
    drive: driveOf(vehicle, random),
    paint: random.pick(paints),
    inches: random.pick(isTruck(vehicle) ? [16, 17, 17, 18, 20] : [15, 16, 16, 17, 17, 18, 19]),
    miles: drawMiles(thisYear - year, random),
    vin: vinOf(vehicle, random),
  }
}

function driveOf(vehicle: DonorVehicle, random: Random): string {
  if (isTruck(vehicle)) return random.pick(['4WD', 'RWD'])
  return isSuv(vehicle) ? random.pick(['AWD', 'FWD']) : ''
}

// About 12,000 miles a year, less as a car gets old.
function drawMiles(age: number, random: Random): number {
  const yearly = 11_800 * (0.55 + random.next() * 0.9) * (age > 14 ? 0.82 : 1)
  return Math.round(Math.max(1_200, yearly * Math.max(0.4, age)) + random.whole(0, 999))
}

const VIN_CHARACTERS = [...'ABCDEFGHJKLMNPRSTUVWXYZ0123456789']
const YEAR_CODES = 'ABCDEFGHJKLMNPRSTVWXY123456789'

/** With the maker's start, the year and a correct check digit; the rest is made up. */
function vinOf({ manufacturer, year }: DonorVehicle, random: Random): string {
  const start = vinStarts.get(manufacturer)
  if (start === undefined) return ''
  const some = (length: number) => Array.from({ length }, () => random.pick(VIN_CHARACTERS)).join('')
  // A digit through 2009, a letter from 2010 on.
  const seventh = year < 2010 ? random.whole(0, 9) : random.pick([...'ABCDEFGH'])
  const code = YEAR_CODES.charAt((year - 1980) % YEAR_CODES.length)
  const serial = String(random.whole(0, 999_999)).padStart(6, '0')
  return withCheckDigit(`${start}${some(3)}${seventh}${some(1)}0${code}${some(1)}${serial}`)
}

const corners = ['left front', 'right front', 'left rear', 'right rear']
const AFTER_COMMA = /^(side|corner|ends|stream|color|drive)$/

type Pick = (list: readonly string[]) => string

/** What distinguishes a part from others of its type: "130A", "left front", "3.5L V6". */
const details: Record<DemoPart['detail'], (car: DonorCar, pick: Pick) => string> = {
  none: () => '',
  side: (_, pick) => pick(['left', 'right']),
  corner: (_, pick) => pick(corners),
  ends: (_, pick) => pick(['front', 'rear']),
  stream: (_, pick) => pick(['upstream', 'downstream']),
  amps: (car) => `${ampsOf(car)}A`,
  engine: ({ engine }) => engine,
  inches: ({ inches }) => `${inches} in`,
  tire: (car, pick) => pick(tireSizes.get(tireKind(car)) ?? []),
  color: ({ paint }) => paint,
  drive: ({ drive }) => drive,
}

/** `turn` counts the copies of a part, so that both sides are in stock; undefined draws one. */
export function detailOf(part: DemoPart, car: DonorCar, random: Random, turn?: number): string {
  const pick = (list: readonly string[]) =>
    turn === undefined ? random.pick(list) : (list[turn % list.length] ?? '')
  return details[part.detail](car, pick)
}

/** "Headlamp, left", "Alternator 130A" */
export const titleOf = ({ title, detail: kind }: DemoPart, detail: string): string => {
  if (detail === '') return title
  return AFTER_COMMA.test(kind) ? `${title}, ${detail}` : `${title} ${detail}`
}

/** The alternator of a maker's engine is the same in every car. */
function ampsOf({ manufacturer, engine }: DonorCar): number {
  return seededRandom(`amps ${makerOf(manufacturer).name} ${engine}`).pick([
    90, 100, 110, 120, 130, 130, 150, 160,
  ])
}

function tireKind(car: DonorCar): string {
  if (isTruck(car)) return 'truck'
  return isSuv(car) ? 'suv' : 'car'
}
