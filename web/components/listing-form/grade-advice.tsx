import { Button, Group, Text } from '@mantine/core'
import { contradictedDamage, damageInWords, suggestGrade } from '#contract/listing/grade-rule.ts'
import { useCategories } from '#web/components/listing-lookups/lookup-queries.ts'
import { useField, useFormContext, useFormValues } from './use-listing-form.ts'

/** The grade by the damage code or the miles, with the reason; a seller may choose another one and explain why. */
export function GradeAdvice() {
  const { disabled } = useFormContext()
  const form = useFormValues()
  const { set } = useField('partgrade')
  const { data: categories } = useCategories()
  const {
    partgrade,
    damagecode,
    partmiles,
    partyear,
    partname,
    partcategoryId,
    partdescription,
    partdamage,
  } = form.values
  const category = categories?.find(({ id }) => id === partcategoryId)?.name ?? ''
  const now = new Date().getFullYear()
  const words = `${partname} ${category}`
  const { grade, reason } = suggestGrade({ damagecode, partmiles, partyear, words, now })
  const word = contradictedDamage(damagecode, partdescription, partdamage)
  const code = damageInWords(damagecode)
  if (grade === 'X' && !word) return null
  return (
    <div role="status">
      {grade !== 'X' && (
        <Group gap="xs">
          <Text size="sm" className="second">
            {code && code !== 'No damage' ? `${code}. ` : ''}
            {partgrade === grade ? `ARA grade ${grade}: ` : `ARA would grade it ${grade}: `}
            {reason}.
          </Text>
          {partgrade !== grade && (
            <Button size="compact-xs" variant="default" disabled={disabled} onClick={() => set(grade)}>
              Use {grade}
            </Button>
          )}
        </Group>
      )}
      {grade !== 'X' && partgrade !== '' && partgrade !== grade && form.values.gradereason.trim() === '' && (
        <Text size="sm" className="second">
          To keep {partgrade}, say why under “Reason for the grade”.
        </Text>
      )}
      {word && (
        <Text size="sm" c="warning">
          The damage code 000 means no damage, but the text says “{word}”. Correct one of them.
        </Text>
      )}
    </div>
  )
}
