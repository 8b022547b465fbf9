import type { Grade } from '#contract/listing-rules.ts'
import type { DemoPart } from './demo-parts.ts'
import type { DonorVehicle } from './donor-vehicle.ts'
import { isEuropean } from './makers.ts'
import type { Random } from './random.ts'

const GRADE_FACTOR: Record<Grade, number> = { A: 1.18, B: 1, C: 0.7, D: 0.42 }
const LUXURY = /^(Acura|Lexus|INFINITI|Cadillac|Lincoln|Genesis|Tesla)$/
const EXOTIC =
  /^(Aston Martin|Bentley|Ferrari|Lamborghini|Lotus|Maserati|McLaren|Rolls-Royce|Maybach|Porsche)$/

/**
 * What a yard asks, in cents: from the price of a good one of a ten-year-old ordinary car, by the donor's age and make
 * and by grade. Endings are the usual ones: .95, .99, whole and round dollars.
 */
export function askingPrice(
  part: DemoPart,
  vehicle: DonorVehicle,
  grade: Grade,
  { random, thisYear }: { random: Random; thisYear: number },
): number {
  const spread = 0.78 + random.next() * 0.5
  const dollars =
    part.dollars *
    ageFactor(thisYear - vehicle.year) *
    makeFactor(vehicle.manufacturer) *
    GRADE_FACTOR[grade] *
    spread
  return toPriceTag(Math.max(dollars, 8), random)
}

/** Parts of a two-year-old car bring nearly twice the price, those of a twenty-year-old about two thirds. */
function ageFactor(age: number): number {
  return 0.55 + 1.25 * Math.exp(-age / 9.8)
}

function makeFactor(manufacturer: string): number {
  if (EXOTIC.test(manufacturer)) return 3.2
  if (isEuropean(manufacturer)) return 1.35
  return LUXURY.test(manufacturer) ? 1.4 : 1
}

function toPriceTag(dollars: number, random: Random): number {
  if (dollars >= 300) return Math.round(dollars / 25) * 2500
  if (dollars >= 60) return random.chance(0.5) ? Math.round(dollars / 5) * 500 : Math.round(dollars) * 100 - 5
  return random.chance(0.7) ? Math.ceil(dollars) * 100 - random.pick([1, 5, 50]) : Math.ceil(dollars) * 100
}
