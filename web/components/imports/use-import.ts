import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ImportRecord, importEndpoints } from '#contract/imports.ts'
import { call } from '#web/api/client.ts'
import { notifyError } from '#web/components/toasts.tsx'
import { isMoving, isWaiting } from './import-words.ts'

const everySecondMs = 1_000
/** Somebody else has to act first, which takes minutes. */
const whileWaitingMs = 15_000

function askAgainMs(record: ImportRecord | undefined): number | false {
  if (!record) return false
  if (isMoving(record)) return everySecondMs
  return isWaiting(record) ? whileWaitingMs : false
}

/** One import, asked for again while it moves; not in a tab that nobody sees. */
export function useImport(id: string) {
  return useQuery({
    queryKey: ['imports', 'one', id],
    queryFn: ({ signal }) => call(importEndpoints.readImport, { params: { id }, signal }),
    refetchInterval: ({ state }) => askAgainMs(state.data),
    staleTime: 0,
  })
}

/** What it did; there is one from its end on. A change of state asks anew. */
export function useReceipt({ id, state }: Pick<ImportRecord, 'id' | 'state'>) {
  return useQuery({
    queryKey: ['imports', 'receipt', id, state],
    queryFn: ({ signal }) => call(importEndpoints.readReceipt, { params: { id }, signal }),
    enabled: state === 'applied' || state === 'undone',
  })
}

function useImportAction<A extends unknown[]>(run: (...sent: A) => Promise<ImportRecord>, failure: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (sent: A) => run(...sent),
    onSuccess: (record) => {
      client.setQueryData(['imports', 'one', record.id], record)
      // Lists of imports, and everything that shows listings.
      void client.invalidateQueries({ queryKey: ['imports'] })
      void client.invalidateQueries({ queryKey: ['listings'] })
    },
    onError: (error) => {
      notifyError(error, failure)
      // The answer was no because it is no longer what the page shows.
      void client.invalidateQueries({ queryKey: ['imports'] })
    },
  })
}

export const useUndo = (id: string) =>
  useImportAction(
    () => call(importEndpoints.undoImport, { params: { id } }),
    'The import could not be taken back',
  )

export const useWithdraw = (id: string) =>
  useImportAction(
    () => call(importEndpoints.undoImport, { params: { id } }),
    'The import could not be withdrawn',
  )

export const useConfirm = (id: string) =>
  useImportAction(
    (planId: string) => call(importEndpoints.confirmImport, { params: { id }, body: { planId } }),
    'The import could not go on',
  )
