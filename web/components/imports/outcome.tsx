import { formatCount } from './import-words.ts'
import classes from './outcome.module.css'

export type OutcomePart = {
  label: string
  count: number
  color: 'good' | 'sea' | 'gray' | 'warning' | 'bad'
  /** What the number means, where the label alone does not say it. */
  hint?: string
}

type OutcomeProps = {
  parts: OutcomePart[]
  label: string
  /** Without the bar where another one shows how far it is. */
  figuresOnly?: boolean
}

/** What becomes of the rows: one bar, and each part of it as a number. */
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
