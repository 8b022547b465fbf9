import type { Vehicle } from '#db/data/read-data.ts'
import {
  type DemoPart,
  demoParts,
  type Focus,
  type Generation,
  generations,
  partGroups,
} from '#server/features/running/demo/data.ts'
import { seededRandom } from '#server/platform/seeded-random.ts'
import { acceptsVehicle, type DonorVehicle, fits } from './donor-vehicles.ts'
import { sharingVehicles } from './part-numbers.ts'

/*
 * Parts of popular vehicles, enough that a year, model and part usually have two to five answers. With random parts
 * alone, 5,000 listings would have one answer or none.
 */

/** `turn` counts the copies of a part, so that both sides of a car are in stock. */
type LotPart = { part: DemoPart; turn: number }

/** Common parts of one car. */
export type Lot = { vehicle: DonorVehicle; parts: readonly LotPart[] }

export type Lots = {
  /** A lot for a yard with at most this many parts, or undefined if none is left. */
  take(focus: Focus, most: number): Lot | undefined
}

const PARTS_A_CAR = 6
// Any group that shares mechanics.
const MECHANICAL = 'Engine'
const common = demoParts.filter((part) => part.common > 0)

type Catalog = { vehicles: readonly Vehicle[]; groupOf: ReadonlyMap<string, string>; thisYear: number }

/** Every call of `take` returns another lot, in an order that is always the same. */
export function openLots(catalog: Catalog): Lots {
  const bodies = new Map(catalog.vehicles.map((one) => [`${one.manufacturer}/${one.model}`, one.bodyStyles]))
  const random = seededRandom('popular lots')
  const left = generations
    .filter(({ deep, from }) => deep > 0 && from <= catalog.thisYear)
    .flatMap((generation) => lotsOf(generation, catalog, bodies))
    .map((lot) => ({ lot, place: random.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ lot }) => lot)
  return {
    take(focus, most) {
      const at = left.findLastIndex(({ vehicle }) => acceptsVehicle[focus](vehicle))
      const lot = left[at]
      if (!lot) return undefined
      left.splice(at, 1)
      if (lot.parts.length <= most) return lot
      // The rest goes to another yard, as if from another car.
      left.unshift({ ...lot, parts: lot.parts.slice(most) })
      return { ...lot, parts: lot.parts.slice(0, most) }
    },
  }
}

// The others come from vehicles that share only their mechanics.
const OWN_SHARE = 0.82

/**
 * Cars of all years of a generation, with the common parts spread over them, so that no car has the same part twice. The
 * last copy of a mechanical part is off another vehicle with the same mechanics, if there is one.
 */
function lotsOf(
  generation: Generation,
  { groupOf, thisYear }: Catalog,
  bodies: ReadonlyMap<string, string[]>,
): Lot[] {
  const copies = common.map((part, at) => ({
    part,
    count: Math.floor(part.common * generation.deep + (at % 10) / 10),
  }))
  const cars = Math.ceil(copies.reduce((sum, { count }) => sum + count, 0) / PARTS_A_CAR)
  const others = sharingVehicles(generation, MECHANICAL).filter(
    ({ deep, from }) => deep === 0 && from <= thisYear,
  )
  const ownCars = others.length > 0 ? Math.ceil(cars * OWN_SHARE) : cars
  const carsOf = (count: number, sourceOf: (at: number) => Generation) =>
    Array.from({ length: count }, (_, at): { vehicle: DonorVehicle; parts: LotPart[] } => {
      const { manufacturer, model, from, to } = sourceOf(at)
      const years = Math.min(to, thisYear) - from + 1
      const year = from + Math.floor(((at + 0.5) * years) / count)
      const bodyStyles = bodies.get(`${manufacturer}/${model}`) ?? []
      return { vehicle: { manufacturer, model, bodyStyles, year }, parts: [] }
    })
  const own = carsOf(ownCars, () => generation)
  const other = carsOf(cars - ownCars, (at) => others[at % others.length] ?? generation)
  for (const [at, { part, count }] of copies.entries()) {
    const isShared = partGroups.get(groupOf.get(part.type) ?? '')?.shares === 'mechanics'
    for (let turn = 0; turn < count; turn += 1) {
      const isOther = isShared && turn === count - 1 && turn > 0 && other.length > 0
      const lot = isOther
        ? other[at % other.length]
        : own[(at + turn * Math.floor(own.length / count)) % own.length]
      if (lot && fits(part, lot.vehicle)) lot.parts.push({ part, turn })
    }
  }
  return [...own, ...other].filter(({ parts }) => parts.length > 0)
}
