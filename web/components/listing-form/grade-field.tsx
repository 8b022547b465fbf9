import { Group, Radio } from '@mantine/core'
import '@mantine/core/styles/Radio.layer.css'
import { type Grade, grades, gradeWords } from '#contract/listing-rules.ts'
import { useField, useFormContext } from './form-context.ts'
import classes from './grade-field.module.css'

/** The spec's words of the admin's form; sellers read others. */
const adminWords: Record<Grade, string> = { A: 'excellent', B: 'mint', C: 'fair', D: 'bad condition' }

export function GradeField() {
  const { input, set } = useField('partgrade')
  const { disabled, ...group } = input
  const words = useFormContext().own ? gradeWords : adminWords
  return (
    <Radio.Group
      {...group}
      onChange={set}
      description={grades.map((grade) => `${grade} ${words[grade]}`).join(', ')}
      data-error={group.error !== undefined || undefined}
    >
      <Group gap="xs" mt={6} wrap="nowrap" maw="28rem">
        {grades.map((grade) => (
          <Radio
            key={grade}
            value={grade}
            label={grade}
            aria-label={`${grade} ${words[grade]}`}
            disabled={disabled}
            className={classes.grade}
          />
        ))}
      </Group>
    </Radio.Group>
  )
}
