import { NativeSelect } from '@mantine/core'
import { grades, gradeWords } from '#contract/listing-rules.ts'
import { listingStatuses } from '#contract/listings.ts'
import type { Sheet } from '#web/components/data-grid/sheet.ts'
import { type SheetRow, textOf } from '#web/components/data-grid/sheet-row.ts'
import { fieldProps, SheetTextField } from '#web/components/data-grid/sheet-text-field.tsx'
import { labelOf } from './bulk-values.ts'

type SheetFieldProps = { sheet: Sheet; row: SheetRow; field: string; className?: string | undefined }

const choices: Readonly<Record<string, { value: string; label: string }[]>> = {
  partgrade: [
    { value: '', label: 'No grade' },
    ...grades.map((grade) => ({ value: grade, label: `${grade}, ${gradeWords[grade]}` })),
  ],
  status: listingStatuses.map((status) => ({ value: status, label: status })),
}

/** A cell as a field of a form. */
export function SheetField({ sheet, row, field, className }: SheetFieldProps) {
  const label = labelOf(field)
  const options = choices[field]
  if (!options) {
    const several = field === 'partdescription' && { rows: 4 }
    return <SheetTextField {...{ sheet, row, field, label, className }} {...several} />
  }
  const known = textOf(row, field)
  const unknown = options.some(({ value }) => value === known) ? [] : [{ value: known, label: known }]
  return (
    <NativeSelect
      {...fieldProps(row, field)}
      label={label}
      className={className}
      data={[...unknown, ...options]}
      value={known}
      onChange={(event) => sheet.edit('Typing', [{ id: row.id, field, text: event.currentTarget.value }])}
    />
  )
}
