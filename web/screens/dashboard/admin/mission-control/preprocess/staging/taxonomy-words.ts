import type { TaxonomyName } from '#contract/taxonomy.ts'

export const kindWords: Record<TaxonomyName['kind'], string> = {
  category: 'Category',
  manufacturer: 'Manufacturer',
  'car-model': 'Model',
}

export const howWords: Record<TaxonomyName['how'], string> = {
  exact: 'The same name',
  alias: 'Another name of it',
  spelling: 'Otherwise written',
  abbreviation: 'Abbreviated',
  within: 'With words around it',
  similar: 'Mistyped',
  new: 'Created',
}

/** "97 %"; a name that is new was not compared. */
export const confidenceWords = (confidence: number | null): string =>
  confidence === null ? '–' : `${Math.floor(confidence * 100)} %`
