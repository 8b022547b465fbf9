import type { UnknownNames } from '#server/features/lookups/create-provisional-names.ts'
import { nameKey } from '#server/features/lookups/lookup-names.ts'
import type { TaxonomyMatchers } from './taxonomy-matchers.ts'

/** Would all of these names still be made, by lookups as they stand now? Another file may have brought one meanwhile. */
export function isStillNew(
  names: UnknownNames,
  { categories, manufacturers, models }: TaxonomyMatchers,
): boolean {
  const newMakes = new Set(names.manufacturers.map(nameKey))
  return (
    names.categories.every((name) => categories.match(name).kind === 'new') &&
    names.manufacturers.every((name) => manufacturers.match(name).kind === 'new') &&
    names.models.every(({ manufacturer, model }) => {
      if (newMakes.has(nameKey(manufacturer))) return true
      const make = manufacturers.match(manufacturer)
      return make.kind === 'known' && models.match(make.id, model).kind === 'new'
    })
  )
}
