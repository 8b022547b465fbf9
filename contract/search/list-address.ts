/** The list parameters that affect which parts it shows, in the order of the normalized address. */
export const decidingParameters = [
  'q',
  'make',
  'model',
  'year',
  'category',
  'categoryId',
  'manuId',
  'modelId',
  'side',
  'priceMin',
  'priceMax',
  'grade',
  'milesMax',
  'zip',
  'within',
  'radius',
  'shipping',
  'hasPicture',
  'seller',
  'exact',
] as const

/** A list's parameters in canonical order: the deciding ones first, then the others. */
export function listAddress(query: Readonly<Partial<Record<string, unknown>>>): string {
  const address = new URLSearchParams()
  for (const name of new Set([...decidingParameters, ...Object.keys(query)])) {
    const value = query[name]
    if (value !== undefined && value !== '') address.set(name, value === true ? '1' : String(value))
  }
  return address.toString()
}
