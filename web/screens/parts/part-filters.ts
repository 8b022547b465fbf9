/** The parameters of the list's address that make another page, in the order of its normalized address. */
export const partsParameters = [
  'q',
  'categoryId',
  'manuId',
  'modelId',
  'year',
  'sort',
  'page',
  'perPage',
] as const

export const sortOrders = [
  { value: '', label: 'Newest first' },
  { value: 'price-low', label: 'Price: low to high' },
  { value: 'price-high', label: 'Price: high to low' },
] as const

/** The first is the default. */
export const pageSizes = ['12', '24', '48'] as const

const narrowing = ['q', 'categoryId', 'manuId', 'modelId', 'year'] as const

/** Whether the list shows some of all parts. */
export const isNarrowed = (query: URLSearchParams): boolean => narrowing.some((name) => query.get(name))

/** The query after the form: without empty values, the first page, and models of the chosen make only. */
export function changedQuery(before: URLSearchParams, form: FormData): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of form) {
    if (typeof value === 'string' && value.trim() !== '') query.set(name, value.trim())
  }
  if (query.get('perPage') === pageSizes[0]) query.delete('perPage')
  if (query.get('manuId') !== before.get('manuId')) query.delete('modelId')
  return query
}
