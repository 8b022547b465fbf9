import { useSyncExternalStore } from 'react'
import {
  type BulkListingField,
  bulkListingFields,
  inOrder,
  specOf,
} from '#contract/listing/listing-fields.ts'
import { grades } from '#contract/listing/listing-rules.ts'
import { listingStatuses } from '#contract/listings.ts'
import type { GridColumn, RowPanels } from '#web/components/data-grid/columns.ts'
import { conflictsOf, hasProblems, isChanged, type SheetRow } from '#web/components/data-grid/sheet-row.ts'
import classes from './bulk-edit.module.css'
import { labelOf, sentencesOf } from './bulk-values.ts'

export const ERRORS = 'errors'

type Shape = Partial<Pick<GridColumn, 'frozen' | 'decimals' | 'choices'>>

const editable = (field: string, width: number, shape: Shape = {}): GridColumn => ({
  key: field,
  field,
  label: labelOf(field),
  width,
  editable: true,
  ...shape,
})

const shapes: Partial<Record<BulkListingField, Shape>> = {
  partname: { frozen: true },
  partprice: { decimals: 2 },
  partgrade: { choices: grades },
  partquantity: { decimals: 0 },
  partmiles: { decimals: 0 },
  asis: { choices: ['', 'Yes'] },
}

const visibleColumns = [
  'partyear',
  'partmanuname',
  'partmodel',
  'partname',
  'partprice',
  'partgrade',
  'partnum',
  'dealername',
  'dealerphone',
]
/** Hidden until chosen in the menu; other fields follow these. */
const hiddenColumns = [
  'status',
  'partquantity',
  'partshipping',
  'stocknum',
  'partcity',
  'partstate',
  'zipcode',
  'parttrim',
  'partmiles',
]

const columnsOfFields: readonly GridColumn[] = [
  { key: 'partmanuname', field: 'partmanuname', label: 'Manufacturer', width: 116 },
  editable('status', 104, { choices: listingStatuses }),
  ...bulkListingFields.flatMap((field) => {
    const width = specOf(field).bulk?.width
    return width === undefined ? [] : editable(field, width, shapes[field])
  }),
]
const columnOf = new Map(columnsOfFields.map((column) => [column.key, column]))
const fieldColumns = inOrder([...visibleColumns, ...hiddenColumns], [...columnOf.keys()])
  .flatMap((key) => columnOf.get(key) ?? [])
  .map((column) => (visibleColumns.includes(column.key) ? column : { ...column, hiddenAtFirst: true }))

export type RowActions = { onResolve: (id: string) => void; onDiscard: (id: string) => void }

const ERRORS_WIDTH = { empty: 72, filled: 240 }

/** The spec's columns, then those that are hidden at first. The errors' column is narrow while no row has any. */
export function bulkColumns({ onResolve, onDiscard }: RowActions, hasErrors: boolean): GridColumn[] {
  return [
    ...fieldColumns.map((column) =>
      column.key === 'partname' && !hasErrors ? { ...column, grows: true } : column,
    ),
    {
      key: ERRORS,
      label: 'Errors',
      width: hasErrors ? ERRORS_WIDTH.filled : ERRORS_WIDTH.empty,
      grows: hasErrors,
      draw: (row) => <RowErrors row={row} onResolve={onResolve} onDiscard={onDiscard} />,
      act: (row) => {
        if (conflictsOf(row).length > 0) onResolve(row.id)
        else if (isRefused(row)) onDiscard(row.id)
      },
    },
    {
      key: 'more',
      label: 'More',
      width: 84,
      draw: ({ id }, panels) => <MoreButton id={id} panels={panels} />,
      act: openMore,
    },
  ]
}

/** Opens the panel and focuses its first field, which is rendered in the next frame. */
function openMore({ id }: SheetRow, panels: RowPanels): void {
  const opens = !panels.isOpen(id)
  panels.toggle(id)
  if (!opens) return
  requestAnimationFrame(() => {
    document.getElementById(morePanelId(id))?.querySelector<HTMLElement>('textarea, input')?.focus()
  })
}

export const morePanelId = (id: string) => `more-${id}`

// Plain buttons: Mantine's take longer to render than all the cells of a row, which shows while scrolling.

function MoreButton({ id, panels }: { id: string; panels: RowPanels }) {
  const isOpen = useSyncExternalStore(panels.subscribe, () => panels.isOpen(id))
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-expanded={isOpen}
      className={classes.moreButton}
      onClick={() => panels.toggle(id)}
    >
      {isOpen ? 'Less' : 'More'}
    </button>
  )
}

/** Refused as a whole, for example because the listing was deleted: no cell can be corrected. */
export const isRefused = (row: SheetRow): boolean => isChanged(row) && row.errors.length > 0

function RowErrors({ row, onResolve, onDiscard }: { row: SheetRow } & RowActions) {
  if (!hasProblems(row)) return null
  const sentences = sentencesOf(row)
  return (
    <>
      {conflictsOf(row).length > 0 && (
        <button type="button" tabIndex={-1} className={classes.resolve} onClick={() => onResolve(row.id)}>
          Resolve
        </button>
      )}
      {isRefused(row) && conflictsOf(row).length === 0 && (
        <button type="button" tabIndex={-1} className={classes.resolve} onClick={() => onDiscard(row.id)}>
          Discard
        </button>
      )}
      <span className={classes.errors} title={sentences.join('\n')}>
        {sentences.join('; ')}
      </span>
    </>
  )
}
