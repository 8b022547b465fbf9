import { Button } from '@mantine/core'
import { formatCount, rowsInWords } from '#web/components/imports/import-words.ts'
import type { IssueKind } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/dry-run-result.ts'
import classes from './validate.module.css'

type IssueKindsProps = {
  kinds: readonly IssueKind[]
  chosen: IssueKind | undefined
  onChoose: (kind: IssueKind | undefined) => void
  /** Whether a kind is about cells of a column, which can be replaced. */
  canReplace: (kind: IssueKind) => boolean
  onReplace: (kind: IssueKind) => void
}

/** The same mistake this often, or more, is put right in one go. */
const OFTEN = 2
const MOST_SHOWN = 20

/** Mistakes by their kind, most frequent first. A click shows those rows alone. */
export function IssueKinds({ kinds, chosen, onChoose, canReplace, onReplace }: IssueKindsProps) {
  return (
    <div>
      <ul className={classes.kinds} aria-label="Kinds of problems">
        {kinds.slice(0, MOST_SHOWN).map((kind) => (
          <li key={`${kind.column} ${kind.code}`} className={classes.kind}>
            <button
              type="button"
              className={classes.pick}
              aria-pressed={kind === chosen}
              onClick={() => onChoose(kind === chosen ? undefined : kind)}
            >
              <span className={classes.count}>{rowsInWords(kind.count)}</span>
              <span>
                <strong>{kind.column || 'Whole row'}</strong>: {kind.message}
              </span>
            </button>
            {kind.count >= OFTEN && canReplace(kind) && (
              <Button variant="default" size="xs" onClick={() => onReplace(kind)}>
                Replace in this column…
              </Button>
            )}
          </li>
        ))}
      </ul>
      {kinds.length > MOST_SHOWN && (
        <p className="second">{formatCount(kinds.length - MOST_SHOWN)} more kinds are in the file below.</p>
      )}
    </div>
  )
}
