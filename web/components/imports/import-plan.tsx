import { Text } from '@mantine/core'
import type { ImportRecord } from '#contract/imports.ts'
import classes from './import-plan.module.css'
import { formatCount } from './import-words.ts'

type Plan = NonNullable<ImportRecord['plan']>
type ImportPlanProps = { record: ImportRecord; figuresOnly?: boolean }

export function ImportPlan({ record: { plan, mode }, figuresOnly = false }: ImportPlanProps) {
  if (!plan) return null
  const parts = importParts(plan, mode, { created: 'New listings', ended: 'Ending' })
  return (
    <>
      <Outcome label="What this import will do" parts={parts} figuresOnly={figuresOnly} />
      <NewNames names={plan.newNames} />
    </>
  )
}

type Counts = Pick<Plan, 'create' | 'update' | 'unchanged' | 'ended' | 'merged' | 'rejected' | 'held'>

export function importParts(
  { create, update, unchanged, ended, merged, rejected, held }: Counts,
  mode: ImportRecord['mode'],
  labels: { created: string; ended: string },
): OutcomePart[] {
  const parts: OutcomePart[] = [
    { label: labels.created, count: create, color: 'good' },
    { label: 'Updated', count: update, color: 'sea' },
    { label: 'Unchanged', count: unchanged, color: 'gray' },
  ]
  if (mode === 'replace')
    parts.push({ label: labels.ended, count: ended, color: 'warning', hint: 'taken down' })
  if (merged > 0) parts.push({ label: 'Duplicate rows', count: merged, color: 'gray', hint: 'combined' })
  if (held > 0) parts.push({ label: 'Waiting', count: held, color: 'warning', hint: 'for your answers' })
  return [...parts, { label: 'Left out', count: rejected, color: 'bad' }]
}

type Names = Plan['newNames']

const kinds: [kind: keyof Names, one: string, many: string][] = [
  ['category', 'category', 'categories'],
  ['manufacturer', 'manufacturer', 'manufacturers'],
  ['model', 'model', 'models'],
]
const SHOWN = 12

/** Names that are not in the catalog yet, so that the seller spots typos. */
function NewNames({ names }: { names: Names }) {
  const found = kinds.filter(([kind]) => names[kind].length > 0)
  if (found.length === 0) return null
  return (
    <div>
      <Text fw={600}>New names</Text>
      {found.map(([kind, one, many]) => {
        const all = names[kind]
        const more = all.length > SHOWN ? ` and ${formatCount(all.length - SHOWN)} more` : ''
        return (
          <Text key={kind} size="sm" className="second">
            {formatCount(all.length)} {all.length === 1 ? one : many}: {all.slice(0, SHOWN).join(', ')}
            {more}
          </Text>
        )
      })}
    </div>
  )
}

export type OutcomePart = {
  label: string
  count: number
  color: 'good' | 'sea' | 'gray' | 'warning' | 'bad'
  /** Explains the number where the label alone is not enough. */
  hint?: string
}

type OutcomeProps = {
  parts: OutcomePart[]
  label: string
  /** Leaves out the bar where a progress bar is already shown. */
  figuresOnly?: boolean
}

/** What happens to the rows: a bar, and the number for each segment. */
export function Outcome({ parts, label, figuresOnly = false }: OutcomeProps) {
  const seen = parts.filter(({ count }) => count > 0)
  return (
    <section aria-label={label}>
      {!figuresOnly && (
        <div className={classes.bar} aria-hidden>
          {seen.map(({ label, count, color }) => (
            <span key={label} data-color={color} style={{ flexGrow: count }} />
          ))}
        </div>
      )}
      <dl className={classes.figures}>
        {parts.map(({ label, count, color, hint }) => (
          <div key={label} data-none={count === 0 || undefined}>
            <dt>
              <span className={classes.key} data-color={color} aria-hidden />
              {label}
            </dt>
            <dd>
              <span className={`display ${classes.count}`}>{formatCount(count)}</span>
              {hint !== undefined && <span className={classes.hint}>{hint}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
