import { useQuery } from '@tanstack/react-query'
import { lookupEndpoints } from '#contract/lookups.ts'
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
