import type { Vehicle } from '#db/data/read-data.ts'
import { isDomestic, isEuropean } from './makers.ts'
import { popularModels } from './popular-models.ts'
import { type Random, weightedChoice } from './random.ts'

/** The car a part came from. */
export type DonorVehicle = {
  manufacturer: string
  model: string
  year: number
  bodyStyles: readonly string[]
}

/** What a yard takes in. */
export type Focus = 'any' | 'domestic' | 'import' | 'european' | 'truck'

const takesIn: Record<Focus, (vehicle: Vehicle) => boolean> = {
  any: () => true,
  domestic: ({ manufacturer }) => isDomestic(manufacturer),
  import: ({ manufacturer }) => !isDomestic(manufacturer),
  european: ({ manufacturer }) => isEuropean(manufacturer),
  truck: ({ bodyStyles }) => bodyStyles.some((style) => style === 'Pickup' || style === 'SUV'),
}

// A car comes to a yard when a repair costs more than it is worth: seldom new, mostly at 8 to 16 years.
const AGE_WEIGHTS: readonly (readonly [upToAge: number, weight: number])[] = [
  [2, 0.06],
  [4, 0.3],
  [7, 0.8],
  [12, 1.15],
  [16, 1],
  [20, 0.7],
  [25, 0.25],
  [40, 0.06],
]
// Models outside of the list, each; those of makers that sold a few thousand cars are collectors' business.
const OTHER_WEIGHT = 0.9
const RARE_WEIGHT = 0.01
const RARE =
  /^(Aston Martin|Bentley|Ferrari|Lamborghini|Lotus|Maserati|McLaren|Panoz|Rolls-Royce|Maybach|Fisker|Lucid|VinFast|Freightliner)$/
// A part is said to be for the plain model far more often than for its special variant.
const VARIANT = /Hybrid|Plug-in|Energi|\bEV\b|\(|Prime|Limited|Cargo|Regular Cab| HD |Lightning|Sport\b/

/** Chooses donor vehicles for yards, as common as they are in life, of ages that yards see in `thisYear`. */
export function donorVehicles(vehicles: readonly Vehicle[], thisYear: number) {
  const sold = vehicles.flatMap((vehicle) => modelYears(vehicle, thisYear))
  const shares = sharesInFamily(sold)
  const weighted = sold.map((entry) => {
    const { vehicle, year, family, share } = entry
    const ofFamily = share / (shares.get(familyYear(entry)) ?? 1)
    return { vehicle, year, weight: family.weight * ofFamily * ageWeight(thisYear - year) }
  })
  return (focus: Focus) => {
    const choose = weightedChoice(
      weighted.filter(({ vehicle }) => takesIn[focus](vehicle)),
      ({ weight }) => weight,
    )
    return (random: Random): DonorVehicle => {
      const { vehicle, year } = choose(random)
      return {
        manufacturer: vehicle.manufacturer,
        model: vehicle.model,
        bodyStyles: vehicle.bodyStyles,
        year,
      }
    }
  }
}

type Family = { name: string; weight: number }
type ModelYear = { vehicle: Vehicle; year: number; family: Family; share: number }

const familyYear = ({ family, year }: ModelYear) => `${family.name} ${year}`

function modelYears(vehicle: Vehicle, thisYear: number): ModelYear[] {
  const family = familyOf(vehicle)
  const share = VARIANT.test(vehicle.model) ? 0.25 : 1
  return vehicle.years.flatMap(([from, to]) => {
    const count = Math.max(0, Math.min(to, thisYear) - from + 1)
    return Array.from({ length: count }, (_, offset) => ({ vehicle, year: from + offset, family, share }))
  })
}

/** The weight of a family is shared by its variants of a year: F150 Regular, Super and SuperCrew Cab. */
function sharesInFamily(sold: readonly ModelYear[]): Map<string, number> {
  const shares = new Map<string, number>()
  for (const entry of sold) {
    shares.set(familyYear(entry), (shares.get(familyYear(entry)) ?? 0) + entry.share)
  }
  return shares
}

function familyOf({ manufacturer, model }: Vehicle): Family {
  const [best] = popularModels
    .filter(([maker, name]) => maker === manufacturer && (model === name || model.startsWith(`${name} `)))
    .sort((a, b) => b[1].length - a[1].length)
  if (best) return { name: `${best[0]} ${best[1]}`, weight: best[2] }
  return { name: `${manufacturer} ${model}`, weight: RARE.test(manufacturer) ? RARE_WEIGHT : OTHER_WEIGHT }
}

function ageWeight(age: number): number {
  return AGE_WEIGHTS.find(([upToAge]) => age <= upToAge)?.[1] ?? 0
}
