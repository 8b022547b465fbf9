import type { ImportRecord } from '#contract/imports.ts'
import { NewNames } from './new-names.tsx'
import { Outcome, type OutcomePart } from './outcome.tsx'

type ImportPlanProps = { record: ImportRecord; figuresOnly?: boolean }

/** What the plan says will happen. */
export function ImportPlan({ record: { plan, mode }, figuresOnly = false }: ImportPlanProps) {
  if (!plan) return null
  const parts: OutcomePart[] = [
    { label: 'New listings', count: plan.create, color: 'good' },
    { label: 'Updated', count: plan.update, color: 'sea' },
    { label: 'Unchanged', count: plan.unchanged, color: 'gray' },
  ]
  if (mode === 'replace')
    parts.push({ label: 'Ending', count: plan.ended, color: 'warning', hint: 'as sold elsewhere' })
  if (plan.merged > 0)
    parts.push({ label: 'Same rows', count: plan.merged, color: 'gray', hint: 'become a quantity' })
  parts.push({ label: 'Left out', count: plan.rejected, color: 'bad' })
  return (
    <>
      <Outcome label="What this import will do" parts={parts} figuresOnly={figuresOnly} />
      <NewNames names={plan.newNames} />
    </>
  )
}
