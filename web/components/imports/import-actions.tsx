import { Badge, Button } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type HeldAnswer, type ImportRecord, importEndpoints } from '#contract/imports.ts'
import { call } from '#web/api/client.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { FileButton } from '#web/components/downloads.tsx'
import { notifyError } from '#web/components/toasts.tsx'
import { isMoving, isWaiting, listingsInWords, stateWords } from './import-words.ts'

type ImportButtonProps = { record: ImportRecord; compact?: boolean }

/** Undoes an import, or cancels one that is not live yet, if its state allows that. */
export function UndoButton({ record, compact = false }: ImportButtonProps) {
  const { id, canUndo, canWithdraw } = record
  const [verb, participle] = canUndo ? ['Undo', 'undone'] : ['Cancel', 'canceled']
  const { mutate: undo, isPending } = useImportAction(
    () => call(importEndpoints.undoImport, { params: { id } }),
    `The import could not be ${participle}`,
  )
  async function ask(): Promise<void> {
    const sure = await askToConfirm({
      title: `${verb} this import?`,
      text: canUndo ? undoConsequences(record) : withdrawalConsequences(record),
      confirm: `${verb} import`,
      destroys: true,
    })
    if (sure) undo()
  }
  if (!canUndo && !canWithdraw) return null
  return (
    <Button variant="default" size={compact ? 'xs' : 'sm'} onClick={() => void ask()} loading={isPending}>
      {compact && canUndo ? verb : `${verb} this import`}
    </Button>
  )
}

function undoConsequences({ plan }: ImportRecord): string {
  const effects = [
    [plan?.create ?? 0, 'it created will be removed'],
    [plan?.update ?? 0, 'it updated will be restored'],
    [plan?.ended ?? 0, 'it ended will be on sale again'],
  ] as const
  const sentences = effects
    .filter(([count]) => count > 0)
    .map(([count, effect]) => `${listingsInWords(count)} ${effect}.`)
  const summary = sentences.length === 0 ? 'It changed no listings.' : sentences.join(' ')
  return `${summary} Listings changed since then stay as they are, and you will see which ones.`
}

const withdrawalConsequences = ({ state }: ImportRecord): string =>
  state === 'receiving'
    ? 'The uploaded rows are deleted and the upload stops. No listing is changed.'
    : 'It will not go live. No listing is changed. You can import the file again at any time.'

/** Rows that were not imported, including those the plan refused once there is one. */
export const rejectedCount = ({ plan, rejected }: Pick<ImportRecord, 'plan' | 'rejected'>): number =>
  plan?.rejected ?? rejected ?? 0

type RejectedRowsProps = ImportButtonProps & { children: ReactNode }

export function RejectedRowsButton({ record, compact = false, children }: RejectedRowsProps) {
  const { id, fileName } = record
  return (
    <FileButton
      size={compact ? 'xs' : 'sm'}
      name={`${fileName.replace(/(\.\w{1,5}){1,2}$/, '') || 'import'}-rejected.csv`}
      read={() => call(importEndpoints.readRejectedRows, { params: { id } })}
      failure="The rows could not be downloaded"
    >
      {children}
    </FileButton>
  )
}

export function ImportBadge({ record }: { record: Pick<ImportRecord, 'state' | 'canConfirm' | 'rest'> }) {
  const { label, color } = stateWords(record)
  return (
    <Badge color={color} style={{ flex: 'none' }}>
      {label}
    </Badge>
  )
}

const runningPollMs = 1_000
/** A person has to act first, which takes minutes. */
const waitingPollMs = 15_000

function pollMs(record: ImportRecord | undefined): number | false {
  if (!record) return false
  if (isMoving(record)) return runningPollMs
  return isWaiting(record) ? waitingPollMs : false
}

/** One import, polled while it is running. Hidden tabs don't poll. */
export function useImport(id: string) {
  return useQuery({
    queryKey: ['imports', 'one', id],
    queryFn: ({ signal }) => call(importEndpoints.readImport, { params: { id }, signal }),
    refetchInterval: ({ state }) => pollMs(state.data),
    staleTime: 0,
  })
}

const listPollMs = 3_000

/** A page of the seller's imports, newest first, polled while one of them is moving. */
export function useRecentImports(page: number) {
  return useQuery({
    queryKey: ['imports', page],
    queryFn: ({ signal }) => call(importEndpoints.listImports, { query: { page }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isMoving) ? listPollMs : false),
  })
}

/** What a finished import did. `state` is in the key, so that an undo loads a new receipt. */
export function useReceipt({ id, state }: Pick<ImportRecord, 'id' | 'state'>) {
  return useQuery({
    queryKey: ['imports', 'receipt', id, state],
    queryFn: ({ signal }) => call(importEndpoints.readReceipt, { params: { id }, signal }),
    enabled: state === 'applied' || state === 'undone',
  })
}

/** With an `answer` for held rows, else the file's values over kept edits; without records for all of them. */
export type ReceiptAnswer = { answer?: HeldAnswer; records?: number[] }

/** Answers what a receipt asks, and shows the receipt that follows. */
export function useAnswer({ id, state }: Pick<ImportRecord, 'id' | 'state'>) {
  const client = useQueryClient()
  const key = ['imports', 'receipt', id, state]
  return useMutation({
    mutationFn: ({ answer, records }: ReceiptAnswer) => {
      const body = records ? { records } : {}
      return answer
        ? call(importEndpoints.answerHeldRows, { params: { id }, body: { answer, ...body } })
        : call(importEndpoints.useFileValues, { params: { id }, body })
    },
    onSuccess: (receipt) => {
      client.setQueryData(key, receipt)
      void client.invalidateQueries({ queryKey: ['imports', 'one', id] })
      void client.invalidateQueries({ queryKey: ['listings'] })
    },
    onError: (error) => {
      notifyError(error, 'Your answer could not be saved')
      void client.invalidateQueries({ queryKey: key })
    },
  })
}

function useImportAction<A = void>(act: (choice: A) => Promise<ImportRecord>, failure: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: (record) => {
      client.setQueryData(['imports', 'one', record.id], record)
      void client.invalidateQueries({ queryKey: ['listings'] })
    },
    onError: (error) => notifyError(error, failure),
    // After a failure too: the import has changed since this page loaded it.
    onSettled: () => void client.invalidateQueries({ queryKey: ['imports'] }),
  })
}

export const useConfirm = (id: string) =>
  useImportAction(
    (planId: string) => call(importEndpoints.confirmImport, { params: { id }, body: { planId } }),
    'The import could not continue',
  )
