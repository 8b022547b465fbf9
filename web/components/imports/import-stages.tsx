import { IconCheck } from '@tabler/icons-react'
import type { ImportRecord } from '#contract/imports.ts'
import classes from './import-stages.module.css'

const stages = ['Sent', 'Planned', 'Live'] as const
/** Where an import stands; the stages before it are done. */
const stageOf: Record<ImportRecord['state'], number> = {
  receiving: 0,
  abandoned: 0,
  withdrawn: 0,
  staged: 1,
  planning: 1,
  planned: 2,
  review: 2,
  applying: 2,
  failed: 2,
  applied: 3,
  undoing: 3,
  undone: 3,
}

/** The three stations of every import, the current one marked. */
export function ImportStages({ record }: { record: ImportRecord }) {
  const current = stageOf[record.state]
  const undone = record.state === 'undone' || record.state === 'undoing'
  const all = undone ? [...stages, 'Taken back'] : stages
  const reached = undone && record.state === 'undone' ? all.length : current
  return (
    <ol className={classes.stages} aria-label="Stations of this import">
      {all.map((stage, place) => (
        <li
          key={stage}
          data-done={place < reached || undefined}
          aria-current={place === reached ? 'step' : undefined}
        >
          <span className={classes.mark} aria-hidden>
            {place < reached && <IconCheck size={14} stroke={3} />}
          </span>
          {stage}
        </li>
      ))}
    </ol>
  )
}
