import { type YearSpan, yearSpanText } from '#contract/listing/year-span.ts'
import type { PartsQuery } from '#contract/search/parts-search.ts'
import type { Wanted } from '#contract/trade-language/query.ts'

/** The names of a query's filters. */
export type FilterNames = Record<'category' | 'make' | 'model' | 'seller', string | null>

type SearchTitle = {
  /** "2010 Honda Accord Headlight Assembly, left, under $150, within 100 mi of 74103". */
  title: string
  /** What sellers see of it: catalog names only, no typed text. The part is with its side. */
  part: string | null
  vehicle: string | null
  years: YearSpan | undefined
}

/** Describes a search. `meant` is undefined if it has no words. */
export function searchTitleOf(
  query: PartsQuery,
  { meant, names }: { meant: Wanted | undefined; names: FilterNames },
): SearchTitle {
  const part = names.category ?? labelsOf(meant, 'part')
  const vehicle = vehicleOf(meant, names)
  const years = yearsOf(query, meant)
  const what = [
    years && yearSpanText(years).replace('-', '–'),
    vehicle,
    labelsOf(meant, 'size'),
    part,
    // A category was chosen, and the words also name a part.
    names.category !== null && labelsOf(meant, 'part'),
    [...(meant?.piece?.words ?? []), ...(meant?.words ?? []).map((group) => group.join(' or '))].join(' '),
    ...(meant?.numbers ?? []).map((number) => `part number ${number.toUpperCase()}`),
  ].filter(Boolean)
  const details = [placesOf(query, meant), ...detailsOf(query, names)].filter(Boolean)
  const title = [what.join(' ') || 'parts', ...details].join(', ')
  return {
    title: title.charAt(0).toUpperCase() + title.slice(1),
    part: part && [part, placesOf(query, meant)].filter(Boolean).join(', '),
    vehicle,
    years,
  }
}

type Chip = Wanted['recognized'][number]['kind']

const labelsOf = (meant: Wanted | undefined, kind: Chip): string | null =>
  meant?.recognized.flatMap((one) => (one.kind === kind ? one.label : [])).join(' ') || null

function vehicleOf(meant: Wanted | undefined, { make, model }: FilterNames): string | null {
  const { makeIds = [], makes = [], models = [] } = meant?.vehicle ?? {}
  if (make !== null || model !== null || models.length === 0) {
    const named = model ?? oneOf(models.map(({ label }) => label))
    return [make ?? labelsOf(meant, 'make') ?? oneOf(makes), named].filter(Boolean).join(' ') || null
  }
  return oneOf(
    models.map(({ makeId, label }) => {
      const of = makes[makeIds.indexOf(makeId)] ?? ''
      // The Ram 1500 of Ram.
      return label.startsWith(`${of} `) ? label : `${of} ${label}`
    }),
  )
}

/** "Jeep Wrangler or MINI Hardtop"; a 328i and a 328I are one to a reader. */
const oneOf = (names: readonly string[]): string =>
  [...new Map(names.toReversed().map((name) => [name.toLowerCase(), name])).values()]
    .toReversed()
    .join(' or ')

function yearsOf({ year }: PartsQuery, meant: Wanted | undefined): YearSpan | undefined {
  return /^\d{4}$/.test(year ?? '') ? { from: Number(year), to: Number(year) } : meant?.years
}

const placesOf = ({ side }: PartsQuery, meant: Wanted | undefined): string =>
  [meant?.end, side ?? meant?.side].filter(Boolean).join(' ')

const SHIPPING = { free: 'free shipping', flat: 'flat rate shipping', pickup: 'pickup' } as const

function detailsOf(query: PartsQuery, { seller }: FilterNames): (string | undefined)[] {
  const { grade, milesMax, zip, radius, shipping, hasPicture } = query
  return [
    pricesOf(query),
    grade && `grade ${grade.join(' or ')}`,
    milesMax === undefined ? undefined : `up to ${milesMax.toLocaleString('en-US')} miles on it`,
    zip && radius !== undefined ? `within ${radius.toLocaleString('en-US')} mi of ${zip}` : undefined,
    shipping?.map((kind) => SHIPPING[kind]).join(' or '),
    hasPicture && 'with a picture',
    seller ? `from ${seller}` : undefined,
  ].map((detail) => detail || undefined)
}

function pricesOf({ priceMin, priceMax }: PartsQuery): string | undefined {
  if (priceMin !== undefined && priceMax !== undefined) return `${dollars(priceMin)} to ${dollars(priceMax)}`
  if (priceMax !== undefined) return `up to ${dollars(priceMax)}`
  return priceMin === undefined ? undefined : `from ${dollars(priceMin)}`
}

const whole = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })
const exact = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const dollars = (amount: number) => (Number.isInteger(amount) ? whole : exact).format(amount)
