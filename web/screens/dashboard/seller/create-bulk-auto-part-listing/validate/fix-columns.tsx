import { IconCheck, IconPencil } from '@tabler/icons-react'
import { findColumn } from '#contract/csv-header.ts'
import {
  type ImportField,
  type ImportMapping,
  importFieldLabels,
  importFields,
} from '#contract/import-fields.ts'
import { grades } from '#contract/listing-rules.ts'
import type { GridColumn } from '#web/components/data-grid/columns.ts'
import { type SheetRow, textOf } from '#web/components/data-grid/sheet-row.ts'
import { formatCount } from '#web/components/imports/import-words.ts'
import { cellField, type FixingSheet, type RowState } from './fixing-sheet.ts'
import classes from './validate.module.css'

export const ERRORS = 'row-errors'

/** A column of the file, as it is called where rows are fixed. */
export type FileColumn = { at: number; header: string; label: string; field: ImportField | undefined }

/** Mapped columns first, in the order of the fields; then the others; last the cells that no column is named for. */
export function fileColumns(fixing: FixingSheet, mapping: ImportMapping): FileColumn[] {
  const { headers, width } = fixing
  const mapped = importFields.flatMap((field): FileColumn[] => {
    const at = findColumn(headers, mapping[field] ?? '')
    const header = headers[at]
    if (mapping[field] === undefined || header === undefined) return []
    return [{ at, header, label: `${importFieldLabels[field]} (col: ${header})`, field }]
  })
  // One column may be two fields, such as a stock number that is the part number too.
  const seen = new Set<number>()
  const first = mapped.filter(({ at }) => !seen.has(at) && seen.add(at))
  const others = Array.from({ length: width }, (_, at) => at)
    .filter((at) => !seen.has(at))
    .map((at) => {
      const header = headers[at] ?? `Cell ${at + 1}`
      return { at, header, label: header, field: undefined }
    })
  return [...first, ...others]
}

const decimalsOf: Partial<Record<ImportField, number>> = { partprice: 2, partshipping: 2 }

export function fixColumns(fixing: FixingSheet, mapping: ImportMapping): GridColumn[] {
  return [
    {
      key: 'row-number',
      label: 'Row',
      width: 80,
      frozen: true,
      draw: ({ id }) => <span className={classes.number}>{formatCount(Number(id))}</span>,
    },
    {
      key: ERRORS,
      label: 'Errors',
      width: 300,
      draw: (row) => <FixState fixing={fixing} row={row} />,
    },
    {
      key: 'row-leave',
      label: 'Leave out',
      width: 104,
      draw: (row) => <LeaveOut fixing={fixing} row={row} />,
      act: (row) => turn(fixing, row),
    },
    ...fileColumns(fixing, mapping).map(columnOf),
  ]
}

function columnOf({ at, header, label, field }: FileColumn): GridColumn {
  const decimals = field && decimalsOf[field]
  return {
    // Part of an element's id, which has no spaces; the number tells columns of one name apart.
    key: `c${at}-${encodeURIComponent(header)}`,
    field: cellField(at),
    label,
    width: Math.min(240, Math.max(104, 40 + label.length * 7)),
    editable: true,
    ...(decimals !== undefined && { decimals }),
    ...(field === 'partgrade' && { choices: grades }),
  }
}

const turn = (fixing: FixingSheet, row: SheetRow) =>
  fixing.leaveOut([row.id], fixing.stateOf(row) !== 'leftOut')

// A plain button: rows come and go while one scrolls.
function LeaveOut({ fixing, row }: { fixing: FixingSheet; row: SheetRow }) {
  const isOut = fixing.stateOf(row) === 'leftOut'
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classes.leave}
      aria-label={isOut ? `Put back row ${row.id}` : `Leave out row ${row.id}`}
      onClick={() => turn(fixing, row)}
    >
      {isOut ? 'Put back' : 'Leave out'}
    </button>
  )
}

/** What is wrong with a row. */
const rowSentences = (row: SheetRow): string[] => Object.values(row.broken)

const words: Record<Exclude<RowState, 'wrong'>, string> = {
  leftOut: 'Left out',
  unchecked: 'Changed, not checked yet',
  fine: 'Fine now',
}

export function FixState({ fixing, row }: { fixing: FixingSheet; row: SheetRow }) {
  const state = fixing.stateOf(row)
  if (state === 'wrong') {
    const sentences = rowSentences(row).join('; ')
    return (
      <span className={classes.sentence} data-state={state} title={sentences}>
        {sentences}
      </span>
    )
  }
  return (
    <span className={classes.sentence} data-state={state}>
      {state === 'fine' && <IconCheck size={15} stroke={2.4} aria-hidden />}
      {state === 'unchecked' && <IconPencil size={15} aria-hidden />}
      {words[state]}
    </span>
  )
}

/** What a row is known by: its part's name where a column has it. */
export function titleOf(row: SheetRow, columns: readonly FileColumn[]): string {
  const named = (field: ImportField) => columns.find((column) => column.field === field)
  const texts = (['partyear', 'partmanu', 'partmodel', 'partname'] as const).flatMap((field) => {
    const column = named(field)
    return column ? textOf(row, cellField(column.at)) : []
  })
  return texts.filter(Boolean).join(' ')
}
