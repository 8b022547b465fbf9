import { namedParameters } from '#contract/pages/name-slugs.ts'
import type { FoundParts } from '#contract/pages/public-pages.ts'
import { decidingParameters } from '#contract/search/list-address.ts'

/** The query parameters that change the list's page, in the order of its normalized address. */
export const partsParameters = [...decidingParameters, 'sort', 'view', 'page', 'perPage'] as const

type Parameter = (typeof partsParameters)[number]

/** Parameters that only show the same parts differently. */
const arranging: readonly Parameter[] = ['exact', 'sort', 'view', 'page', 'perPage']

/** Parameters that narrow the list, other than its words. A place alone does not, nor a distance without one. */
const narrowing = partsParameters.filter((name) => !['q', 'zip', ...arranging].includes(name))

/** Parameters that are one filter together. */
const sameFilter: Partial<Record<string, string>> = {
  priceMin: 'priceMax',
  radius: 'within',
  manuId: 'make',
  modelId: 'model',
  categoryId: 'category',
}

/** Default values, which are left out of the address. */
const defaults: Partial<Record<string, string>> = { perPage: '12', view: 'grid' }

export const pageSizes = ['12', '24', '48'] as const
export const radiuses = ['25', '50', '100', '250', '500', '1000'] as const

type SortOrder = { value: string; label: string }

/** Best match needs words, nearest needs a place. The first is the default. */
export function sortOrdersOf(query: URLSearchParams): SortOrder[] {
  const newest = { value: 'newest', label: 'Newest first' }
  return [
    ...(query.get('q') ? [{ value: '', label: 'Best match' }, newest] : [{ ...newest, value: '' }]),
    ...(query.get('zip') ? [{ value: 'nearest', label: 'Nearest first' }] : []),
    { value: 'price-low', label: 'Price + shipping: low to high' },
    { value: 'price-high', label: 'Price + shipping: high to low' },
  ]
}

/** The number of filters in use, for a phone's button. A range of prices counts once. */
export const countFilters = (query: URLSearchParams, refused: FoundParts['refused'] = {}): number =>
  new Set(
    narrowing
      .filter((name) => query.get(name) && !refused[name])
      .map((name) => sameFilter[name] ?? name)
      .filter((name) => name !== 'within' || (query.get('zip') && !refused.zip)),
  ).size

/** Whether the list shows only some of all parts. */
export const isNarrowed = (query: URLSearchParams): boolean =>
  Boolean(query.get('q')) || countFilters(query) > 0

/** The query of a submitted form: without empty and default values, page, or a model of another make. */
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
  if (query.get('make') !== before.get('make')) query.delete('model')
  if (!query.get('zip')) {
    query.delete('within')
    query.delete('radius')
    if (query.get('sort') === 'nearest') query.delete('sort')
  }
  // “Exactly as typed” applies only to the same words.
  if (query.get('q') === before.get('q') && before.get('exact')) query.set('exact', '1')
  return query
}

/** The query with the names that its filters have now, in place of ids and former names. */
export function readableQuery(asked: URLSearchParams, chosen: FoundParts['chosen'] = {}): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of asked) {
    const byName = Object.entries(namedParameters).find(([, id]) => id === name)?.[0] ?? name
    query.set(byName, chosen[byName as keyof typeof chosen]?.slug ?? value)
  }
  // A model's id means its make, too.
  if (asked.get('modelId') && chosen.make) query.set('make', chosen.make.slug)
  return query
}

/** The query whose names were renamed or merged, with their current ones; undefined if all are current. */
export function movedQuery(asked: URLSearchParams, { chosen = {} }: FoundParts): URLSearchParams | undefined {
  const moved = (['make', 'model', 'category'] as const).filter((name) => {
    const slug = asked.get(namedParameters[name]) ? null : asked.get(name)
    return slug && chosen[name] && chosen[name].slug !== slug
  })
  if (moved.length === 0) return undefined
  const query = new URLSearchParams(asked)
  for (const name of moved) query.set(name, chosen[name]?.slug ?? '')
  return query
}

/** The query with these changes, back on page 1; undefined removes a parameter. */
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
