import { Button, Group, Text } from '@mantine/core'
import type { ImportDefaults } from '#contract/import-fields.ts'
import type { ImportMode } from '#contract/imports.ts'
import type { ColumnChoice } from './column-choice.ts'
import { withoutEmpty } from './defaults-step.tsx'
import { modeLabel } from './run-step.tsx'
import { StepCard } from './step-card.tsx'

type FormSummaryProps = {
  columns: ColumnChoice
  defaults: ImportDefaults
  mode: ImportMode
  onEdit: () => void
  /** While the file is on its way. */
  locked: boolean
}

/** In the place of the form while its answers are what counts. */
export function FormSummary({ columns, defaults, mode, onEdit, locked }: FormSummaryProps) {
  const matched = Object.keys(columns.mapping).length
  const given = Object.keys(withoutEmpty(defaults)).length
  return (
    <StepCard number={2} title="Columns and values" done>
      <Group justify="space-between" gap="md">
        <Text className="second">
          {matched} {matched === 1 ? 'column' : 'columns'} matched · {given}{' '}
          {given === 1 ? 'value' : 'values'} for empty cells · {modeLabel(mode)}
        </Text>
        <Button variant="default" onClick={onEdit} disabled={locked}>
          Change
        </Button>
      </Group>
    </StepCard>
  )
}
