import { CategoryMatcher } from './category-matcher.ts'
import { ManufacturerMatcher } from './manufacturer-matcher.ts'
import { ModelMatcher } from './model-matcher.ts'
import type { TaxonomyNames } from './queries.ts'

export type TaxonomyMatchers = {
  readonly categories: CategoryMatcher
  readonly manufacturers: ManufacturerMatcher
  readonly models: ModelMatcher
}

/** Takes some 30 ms for the names of a full catalogue. */
export function taxonomyMatchers(names: TaxonomyNames): TaxonomyMatchers {
  const manufacturers = new ManufacturerMatcher(names.manufacturers)
  return {
    categories: new CategoryMatcher(names.categories),
    manufacturers,
    models: new ModelMatcher(manufacturers, names.manufacturers, names.models),
  }
}
