import type { Grid } from '#web/components/data-grid/grid.ts'
import { useSheetRow } from '#web/components/data-grid/use-grid.ts'
import { morePanelId } from './bulk-columns.tsx'
import classes from './bulk-edit.module.css'
import { titleOf } from './bulk-values.ts'
import { SheetField } from './sheet-field.tsx'

export const MORE_HEIGHT = 184

const fields = ['partdescription', 'dealername', 'dealerphone', 'partcity', 'partstate', 'zipcode']

/** What has no column of its own at first. Escape leads back to the row. */
export function MoreRow({ grid, id }: { grid: Grid; id: string }) {
  const row = useSheetRow(grid.sheet, id)
  if (!row) return null
  return (
    <fieldset
      id={morePanelId(id)}
      aria-label={`More of ${titleOf(row)}`}
      className={classes.more}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.currentTarget.closest<HTMLElement>('[role="grid"]')?.focus()
        grid.toggle(id)
      }}
    >
      {fields.map((field) => (
        <SheetField
          key={field}
          sheet={grid.sheet}
          row={row}
          field={field}
          className={field === 'partdescription' ? classes.description : undefined}
        />
      ))}
    </fieldset>
  )
}
