import { cellText } from './staged-cells.ts'
import classes from './staging.module.css'

type CellChange = { field: string; before: unknown; after: unknown }

/** What a field said and what it says; never by colour alone. */
export function CellChanges({ changes }: { changes: readonly CellChange[] }) {
  return (
    <dl className={classes.cells}>
      {changes.map(({ field, before, after }) => {
        const [was, is] = [cellText(before), cellText(after)]
        return (
          <div key={field}>
            <dt>{field}</dt>
            <dd>
              {was !== '' && <del>{was}</del>} {is !== '' && <ins>{is}</ins>}
              {was === '' && is === '' && <span className="second">empty</span>}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
