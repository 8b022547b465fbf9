import { type decidingParameters, listAddress } from '#contract/search/list-address.ts'
import type { PartsPage, PartsQuery } from '#contract/search/parts-search.ts'
import type { NamedFilters } from '#server/features/finding/search/query/named-filters.ts'
import type { Reading } from '#server/features/finding/search/query/reading.ts'
import { filterYear } from '#server/features/finding/search/query/search.ts'
import { detailsOf, searchTitleOf } from '#server/features/finding/search/query/search-title.ts'

/* The conditions of a search, as chips that each remove one condition, and as a title. */

type Chip = PartsPage['understood'][number]
type Words = Exclude<Reading['asked'], 'nothing'>['words']
type Parameter = (typeof decidingParameters)[number]

/** A filter's chip, and the query without it. */
export type FilterChip = { readonly chip: Chip; readonly query: PartsQuery }

/** What was said twice ("a 2015 Fusion … a 2013 Fusion") has one chip, which removes both. */
export function wordChips(query: PartsQuery, words: Words, named: NamedFilters): Chip[] {
  const { recognized = [], typed = [] } = words?.wanted ?? {}
  const said = Map.groupBy(recognized, ({ kind, label }) => `${kind} ${label}`)
  return [...said.values()].flatMap((same) => {
    const [first] = same
    const q = othersOf(
      typed,
      same.flatMap(({ at }) => at),
    )
    return first
      ? [{ kind: first.kind, label: first.label, without: queryString({ ...query, q }, named) }]
      : []
  })
}

const othersOf = (typed: readonly string[], at: readonly number[]): string =>
  typed.filter((_, place) => !at.includes(place)).join(' ')

/** The parameters of a filter, by the one that names it. */
const TOGETHER: Partial<Record<Parameter, readonly Parameter[]>> = {
  make: ['make', 'manuId'],
  model: ['model', 'modelId'],
  category: ['category', 'categoryId'],
  priceMax: ['priceMin', 'priceMax'],
  zip: ['zip', 'within', 'radius'],
}

/** The filters of a query, in the order of its address. */
export function filterChips(query: PartsQuery, named: NamedFilters): FilterChip[] {
  const { names, unknown } = named
  const chips: [name: Parameter, label: string | false | null | undefined, isUnknown?: boolean][] = [
    ...(['make', 'model', 'category'] as const).map((name): [Parameter, string | undefined, boolean] => {
      const isUnknown = unknown.includes(name)
      return [
        name,
        isUnknown ? `${NOUNS[name]} “${query[name]}” not found` : nameOf(name, query, named),
        isUnknown,
      ]
    }),
    ['year', filterYear(query)?.toString()],
    ['side', query.side && `${capital(query.side)} side`],
    ...detailsOf(query, names).map(({ name, words }): [Parameter, string] => [
      name as Parameter,
      capital(words),
    ]),
    [
      'zip',
      query.zip && query.radius === undefined && query.within === undefined && `Distance from ${query.zip}`,
    ],
    ...(['within', 'radius'] as const).map((name): [Parameter, string | false | undefined, boolean] => [
      name,
      query[name] !== undefined && !query.zip && `Within ${query[name]} mi needs a ZIP code`,
      true,
    ]),
    ['seller', query.seller && names.seller === null && `Seller “${query.seller}” not found`],
  ]
  return chips.flatMap(([name, label, isUnknown]) => {
    if (!label) return []
    const gone = TOGETHER[name] ?? [name]
    const rest = { ...query, ...Object.fromEntries(gone.map((one) => [one, undefined])) } as PartsQuery
    const without = queryString(rest, named)
    return [
      {
        chip: { kind: 'filter', name, label, without, ...(isUnknown && { isUnknown: true as const }) },
        query: rest,
      },
    ]
  })
}

const NOUNS = { make: 'Make', model: 'Model', category: 'Category' } as const
const IDS = { make: 'manuId', model: 'modelId', category: 'categoryId' } as const

/** A lookup that is gone still filters. */
const nameOf = (name: keyof typeof IDS, query: PartsQuery, { names }: NamedFilters): string | undefined => {
  if (!query[name] && !query[IDS[name]]) return undefined
  return names[name] ?? `${NOUNS[name]} no longer listed`
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

/** The search in words; undefined if it asks for nothing. */
export function titleOf(query: PartsQuery, words: Words, named: NamedFilters): string | undefined {
  const isAsking = words !== undefined || filterChips(query, named).some(({ chip }) => !chip.isUnknown)
  if (!isAsking) return undefined
  const { title } = searchTitleOf(query, { wanted: words?.wanted, names: named.names })
  return title === 'Parts' ? undefined : title
}

const USUAL = 12

/** As in an address: with slugs in place of ids, without the parameters that every new search resets. */
function queryString(
  { page: _, perPage, explain: __, facets: ___, ...query }: PartsQuery,
  { chosen = {} }: NamedFilters,
): string {
  const readable: Partial<Record<string, unknown>> = { ...query, ...(perPage !== USUAL && { perPage }) }
  for (const name of ['make', 'model', 'category'] as const) {
    const slug = chosen[name]?.slug
    if (slug === undefined || !(query[name] || query[IDS[name]])) continue
    delete readable[IDS[name]]
    readable[name] = slug
  }
  // Filters a model by its id only, which excludes another make's model of the same name.
  if (query.modelId && chosen.model && chosen.make) readable.make = chosen.make.slug
  return listAddress(readable)
}
