import { Button, Checkbox, Popover, Stack } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { toggleColumn } from './column-layout.ts'
import type { ColumnControls } from './use-column-layout.ts'

/** Which columns are in sight. One always is. */
export function ColumnsMenu({ controls }: { controls: ColumnControls }) {
  const { all, shown, layout, change, reset } = controls
  return (
    <Popover position="bottom-end" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={<IconColumns3 size={16} />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown mah="60dvh" style={{ overflowY: 'auto' }}>
        <Stack gap="xs">
          {all.map(({ key, label }) => {
            const isShown = !layout.hidden.includes(key)
            return (
              <Checkbox
                key={key}
                label={label}
                checked={isShown}
                disabled={isShown && shown.length === 1}
                onChange={() => change((before) => toggleColumn(before, key))}
              />
            )
          })}
          <Button variant="subtle" size="compact-sm" onClick={reset}>
            Reset columns
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
