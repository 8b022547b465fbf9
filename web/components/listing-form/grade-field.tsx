import { Group, Radio } from '@mantine/core'
import '@mantine/core/styles/Radio.layer.css'
import { grades, gradeWords } from '#contract/listing-rules.ts'
import { useField } from './form-context.ts'
import classes from './grade-field.module.css'

const hint = grades.map((grade) => `${grade} ${gradeWords[grade]}`).join(', ')

export function GradeField() {
  const { input, set } = useField('partgrade')
  const { disabled, ...group } = input
  return (
    <Radio.Group
      {...group}
      onChange={set}
      description={hint}
      data-error={group.error !== undefined || undefined}
    >
      <Group gap="xs" mt={6} wrap="nowrap" maw="28rem">
        {grades.map((grade) => (
          <Radio
            key={grade}
            value={grade}
            label={grade}
            aria-label={`${grade} ${gradeWords[grade]}`}
            disabled={disabled}
            className={classes.grade}
          />
        ))}
      </Group>
    </Radio.Group>
  )
}
