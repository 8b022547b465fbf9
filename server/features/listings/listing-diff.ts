import type { ListingColumns } from './listing-columns.ts'

/** Column → its value before and after, as the history keeps it. */
export type ColumnChanges = Record<string, [before: unknown, after: unknown]>

/** What these columns would change in the row; those that stay the same are left out. */
export function diffColumns(before: object, columns: Partial<ListingColumns>): ColumnChanges {
  const changes: ColumnChanges = {}
  for (const [column, after] of Object.entries(columns)) {
    const value = (before as Record<string, unknown>)[column]
    if (!isSame(value, after)) changes[column] = [value, after]
  }
  return changes
}

function isSame(before: unknown, after: unknown): boolean {
  if (before instanceof Date && after instanceof Date) return before.getTime() === after.getTime()
  return before === after
}

/** Whether the search row is made of any of them; a change of price or quantity leaves it alone. */
export function changesSearch(changes: ColumnChanges): boolean {
  return Object.keys(changes).some((column) => searchedColumns.has(column))
}

const searchedColumns = new Set<string>([
  'name',
  'description',
  'category_id',
  'manufacturer_id',
  'manufacturer_name',
  'car_model_id',
  'model_name',
  'trim_name',
  'year_from',
  'year_to',
  'part_number',
  'stock_number',
  'vin',
  'status',
  'ended_at',
  'deleted_at',
] satisfies (keyof ListingColumns)[])
