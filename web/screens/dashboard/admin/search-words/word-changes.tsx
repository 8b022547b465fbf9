import { Button } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { searchWordEndpoints, searchWordKinds, type WordChange } from '#contract/search/search-words.ts'
import { call } from '#web/api/client.ts'
import emptyDrawing from '#web/artwork/empty.svg?url'
import { Moment } from '#web/components/admin/records.tsx'
import { Pager } from '#web/components/pager.tsx'
import classes from '#web/components/records-list.module.css'
import { type Column, RecordsList } from '#web/components/records-list.tsx'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import { Empty } from '#web/site/page.tsx'

export function useRefreshWords() {
  const client = useQueryClient()
  const keys = ['search-words', 'empty-searches', 'word-reach', 'word-changes']
  return () => Promise.all(keys.map((key) => client.invalidateQueries({ queryKey: [key] })))
}

function useUndo() {
  const refresh = useRefreshWords()
  return useMutation({
    mutationFn: (id: string) => call(searchWordEndpoints.undoWordChange, { params: { id } }),
    onSuccess: () => notifyDone('Undone. Searches use it now.', { about: 'search-word' }),
    onError: (error) => notifyError(error, 'That could not be undone. Try again.'),
    onSettled: refresh,
  })
}

// Long enough to read whom the change affects.
const UNDO_SHOWN_MS = 10_000

/** Returns a function that shows a toast about a changed word, with Undo. */
export function useNotifyChanged() {
  const { mutate } = useUndo()
  return (message: string, change: string) =>
    notifyDone(message, {
      about: 'search-word',
      action: { label: 'Undo', run: () => mutate(change) },
      closeAfterMs: UNDO_SHOWN_MS,
    })
}

/** The last month's changes, with Undo for those that still apply. */
export function WordChanges({ page, onTurn }: { page: number; onTurn: (page: number) => void }) {
  const changes = useQuery({
    queryKey: ['word-changes', page],
    queryFn: ({ signal }) => call(searchWordEndpoints.listWordChanges, { query: { page }, signal }),
    placeholderData: keepPreviousData,
  })
  const undo = useUndo()
  const actions: Column<WordChange> = {
    header: 'Actions',
    hideHeader: true,
    className: classes.action,
    cell: ({ id, word, canUndo }) =>
      canUndo && (
        <Button
          size="xs"
          variant="default"
          loading={undo.isPending && undo.variables === id}
          onClick={() => undo.mutate(id)}
          aria-label={`Undo the change of ${word}`}
        >
          Undo
        </Button>
      ),
  }
  const { data } = changes
  return (
    <RecordsList
      query={changes}
      items={data?.items}
      failed="Unable to load the changes"
      loading="Loading the changes…"
      skeleton={{ rows: 6, height: 52 }}
      columns={[...changeColumns, actions]}
      empty={
        <Empty
          title="No changes in the last 30 days."
          text="Words that you add, change, or remove appear here, with Undo."
          drawing={emptyDrawing}
        />
      }
      footer={
        data && (
          <Pager
            page={page}
            pageCount={Math.ceil(data.total / data.perPage)}
            onChange={onTurn}
            label="Pages of changes"
          />
        )
      }
    />
  )
}

const changeColumns: readonly Column<WordChange>[] = [
  { header: 'Word', className: classes.what, cell: ({ word }) => word },
  { header: 'Change', labeled: true, cell: (change) => changeText(change) },
  { header: 'By', labeled: true, cell: ({ by }) => by ?? 'A former administrator' },
  { header: 'When', labeled: true, cell: ({ at }) => <Moment at={at} /> },
]

const whatWords: Record<WordChange['what'], string> = {
  added: 'Added',
  changed: 'Changed',
  removed: 'Removed',
  undone: 'Change undone',
}

type Meaning = Pick<WordChange, 'kind' | 'means'>
const meaningText = ({ kind, means }: Meaning) => (kind === 'skip' ? searchWordKinds.skip : means)

function changeText({ what, before, ...change }: WordChange): string {
  const former = before && `${before.word === change.word ? '' : `${before.word}: `}${meaningText(before)}`
  return `${whatWords[what]}: ${meaningText(change)}${former ? ` (was ${former})` : ''}`
}
