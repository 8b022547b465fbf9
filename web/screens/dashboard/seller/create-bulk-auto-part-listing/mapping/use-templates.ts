import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ImportMapping } from '#contract/csv/import-fields.ts'
import type { MappingTemplate } from '#contract/imports.ts'
import { importEndpoints } from '#contract/imports.ts'
import { call } from '#web/api/client.ts'
import { notifyDone, notifyProblem } from '#web/components/toasts.tsx'
import { importSentence } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/import-failures.ts'

const queryKey = ['mappings']

/** Column templates: the seller's own and the global ones. */
export function useTemplates() {
  return useQuery({ queryKey, queryFn: ({ signal }) => call(importEndpoints.listMappings, { signal }) })
}

export const allTemplates = (found: { mine: MappingTemplate[]; global: MappingTemplate[] } | undefined) =>
  found ? [...found.mine, ...found.global] : []

export type NewTemplate = Pick<MappingTemplate, 'name' | 'scope' | 'reading'> & {
  mapping: ImportMapping
  description: string | null
}

export function useSaveTemplate(onSaved: (template: MappingTemplate) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: NewTemplate) => call(importEndpoints.createMapping, { body }),
    onSuccess: async (template) => {
      await client.invalidateQueries({ queryKey })
      notifyDone('Template saved')
      onSaved(template)
    },
  })
}

export function useDeleteTemplate(onDeleted: (id: string) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(importEndpoints.deleteMapping, { params: { id } }),
    onSuccess: async (_, id) => {
      // Before the refetch, during which the user may change columns.
      onDeleted(id)
      await client.invalidateQueries({ queryKey })
      notifyDone('Template deleted')
    },
    onError: (error) => notifyProblem(`Delete failed: ${importSentence(error, 'no answer from the server')}`),
  })
}
