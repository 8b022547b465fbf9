import type { ListingColumns } from './listing-columns.ts'

type Said = Pick<
  ListingColumns,
  | 'name'
  | 'year_from'
  | 'year_to'
  | 'manufacturer_name'
  | 'model_name'
  | 'trim_name'
  | 'part_number'
  | 'grade'
  | 'miles'
  | 'price_cents'
>

/** What headings are made of. */
const said: readonly (keyof Said)[] = [
  'name',
  'year_from',
  'year_to',
  'manufacturer_name',
  'model_name',
  'trim_name',
  'part_number',
  'grade',
  'miles',
]

/**
 * Takes the heading away where an edit changes what it says and brings none of its own: the page shows the title of its
 * fields then, which is true. Prices change every day, and hardly any heading names one.
 */
export function staleHeading(
  before: Said & { heading?: string | null },
  columns: Partial<ListingColumns>,
): { heading?: null } {
  if (!before.heading || columns.heading !== undefined) return {}
  const changes = (column: keyof Said) => columns[column] !== undefined && columns[column] !== before[column]
  const isStale = said.some(changes) || (before.heading.includes('$') && changes('price_cents'))
  return isStale ? { heading: null } : {}
}
