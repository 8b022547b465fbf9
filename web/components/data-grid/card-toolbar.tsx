import { ActionIcon, Group, NativeSelect } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react'
import type { Grid } from './grid.ts'
import { redo, undo } from './grid-edits.ts'
import type { RowFilter } from './row-filter.ts'
import { useSheetView } from './use-grid.ts'

/** What the grid's toolbar is where rows are cards. */
export function CardToolbar({ grid }: { grid: Grid }) {
  const { sheet } = grid
  const view = useSheetView(sheet)
  return (
    <Group gap="xs" wrap="nowrap">
      <NativeSelect
        flex={1}
        aria-label="Rows to show"
        value={view.filter}
        onChange={(event) => sheet.show(event.currentTarget.value as RowFilter)}
        data={[
          { value: 'all', label: 'All rows' },
          { value: 'wrong', label: `Only rows with errors (${view.wrong})` },
          { value: 'changed', label: `Only changed rows (${view.changed})` },
        ]}
      />
      <ActionIcon variant="default" aria-label="Undo" disabled={!view.canUndo} onClick={() => undo(grid)}>
        <IconArrowBackUp size={20} />
      </ActionIcon>
      <ActionIcon variant="default" aria-label="Redo" disabled={!view.canRedo} onClick={() => redo(grid)}>
        <IconArrowForwardUp size={20} />
      </ActionIcon>
    </Group>
  )
}
