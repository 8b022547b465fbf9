import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { grades, gradeWords } from '#contract/listing-rules.ts'
import { listingStatuses } from '#contract/listings.ts'
import type { Sheet } from '#web/components/data-grid/sheet.ts'
import { conflictsOf, problemOf, type SheetRow, textOf } from '#web/components/data-grid/sheet-row.ts'
import { labelOf } from './bulk-values.ts'

type SheetFieldProps = { sheet: Sheet; row: SheetRow; field: string; className?: string | undefined }

const choices: Readonly<Record<string, { value: string; label: string }[]>> = {
  partgrade: [
    { value: '', label: 'No grade' },
    ...grades.map((grade) => ({ value: grade, label: `${grade}, ${gradeWords[grade]}` })),
  ],
  status: listingStatuses.map((status) => ({ value: status, label: status })),
}

/** A cell as a field of a form; it is written when it is left. */
export function SheetField({ sheet, row, field, className }: SheetFieldProps) {
  const known = textOf(row, field)
  const [typed, setTyped] = useState(known)
  const [seen, setSeen] = useState(known)
  // Undo, a paste or a merge replaces what stands here.
  if (known !== seen) {
    setSeen(known)
    setTyped(known)
  }
  const write = (text: string) => sheet.edit('Typing', [{ id: row.id, field, text }])
  const conflict = conflictsOf(row).includes(field) ? 'Somebody else changed this too' : undefined
  const props = {
    label: labelOf(field),
    className,
    error: problemOf(row, field) ?? conflict,
    description: row.pending[field] && 'Changed',
    size: 'sm',
  } as const
  const options = choices[field]
  if (options) {
    const unknown = options.some(({ value }) => value === known) ? [] : [{ value: known, label: known }]
    return (
      <NativeSelect
        {...props}
        data={[...unknown, ...options]}
        value={known}
        onChange={(event) => write(event.currentTarget.value)}
      />
    )
  }
  const text = {
    ...props,
    value: typed,
    onBlur: () => {
      if (typed !== known) write(typed)
    },
  }
  if (field === 'partdescription') {
    return <Textarea {...text} rows={4} onChange={(event) => setTyped(event.currentTarget.value)} />
  }
  return (
    <TextInput
      {...text}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && typed !== known && write(typed)}
    />
  )
}
