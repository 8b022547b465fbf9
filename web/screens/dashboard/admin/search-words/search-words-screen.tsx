import { Button, Group, NativeSelect, Stack, Tabs } from '@mantine/core'
import '@mantine/core/styles/Tabs.layer.css'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type EmptySearch,
  type SearchWord,
  searchWordEndpoints,
  searchWordKinds,
} from '#contract/search/search-words.ts'
import { call } from '#web/api/client.ts'
import emptyDrawing from '#web/artwork/empty.svg?url'
import { Moment } from '#web/components/admin/records.tsx'
import { askToConfirm } from '#web/components/confirm.tsx'
import { formatCount } from '#web/components/imports/import-words.ts'
import { useListState } from '#web/components/listing-filters/list-state.ts'
import { SearchInput } from '#web/components/listing-filters/search-input.tsx'
import { Page } from '#web/components/page/page.tsx'
import { Pager } from '#web/components/pager.tsx'
import classes from '#web/components/records-list.module.css'
import { type Column, RecordsList } from '#web/components/records-list.tsx'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import { Empty } from '#web/site/page.tsx'
import { useNotifyChanged, useRefreshWords, WordChanges } from './word-changes.tsx'
import { type EditedWord, noWord, WordDrawer } from './word-drawer.tsx'
import { ReachCell, useWordReach } from './word-reach.tsx'

/** What buyers call things, and the searches that show which words are missing. */
export function Component() {
  const list = useListState(noFilters, [50])
  const [edited, setEdited] = useState<EditedWord>()
  const missing = useEmptySearches(list.filters.tab === 'empty' ? list.page : 1)
  const tab = ['empty', 'changes'].includes(list.filters.tab) ? list.filters.tab : 'words'
  return (
    <Page
      title="Search Words"
      lead="What buyers call parts, makes, models, and sides. New words take effect right away."
      actions={<Button onClick={() => setEdited(noWord)}>Add a word</Button>}
    >
      <Tabs value={tab} onChange={(next) => list.change({ ...noFilters, tab: next ?? 'words' })}>
        <Tabs.List aria-label="Search words" mb="md">
          <Tabs.Tab value="words">Words</Tabs.Tab>
          <Tabs.Tab value="changes">Changes</Tabs.Tab>
          <Tabs.Tab value="empty">
            Searches without a result{missing.data ? ` (${formatCount(missing.data.total)})` : ''}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="words">
          <Words list={list} onEdit={setEdited} />
        </Tabs.Panel>
        <Tabs.Panel value="empty">
          <EmptySearches list={list} found={missing} onAdd={setEdited} />
        </Tabs.Panel>
        <Tabs.Panel value="changes">
          {tab === 'changes' && <WordChanges page={list.page} onTurn={list.turnTo} />}
        </Tabs.Panel>
      </Tabs>
      <WordDrawer edited={edited} onClose={() => setEdited(undefined)} />
    </Page>
  )
}

const noFilters = { tab: 'words', q: '', kind: '' }

type ListProps = { list: ReturnType<typeof useListState<typeof noFilters>> }

const kindOptions = [
  { value: '', label: 'All kinds' },
  { value: 'part', label: 'Parts' },
  { value: 'make', label: 'Makes' },
  { value: 'model', label: 'Models' },
  { value: 'side', label: 'Sides' },
  { value: 'same', label: 'Same as another word' },
  { value: 'skip', label: 'Ignored' },
] as const

function Words({ list, onEdit }: ListProps & { onEdit: (word: EditedWord) => void }) {
  const { q, kind } = list.filters
  const known = kindOptions.find(({ value }) => value === kind)?.value ?? ''
  const query = { q, kind: known, page: list.page }
  const words = useQuery({
    queryKey: ['search-words', query],
    queryFn: ({ signal }) => call(searchWordEndpoints.listSearchWords, { query, signal }),
    placeholderData: keepPreviousData,
    enabled: list.filters.tab === 'words',
  })
  const reach = useWordReach(words.data?.items)
  const affects: Column<SearchWord> = {
    header: 'Affects',
    labeled: true,
    cell: ({ word }) => <ReachCell reach={reach.data?.get(word)} query={reach} />,
  }
  const removing = useRemoving()
  const ask = async (word: SearchWord) => {
    const text = 'Searches and files with this word will no longer use its meaning.'
    const title = `Remove “${word.word}”?`
    if (await askToConfirm({ title, text, confirm: 'Remove word', destroys: true })) removing.mutate(word)
  }
  return (
    <Stack gap="md">
      <Group gap="sm" align="flex-end">
        <SearchInput
          label="Search"
          placeholder="Word or meaning"
          flex="1 1 14rem"
          value={q}
          waitMs={300}
          onSearch={(next) => list.change({ q: next }, { typing: true })}
        />
        <NativeSelect
          label="Kind"
          data={kindOptions}
          value={known}
          onChange={(event) => list.change({ kind: event.currentTarget.value })}
        />
      </Group>
      <RecordsList
        query={words}
        items={words.data?.items}
        failed="Unable to load the words"
        loading="Loading the words…"
        skeleton={{ rows: 10, height: 52 }}
        columns={[...wordColumns, affects, actionsColumn(onEdit, ask)]}
        empty={
          <Empty
            title="No words match."
            text="Try part of the word, or of what it means."
            action={<Button onClick={list.clear}>Clear filters</Button>}
            drawing={emptyDrawing}
          />
        }
        footer={words.data && <Pages list={list} {...words.data} label="Pages of words" />}
      />
    </Stack>
  )
}

const wordColumns: readonly Column<SearchWord>[] = [
  { header: 'Word', className: classes.what, cell: ({ word }) => word },
  {
    header: 'Means',
    labeled: true,
    cell: ({ kind, means }) => (kind === 'skip' ? searchWordKinds.skip : means),
  },
  {
    header: 'Kind',
    labeled: true,
    cell: ({ kind }) => kindOptions.find(({ value }) => value === kind)?.label ?? kind,
  },
]

function actionsColumn(
  onEdit: (word: SearchWord) => void,
  onRemove: (word: SearchWord) => Promise<void>,
): Column<SearchWord> {
  return {
    header: 'Actions',
    hideHeader: true,
    className: classes.action,
    cell: (word) => (
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        <Button size="xs" variant="default" onClick={() => onEdit(word)} aria-label={`Edit ${word.word}`}>
          Edit
        </Button>
        <Button
          size="xs"
          variant="default"
          onClick={() => void onRemove(word)}
          aria-label={`Remove ${word.word}`}
        >
          Remove
        </Button>
      </Group>
    ),
  }
}

function useEmptySearches(page: number) {
  return useQuery({
    queryKey: ['empty-searches', page],
    queryFn: ({ signal }) => call(searchWordEndpoints.listEmptySearches, { query: { page }, signal }),
    placeholderData: keepPreviousData,
  })
}

type EmptySearchesProps = ListProps & {
  found: ReturnType<typeof useEmptySearches>
  onAdd: (word: EditedWord) => void
}

function EmptySearches({ list, found, onAdd }: EmptySearchesProps) {
  const dismissing = useDismissing()
  const actions: Column<EmptySearch & { id: string }> = {
    header: 'Actions',
    hideHeader: true,
    className: classes.action,
    cell: (search) => (
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        <Button
          size="xs"
          onClick={() => onAdd({ ...noWord, word: search.words, emptySearch: search.words })}
          aria-label={`Add as a word for…: ${search.words}`}
        >
          Add as a word for…
        </Button>
        <Button
          size="xs"
          variant="default"
          onClick={() => dismissing.mutate(search)}
          aria-label={`Dismiss ${search.words}`}
        >
          Dismiss
        </Button>
      </Group>
    ),
  }
  return (
    <RecordsList
      query={found}
      items={found.data?.items.map((search) => ({ ...search, id: search.words }))}
      failed="Unable to load the searches"
      loading="Loading the searches…"
      skeleton={{ rows: 6, height: 52 }}
      columns={[...searchColumns, actions]}
      empty={
        <Empty
          title="Every search found something."
          text="Searches without a result appear here, the most frequent first."
          drawing={emptyDrawing}
        />
      }
      footer={found.data && <Pages list={list} {...found.data} label="Pages of searches" />}
    />
  )
}

const searchColumns: readonly Column<EmptySearch>[] = [
  { header: 'Search', className: classes.what, cell: ({ words }) => words },
  { header: 'Times', labeled: true, numeric: true, cell: ({ times }) => formatCount(times) },
  { header: 'Last searched', labeled: true, cell: ({ lastAt }) => <Moment at={lastAt} /> },
]

function useRemoving() {
  const refresh = useRefreshWords()
  const notifyChanged = useNotifyChanged()
  return useMutation({
    mutationFn: ({ id }: SearchWord) => call(searchWordEndpoints.removeSearchWord, { params: { id } }),
    onSuccess: ({ change }, { word }) => notifyChanged(`“${word}” removed`, change),
    onError: (error) => notifyError(error, 'That did not work. Try again.'),
    onSettled: refresh,
  })
}

function useDismissing() {
  const refresh = useRefreshWords()
  return useMutation({
    mutationFn: ({ words }: EmptySearch) => call(searchWordEndpoints.dismissEmptySearch, { body: { words } }),
    onSuccess: (_, { words }) => notifyDone(`“${words}” dismissed`),
    onError: (error) => notifyError(error, 'That did not work. Try again.'),
    onSettled: refresh,
  })
}

type PagesProps = ListProps & { total: number; perPage: number; label: string }

const Pages = ({ list, total, perPage, label }: PagesProps) => (
  <Pager page={list.page} pageCount={Math.ceil(total / perPage)} onChange={list.turnTo} label={label} />
)
