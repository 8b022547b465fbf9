import { Button, Card, Group, Modal, Stack, Text } from '@mantine/core'
import { IconCheck, IconPencil } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { findColumn } from '#contract/csv/csv-header.ts'
import {
  type ImportField,
  type ImportMapping,
  importFieldLabels,
  importFields,
} from '#contract/csv/import-fields.ts'
import { grades } from '#contract/listing/listing-rules.ts'
import type { GridColumn } from '#web/components/data-grid/columns.ts'
import { useSheetRow, useSheetView } from '#web/components/data-grid/grid.ts'
import { problemOf, type SheetRow, textOf } from '#web/components/data-grid/sheet-row.ts'
import { CardToolbar, SheetTextField } from '#web/components/data-grid/view/cards.tsx'
import { formatCount } from '#web/components/imports/import-words.ts'
import { cellField, type FixingSheet, joinedWithNext, type RowState } from './fixing-sheet.ts'
import classes from './validate.module.css'

export const ERRORS = 'row-errors'

type FileColumn = { at: number; header: string; label: string; field: ImportField | undefined }

/** Mapped columns first, in field order, then the others, then extra cells without a header. */
export function fileColumns(fixing: FixingSheet, mapping: ImportMapping): FileColumn[] {
  const { headers, width } = fixing
  const mapped = importFields.flatMap((field): FileColumn[] => {
    const at = findColumn(headers, mapping[field] ?? '')
    const header = headers[at]
    if (mapping[field] === undefined || header === undefined) return []
    return [{ at, header, label: `${importFieldLabels[field]} (col: ${header})`, field }]
  })
  // One column can be mapped to two fields, such as part number and stock number.
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
      act: (row) => toggleLeftOut(fixing, row),
    },
    ...fileColumns(fixing, mapping).map(columnOf),
  ]
}

function columnOf({ at, header, label, field }: FileColumn): GridColumn {
  return {
    // Used in an element id, so no spaces. The index distinguishes columns with the same name.
    key: `c${at}-${encodeURIComponent(header)}`,
    field: cellField(at),
    label,
    width: Math.min(240, Math.max(104, 40 + label.length * 7)),
    editable: true,
    ...((field === 'partprice' || field === 'partshipping') && { decimals: 2 }),
    ...(field === 'partgrade' && { choices: grades }),
  }
}

const toggleLeftOut = (fixing: FixingSheet, row: SheetRow) =>
  fixing.leaveOut([row.id], fixing.stateOf(row) !== 'leftOut')

// A plain button, because it renders for every row while scrolling.
function LeaveOut({ fixing, row }: { fixing: FixingSheet; row: SheetRow }) {
  const isOut = fixing.stateOf(row) === 'leftOut'
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classes.leave}
      aria-label={isOut ? `Put back row ${row.id}` : `Leave out row ${row.id}`}
      onClick={() => toggleLeftOut(fixing, row)}
    >
      {isOut ? 'Put back' : 'Leave out'}
    </button>
  )
}

const words: Record<Exclude<RowState, 'wrong'>, string> = {
  leftOut: 'Left out',
  unchecked: 'Changed, not checked yet',
  fine: 'Fixed',
}

function FixState({ fixing, row }: { fixing: FixingSheet; row: SheetRow }) {
  const state = fixing.stateOf(row)
  if (state === 'wrong') {
    const sentences = Object.values(row.broken).join('; ')
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

/** The part's year, make, model and name, as far as columns have them. */
function titleOf(row: SheetRow, columns: readonly FileColumn[]): string {
  const texts = (['partyear', 'partmanu', 'partmodel', 'partname'] as const).flatMap((field) => {
    const column = columns.find((one) => one.field === field)
    return column ? textOf(row, cellField(column.at)) : []
  })
  return texts.filter(Boolean).join(' ')
}

type FixCardsProps = { fixing: FixingSheet; columns: readonly FileColumn[]; empty: ReactNode }

const CARDS_AT_ONCE = 20

/** On a phone: one card per row, with a form for its cells. */
export function FixCards({ fixing, columns, empty }: FixCardsProps) {
  const { ids } = useSheetView(fixing.sheet)
  const [shown, setShown] = useState(CARDS_AT_ONCE)
  const [editing, setEditing] = useState<string>()
  return (
    <Stack gap="sm">
      <CardToolbar grid={fixing.grid} />
      {ids.length === 0 && empty}
      {ids.slice(0, shown).map((id) => (
        <FixCard key={id} {...{ fixing, id, columns }} onEdit={() => setEditing(id)} />
      ))}
      {ids.length > shown && (
        <Button variant="default" onClick={() => setShown(shown + CARDS_AT_ONCE)}>
          Show more rows ({formatCount(ids.length - shown)} left)
        </Button>
      )}
      {editing !== undefined && (
        <FixForm {...{ fixing, id: editing, columns }} onClose={() => setEditing(undefined)} />
      )}
    </Stack>
  )
}

type CardProps = { fixing: FixingSheet; id: string; columns: readonly FileColumn[] }

function FixCard({ fixing, id, columns, onEdit }: CardProps & { onEdit: () => void }) {
  const row = useSheetRow(fixing.sheet, id)
  if (!row) return null
  const isOut = fixing.stateOf(row) === 'leftOut'
  return (
    <Card component="article" padding="sm" aria-label={`Row ${id}`}>
      <Text fw={650}>Row {formatCount(Number(id))}</Text>
      <Text size="sm" className="second">
        {titleOf(row, columns)}
      </Text>
      <Text size="sm" component="div" mt={4} className={classes.wrapping}>
        <FixState fixing={fixing} row={row} />
      </Text>
      <Group mt="sm" grow>
        <Button variant="default" disabled={isOut} onClick={onEdit}>
          Fix row
        </Button>
        <Button variant="subtle" onClick={() => fixing.leaveOut([id], !isOut)}>
          {isOut ? 'Put back' : 'Leave out'}
        </Button>
      </Group>
    </Card>
  )
}

function FixForm({ fixing, id, columns, onClose }: CardProps & { onClose: () => void }) {
  const row = useSheetRow(fixing.sheet, id)
  // Fixed order, so that fields don't move while typing.
  const [ordered] = useState(() => orderedColumns(fixing, id, columns))
  if (!row) return null
  const tooMany = fixing.cellsTooMany(id)
  return (
    <Modal opened onClose={onClose} fullScreen title={`Row ${formatCount(Number(id))}`}>
      <div className={classes.cardFields}>
        <div className={classes.wrapping}>
          <FixState fixing={fixing} row={row} />
        </div>
        {tooMany < 0 && (
          <Button variant="default" onClick={() => fixing.fillUp([id])}>
            Read missing cells as empty
          </Button>
        )}
        {ordered.map(({ at, label }) => (
          <div key={at}>
            <SheetTextField sheet={fixing.sheet} row={row} field={cellField(at)} label={label} />
            {tooMany > 0 && at < fixing.width - 1 && (
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={`Join with next cell: ${label}`}
                onClick={() => fixing.reshape('Join', [id], (cells) => joinedWithNext(cells, at))}
              >
                Join with next cell
              </Button>
            )}
          </div>
        ))}
        <Button onClick={onClose}>Done</Button>
      </div>
    </Modal>
  )
}

/** Columns with errors first. If the row has extra cells, all columns in file order. */
function orderedColumns(fixing: FixingSheet, id: string, columns: readonly FileColumn[]): FileColumn[] {
  if (fixing.cellsTooMany(id) > 0) return columns.toSorted((one, other) => one.at - other.at)
  const row = fixing.sheet.row(id)
  const isWrong = ({ at }: FileColumn) => row !== undefined && problemOf(row, cellField(at)) !== undefined
  return [...columns.filter(isWrong), ...columns.filter((column) => !isWrong(column))]
}
