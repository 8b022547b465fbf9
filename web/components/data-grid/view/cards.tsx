import { ActionIcon, Group, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react'
import { type KeyboardEvent, useEffectEvent, useLayoutEffect, useState } from 'react'
import { type Grid, useSheetView } from '#web/components/data-grid/grid.ts'
import { redo, undo } from '#web/components/data-grid/grid-edits.ts'
import { isSaveKey } from '#web/components/data-grid/grid-keys.ts'
import type { RowOrder } from '#web/components/data-grid/row-order.ts'
import type { RowFilter, Sheet, SheetView } from '#web/components/data-grid/sheet.ts'
import { conflictsOf, problemOf, type SheetRow, textOf } from '#web/components/data-grid/sheet-row.ts'

export const rowFilters = ({ wrong, changed }: SheetView): { value: RowFilter; label: string }[] => [
  { value: 'all', label: 'All rows' },
  { value: 'wrong', label: `Only rows with errors (${wrong})` },
  { value: 'changed', label: `Only changed rows (${changed})` },
]

export function CardToolbar({ grid }: { grid: Grid }) {
  const { sheet } = grid
  const view = useSheetView(sheet)
  return (
    <Group gap="xs" wrap="nowrap">
      <SortSelect grid={grid} />
      <NativeSelect
        flex={1}
        aria-label="Rows to show"
        value={view.filter}
        onChange={(event) => sheet.show(event.currentTarget.value as RowFilter)}
        data={rowFilters(view)}
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

/** The order that a click on a column's header chooses in the grid. */
function SortSelect({ grid }: { grid: Grid }) {
  const { order } = useSheetView(grid.sheet)
  const columns = grid.columns.filter(({ field }) => field !== undefined)
  if (columns.length === 0) return null
  return (
    <NativeSelect
      flex={1}
      aria-label="Sort by"
      value={order ? orderKey(order) : ''}
      onChange={({ currentTarget: { value } }) => grid.sheet.sort(readOrderKey(value))}
      data={[
        { value: '', label: 'As loaded' },
        ...columns.flatMap(({ field = '', label }) => [
          { value: orderKey({ field, descending: false }), label: `${label}, low to high` },
          { value: orderKey({ field, descending: true }), label: `${label}, high to low` },
        ]),
      ]}
    />
  )
}

const orderKey = ({ field, descending }: RowOrder) => `${descending ? '-' : '+'}${field}`
const readOrderKey = (key: string): RowOrder | undefined =>
  key === '' ? undefined : { field: key.slice(1), descending: key.startsWith('-') }

export function fieldProps(row: SheetRow, field: string) {
  const conflict = conflictsOf(row).includes(field) ? 'Someone else changed this too' : undefined
  return {
    error: problemOf(row, field) ?? conflict,
    description: row.pending[field] && 'Changed',
    size: 'sm',
  } as const
}

type SheetTextFieldProps = {
  sheet: Sheet
  row: SheetRow
  field: string
  label: string
  className?: string | undefined
  rows?: number
}

/** A cell as a form field; its text is written when the field loses focus, is removed, or before a save. */
export function SheetTextField({ sheet, row, field, label, className, rows }: SheetTextFieldProps) {
  const known = textOf(row, field)
  const [typed, setTyped] = useState(known)
  const [seen, setSeen] = useState(known)
  // Undo, a paste, or a merge replaces the text.
  if (known !== seen) {
    setSeen(known)
    setTyped(known)
  }
  const write = () => {
    if (typed !== known) sheet.edit('Typing', [{ id: row.id, field, text: typed }])
  }
  // Escape in a dialog removes the field without a blur, and so does scrolling its row out of view.
  const writeLast = useEffectEvent(write)
  useLayoutEffect(() => () => writeLast(), [])
  const press = (event: KeyboardEvent) => {
    const ends = event.key === 'Enter' && rows === undefined
    if (ends || isSaveKey(event)) write()
  }
  const props = {
    ...fieldProps(row, field),
    label,
    className,
    value: typed,
    onBlur: write,
    onKeyDown: press,
  }
  if (rows !== undefined) {
    return <Textarea {...props} rows={rows} onChange={(event) => setTyped(event.currentTarget.value)} />
  }
  return <TextInput {...props} onChange={(event) => setTyped(event.currentTarget.value)} />
}
