import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { type ImportMapping, mappedHeaders } from '#contract/csv/import-fields.ts'
import type { Answer } from '#contract/endpoint.ts'
import { importEndpoints, type MappingTemplate } from '#contract/imports.ts'
import { lookupEndpoints } from '#contract/lookups.ts'
import type { ReadingOverride } from '#contract/yard-file/reading.ts'
import { call } from '#web/api/client.ts'
import { useCategories, useManufacturers } from '#web/components/listing-lookups/lookup-queries.ts'
import { notifyDone, notifyProblem } from '#web/components/toasts.tsx'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import { editsKey } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/row-edits.ts'
import { importSentence } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/import-failures.ts'
import {
  readMemory,
  rememberDraft,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/import-memory.ts'
import {
  type ColumnChoice,
  choiceOf,
  firstChoice,
  mappingOf,
  noColumns,
  withMapping,
} from './column-choice.ts'
import { type Proposers, proposersOf } from './proposers.ts'

const queryKey = ['mappings']

export function useTemplates() {
  return useQuery({ queryKey, queryFn: ({ signal }) => call(importEndpoints.listMappings, { signal }) })
}

/** What is remembered for files with the same columns; nothing if it could not be loaded. */
export type KnownShape = Answer<typeof importEndpoints.readShape>
const unknownShape: KnownShape = { mapping: {}, defaults: {}, answers: {} }

export const isKnown = ({ mapping }: KnownShape): boolean => Object.keys(mapping).length > 0

/** Undefined while it is loading. Asked again for each file, since another import may have changed it. */
function useShape(file: ImportFile | undefined): KnownShape | undefined {
  const found = useQuery({
    queryKey: ['imports', 'shape', file ? editsKey(file) : noFile],
    queryFn: ({ signal }) =>
      call(importEndpoints.readShape, { body: { header: file?.headers ?? [] }, signal }),
    enabled: file !== undefined,
    // Without it, columns are suggested instead, so there is no need to wait.
    retry: false,
  })
  if (file === undefined || found.isError) return unknownShape
  return found.data
}

/** How a person had files read that have this header when nothing is chosen. */
export async function readingFor(header: readonly string[]): Promise<ReadingOverride | undefined> {
  // Without it the file is read as detected, which is no reason to stop.
  const found = await call(importEndpoints.readShape, { body: { header: [...header] } }).catch(
    () => undefined,
  )
  return found?.reading
}

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

const noFile = 'no file'

/**
 * The columns of the chosen file. Each file starts with its own suggestions, also when it is read again. Before a file is
 * chosen, these are the columns prepared for it.
 */
export function useColumns(file: ImportFile | undefined, proposers: Proposers | undefined) {
  const [current, setCurrent] = useState({ of: '', choice: noColumns })
  const shape = useShape(file)
  const key = file ? editsKey(file) : noFile
  let { choice } = current
  if (current.of !== key && proposers !== undefined && shape !== undefined) {
    const written = current.of === noFile && current.choice.touched ? current.choice.mapping : undefined
    choice = firstColumns(file, key, proposers, written ?? remembered(shape))
    // During render, so that no tab shows the columns of another file.
    setCurrent({ of: key, choice })
  }
  return {
    columns: choice,
    /** What is remembered for files with the same columns. */
    shape: shape ?? unknownShape,
    /** Whether the columns belong to this file yet. */
    proposed: current.of === key,
    setColumns(next: ColumnChoice): void {
      setCurrent({ of: key, choice: next })
      rememberDraft({ file: key, mapping: next.touched ? next.mapping : null })
    },
  }
}

const remembered = (shape: KnownShape): ImportMapping | undefined =>
  isKnown(shape) ? mappingOf(shape.mapping) : undefined

/** `written` is a mapping from before the file was chosen, or that of the last file with the same columns. */
function firstColumns(
  file: ImportFile | undefined,
  key: string,
  { templates, dictionary }: Proposers,
  written: ImportMapping | undefined,
): ColumnChoice {
  const { mappingId, draft } = readMemory()
  const last = templates.find(({ id }) => id === mappingId)
  if (file === undefined) return last ? choiceOf(last, undefined) : noColumns
  const { headers, samples } = file
  const remembered = written ? { id: null, mapping: written } : last
  const proposed = firstChoice({ headers, samples, dictionary, templates, remembered })
  return draft.file === key && draft.mapping !== null && fits(draft.mapping, headers)
    ? withMapping(proposed, draft.mapping)
    : proposed
}

const fits = (mapping: ImportMapping, headers: readonly string[]) =>
  mappedHeaders(mapping).every((header) => headers.includes(header))

/** All models, to recognize the model column by its values. */
function useAllModels() {
  return useQuery({
    queryKey: ['carmodels', 'all'],
    queryFn: ({ signal }) => call(lookupEndpoints.carModels, { query: {}, signal }),
    staleTime: 60 * 60_000,
  })
}

/** The words that the server reads files with. */
function useTradeWords() {
  return useQuery({
    queryKey: ['trade-words'],
    queryFn: ({ signal }) => call(importEndpoints.readTradeWords, { signal }),
    // A word that is taught is known within a minute.
    staleTime: 60_000,
  })
}

/** Undefined while loading. A list that fails to load is left out. */
export function useProposers(): Proposers | undefined {
  const templates = useTemplates()
  const categories = useCategories()
  const manufacturers = useManufacturers()
  const models = useAllModels()
  const tradeWords = useTradeWords()
  const isLoading = [templates, categories, manufacturers, models, tradeWords].some(
    ({ isPending }) => isPending,
  )
  const [found, parts, makes, cars] = [templates.data, categories.data, manufacturers.data, models.data]
  const trade = tradeWords.data
  return useMemo(() => {
    if (isLoading) return undefined
    return proposersOf({
      templates: found ? [...found.mine, ...found.global] : [],
      categories: parts ?? [],
      manufacturers: makes ?? [],
      models: cars ?? [],
      words: trade,
    })
  }, [isLoading, found, parts, makes, cars, trade])
}
