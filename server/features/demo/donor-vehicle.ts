import type { Vehicle } from '#db/data/read-data.ts'
import { type Random, weightedChoice } from '#server/platform/seeded-random.ts'
import { type DemoPart, type Focus, makerOf, modelEngines, popularModels } from './data.ts'

/** The car a part came from. */
export type DonorVehicle = {
  manufacturer: string
  model: string
  year: number
  bodyStyles: readonly string[]
}

const regionOf = ({ manufacturer }: Vehicle) => makerOf(manufacturer).region
const takesIn: Record<Focus, (vehicle: Vehicle) => boolean> = {
  any: () => true,
  domestic: (vehicle) => regionOf(vehicle) === 'domestic',
  import: (vehicle) => regionOf(vehicle) !== 'domestic',
  european: (vehicle) => regionOf(vehicle) === 'european',
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
// Each model outside of the list; those of makers that sold a few thousand cars are collectors' business.
const OTHER_WEIGHT = 0.9
const RARE_WEIGHT = 0.01
const RARE =
  /^(Aston Martin|Bentley|Ferrari|Lamborghini|Lotus|Maserati|McLaren|Panoz|Rolls-Royce|Maybach|Fisker|Lucid|VinFast|Freightliner)$/
// Parts are listed for the plain model far more often than for its special variant.
const VARIANT = /Hybrid|Plug-in|Energi|\bEV\b|\(|Prime|Limited|Cargo|Regular Cab| HD |Lightning|Sport\b/
const VARIANT_SHARE = 0.25

type ModelYear = DonorVehicle & { vehicle: Vehicle; family: string; weight: number; share: number }

/** Returns a choice of donor vehicles for each focus, as common as in life, of the ages that yards see in `thisYear`. */
export function donorVehicles(vehicles: readonly Vehicle[], thisYear: number) {
  const sold = vehicles.flatMap((vehicle) => modelYears(vehicle, thisYear))
  // A family's weight is shared by its variants of a year: F150 Regular, Super and SuperCrew Cab.
  const shares = new Map<string, number>()
  const familyYear = ({ family, year }: ModelYear) => `${family} ${year}`
  for (const entry of sold) shares.set(familyYear(entry), (shares.get(familyYear(entry)) ?? 0) + entry.share)
  const weigh = (entry: ModelYear) =>
    entry.weight * (entry.share / (shares.get(familyYear(entry)) ?? 1)) * ageWeight(thisYear - entry.year)
  const choices = new Map<Focus, (random: Random) => DonorVehicle>()
  return (focus: Focus) => {
    const known = choices.get(focus)
    if (known) return known
    const choice = weightedChoice(
      sold.filter(({ vehicle }) => takesIn[focus](vehicle)),
      weigh,
    )
    choices.set(focus, choice)
    return choice
  }
}

function modelYears(vehicle: Vehicle, thisYear: number): ModelYear[] {
  const { manufacturer, model, bodyStyles } = vehicle
  const [known] = popularModels
    .filter((popular) => popular.manufacturer === manufacturer && `${model} `.startsWith(`${popular.model} `))
    .sort((a, b) => b.model.length - a.model.length)
  const family = `${manufacturer} ${known?.model ?? model}`
  const weight = known?.weight ?? (RARE.test(manufacturer) ? RARE_WEIGHT : OTHER_WEIGHT)
  const share = VARIANT.test(model) ? VARIANT_SHARE : 1
  return vehicle.years.flatMap(([from, to]) => {
    const count = Math.max(0, Math.min(to, thisYear) - from + 1)
    return Array.from({ length: count }, (_, offset) => ({
      manufacturer,
      model,
      bodyStyles,
      year: from + offset,
      vehicle,
      family,
      weight,
      share,
    }))
  })
}

function ageWeight(age: number): number {
  return AGE_WEIGHTS.find(([upToAge]) => age <= upToAge)?.[1] ?? 0
}

const ELECTRIC_MAKERS = /^(Tesla|Rivian|Lucid|Polestar|Fisker|VinFast)$/
const ELECTRIC_MODELS =
  /\bEV\d?\b|Bolt|LEAF|e-tron|ID\.|IONIQ|Electric|Lightning|E-Transit|MACH-E|e-Golf|\bi3\b|\bi[457X]|500e|EQ[BES]|Taycan|I-PACE|Recharge|bZ4X|Solterra|Ariya|LYRIQ|OPTIQ|Vistiq|Celestiq|Prologue|i-MiEV|EX[39]0|eSprinter|RZ$|GV60|\bREV\b/
const HYBRID_MODELS =
  /Hybrid|Prius|Prime|Plug-in|Energi|4xe|PHEV|^Insight$|^CR-Z$|^Volt$|^CT$|^Niro|ELR|Clarity/
const DIESEL_MODELS = /(2500|3500|F250|F350|F450) ?/
const TWO_DOORS = /Regular Cab|Single Cab|2 Door|Coupe|Miata/

const has = (vehicle: DonorVehicle, ...styles: string[]) =>
  vehicle.bodyStyles.some((style) => styles.includes(style))
const isElectric = ({ manufacturer, model }: DonorVehicle) =>
  ELECTRIC_MAKERS.test(manufacturer) || ELECTRIC_MODELS.test(model)
export const isTruck = (vehicle: DonorVehicle) => has(vehicle, 'Pickup')

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

/** Whether a car of this kind and year has such a part. Coarse on purpose: demo data must be believable, not a catalog. */
export function fits(part: DemoPart, vehicle: DonorVehicle): boolean {
  const [from, to] = part.years
  return vehicle.year >= from && vehicle.year <= to && needs[part.needs](vehicle)
}

export function engineSizes(vehicle: DonorVehicle): string[] {
  const { manufacturer, model } = vehicle
  const own = modelEngines.find((row) => row.manufacturer === manufacturer && model.startsWith(row.model))
  const { truck, car } = makerOf(manufacturer).engines
  return own?.sizes.split(';') ?? (isTruck(vehicle) ? truck : car)
}
