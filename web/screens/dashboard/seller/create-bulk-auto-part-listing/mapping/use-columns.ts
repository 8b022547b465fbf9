import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Dictionary } from '#contract/column-mapping/value-shapes.ts'
import type { ImportMapping } from '#contract/csv/import-fields.ts'
import type { MappingTemplate } from '#contract/imports.ts'
import { lookupEndpoints } from '#contract/lookups.ts'
import { call } from '#web/api/client.ts'
import { useCategories, useManufacturers } from '#web/components/listing-lookups/lookup-queries.ts'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import { editsKey } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/row-edits.ts'
import {
  readMemory,
  rememberDraft,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/import-memory.ts'
import { type ColumnChoice, choiceOf, firstChoice, noColumns, withMapping } from './column-choice.ts'
import { allTemplates, useTemplates } from './use-templates.ts'

/** What columns are proposed by; undefined until it is loaded, or is known not to come. */
type Proposers = { templates: readonly MappingTemplate[]; dictionary: Dictionary | undefined }

const noFile = 'no file'

type Begun = { of: string; choice: ColumnChoice }

/**
 * The columns of the file that is chosen; each file begins with its own, one that is read anew too. Before a file is chosen:
 * what is made ready for it.
 */
export function useColumns(file: ImportFile | undefined, proposers: Proposers | undefined) {
  const [begun, setBegun] = useState<Begun>({ of: '', choice: noColumns })
  const key = file ? editsKey(file) : noFile
  let { choice } = begun
  if (begun.of !== key && proposers !== undefined) {
    const written = begun.of === noFile && begun.choice.touched ? begun.choice.mapping : undefined
    choice = beginning(file, key, { proposers, written })
    // While drawing, so that no tab is seen with the columns of another file.
    setBegun({ of: key, choice })
  }
  return {
    columns: choice,
    /** The columns of this file are proposed. */
    proposed: begun.of === key,
    setColumns(next: ColumnChoice): void {
      setBegun({ of: key, choice: next })
      rememberDraft({ file: key, mapping: next.touched ? next.mapping : null })
    },
  }
}

type Beginning = {
  proposers: Proposers
  /** Before there was a file; it is meant for it. */
  written: ImportMapping | undefined
}

function beginning(
  file: ImportFile | undefined,
  key: string,
  { proposers, written }: Beginning,
): ColumnChoice {
  const { templates, dictionary } = proposers
  const { mappingId, draft } = readMemory()
  const last = templates.find(({ id }) => id === mappingId)
  if (file === undefined) return last ? choiceOf(last, undefined) : noColumns
  const { headers, samples } = file
  const remembered = written ? { id: null, mapping: written } : last
  const proposed = firstChoice({
    headers,
    samples,
    dictionary,
    templates,
    remembered,
  })
  return draft.file === key && draft.mapping !== null && fits(draft.mapping, headers)
    ? withMapping(proposed, draft.mapping)
    : proposed
}

const fits = (mapping: ImportMapping, headers: readonly string[]) =>
  Object.values(mapping).every((header) => headers.includes(header))

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
