import { useQuery } from '@tanstack/react-query'
import { readYearSpan, wasSold } from '#contract/listing/year-span.ts'
import { type CarModel, lookupEndpoints } from '#contract/lookups.ts'
import { call } from '#web/api/client.ts'

// An import's new names must show up with its parts.
const staleTime = 60_000

export function useCategories() {
  return useQuery({
    queryKey: ['categories'],
    queryFn: ({ signal }) => call(lookupEndpoints.categories, { signal }),
    staleTime,
  })
}

export function useManufacturers() {
  return useQuery({
    queryKey: ['manufacturers'],
    queryFn: ({ signal }) => call(lookupEndpoints.manufacturers, { signal }),
    staleTime,
  })
}

/** The models of one manufacturer. Loads nothing while none is chosen. */
export function useCarModels(manuId: string) {
  return useQuery({
    queryKey: ['carmodels', manuId],
    queryFn: ({ signal }) => call(lookupEndpoints.carModels, { query: { manuId }, signal }),
    staleTime,
    enabled: manuId !== '',
  })
}

/** The models sold in these years ("2004" or "2004-2008"); all while the text is not a year. */
export const modelsOfYear = (models: readonly CarModel[], years: string): CarModel[] =>
  models.filter((model) => wasSold(model.years, readYearSpan(years)))
