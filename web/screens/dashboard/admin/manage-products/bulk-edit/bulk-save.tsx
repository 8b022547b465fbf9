import { Alert, Button, Group, List, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { adminListingEndpoints } from '#contract/admin/listings.ts'
import { call } from '#web/api/client.ts'
import { errorSentence } from '#web/api/failures.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import type { Sheet } from '#web/components/data-grid/sheet.ts'
import { useSingleRun } from '#web/components/form/use-single-run.ts'
import { saveFile } from '#web/components/save-file.ts'
import { notifyDone, notifyError, notifyInfo, notifyProblem } from '#web/components/toasts.tsx'
import { failedRowsCsv, type SaveItem, type SaveReport, saveRows } from './save-rows.ts'

type KeptListing = { id: string; title: string; why: string }

type LastSave = Pick<SaveReport, 'updated' | 'changeSetIds' | 'failed'> & {
  undone?: { count: number; kept: KeptListing[] }
}

// The undo's toast replaces the save's toast.
const about = 'bulk save'
/** Long enough to check the result and reach the button; the one below the filters stays longer. */
const undoMs = 10_000

/** Saves and undoes a save; both reload the first page. */
export function useBulkSave(sheet: Sheet, reload: () => Promise<void>) {
  const [saving, runOnce] = useSingleRun()
  const [last, setLast] = useState<LastSave>()

  const undo = async ({ changeSetIds, updated }: Pick<LastSave, 'changeSetIds' | 'updated'>) => {
    const confirmed = await askToConfirm({
      title: 'Undo this save?',
      text: `${updated.toLocaleString('en-US')} item(s) get their previous values back. Items changed since then are left alone.`,
      confirm: `Undo ${updated.toLocaleString('en-US')} item(s)`,
    })
    if (confirmed) await undoAll(changeSetIds)
  }

  const undoAll = (changeSetIds: readonly string[]) =>
    runOnce(async () => {
      const kept: KeptListing[] = []
      const left = [...changeSetIds]
      let count = 0
      try {
        // The last call first: it may build on what an earlier one wrote.
        for (let id = left.at(-1); id !== undefined; id = left.at(-1)) {
          const answer = await call(adminListingEndpoints.undoChangeSet, { params: { id } })
          count += answer.undone
          kept.push(...answer.kept)
          left.pop()
        }
        notifyDone(`Undone: ${count} item(s)`, { about })
      } catch (error) {
        notifyError(error, 'Could not undo this save', { about })
        // A second try continues with the rest.
        setLast((known) => known && { ...known, changeSetIds: left })
        return
      }
      setLast({ updated: 0, changeSetIds: [], failed: [], undone: { count, kept } })
      await reload()
    })

  const save = () =>
    runOnce(async () => {
      if (sheet.view().changed === 0) {
        notifyInfo('No changes to save')
        return
      }
      const send = (items: SaveItem[]) => call(adminListingEndpoints.bulkUpdate, { body: { items } })
      const report = await saveRows(sheet, send)
      setLast(report)
      notifyResult(report, () => void undo(report))
      if (report.ok) await reload()
    })

  const undoSave = async () => {
    if (last) await undo(last)
  }
  return { saving, last, save, undoSave }
}

/** One toast about the save; refusals are shown at their rows. */
function notifyResult(report: SaveReport, undo: () => void): void {
  const { updated, ok, broke, error, changeSetIds, failed } = report
  if (broke !== undefined) {
    const why = errorSentence(broke, broke instanceof Error ? broke.message : '')
    notifyProblem(`Bulk update error: ${why}`, { about })
    return
  }
  if (ok) {
    const action = { label: 'Undo this save', run: undo }
    const undoable = changeSetIds.length > 0 ? { action, closeAfterMs: undoMs } : {}
    notifyDone(`Updated ${updated} item(s)`, { about, ...undoable })
    return
  }
  const why =
    error ?? (failed.length > 0 ? 'Every changed row has an error. Correct the marked cells first.' : '')
  notifyProblem(why ? `Bulk update failed: ${why}` : 'Bulk update failed', { about })
}

type SaveResultProps = {
  last: LastSave
  saving: boolean
  /** Rows that are still not saved; none after they were discarded. */
  unsaved: number
  conflicts: number
  onUndo: () => void
  onResolve: () => void
}

/** The last save's result; stays after its toast is gone. */
export function SaveResult({ last, saving, unsaved, conflicts, onUndo, onResolve }: SaveResultProps) {
  const { updated, changeSetIds, undone } = last
  const failed = unsaved > 0 ? last.failed : []
  if (undone) return <UndoResult {...undone} />
  if (changeSetIds.length === 0 && failed.length === 0) return null
  const download = () =>
    saveFile(new Blob([failedRowsCsv(failed)], { type: 'text/csv;charset=utf-8' }), 'failed_rows.csv')
  return (
    <Alert color={failed.length > 0 ? 'warning' : 'good'} variant="light" radius="md" py="xs" mb="xs">
      <Group gap="sm">
        <Text flex="1 1 16rem">
          {updated > 0 && `${updated} item(s) saved. `}
          {failed.length === 1 && '1 row was not saved. It is at the top, with the reason.'}
          {failed.length > 1 &&
            `${failed.length} rows were not saved. They are at the top, with the reasons.`}
        </Text>
        {conflicts > 0 && (
          <Button size="xs" variant="default" onClick={onResolve}>
            Resolve {conflicts} conflict(s)
          </Button>
        )}
        {failed.length > 0 && (
          <Button size="xs" variant="default" leftSection={<IconDownload size={16} />} onClick={download}>
            Download failed rows (.csv)
          </Button>
        )}
        {changeSetIds.length > 0 && (
          <Button size="xs" variant="default" loading={saving} onClick={onUndo}>
            Undo this save
          </Button>
        )}
      </Group>
    </Alert>
  )
}

function UndoResult({ count, kept }: NonNullable<LastSave['undone']>) {
  return (
    <Alert color={kept.length > 0 ? 'warning' : 'good'} variant="light" radius="md" py="xs" mb="xs">
      <Text>
        Save undone: {count} items restored.
        {kept.length > 0 && ` ${kept.length} items were changed later and are left alone:`}
      </Text>
      <List size="sm">
        {kept.map(({ id, title, why }) => (
          <List.Item key={id}>
            {title}: {why}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
