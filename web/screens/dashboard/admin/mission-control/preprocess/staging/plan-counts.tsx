import { List, Text } from '@mantine/core'
import type { StagingPlan } from '#contract/staging.ts'
import { formatCount } from '#web/components/imports/import-words.ts'
import { Outcome } from '#web/components/imports/outcome.tsx'
import classes from './staging.module.css'

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
      {plan.refusals.length > 0 && <Refusals plan={plan} />}
    </>
  )
}

/** Why rows are refused: corrected in the editor, they are taken by the next plan. */
function Refusals({ plan: { refusals, refused } }: { plan: StagingPlan }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be within reach of the keys
    <section className={classes.refusals} aria-label="Refused rows" tabIndex={0}>
      <Text size="sm" fw={650}>
        Refused until they are corrected, saved and planned again:
      </Text>
      <List size="sm">
        {refusals.map((sentence) => (
          <List.Item key={sentence}>{sentence}</List.Item>
        ))}
      </List>
      {refused > refusals.length && <Text size="sm">and {formatCount(refused - refusals.length)} more</Text>}
    </section>
  )
}
