import { ActionIcon, Button, Group, Popover, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { IconBookmark, IconPencil, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import {
  type SavedGrid,
  type SavedView,
  savedViewEndpoints,
  type ViewSettings,
} from '#contract/account/accounts.ts'
import { call } from '#web/api/client.ts'
import { errorSentence } from '#web/api/failures.ts'
import { type ColumnControls, hideColumns, layoutOf } from '#web/components/data-grid/columns.ts'
import { type Grid, useSheetView } from '#web/components/data-grid/grid.ts'
import { LoadError } from '#web/components/page/load-error.tsx'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import classes from './data-grid.module.css'

/** The key of a grid's views, and the filters of its list. */
export type GridViews = {
  of: SavedGrid
  filters?: Readonly<Record<string, string>>
  onFilters?: (filters: Readonly<Record<string, string>>) => void
}

type SavedViewsProps = { grid: Grid; controls: ColumnControls; views: GridViews }

/** Saved views of a grid: columns, order, and filters under a name, for this person on every device. */
export function SavedViews(props: SavedViewsProps) {
  const [opened, setOpened] = useState(false)
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width="min(20rem, 92vw)"
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconBookmark size={16} />}
          onClick={() => setOpened(!opened)}
        >
          Views
        </Button>
      </Popover.Target>
      <Popover.Dropdown mah="60dvh" style={{ overflowY: 'auto' }}>
        <ViewsMenu {...props} onClose={() => setOpened(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}

function ViewsMenu({ grid, controls, views, onClose }: SavedViewsProps & { onClose: () => void }) {
  const now = currentSettings(grid, controls, views)
  useSheetView(grid.sheet)
  const { of } = views
  const queryKey = ['saved views', of]
  const saved = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(savedViewEndpoints.listViews, { query: { grid: of }, signal }),
  })
  const client = useQueryClient()
  const refresh = () => void client.invalidateQueries({ queryKey })
  const [renaming, setRenaming] = useState<string>()
  const apply = (settings: ViewSettings) => {
    applySettings(settings, { grid, controls, views })
    onClose()
  }
  const remove = useMutation({
    mutationFn: ({ id }: SavedView) => call(savedViewEndpoints.deleteView, { params: { id } }),
    onSuccess: (_, { name }) => notifyDone(`View “${name}” deleted`),
    onError: (error) => notifyError(error, 'Could not delete the view'),
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
  const items = saved.data?.items ?? []
  const isShown = (settings: ViewSettings) => sameSettings(settings, now)
  const unsorted = originalSettings(controls, views)
  return (
    <Stack gap="xs">
      <ViewRow name="Original view" isShown={isShown(unsorted)} onApply={() => apply(unsorted)} />
      {saved.isPending && <Skeleton height={30} aria-label="Loading views" />}
      {saved.isError && <LoadError message="Could not load views" onRetry={() => void saved.refetch()} />}
      {items.map((view) =>
        view.id === renaming ? (
          <RenameView key={view.id} view={view} onClose={() => setRenaming(undefined)} onRenamed={refresh} />
        ) : (
          <ViewRow
            key={view.id}
            name={view.name}
            isShown={isShown(view.settings)}
            onApply={() => apply(view.settings)}
            onDelete={() => remove.mutate(view)}
            onRename={() => setRenaming(view.id)}
          />
        ),
      )}
      <SaveView of={of} settings={now} names={items.map(({ name }) => name)} onSaved={refresh} />
    </Stack>
  )
}

type ViewRowProps = {
  name: string
  isShown: boolean
  onApply: () => void
  onRename?: () => void
  onDelete?: () => void
}

function ViewRow({ name, isShown, onApply, onRename, onDelete }: ViewRowProps) {
  return (
    <Group gap={4} wrap="nowrap">
      <Button
        flex={1}
        size="xs"
        justify="flex-start"
        variant={isShown ? 'light' : 'subtle'}
        color={isShown ? 'sea' : 'gray'}
        aria-pressed={isShown}
        className={classes.view}
        onClick={onApply}
      >
        {name}
      </Button>
      {onRename && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={30}
          aria-label={`Rename view ${name}`}
          title="Rename view"
          onClick={onRename}
        >
          <IconPencil size={16} />
        </ActionIcon>
      )}
      {onDelete && (
        <ActionIcon
          variant="subtle"
          color="bad"
          size={30}
          aria-label={`Delete view ${name}`}
          title="Delete view"
          onClick={onDelete}
        >
          <IconTrash size={16} />
        </ActionIcon>
      )}
    </Group>
  )
}

type RenameViewProps = { view: SavedView; onClose: () => void; onRenamed: () => void }

function RenameView({ view, onClose, onRenamed }: RenameViewProps) {
  const [name, setName] = useState(view.name)
  const rename = useMutation({
    mutationFn: () =>
      call(savedViewEndpoints.renameView, { params: { id: view.id }, body: { name: name.trim() } }),
    onSuccess: () => {
      onRenamed()
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (!rename.isPending) rename.mutate()
  }
  return (
    <form onSubmit={submit} className={classes.renameView}>
      <TextInput
        size="xs"
        w="100%"
        aria-label={`New name for ${view.name}`}
        data-autofocus
        maxLength={60}
        autoComplete="off"
        value={name}
        error={rename.isError && errorSentence(rename.error, 'Could not rename the view')}
        onChange={(event) => {
          rename.reset()
          setName(event.currentTarget.value)
        }}
      />
      <Button type="submit" size="xs" disabled={name.trim() === ''} loading={rename.isPending}>
        Rename
      </Button>
      <Button variant="default" size="xs" onClick={onClose}>
        Cancel
      </Button>
    </form>
  )
}

type SaveViewProps = {
  of: SavedGrid
  settings: ViewSettings
  names: readonly string[]
  onSaved: () => void
}

function SaveView({ of, settings, names, onSaved }: SaveViewProps) {
  const [name, setName] = useState('')
  const wanted = name.trim()
  const replaces = names.some((one) => nameKey(one) === nameKey(wanted))
  const save = useMutation({
    mutationFn: () => call(savedViewEndpoints.saveView, { body: { grid: of, name: wanted, settings } }),
    onSuccess: (view) => {
      notifyDone(`View “${view.name}” saved`)
      setName('')
      onSaved()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // Some grids are inside a form.
    event.stopPropagation()
    if (wanted !== '' && !save.isPending) save.mutate()
  }
  return (
    <form onSubmit={submit} className={classes.saveView}>
      <TextInput
        size="xs"
        flex={1}
        label="Save this view as"
        placeholder="Name, such as Brakes to price"
        description="Columns, order, and filters"
        maxLength={60}
        autoComplete="off"
        value={name}
        error={save.isError && errorSentence(save.error, 'Could not save the view')}
        onChange={(event) => {
          save.reset()
          setName(event.currentTarget.value)
        }}
      />
      <Button type="submit" size="xs" disabled={wanted === ''} loading={save.isPending}>
        {replaces ? 'Replace' : 'Save'}
      </Button>
      {replaces && (
        <Text size="xs" className="second" w="100%">
          Replaces the view with this name.
        </Text>
      )}
    </form>
  )
}

/** As the server compares names. */
const nameKey = (name: string) => name.toLowerCase().replaceAll(/\s/g, '')

function currentSettings(grid: Grid, controls: ColumnControls, views: GridViews): ViewSettings {
  const { order, filter } = grid.sheet.view()
  const column = controls.all.find(({ field }) => field !== undefined && field === order?.field)
  return {
    hidden: [...controls.layout.hidden],
    order: order && column ? { column: column.key, descending: order.descending } : null,
    rows: filter,
    filters: { ...views.filters },
  }
}

const originalSettings = ({ all }: ColumnControls, { filters = {} }: GridViews): ViewSettings => ({
  hidden: [...layoutOf(all).hidden],
  order: null,
  rows: 'all',
  filters: Object.fromEntries(Object.keys(filters).map((name) => [name, ''])),
})

function applySettings(settings: ViewSettings, { grid, controls, views }: SavedViewsProps): void {
  const { hidden, order, rows } = settings
  controls.change((layout) => hideColumns(layout, hidden, controls.all))
  const field = controls.all.find(({ key }) => key === order?.column)?.field
  grid.sheet.sort(order && field !== undefined ? { field, descending: order.descending } : undefined)
  grid.sheet.show(rows)
  const { filters = {}, onFilters } = views
  onFilters?.(Object.fromEntries(Object.keys(filters).map((name) => [name, settings.filters[name] ?? ''])))
}

const filled = (filters: ViewSettings['filters']) =>
  Object.entries(filters)
    .filter(([, value]) => value !== '')
    .sort(([one], [other]) => one.localeCompare(other))

const sameSettings = (one: ViewSettings, other: ViewSettings): boolean => {
  const [a, b] = [one, other].map(({ hidden, order, rows, filters }) =>
    JSON.stringify([[...hidden].sort(), order && [order.column, order.descending], rows, filled(filters)]),
  )
  return a === b
}
