import { Badge, Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type ImportRecord, importEndpoints } from '#contract/imports.ts'
import { call } from '#web/api/client.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { saveFile } from '#web/components/downloads.tsx'
import { notifyError } from '#web/components/toasts.tsx'
import { isMoving, isWaiting, listingsInWords, stateWords } from './import-words.ts'

type UndoButtonProps = { record: ImportRecord; compact?: boolean }

export function UndoButton({ record, compact = false }: UndoButtonProps) {
  const { mutate: undo, isPending } = useUndo(record.id)
  async function ask(): Promise<void> {
    const sure = await askToConfirm({
      title: 'Undo this import?',
      text: whatHappens(record),
      confirm: 'Undo import',
      destroys: true,
    })
    if (sure) undo([])
  }
  return (
    <Button variant="default" size={compact ? 'xs' : 'sm'} onClick={() => void ask()} loading={isPending}>
      {compact ? 'Undo' : 'Undo this import'}
    </Button>
  )
}

/** In the words of what is there: listings, not rows. */
function whatHappens({ plan }: ImportRecord): string {
  const parts = [
    [plan?.create ?? 0, 'that it made will be removed'],
    [plan?.update ?? 0, 'will be as before'],
    [plan?.ended ?? 0, 'that it ended will be on sale again'],
  ] as const
  const told = parts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${listingsInWords(count)} ${what}`)
  const first = told.length === 0 ? 'No listing was changed by it.' : `${told.join(', ')}.`
  return `${first} What was changed since stays as it is, and is named afterwards.`
}

type WithdrawButtonProps = { record: ImportRecord; compact?: boolean }

/** For an import of which nothing is live yet. */
export function WithdrawButton({ record, compact = false }: WithdrawButtonProps) {
  const { mutate: withdraw, isPending } = useWithdraw(record.id)
  async function ask(): Promise<void> {
    const sure = await askToConfirm({
      title: 'Withdraw this import?',
      text:
        record.state === 'receiving'
          ? 'The rows that have arrived are dropped, and no more of them are taken. No listing is changed.'
          : 'It will not go live. No listing is changed; you can import the file again at any time.',
      confirm: 'Withdraw import',
      destroys: true,
    })
    if (sure) withdraw([])
  }
  return (
    <Button variant="default" size={compact ? 'xs' : 'sm'} onClick={() => void ask()} loading={isPending}>
      {compact ? 'Withdraw' : 'Withdraw this import'}
    </Button>
  )
}

/** Rows of the file that were not taken; once there is a plan, with those that it refused. */
export const rejectedCount = ({ plan, rejected }: Pick<ImportRecord, 'plan' | 'rejected'>): number =>
  plan?.rejected ?? rejected ?? 0

type RejectedRowsButtonProps = { record: ImportRecord; compact?: boolean; children: ReactNode }

/** Downloads them. */
export function RejectedRowsButton({ record, compact = false, children }: RejectedRowsButtonProps) {
  const { id, fileName } = record
  const download = useMutation({
    mutationFn: () => call(importEndpoints.readRejectedRows, { params: { id } }),
    onSuccess: (file) =>
      saveFile(file, `${fileName.replace(/(\.\w{1,5}){1,2}$/, '') || 'import'}-rejected.csv`),
    onError: (error) => notifyError(error, 'The rows could not be downloaded'),
  })
  return (
    <Button
      variant="default"
      size={compact ? 'xs' : 'sm'}
      leftSection={<IconDownload size={compact ? 16 : 18} aria-hidden />}
      onClick={() => download.mutate()}
      loading={download.isPending}
    >
      {children}
    </Button>
  )
}

export function ImportBadge({ record }: { record: Pick<ImportRecord, 'state' | 'canConfirm'> }) {
  const { label, color } = stateWords(record)
  return (
    <Badge color={color} style={{ flex: 'none' }}>
      {label}
    </Badge>
  )
}

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

const useUndo = (id: string) =>
  useImportAction(
    () => call(importEndpoints.undoImport, { params: { id } }),
    'The import could not be taken back',
  )

const useWithdraw = (id: string) =>
  useImportAction(
    () => call(importEndpoints.undoImport, { params: { id } }),
    'The import could not be withdrawn',
  )

export const useConfirm = (id: string) =>
  useImportAction(
    (planId: string) => call(importEndpoints.confirmImport, { params: { id }, body: { planId } }),
    'The import could not go on',
  )
