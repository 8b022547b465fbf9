import { Button, Group, List, Select, Stack, Text, Title } from '@mantine/core'
import { describeReading } from '#contract/yard-file/detect-reading.ts'
import type { ImportFile } from './import-file.ts'
import { ReadingFields } from './reading-fields.tsx'
import { RowsTable } from './rows-table.tsx'
import { SectionCard } from './section-card.tsx'
import type { Wizard } from './wizard.ts'

const SHOWN_ROWS = 3

/** How the bytes became rows: what was detected, how else they could be read, and every point of it to decide. */
export function ReadingPanel({ wizard, file }: { wizard: Wizard; file: ImportFile }) {
  const { said, readAs, locked } = wizard
  const { reading, detection, sheets } = file
  return (
    <SectionCard
      title="How your file is read"
      lead={describeReading(reading)}
      aside={
        Object.keys(said).length > 0 && (
          <Button variant="default" size="xs" onClick={() => readAs({})} disabled={locked}>
            Detect it again
          </Button>
        )
      }
    >
      <Stack gap="md">
        {file.notes.length > 0 && (
          <List spacing={4}>
            {file.notes.map((note) => (
              <List.Item key={note}>{note}</List.Item>
            ))}
          </List>
        )}
        {sheets.length > 1 && (
          <Select
            label="Sheet of the workbook"
            data={sheets}
            value={reading.sheet ?? sheets[0] ?? null}
            onChange={(sheet) => sheet !== null && readAs({ sheet })}
            allowDeselect={false}
            disabled={locked}
            maw="26rem"
          />
        )}
        <RowsTable
          label="First rows as they are read"
          header={file.headers}
          rows={file.samples.slice(0, SHOWN_ROWS)}
        />
        {detection.alternatives.length > 0 && (
          <div>
            <Title order={3} size="h4">
              Does it look wrong?
            </Title>
            <Text className="second" mb="xs">
              The same rows, read in other ways.
            </Text>
            <Stack gap="md">
              {detection.alternatives.map(({ reading: other, words, rows: [header = [], ...rows] }) => (
                <div key={words}>
                  <Group justify="space-between" gap="sm" mb={4}>
                    <Text fw={600}>{words}</Text>
                    <Button
                      variant="default"
                      size="xs"
                      disabled={locked}
                      aria-label={`Read it as ${words}`}
                      onClick={() => readAs({ ...other, decimals: said.decimals ?? {} })}
                    >
                      Read it like this
                    </Button>
                  </Group>
                  <RowsTable label={words} header={header} rows={rows.slice(0, SHOWN_ROWS)} />
                </div>
              ))}
            </Stack>
          </div>
        )}
        <ReadingFields wizard={wizard} file={file} />
      </Stack>
    </SectionCard>
  )
}
