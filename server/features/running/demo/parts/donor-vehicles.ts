import type { Vehicle } from '#db/data/read-data.ts'
import {
  type DemoPart,
  enginesOf,
  type Focus,
  makerOf,
  popularModels,
} from '#server/features/running/demo/data.ts'

/* The vehicles that come to yards, and which parts they have. */

/** A model of one year. */
export type DonorVehicle = Pick<Vehicle, 'manufacturer' | 'model' | 'bodyStyles'> & { year: number }

const has = ({ bodyStyles }: DonorVehicle, ...styles: string[]) =>
  bodyStyles.some((style) => styles.includes(style))
const regionOf = ({ manufacturer }: DonorVehicle) => makerOf(manufacturer).region
/** Whether a yard with this focus takes in such a car. */
export const acceptsVehicle: Record<Focus, (vehicle: DonorVehicle) => boolean> = {
  any: () => true,
  domestic: (vehicle) => regionOf(vehicle) === 'domestic',
  import: (vehicle) => regionOf(vehicle) !== 'domestic',
  european: (vehicle) => regionOf(vehicle) === 'european',
  truck: (vehicle) => has(vehicle, 'Pickup', 'SUV'),
}

// Cars come to a yard when a repair costs more than they are worth: seldom new, mostly at 8 to 16 years.
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
// Weights of models outside the list; makers that sold a few thousand cars are rare in yards.
const OTHER_WEIGHT = 0.9
const RARE_WEIGHT = 0.01
const RARE =
  /^(Aston Martin|Bentley|Ferrari|Lamborghini|Lotus|Maserati|McLaren|Panoz|Rolls-Royce|Maybach|Fisker|Lucid|VinFast|Freightliner)$/
// Parts are listed for the plain model far more often than for its special variant.
const VARIANT = /Hybrid|Plug-in|Energi|\bEV\b|\(|Prime|Limited|Cargo|Regular Cab| HD |Lightning|Sport\b/
const VARIANT_SHARE = 0.25

type ModelYear = DonorVehicle & { family: string; weight: number; share: number }

/** Every model of every year until `thisYear`, with its frequency in yards. */
export function weighVehicles(vehicles: readonly Vehicle[], thisYear: number) {
  const sold = vehicles.flatMap((vehicle) => modelYears(vehicle, thisYear))
  // A family's weight is split among its variants of a year: Silverado 1500 and Silverado 1500 HD.
  const shares = new Map<string, number>()
  const familyYear = ({ family, year }: ModelYear) => `${family} ${year}`
  for (const entry of sold) shares.set(familyYear(entry), (shares.get(familyYear(entry)) ?? 0) + entry.share)
  const weightOf = (entry: ModelYear): number =>
    entry.weight * (entry.share / (shares.get(familyYear(entry)) ?? 1)) * ageWeight(thisYear - entry.year)
  return { sold, weightOf }
}

const popularByMake = Map.groupBy(popularModels, ({ manufacturer }) => manufacturer)

function modelYears({ years, manufacturer, model, bodyStyles }: Vehicle, thisYear: number): ModelYear[] {
  const [known] = (popularByMake.get(manufacturer) ?? [])
    .filter((popular) => `${model} `.startsWith(`${popular.model} `))
    .sort((a, b) => b.model.length - a.model.length)
  const family = `${manufacturer} ${known?.model ?? model}`
  const weight = known?.weight ?? (RARE.test(manufacturer) ? RARE_WEIGHT : OTHER_WEIGHT)
  const share = VARIANT.test(model) ? VARIANT_SHARE : 1
  return years.flatMap(([from, to]) =>
    Array.from({ length: Math.max(0, Math.min(to, thisYear) - from + 1) }, (_, offset) => ({
      manufacturer,
      model,
      bodyStyles,
      year: from + offset,
      family,
      weight,
      share,
    })),
  )
}

function ageWeight(age: number): number {
  return AGE_WEIGHTS.find(([upToAge]) => age <= upToAge)?.[1] ?? 0
}

const ELECTRIC_MAKERS = /^(Tesla|Rivian|Lucid|Polestar|Fisker|VinFast)$/
const ELECTRIC_MODELS =
  /\bEV\d?\b|Bolt|LEAF|e-tron|ID\.|IONIQ|Electric|Lightning|E-Transit|MACH-E|e-Golf|\bi3\b|\bi[457X]|500e|EQ[BES]|Taycan|I-PACE|Recharge|bZ4X|Solterra|Ariya|LYRIQ|OPTIQ|Vistiq|Celestiq|Prologue|i-MiEV|EX[39]0|eSprinter|RZ$|GV60|\bREV\b/
const HYBRID_MODELS =
  /Hybrid|Prius|Prime|Plug-in|Energi|4xe|PHEV|^Insight$|^CR-Z$|^Volt$|^CT$|^Niro|ELR|Clarity/
const DIESEL_MODELS = /(2500|3500|F-250|F-350|F-450) ?/
const TWO_DOORS = /Regular Cab|Single Cab|2 Door|Coupe|Miata/

const isElectric = ({ manufacturer, model }: DonorVehicle) =>
  ELECTRIC_MAKERS.test(manufacturer) || ELECTRIC_MODELS.test(model)
export const isTruck = (vehicle: DonorVehicle) => has(vehicle, 'Pickup')

export const isSuv = (vehicle: DonorVehicle) => has(vehicle, 'SUV')

const needs: Record<DemoPart['needs'], (vehicle: DonorVehicle) => boolean> = {
  any: () => true,
  engine: (vehicle) => !isElectric(vehicle),
  automatic: (vehicle) => !isElectric(vehicle),
  electric: isElectric,
  hybrid: (vehicle) => !isElectric(vehicle) && HYBRID_MODELS.test(vehicle.model),
  diesel: ({ model }) => DIESEL_MODELS.test(model),
  pickup: isTruck,
  'four-by-four': (vehicle) => has(vehicle, 'Pickup', 'SUV') && !isElectric(vehicle),
  'four-doors': (vehicle) =>
    !TWO_DOORS.test(vehicle.model) && has(vehicle, 'Sedan', 'SUV', 'Wagon', 'Pickup', 'Hatchback'),
  'sliding-door': (vehicle) => has(vehicle, 'Van/Minivan'),
  trunk: (vehicle) => has(vehicle, 'Sedan', 'Coupe'),
  hatch: (vehicle) => has(vehicle, 'SUV', 'Hatchback', 'Wagon', 'Van/Minivan'),
  'soft-top': (vehicle) => has(vehicle, 'Convertible'),
  'third-row': (vehicle) => has(vehicle, 'Van/Minivan', 'SUV'),
}

/**
 * Whether a car of this kind and year has such a part. Coarse on purpose: demo data must be plausible, not a catalog.
 */
export function fits(part: DemoPart, vehicle: DonorVehicle): boolean {
  return vehicle.year >= part.from && vehicle.year <= part.to && needs[part.needs](vehicle)
}

export function engineSizes(vehicle: DonorVehicle): string[] {
  const { truckEngines, carEngines } = makerOf(vehicle.manufacturer)
  return enginesOf(vehicle)?.sizes ?? (isTruck(vehicle) ? truckEngines : carEngines)
}
