import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
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

/** A cell as a text field of a form; it is written when it is left. */
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
  const props = { ...fieldProps(row, field), label, className, value: typed, onBlur: write }
  if (rows !== undefined) {
    return <Textarea {...props} rows={rows} onChange={(event) => setTyped(event.currentTarget.value)} />
  }
  return (
    <TextInput
      {...props}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && write()}
    />
  )
}
