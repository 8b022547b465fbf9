import { Alert, Anchor, List, Text } from '@mantine/core'
import { describeReading } from '#contract/yard-file/detect-reading.ts'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard.ts'

/** Where a file is no plain CSV: what was detected, and the way to say otherwise. */
export function HowItIsRead({ wizard, file }: { wizard: Wizard; file: ImportFile }) {
  if (file.notes.length === 0 && file.sheets.length < 2) return null
  return (
    <Alert color="sea" variant="light" role="note" title={`Read as ${describeReading(file.reading)}`}>
      <List size="sm" spacing={2}>
        {file.notes.map((note) => (
          <List.Item key={note}>{note}</List.Item>
        ))}
      </List>
      <Text size="sm" mt={4}>
        <Anchor component="button" type="button" inherit onClick={() => wizard.goTo('upload')}>
          Read it in another way
        </Anchor>
      </Text>
    </Alert>
  )
}
