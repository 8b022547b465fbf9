import { vehicleAndName } from './part-text.ts'

/** The facts for the page of a category, a manufacturer or a model. */
export type LandingFacts = {
  readonly kind: 'category' | 'manufacturer' | 'model'
  readonly name: string
  /** Only for a model: its make. */
  readonly manufacturer?: string
  /** Only for a model: limits the page to parts of this category. */
  readonly category?: string
  /** Only for a category: its group, such as "Lighting". */
  readonly group?: string
  readonly yearFrom?: number
  readonly yearTo?: number
  /** The names with the most listings, most first, excluding the page's own kind. */
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
  /** Only for a listing: its town. */
  readonly city?: string
}

export type LandingText = {
  readonly title: string
  readonly metaDescription: string
  readonly intro: string
}

type Subject = Pick<LandingFacts, 'kind' | 'name' | 'manufacturer' | 'category'>

/** "used alternators", "used Ford parts", "used Ford Escape parts", "used Ford Escape alternators" */
const usedParts = (subject: Subject): string =>
  `used ${subject.kind === 'category' ? pluralOf(subject.name) : landingHeading(subject)}`

/** "Alternator", "Ford parts", "Ford Escape parts", "Ford Escape alternators" */
export function landingHeading({ kind, name, manufacturer, category }: Subject): string {
  if (kind === 'category') return name
  const what = category === undefined ? 'parts' : pluralOf(category)
  return `${kind === 'model' && manufacturer ? `${manufacturer} ` : ''}${name} ${what}`
}

const MAX_NAMES = 3

/** The texts of the built-in writer. Counts and prices change daily: a page adds them when it is read. */
export function landingOf(facts: LandingFacts): LandingText {
  const { kind } = facts
  const subject = capitalized(usedParts(facts))
  const makes = andList(facts.topManufacturers)
  const kinds = facts.category === undefined ? andList(facts.topCategories?.map(pluralOf)) : undefined
  const models = andList(facts.topModels)
  const forWhat = kind === 'category' && makes ? ` for ${makes}` : ''
  const years = yearsOf(facts, 'to')
  const tops = [kind === 'category' ? undefined : kinds && `Parts: ${kinds}.`, models && `Models: ${models}.`]
  const rest = [years && `Model ${years.includes(' ') ? 'years' : 'year'} ${years}.`, ...tops].filter(Boolean)
  return {
    title: `${subject} for sale`,
    metaDescription: [`${subject}${forWhat} for sale.`, ...rest].join(' '),
    intro: [`${subject}${forWhat}.`, ...rest].join(' '),
  }
}

/** What is currently for sale. */
export type Offer = {
  readonly parts: number
  readonly priceFromCents: number | null
  readonly priceToCents: number | null
}

/** The texts with the current offer: "Used alternators for sale, from $20"; "12 listings, $20 to $95. Used alternators…" */
export function withOffer(
  text: LandingText,
  { parts, priceFromCents: from, priceToCents }: Offer,
): LandingText {
  const to = priceToCents ?? from
  const counted = parts === 1 ? '1 listing' : `${parts.toLocaleString('en-US')} listings`
  if (from === null || to === null) return { ...text, intro: `${counted}. ${text.intro}` }
  const prices = from === to ? dollars(from) : `${dollars(from)} to ${dollars(to)}`
  return {
    ...text,
    title: `${text.title}, from ${dollars(from)}`,
    intro: `${counted}, ${prices}. ${text.intro}`,
  }
}

/** For a page without parts, whose address people still visit. */
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

/**
 * Link texts, best first; a page uses the first one that its other links do not use. A listing's part number or town
 * distinguishes it from others of the same car.
 */
export function anchorsOf(facts: AnchorFacts): string[] {
  const { kind, name, manufacturer: make, model, partNumber, city } = facts
  if (kind !== 'listing') {
    const plain = kind === 'model' && make ? `${make} ${name}` : name
    return [
      capitalized(usedParts({ ...facts, kind })),
      `${plain}${kind === 'category' ? '' : ' parts'} for sale`,
    ]
  }
  const years = yearsOf(facts, '-')
  const heading = vehicleAndName({
    name,
    ...(years && { years }),
    ...(make && { make }),
    ...(model && { model }),
  })
  const ways = [heading, name].flatMap((text) => [
    ...(partNumber ? [`${text}, ${partNumber}`] : []),
    text,
    ...(city ? [`${text}, ${city}`] : []),
  ])
  const fitting = ways.filter((text) => text.length <= LONGEST_ANCHOR)
  return fitting.length > 0 ? fitting : [cutAtWord(name, LONGEST_ANCHOR)]
}

/** The best of them. */
export const anchorOf = (facts: AnchorFacts): string => anchorsOf(facts)[0] ?? facts.name

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

const dollars = (cents: number): string =>
  `$${(cents / 100).toLocaleString('en-US', { minimumFractionDigits: cents % 100 === 0 ? 0 : 2 })}`

/** "Ford, Honda and Toyota" */
function andList(names: readonly string[] | undefined): string | undefined {
  const named = names?.slice(0, MAX_NAMES) ?? []
  const last = named.at(-1)
  return named.length < 2 ? last : `${named.slice(0, -1).join(', ')} and ${last}`
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** "Headlamp Assembly" becomes "headlamp assemblies"; abbreviations are kept: "CV axles". */
export function pluralOf(category: string): string {
  const small = category.replaceAll(/(?<![\w/-])[A-Z][a-z]+(?:-[A-Z][a-z]+)*(?![\w/-])/g, (word) =>
    word.toLowerCase(),
  )
  // Only the words before these become plural: "covers for engine", "bumpers w/ sensors".
  const [head = '', ...rest] = small.split(/(?=\s*[,(]|\s+(?:w\/|with|without|for|of|to|on|in|-)(?:\s|$))/)
  return pluralWord(head) + rest.join('')
}

/** Uncountable words, such as door "glass". */
const UNCOUNTED =
  /(?:^|[\s/-])(?:glass|chassis|hardware|wiring|upholstery|lighting|insulation|equipment|tubing|plumbing|trim|carpeting|weatherstripping)$/i

function pluralWord(noun: string): string {
  if (UNCOUNTED.test(noun)) return noun
  if (/(?:ss|lens|x|ch|sh)$/.test(noun)) return `${noun}es`
  if (/s$/i.test(noun)) return noun
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`
}
