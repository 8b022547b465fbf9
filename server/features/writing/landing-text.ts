import { vehicleAndName } from './part-text.ts'

/** The facts for the page of a category, a manufacturer or a model. */
export type LandingFacts = {
  readonly kind: 'category' | 'manufacturer' | 'model'
  readonly name: string
  /** The make of a model. */
  readonly manufacturer?: string
  /** The group of a category: "Lighting". */
  readonly group?: string
  readonly listings: number
  readonly priceFromCents?: number
  readonly priceToCents?: number
  readonly yearFrom?: number
  readonly yearTo?: number
  /** The names with the most listings, most first, without the page's own kind. */
  readonly topCategories?: readonly string[]
  readonly topManufacturers?: readonly string[]
  readonly topModels?: readonly string[]
}

/** The target of a link. */
export type AnchorFacts = {
  readonly kind: 'listing' | 'category' | 'manufacturer' | 'model'
  readonly name: string
  readonly manufacturer?: string
  readonly model?: string
  readonly yearFrom?: number
  readonly yearTo?: number
  readonly partNumber?: string
}

export type LandingText = {
  readonly title: string
  readonly metaDescription: string
  readonly intro: string
}

type Subject = Pick<LandingFacts, 'kind' | 'name' | 'manufacturer'>

/** "used alternators", "used Ford parts", "used Ford Escape parts" */
function usedParts({ kind, name, manufacturer }: Subject): string {
  if (kind === 'category') return `used ${pluralOf(name)}`
  return `used ${kind === 'model' && manufacturer ? `${manufacturer} ${name}` : name} parts`
}

const MAX_NAMES = 3

/** The texts of the built-in writer. Counts and prices change daily, so they are in the intro and never in the title. */
export function landingOf(facts: LandingFacts): LandingText {
  const { kind, listings } = facts
  const subject = usedParts(facts)
  const makes = andList(facts.topManufacturers)
  const kinds = andList(facts.topCategories?.map(pluralOf))
  const models = andList(facts.topModels)
  const forWhat = kind === 'category' && makes ? ` for ${makes}` : ''
  const years = yearsOf(facts, 'to')
  const priced = pricesOf(facts)
  const counted =
    listings === 1 ? `1 listing of ${subject}` : `${listings.toLocaleString('en-US')} listings of ${subject}`
  const tops = [kind === 'category' ? undefined : kinds && `Parts: ${kinds}.`, models && `Models: ${models}.`]
  const rest = [years && `Model ${years.includes(' ') ? 'years' : 'year'} ${years}.`, ...tops].filter(Boolean)
  return {
    title: `${capitalized(subject)} for sale`,
    metaDescription: [`${capitalized(subject)}${forWhat} for sale.`, ...rest].join(' '),
    intro: [`${counted}${forWhat}${priced}.`, ...rest].join(' '),
  }
}

/** For a page whose last part is gone, as people still visit its address. */
export function emptyLandingOf(subject: Subject): LandingText {
  const parts = usedParts(subject)
  const none = `No ${parts} are listed right now.`
  return {
    title: capitalized(parts),
    metaDescription: `${none} Search all parts by part number, make, model and year.`,
    intro: `${none} Search all parts by part number, make, model and year.`,
  }
}

const LONGEST_ANCHOR = 60

/** The text of a link. A listing's part number distinguishes it from others of the same car. */
export function anchorOf(facts: AnchorFacts): string {
  if (facts.kind !== 'listing') return capitalized(usedParts({ ...facts, kind: facts.kind }))
  const { name, manufacturer: make, model, partNumber } = facts
  const years = yearsOf(facts, '-')
  const heading = vehicleAndName({
    name,
    ...(years && { years }),
    ...(make && { make }),
    ...(model && { model }),
  })
  const ways = [partNumber ? `${heading}, ${partNumber}` : heading, heading, name]
  return ways.find((text) => text.length <= LONGEST_ANCHOR) ?? cutAtWord(name, LONGEST_ANCHOR)
}

function cutAtWord(text: string, most: number): string {
  const space = text.lastIndexOf(' ', most)
  return text.slice(0, space > 0 ? space : most)
}

function yearsOf(
  { yearFrom, yearTo }: Pick<LandingFacts, 'yearFrom' | 'yearTo'>,
  to: 'to' | '-',
): string | undefined {
  if (yearFrom === undefined) return undefined
  if (yearTo === undefined || yearTo === yearFrom) return String(yearFrom)
  return to === '-' ? `${yearFrom}-${yearTo}` : `${yearFrom} to ${yearTo}`
}

function pricesOf({ priceFromCents: from, priceToCents: to = from }: LandingFacts): string {
  if (from === undefined || to === undefined) return ''
  return from === to ? `, ${dollars(from)}` : `, ${dollars(from)} to ${dollars(to)}`
}

export const dollars = (cents: number): string =>
  `$${(cents / 100).toLocaleString('en-US', { minimumFractionDigits: cents % 100 === 0 ? 0 : 2 })}`

/** "Ford, Honda and Toyota" */
function andList(names: readonly string[] | undefined): string | undefined {
  const named = names?.slice(0, MAX_NAMES) ?? []
  const last = named.at(-1)
  return named.length < 2 ? last : `${named.slice(0, -1).join(', ')} and ${last}`
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** "Headlamp Assembly" becomes "headlamp assemblies"; abbreviations stay as they are: "CV axles". */
export function pluralOf(category: string): string {
  const small = category.replaceAll(/(?<![\w/-])[A-Z][a-z]+(?:-[A-Z][a-z]+)*(?![\w/-])/g, (word) =>
    word.toLowerCase(),
  )
  const [head = '', ...rest] = small.split(/(?=\s*[,(])/)
  return pluralWord(head) + rest.join('')
}

function pluralWord(noun: string): string {
  if (/(?:glass|chassis)$/.test(noun)) return noun
  if (/(?:ss|lens|x|ch|sh)$/.test(noun)) return `${noun}es`
  if (noun.endsWith('s')) return noun
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`
}
