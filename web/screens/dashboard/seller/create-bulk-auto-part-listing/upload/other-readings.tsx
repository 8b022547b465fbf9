import { Button, Group, Stack, Text, Title } from '@mantine/core'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard.ts'
import { RowsTable } from './rows-table.tsx'

/** The same rows in each other way in which they might be meant. */
export function OtherReadings({ wizard, file }: { wizard: Wizard; file: ImportFile }) {
  const { said, readAs, locked } = wizard
  const { alternatives } = file.detection
  if (alternatives.length === 0) return null
  return (
    <div>
      <Title order={3} size="h4">
        Does it look wrong?
      </Title>
      <Text className="second" mb="xs">
        The same rows, read in other ways.
      </Text>
      <Stack gap="md">
        {alternatives.map(({ reading, words, header, rows }) => (
          <div key={words}>
            <Group justify="space-between" gap="sm" mb={4}>
              <Text fw={600}>{words}</Text>
              <Button
                variant="default"
                size="xs"
                disabled={locked}
                aria-label={`Read it like this: ${words}`}
                onClick={() => readAs({ ...reading, decimals: said.decimals ?? {} })}
              >
                Read it like this
              </Button>
            </Group>
            <RowsTable label={words} header={header} rows={rows} />
          </div>
        ))}
      </Stack>
    </div>
  )
}
