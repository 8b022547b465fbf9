import { Alert, Button, Group, List, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { saveFile } from '#web/components/save-file.ts'
import { failedRowsCsv } from './failed-rows.ts'
import type { LastSave } from './use-bulk-save.ts'

type SaveResultProps = {
  last: LastSave
  saving: boolean
  conflicts: number
  onUndo: () => void
  onResolve: () => void
}

/** What became of the last save; it stays after its toast is gone. */
export function SaveResult({ last, saving, conflicts, onUndo, onResolve }: SaveResultProps) {
  const { updated, failed, changeSetIds, undone } = last
  if (undone) return <UndoResult {...undone} />
  if (changeSetIds.length === 0 && failed.length === 0) return null
  const download = () =>
    saveFile(new Blob([failedRowsCsv(failed)], { type: 'text/csv;charset=utf-8' }), 'failed_rows.csv')
  return (
    <Alert color={failed.length > 0 ? 'warning' : 'good'} variant="light" radius="md" py="xs" mb="xs">
      <Group gap="sm">
        <Text flex="1 1 16rem">
          {updated} item(s) saved.
          {failed.length > 0 && ` ${failed.length} row(s) were not; they stay on top with their errors.`}
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
        The save is taken back: {count} item(s).
        {kept.length > 0 && ` ${kept.length} item(s) were changed since and stay as they are:`}
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
