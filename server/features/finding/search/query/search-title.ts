import type { YearSpan } from '#contract/listing/year-span.ts'
import type { PartsQuery } from '#contract/search/parts-search.ts'
import { oneOf } from '#contract/trade-language/names.ts'
import type { Wanted } from '#contract/trade-language/query/query.ts'
import { yearsInWords } from '#contract/trade-language/years.ts'
import type { FilterNames } from './named-filters.ts'
import { filterYear } from './search.ts'

/* A search in words, for its page, its chips and the emails about it. */

type SearchTitle = {
  /** "2010 Honda Accord Headlight Assembly, left, under $150, within 100 mi of 74103". */
  title: string
  /** What sellers see: catalog names only, no typed text. The part includes its side. */
  part: string | null
  vehicle: string | null
  years: YearSpan | undefined
}

/** Describes a search. `wanted` is undefined if it has no words. */
export function searchTitleOf(
  query: PartsQuery,
  { wanted, names }: { wanted: Wanted | undefined; names: FilterNames },
): SearchTitle {
  const ofWords = wanted?.part?.label ?? null
  const part = names.category ?? ofWords
  const vehicle = vehicleOf(wanted, names)
  const years = yearsOf(query, wanted)
  const ofYears = years && yearsInWords(years)
  const what = [
    ofYears,
    vehicle,
    ...(wanted?.sizes ?? []).map(({ label }) => label),
    ...(wanted?.nameWords ?? []).map(([word]) => word),
    part,
    // A category was chosen, and the words also name a part.
    names.category !== null && ofWords,
    [...(wanted?.piece?.words ?? []), ...(wanted?.words ?? []).map((group) => group.join(' or '))].join(' '),
    ...(wanted?.numbers ?? []).map((number) => `part number ${number.toUpperCase()}`),
  ].filter(Boolean)
  // "2014 Toyota Camry parts"
  const isOfAnyPart = what.length > 0 && what.every((words) => words === vehicle || words === ofYears)
  if (isOfAnyPart) what.push('parts')
  const filters = detailsOf(withPrice(query, wanted), {
    seller: names.seller ?? labelsOf(wanted, 'seller')[0] ?? null,
  })
  const details = [
    placesOf(query, wanted),
    ...labelsOf(wanted, 'without'),
    ...filters.map(({ words }) => words),
  ].filter(Boolean)
  const title = [what.join(' ') || 'parts', ...details].join(', ')
  return {
    title: title.charAt(0).toUpperCase() + title.slice(1),
    part: part && [part, placesOf(query, wanted)].filter(Boolean).join(', '),
    vehicle,
    years,
  }
}

type Chip = Wanted['recognized'][number]['kind']

const labelsOf = (wanted: Wanted | undefined, kind: Chip): string[] =>
  wanted?.recognized.flatMap((one) => (one.kind === kind ? one.label : [])) ?? []

function vehicleOf(wanted: Wanted | undefined, { make, model }: FilterNames): string | null {
  const { makeIds = [], makes = [], models = [] } = wanted?.vehicle ?? {}
  if (make !== null || model !== null || models.length === 0) {
    const named = model ?? oneOf(models.map(({ label }) => label))
    const said = make ?? (oneOf(labelsOf(wanted, 'make')) || oneOf(makes))
    return [said, named].filter(Boolean).join(' ') || null
  }
  return oneOf(
    models.map(({ makeId, label }) => {
      const of = makes[makeIds.indexOf(makeId)] ?? ''
      // The Ram 1500 of Ram.
      return label.startsWith(`${of} `) ? label : `${of} ${label}`
    }),
  )
}

function yearsOf(query: PartsQuery, wanted: Wanted | undefined): YearSpan | undefined {
  const year = filterYear(query)
  return year === undefined ? wanted?.years : { from: year, to: year }
}

const placesOf = ({ side }: PartsQuery, wanted: Wanted | undefined): string =>
  [wanted?.end, side ?? wanted?.side].filter(Boolean).join(' ')

/** A price that was chosen takes precedence over one in the words. */
const withPrice = (query: PartsQuery, wanted: Wanted | undefined): PartsQuery => ({
  ...query,
  priceMin: query.priceMin ?? wanted?.price?.min,
  priceMax: query.priceMax ?? wanted?.price?.max,
})

const SHIPPING = { free: 'free shipping', flat: 'flat rate shipping', pickup: 'pickup' } as const

/** A filter in words, by the parameter that it is removed with. */
export type FilterDetail = { readonly name: keyof PartsQuery; readonly words: string }

/** The filters besides names, year and side, each as the end of a title: "within 100 mi of 74103". */
export function detailsOf(query: PartsQuery, { seller }: Pick<FilterNames, 'seller'>): FilterDetail[] {
  const { grade, milesMax, shipping, hasPicture } = query
  const details: [FilterDetail['name'], string | undefined | false | null][] = [
    ['priceMax', pricesOf(query)],
    ['grade', grade && `grade ${grade.join(' or ')}`],
    ['milesMax', milesMax !== undefined && `up to ${milesMax.toLocaleString('en-US')} miles on it`],
    [query.radius === undefined ? 'within' : 'radius', distanceOf(query)],
    ['shipping', shipping && shippingOf(shipping)],
    ['hasPicture', hasPicture && 'with a picture'],
    ['seller', seller && `from ${seller}`],
  ]
  return details.flatMap(([name, words]) => (words ? [{ name, words }] : []))
}

function distanceOf({ zip, radius, within }: PartsQuery): string | undefined {
  const miles = radius ?? within
  if (!zip || miles === undefined) return undefined
  const around = `within ${miles.toLocaleString('en-US')} mi of ${zip}`
  return radius === undefined ? `${around} or shipped` : around
}

const shippingOf = (kinds: NonNullable<PartsQuery['shipping']>): string =>
  kinds.join() === 'pickup' ? 'pickup only' : kinds.map((kind) => SHIPPING[kind]).join(' or ')

function pricesOf({ priceMin, priceMax }: PartsQuery): string | undefined {
  if (priceMin !== undefined && priceMax !== undefined) return `${dollars(priceMin)} to ${dollars(priceMax)}`
  if (priceMax !== undefined) return `up to ${dollars(priceMax)}`
  return priceMin === undefined ? undefined : `from ${dollars(priceMin)}`
}

const whole = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })
const exact = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const dollars = (amount: number) => (Number.isInteger(amount) ? whole : exact).format(amount)
