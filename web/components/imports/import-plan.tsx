import { Alert, List, Text } from '@mantine/core'
import type { ImportRecord } from '#contract/imports.ts'
import classes from './import-plan.module.css'
import { formatCount } from './import-words.ts'

type Plan = NonNullable<ImportRecord['plan']>
type ImportPlanProps = { record: ImportRecord; figuresOnly?: boolean }

export function ImportPlan({ record: { plan, mode }, figuresOnly = false }: ImportPlanProps) {
  if (!plan) return null
  const parts = planParts(plan, mode, { created: 'New listings', ended: 'Ending' })
  return (
    <>
      <Outcome label="What this import will do" parts={parts} figuresOnly={figuresOnly} />
      <NewNames names={plan.newNames} />
    </>
  )
}

type Counts = Pick<Plan, 'create' | 'update' | 'unchanged' | 'ended' | 'merged' | 'rejected'> & {
  held?: number
}

type PlanLabels = { created: string; ended: string; rejected?: string }

/** What happens to the rows of a plan or of a receipt. */
export function planParts(
  { create, update, unchanged, ended, merged, rejected, held = 0 }: Counts,
  mode: ImportRecord['mode'],
  labels: PlanLabels,
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
  return [...parts, { label: labels.rejected ?? 'Left out', count: rejected, color: 'bad' }]
}

type Names = Readonly<Record<'category' | 'manufacturer' | 'model', readonly string[]>>

const kinds: [kind: keyof Names, one: string, many: string][] = [
  ['category', 'category', 'categories'],
  ['manufacturer', 'manufacturer', 'manufacturers'],
  ['model', 'model', 'models'],
]
/** Enough for a seller to spot a typo; who runs the catalog sees all. */
const SHOWN = 12

type NewNamesProps = { names: Names; title?: string; all?: boolean }

/** Names that are not in the catalog yet, or were not until now. */
export function NewNames({ names, title = 'New names', all = false }: NewNamesProps) {
  const found = kinds.filter(([kind]) => names[kind].length > 0)
  if (found.length === 0) return null
  return (
    <div>
      <Text fw={600}>{title}</Text>
      {found.map(([kind, one, many]) => {
        const { length } = names[kind]
        const shown = all ? length : SHOWN
        return (
          <Text key={kind} size="sm" className="second">
            {formatCount(length)} {length === 1 ? one : many}: {names[kind].slice(0, shown).join(', ')}
            {length > shown && ` and ${formatCount(length - shown)} more`}
          </Text>
        )
      })}
    </div>
  )
}

/** What a person should know or decide, one sentence each. */
export function Notes({ title, notes, color = 'warning' }: NotesProps) {
  if (notes.length === 0) return null
  return (
    <Alert color={color} variant="light" title={title}>
      <List size="sm">
        {notes.map((note) => (
          <List.Item key={note}>{note}</List.Item>
        ))}
      </List>
    </Alert>
  )
}

type NotesProps = { title: string; notes: readonly string[]; color?: 'warning' | 'sea' }

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
