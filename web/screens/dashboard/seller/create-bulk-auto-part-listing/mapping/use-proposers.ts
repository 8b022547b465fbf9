import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { lookupEndpoints } from '#contract/lookups.ts'
import { call } from '#web/api/client.ts'
import { useCategories, useManufacturers } from '#web/components/listing-lookups/lookup-queries.ts'
import type { Proposers } from './use-columns.ts'
import { allTemplates, useTemplates } from './use-templates.ts'

const staleTime = 60 * 60_000

/** Names of all manufacturers' models: a column that is full of them is the model's. */
function useAllModels() {
  return useQuery({
    queryKey: ['carmodels', 'all'],
    queryFn: ({ signal }) => call(lookupEndpoints.carModels, { query: {}, signal }),
    staleTime,
  })
}

const lower = (names: readonly string[]) => new Set(names.map((name) => name.toLowerCase()))

/** What columns are proposed by. A list that cannot be loaded is done without. */
export function useProposers(): Proposers | undefined {
  const templates = useTemplates()
  const categories = useCategories()
  const manufacturers = useManufacturers()
  const models = useAllModels()
  const isLoading = [templates, categories, manufacturers, models].some(({ isPending }) => isPending)
  return useMemo(
    () =>
      isLoading
        ? undefined
        : {
            templates: allTemplates(templates.data),
            dictionary: {
              categories: lower((categories.data ?? []).flatMap(({ name, aliases }) => [name, ...aliases])),
              manufacturers: lower(
                (manufacturers.data ?? []).flatMap(({ manuname, aliases }) => [manuname, ...aliases]),
              ),
              models: lower((models.data ?? []).map(({ carname }) => carname)),
            },
          },
    [isLoading, templates.data, categories.data, manufacturers.data, models.data],
  )
}
