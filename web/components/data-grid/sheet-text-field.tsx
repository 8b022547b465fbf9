import { Textarea, TextInput } from '@mantine/core'
import { type KeyboardEvent, useEffectEvent, useLayoutEffect, useState } from 'react'
import { isSaveKey } from './grid-keys.ts'
import type { Sheet } from './sheet.ts'
import { conflictsOf, problemOf, type SheetRow, textOf } from './sheet-row.ts'

/** How a cell looks as a field of a form. */
export function fieldProps(row: SheetRow, field: string) {
  const conflict = conflictsOf(row).includes(field) ? 'Somebody else changed this too' : undefined
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
  /** For texts of several lines. */
  rows?: number
}

/** A cell as a text field of a form; it is written when it is left, by whatever way, and before a save. */
export function SheetTextField({ sheet, row, field, label, className, rows }: SheetTextFieldProps) {
  const known = textOf(row, field)
  const [typed, setTyped] = useState(known)
  const [seen, setSeen] = useState(known)
  // Undo, a paste or a merge replaces what stands here.
  if (known !== seen) {
    setSeen(known)
    setTyped(known)
  }
  const write = () => {
    if (typed !== known) sheet.edit('Typing', [{ id: row.id, field, text: typed }])
  }
  // Escape in a dialog takes the field away without a blur, and so does scrolling its row out of sight.
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
