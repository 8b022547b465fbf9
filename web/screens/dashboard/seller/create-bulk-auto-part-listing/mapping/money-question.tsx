import { Alert, Group, Radio, Stack } from '@mantine/core'
import '@mantine/core/styles/RadioCard.layer.css'
import { importFieldLabels } from '#contract/import-fields.ts'
import { decimalMarks } from '#contract/yard-file/reading.ts'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard.ts'
import { dollarsIn, type OpenMoney } from './open-money.ts'

/** Nothing in a column says what its marks mean: whoever knows the file says it, once. */
export function MoneyQuestion({ wizard, question }: { wizard: Wizard; question: OpenMoney }) {
  const { field, header, value } = question
  const { said, readAs, locked } = wizard
  return (
    <Alert color="warning" variant="light" role="note" data-problem tabIndex={-1}>
      <Stack gap="xs">
        <Radio.Group
          label={`${importFieldLabels[field]}: what does “${value}” in the column “${header}” mean?`}
          description="No value of the column tells whether a point or a comma stands before the cents."
          value={null}
          onChange={(chosen: string) => {
            const mark = decimalMarks.find((one) => one === chosen)
            if (mark) readAs({ ...said, decimals: { ...said.decimals, [field]: mark } })
          }}
        >
          <Group gap="lg" mt="xs">
            {decimalMarks.map((mark) => (
              <Radio
                key={mark}
                value={mark}
                disabled={locked}
                label={`${dollarsIn(value, mark)} (${mark === 'point' ? 'a point' : 'a comma'} before the cents)`}
              />
            ))}
          </Group>
        </Radio.Group>
      </Stack>
    </Alert>
  )
}
