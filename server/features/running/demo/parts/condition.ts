import type { Grade } from '#contract/listing/listing-rules.ts'
import { type DemoPart, makerOf, partGroups, wear } from '#server/features/running/demo/data.ts'
import { type Random, weightedChoice } from '#server/platform/seeded-random.ts'
import type { DonorCar } from './donor-cars.ts'

/** The condition and price of a part. */
export type Condition = {
  grade: Grade
  /** "None", or what is seen. */
  damage: string
  /** Whether a picture can show the place. */
  isMarked: boolean
}

const chooseGrade = weightedChoice(
  ['A', 'B', 'C', 'D'] as const,
  (grade) => ({ A: 41, B: 41, C: 14, D: 4 })[grade],
)
const worse: Record<Grade, Grade> = { A: 'B', B: 'C', C: 'D', D: 'D' }

/** Parts of an old donor are a grade lower more often, and every grade has its own wear. */
export function drawCondition(
  part: DemoPart,
  { group, age }: { group: string; age: number },
  random: Random,
): Condition {
  const first = chooseGrade(random)
  const grade = random.chance(Math.min(0.5, Math.max(0, age - 12) * 0.045)) ? worse[first] : first
  const surface = part.surface || (partGroups.get(group)?.surface ?? 'metal')
  const { text, marked } = random.pick(wear.get(`${surface} ${grade}`) ?? [])
  return { grade, damage: text, isMarked: marked !== '' }
}

const GRADE_FACTOR: Record<Grade, number> = { A: 1.18, B: 1, C: 0.7, D: 0.42 }
const LUXURY = /^(Acura|Lexus|INFINITI|Cadillac|Lincoln|Genesis|Tesla)$/
const EXOTIC =
  /^(Aston Martin|Bentley|Ferrari|Lamborghini|Lotus|Maserati|McLaren|Rolls-Royce|Maybach|Porsche)$/

type PriceFacts = { part: DemoPart; car: DonorCar; grade: Grade; thisYear: number }

/** The asking price in cents, derived from the price of a good part of an ordinary ten-year-old car. */
export function askingPrice({ part, car, grade, thisYear }: PriceFacts, random: Random): number {
  const spread = 0.78 + random.next() * 0.5
  // Parts of a two-year-old car bring nearly twice the price, those of a twenty-year-old about two thirds.
  const ageFactor = 0.55 + 1.25 * Math.exp(-(thisYear - car.year) / 9.8)
  const factor = ageFactor * makeFactor(car.manufacturer) * GRADE_FACTOR[grade]
  return toPriceTag(Math.max(part.dollars * factor * spread, 8), random)
}

function makeFactor(manufacturer: string): number {
  if (EXOTIC.test(manufacturer)) return 3.2
  if (makerOf(manufacturer).region === 'european') return 1.35
  return LUXURY.test(manufacturer) ? 1.4 : 1
}

/** The usual endings: .95, .99, whole and round dollars. */
function toPriceTag(dollars: number, random: Random): number {
  if (dollars >= 300) return Math.round(dollars / 25) * 2500
  if (dollars >= 60) return random.chance(0.5) ? Math.round(dollars / 5) * 500 : Math.round(dollars) * 100 - 5
  return random.chance(0.7) ? Math.ceil(dollars) * 100 - random.pick([1, 5, 50]) : Math.ceil(dollars) * 100
}
