import { decidingParameters } from '#contract/search/list-address.ts'

/** The parameters of the list's address that make another page, in the order of its normalized address. */
export const partsParameters = [...decidingParameters, 'sort', 'view', 'page', 'perPage'] as const

type Parameter = (typeof partsParameters)[number]

/** Those that show the same parts in another way. */
const arranging: readonly Parameter[] = ['exact', 'sort', 'view', 'page', 'perPage']

/** Parameters that narrow the list, without its words. */
const narrowing = partsParameters.filter((name) => name !== 'q' && !arranging.includes(name))

/** What a list without these parameters does; an address is shorter without them. */
const defaults: Partial<Record<string, string>> = { perPage: '12', view: 'grid' }

export const pageSizes = ['12', '24', '48'] as const
export const radiuses = ['25', '50', '100', '250', '500', '1000'] as const

type SortOrder = { value: string; label: string }

/** Best match needs words, and nearest a place. The first is the list's own order. */
export function sortOrdersOf(query: URLSearchParams): SortOrder[] {
  const newest = { value: 'newest', label: 'Newest first' }
  return [
    ...(query.get('q') ? [{ value: '', label: 'Best match' }, newest] : [{ ...newest, value: '' }]),
    ...(query.get('zip') ? [{ value: 'nearest', label: 'Nearest first' }] : []),
    { value: 'price-low', label: 'Price: low to high' },
    { value: 'price-high', label: 'Price: high to low' },
  ]
}

/** The number of filters in use, for a phone's button. A range or a place counts once. */
export const countFilters = (query: URLSearchParams): number =>
  new Set(narrowing.filter((name) => query.get(name)).map((name) => oneOf[name] ?? name)).size

const oneOf: Partial<Record<Parameter, string>> = { priceMin: 'price', priceMax: 'price', radius: 'zip' }

/** Whether the list shows some of all parts. */
export const isNarrowed = (query: URLSearchParams): boolean =>
  Boolean(query.get('q')) || countFilters(query) > 0

/** The query after the form: without empty and default values, the first page, and models of the chosen make only. */
export function changedQuery(before: URLSearchParams, form: FormData): URLSearchParams {
  const query = new URLSearchParams()
  for (const name of new Set(form.keys())) {
    const value = form
      .getAll(name)
      .map((each) => String(each).trim())
      .filter((each) => each !== '')
      .join(',')
    if (value !== '' && value !== defaults[name]) query.set(name, value)
  }
  if (query.get('manuId') !== before.get('manuId')) query.delete('modelId')
  if (!query.get('zip')) {
    query.delete('radius')
    if (query.get('sort') === 'nearest') query.delete('sort')
  }
  // The words as typed are for those words only.
  if (query.get('q') === before.get('q') && before.get('exact')) query.set('exact', '1')
  return query
}

/** The query with these changes, from its first page on; undefined removes. */
export function withChange(
  query: URLSearchParams,
  change: Partial<Record<Parameter, string | undefined>>,
): string {
  const next = new URLSearchParams(query)
  next.delete('page')
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) next.delete(name)
    else next.set(name, value)
  }
  return next.size > 0 ? `?${next}` : ''
}
