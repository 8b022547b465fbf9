import { Text } from '@mantine/core'
import type { StagingPlan } from '#contract/staging-desk.ts'
import { Outcome } from '#web/components/imports/outcome.tsx'

/** What becomes of the rows, and the names that would be made for them. */
export function PlanCounts({ plan }: { plan: StagingPlan }) {
  const { category, manufacturer, model } = plan.newNames
  const names = [
    ['categories', category],
    ['manufacturers', manufacturer],
    ['models', model],
  ] as const
  return (
    <>
      <Outcome
        label="What the plan does"
        parts={[
          { label: 'Created', count: plan.create, color: 'good' },
          { label: 'Updated', count: plan.update, color: 'sea' },
          { label: 'Unchanged', count: plan.unchanged, color: 'gray' },
          { label: 'Ended', count: plan.ended, color: 'warning' },
          { label: 'Merged', count: plan.merged, color: 'gray', hint: 'The same part on an earlier row' },
          { label: 'Refused', count: plan.refused, color: 'bad' },
        ]}
      />
      {names.map(
        ([label, made]) =>
          made.length > 0 && (
            <Text key={label} size="sm">
              <strong>New {label}:</strong> {made.join(', ')}
            </Text>
          ),
      )}
    </>
  )
}
