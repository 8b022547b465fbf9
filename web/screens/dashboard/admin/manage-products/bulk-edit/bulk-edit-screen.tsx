import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type FormEvent, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useSession } from '#web/api/session.ts'
import {
  type AdminFilters,
  ExportAllParts,
  noFilters,
  statusOptions,
} from '#web/components/admin/all-listings.tsx'
import { useColumnLayout } from '#web/components/data-grid/columns.ts'
import { Grid, useSheetView } from '#web/components/data-grid/grid.ts'
import { Sheet } from '#web/components/data-grid/sheet.ts'
import { conflictsOf } from '#web/components/data-grid/sheet-row.ts'
import { LiveWords } from '#web/components/data-grid/view/grid-desk.tsx'
import { useLeaveGuard } from '#web/components/form/leave-guard.ts'
import { LookupFilters } from '#web/components/listing-filters/filter-drawer.tsx'
import { type FilterValues, useListState } from '#web/components/listing-filters/list-state.ts'
import { Page } from '#web/components/page/page.tsx'
import { bulkColumns } from './bulk-columns.tsx'
import classes from './bulk-edit.module.css'
import { SaveResult, useBulkSave } from './bulk-save.tsx'
import { checkValues, normaliseValue } from './bulk-values.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import { Desk } from './desk.tsx'
import { useKeptRows } from './kept-rows.ts'
import { useBulkList } from './use-bulk-list.ts'

export function Component() {
  const { user } = useSession()
  // A new user gets a new sheet, without the previous user's unsaved rows.
  return <BulkEdit key={user?.id} userId={user?.id ?? ''} />
}

function BulkEdit({ userId }: { userId: string }) {
  const [grid] = useState(() => new Grid(new Sheet({ check: checkValues, normalise: normaliseValue }), []))
  const { sheet } = grid
  const view = useSheetView(sheet)
  const [resolving, setResolving] = useState<string>()
  const rowActions = useMemo(
    () => ({
      onResolve: setResolving,
      onDiscard: (id: string) => sheet.discard(sheet.changedRows().filter((row) => row.id === id)),
    }),
    [sheet],
  )
  const hasErrors = view.wrong > 0
  const columns = useMemo(() => bulkColumns(rowActions, hasErrors), [rowActions, hasErrors])
  const controls = useColumnLayout(columns, 'bulkEditColumns', grid)

  const { filters, change } = useListState(noFilters)
  const list = useBulkList(grid, filters)
  const { saving, last, save, undoSave } = useBulkSave(sheet, () => list.reload())
  useLeaveGuard(view.changed > 0)

  const isReady = useKeptRows(sheet, userId)
  const load = useEffectEvent(() => void list.reload())
  const filterKey = JSON.stringify(filters)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other filters mean another list
  useEffect(() => {
    if (isReady) load()
  }, [isReady, filterKey])

  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const resolveNext = () => setResolving(sheet.changedRows().find((row) => conflictsOf(row).length > 0)?.id)
  return (
    <Page
      title="Edit Multiple Products"
      width="full"
      actions={<ExportAllParts filters={filters} disabled={!list.found?.total} />}
    >
      <BulkFilters
        applied={filters}
        loading={list.loading}
        onApply={(next) => (JSON.stringify(next) === filterKey ? void list.reload() : change(next))}
        onReload={() => void list.reload()}
      />
      {last && (
        <SaveResult
          last={last}
          saving={saving}
          unsaved={view.changed}
          conflicts={view.conflicts}
          onUndo={() => void undoSave()}
          onResolve={resolveNext}
        />
      )}
      <Desk
        grid={grid}
        controls={controls}
        list={list}
        saving={saving}
        isPhone={isPhone}
        views={{ of: 'bulk-edit', filters, onFilters: change }}
        onSave={() => void save()}
        actions={rowActions}
      />
      {resolving !== undefined && (
        <ConflictDialog sheet={sheet} id={resolving} onClose={() => setResolving(undefined)} />
      )}
      <LiveWords grid={grid} />
    </Page>
  )
}

type BulkFiltersProps = {
  applied: FilterValues<AdminFilters>
  loading: boolean
  onApply: (filters: FilterValues<AdminFilters>) => void
  onReload: () => void
}

function BulkFilters({ applied, loading, onApply, onReload }: BulkFiltersProps) {
  const [filters, setFilters] = useState(applied)
  const [seen, setSeen] = useState(applied)
  // Back and Forward change the filters.
  if (JSON.stringify(applied) !== JSON.stringify(seen)) {
    setSeen(applied)
    setFilters(applied)
  }
  const change = (part: Partial<FilterValues<AdminFilters>>) => setFilters({ ...filters, ...part })
  const apply = (event: FormEvent) => {
    event.preventDefault()
    const trimmed = Object.entries(filters).map(([name, text]) => [name, text.trim()])
    onApply({ ...filters, ...Object.fromEntries(trimmed) })
  }
  return (
    <form onSubmit={apply} className={classes.filters} aria-label="Filters">
      <TextInput
        label="Search"
        type="search"
        placeholder="Words or part number"
        disabled={loading}
        value={filters.q}
        onChange={(event) => change({ q: event.currentTarget.value })}
      />
      <NativeSelect
        label="Status"
        data={statusOptions}
        disabled={loading}
        value={filters.status}
        onChange={(event) => change({ status: event.currentTarget.value })}
      />
      <LookupFilters
        disabled={loading}
        filters={filters}
        onCategory={(categoryId) => change({ categoryId })}
        onManufacturer={(manuId) => change({ manuId })}
      />
      <TextInput
        label="Model"
        placeholder="All models"
        disabled={loading}
        value={filters.model}
        onChange={(event) => change({ model: event.currentTarget.value })}
      />
      <TextInput
        label="Seller"
        placeholder="Name or email"
        disabled={loading}
        value={filters.seller}
        onChange={(event) => change({ seller: event.currentTarget.value })}
      />
      <TextInput
        label="Dealer"
        placeholder="Name begins with"
        disabled={loading}
        value={filters.dealer}
        onChange={(event) => change({ dealer: event.currentTarget.value })}
      />
      <Button type="submit" variant="default" disabled={loading}>
        Apply Filters
      </Button>
      <Button variant="default" disabled={loading} onClick={onReload}>
        Reload First Page
      </Button>
    </form>
  )
}
