import { Button } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { grades } from '#contract/listing-rules.ts'
import { listingStatuses } from '#contract/listings.ts'
import type { GridColumn, RowPanels } from '#web/components/data-grid/grid-column.ts'
import { conflictsOf, type SheetRow } from '#web/components/data-grid/sheet-row.ts'
import classes from './bulk-edit.module.css'
import { labelOf, sentencesOf } from './bulk-values.ts'

export const ERRORS = 'errors'

const written = (field: string, width: number, more: Partial<GridColumn> = {}): GridColumn => ({
  key: field,
  field,
  label: labelOf(field),
  width,
  editable: true,
  ...more,
})
const hidden = { hiddenAtFirst: true }

/** The columns of the spec, and behind them those that wait in the menu. */
export function bulkColumns(onResolve: (id: string) => void): GridColumn[] {
  return [
    written('partyear', 64),
    { key: 'partmanuname', field: 'partmanuname', label: 'Manufacturer', width: 124 },
    written('partmodel', 120),
    written('partname', 208),
    written('partprice', 96, { decimals: 2 }),
    written('partgrade', 72, { choices: grades }),
    written('partnum', 136),
    written('dealername', 152),
    written('dealerphone', 136),
    written('status', 104, { ...hidden, choices: listingStatuses }),
    written('partquantity', 88, { ...hidden, decimals: 0 }),
    written('partshipping', 104, hidden),
    written('stocknum', 120, hidden),
    written('partcity', 120, hidden),
    written('partstate', 72, hidden),
    written('zipcode', 88, hidden),
    written('parttrim', 104, hidden),
    written('partmiles', 96, { ...hidden, decimals: 0 }),
    {
      key: ERRORS,
      label: 'Errors',
      width: 156,
      draw: (row) => <RowErrors row={row} onResolve={onResolve} />,
      act: (row) => {
        if (conflictsOf(row).length > 0) onResolve(row.id)
      },
    },
    {
      key: 'more',
      label: 'More',
      width: 88,
      draw: ({ id }, panels) => <MoreButton id={id} panels={panels} />,
      act: openMore,
    },
  ]
}

/** The panel's fields are drawn with the next frame. */
function openMore({ id }: SheetRow, panels: RowPanels): void {
  const opens = !panels.isOpen(id)
  panels.toggle(id)
  if (!opens) return
  requestAnimationFrame(() => {
    document.getElementById(morePanelId(id))?.querySelector<HTMLElement>('textarea, input')?.focus()
  })
}

export const morePanelId = (id: string) => `more-${id}`

function MoreButton({ id, panels }: { id: string; panels: RowPanels }) {
  const isOpen = useSyncExternalStore(panels.subscribe, () => panels.isOpen(id))
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      tabIndex={-1}
      aria-expanded={isOpen}
      rightSection={isOpen ? <IconChevronUp size={14} /> : <IconChevronDown size={14} />}
      onClick={() => panels.toggle(id)}
    >
      {isOpen ? 'Less' : 'More'}
    </Button>
  )
}

function RowErrors({ row, onResolve }: { row: SheetRow; onResolve: (id: string) => void }) {
  const sentences = sentencesOf(row)
  if (sentences.length === 0) return null
  return (
    <>
      {conflictsOf(row).length > 0 && (
        <Button
          variant="light"
          color="bad"
          size="compact-xs"
          tabIndex={-1}
          onClick={() => onResolve(row.id)}
          className={classes.resolve}
        >
          Resolve
        </Button>
      )}
      <span className={classes.errors} title={sentences.join('\n')}>
        {sentences.join('; ')}
      </span>
    </>
  )
}
