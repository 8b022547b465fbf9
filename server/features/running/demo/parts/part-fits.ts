import { type FitmentRow, fitmentWords, printFitment } from '#contract/listing/fitment.ts'
import { plainInterchange } from '#contract/listing/interchange.ts'
import type { ListingText } from '#contract/listing/listing-rules.ts'
import { type YearSpan, yearSpanText } from '#contract/listing/year-span.ts'
import type { Vehicle } from '#db/data/read-data.ts'
import { type DemoPart, type Generation, makerOf, partGroups } from '#server/features/running/demo/data.ts'
import type { Random } from '#server/platform/seeded-random.ts'
import type { DonorCar } from './donor-cars.ts'
import { engineSizes, fits } from './donor-vehicles.ts'
import {
  generationOf,
  type NumberedPart,
  partslinkNumber,
  type Stamp,
  sharedNumber,
  sharingVehicles,
} from './part-numbers.ts'

/* The vehicles that a part fits besides its own car, and its other numbers, as yards list them. */

/** A part off a car, as it is listed. */
export type PulledPart = { car: DonorCar; part: DemoPart; numbered: NumberedPart; stamp: Stamp }

// Most yards list the years that a part fits, the others its car's year. Some list which cars of its model it fits.
const RANGE_SHARE = 0.78
const OWN_ROW_SHARE = { range: 0.7, oneYear: 0.25 } as const
const FITMENT_SHARE = 0.93
// Yards do not list every vehicle of a platform.
const MOST_ROWS = 4
// The share of parts with such a number.
const STATED = { supersession: 0.5, partslink: 0.25, otherMaker: 0.35 } as const

type Fits = Pick<ListingText, 'partyear' | 'fitment' | 'partinterchange'>

/** Returns a function that lists what parts fit, by the catalog's model years until this year. */
export function openFits(
  vehicles: readonly Vehicle[],
  thisYear: number,
): (pulled: PulledPart, random: Random) => Fits {
  const catalog = new Map(vehicles.map((vehicle) => [`${vehicle.manufacturer}/${vehicle.model}`, vehicle]))

  /** The years of a generation in which the vehicle was sold with such a part. */
  const spansOf = ({ manufacturer, model, from, to }: Generation, part: DemoPart): YearSpan[] =>
    (catalog.get(`${manufacturer}/${model}`)?.years ?? []).flatMap(([first, last]) => {
      const span = {
        from: Math.max(from, first, part.from),
        to: Math.min(to, last, part.to, thisYear),
      }
      return span.from <= span.to ? span : []
    })

  /** Other vehicles with the same part, the popular ones first. */
  const othersOf = ({ car, part, numbered }: PulledPart, own: Generation): FitmentRow[] =>
    sharingVehicles(own, numbered.group).flatMap((other): FitmentRow[] => {
      const { manufacturer, model } = other
      const vehicle = catalog.get(`${manufacturer}/${model}`)
      const isOwn = model === car.model && manufacturer === car.manufacturer
      if (!vehicle || isOwn || model.includes('(')) return []
      const engine = part.detail === 'engine' ? { engine: car.engine } : undefined
      return spansOf(other, part).flatMap((span): FitmentRow[] => {
        const like = { manufacturer, model, bodyStyles: vehicle.bodyStyles, year: span.from }
        if (!fits(part, like) || (engine && !engineSizes(like).includes(car.engine))) return []
        return [{ ...span, vehicle: fitmentWords(`${manufacturer} ${model}`), ...engine }]
      })
    })

  return (pulled, random) => {
    const { car, part } = pulled
    const own = generationOf(car)
    const span = spansOf(own, part).find(({ from, to }) => from <= car.year && car.year <= to)
    const isRange = span !== undefined && random.chance(RANGE_SHARE)
    const hasOwnRow = random.chance(isRange ? OWN_ROW_SHARE.range : OWN_ROW_SHARE.oneYear)
    const ownRow = span && hasOwnRow ? ownRowOf(pulled, span, isRange) : undefined
    const rows = [...(ownRow ? [ownRow] : []), ...othersOf(pulled, own).slice(0, MOST_ROWS)]
    return {
      partyear: yearSpanText(isRange ? span : { from: car.year, to: car.year }),
      ...(rows.length > 0 && random.chance(FITMENT_SHARE) && { fitment: printFitment(rows) }),
      ...interchangeOf(pulled, own, random),
    }
  }
}

/** Its own model with the limits of its fit; undefined if the listing's years already express them. */
function ownRowOf({ car, numbered }: PulledPart, span: YearSpan, isRange: boolean): FitmentRow | undefined {
  const { manufacturer, model, trim, engine, bodyStyles } = car
  const limits = partGroups.get(numbered.group)?.limits
  const body =
    bodyStyles.length > 1 ? (bodyStyles.find((style) => style === 'Sedan') ?? bodyStyles[0]) : undefined
  const limit = {
    ...(limits === 'engine' && { engine }),
    ...(limits === 'trim' && { trim }),
    ...(limits === 'body' && body !== undefined && { body }),
  }
  const saysMore = isRange ? Object.keys(limit).length > 0 : span.from < span.to
  // Parentheses are for the details of a row.
  return saysMore && !model.includes('(')
    ? { ...span, vehicle: `${manufacturer} ${model}`, ...limit }
    : undefined
}

function interchangeOf(
  { car, part, numbered, stamp }: PulledPart,
  own: Generation,
  random: Random,
): Pick<Fits, 'partinterchange'> {
  const { number, replaces, replacedBy } = stamp
  const partslink = partslinkNumber(car, part, { detail: numbered.detail, number: replacedBy ?? number })
  const sharing = sharingVehicles(own, numbered.group)
  const maker = makerOf(car.manufacturer)
  const other = sharing.find(({ manufacturer }) => makerOf(manufacturer) !== maker)
  const stated = [
    replaces !== undefined && random.chance(STATED.supersession) && `replaces ${replaces}`,
    replacedBy !== undefined && random.chance(STATED.supersession) && `replaced by ${replacedBy}`,
    partslink !== undefined && random.chance(STATED.partslink) && partslink,
    other && random.chance(STATED.otherMaker) && sharedNumber(sharing, makerOf(other.manufacturer), numbered),
  ].filter((text) => typeof text === 'string')
  return stated.length > 0 ? { partinterchange: plainInterchange(stated.join('; ')) } : {}
}
