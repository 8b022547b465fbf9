import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useState } from 'react'
import { useSession } from '#web/api/session.ts'
import { noFilters } from '#web/components/admin/all-listings.ts'
import { ExportAllParts } from '#web/components/admin/export-all-parts.tsx'
import { Grid } from '#web/components/data-grid/grid.ts'
import { LiveWords } from '#web/components/data-grid/live-words.tsx'
import { Sheet } from '#web/components/data-grid/sheet.ts'
import { conflictsOf } from '#web/components/data-grid/sheet-row.ts'
import { useColumnLayout } from '#web/components/data-grid/use-column-layout.ts'
import { useSheetView } from '#web/components/data-grid/use-grid.ts'
import { useLeaveGuard } from '#web/components/leave-guard.ts'
import { useListState } from '#web/components/listing-filters/use-list-state.ts'
import { Page } from '#web/components/page.tsx'
import { bulkColumns } from './bulk-columns.tsx'
import { BulkFilters } from './bulk-filters.tsx'
import { checkValues, normaliseValue } from './bulk-values.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import { Desk } from './desk.tsx'
import { SaveResult } from './save-result.tsx'
import { useBulkList } from './use-bulk-list.ts'
import { useBulkSave } from './use-bulk-save.ts'
import { useKeptRows } from './use-kept-rows.ts'

export function Component() {
  const { user } = useSession()
  // Another person is another sheet: nobody finds the unsaved rows of somebody else.
  return <BulkEdit key={user?.id} userId={user?.id ?? ''} />
}

function BulkEdit({ userId }: { userId: string }) {
  const [grid] = useState(() => new Grid(new Sheet({ check: checkValues, normalise: normaliseValue }), []))
  const { sheet } = grid
  const view = useSheetView(sheet)
  const [resolving, setResolving] = useState<string>()
  const ways = useMemo(
    () => ({ onResolve: setResolving, onDiscard: (id: string) => discardRow(sheet, id) }),
    [sheet],
  )
  const columns = useMemo(() => bulkColumns(ways), [ways])
  const controls = useColumnLayout(columns, 'bulkEditColumns')
  const { shown } = controls
  useLayoutEffect(() => grid.showColumns(shown), [grid, shown])

  const { filters, change } = useListState(noFilters)
  const list = useBulkList(grid, filters)
  const { saving, last, save, undoSave } = useBulkSave(sheet, () => list.reload())
  useLeaveGuard(view.changed > 0)

  const isReady = useKeptRows(sheet, userId)
  const load = useEffectEvent(() => void list.reload())
  const asked = JSON.stringify(filters)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other filters ask for another list
  useEffect(() => {
    if (isReady) load()
  }, [isReady, asked])

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
        onApply={(next) => (JSON.stringify(next) === asked ? void list.reload() : change(next))}
        onReload={() => void list.reload()}
      />
      {last && (
        <SaveResult
          last={last}
          saving={saving}
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
        onSave={() => void save()}
        ways={ways}
      />
      {resolving !== undefined && (
        <ConflictDialog sheet={sheet} id={resolving} onClose={() => setResolving(undefined)} />
      )}
      <LiveWords grid={grid} />
    </Page>
  )
}

function discardRow(sheet: Sheet, id: string): void {
  const row = sheet.row(id)
  if (row) sheet.discard([row])
}
