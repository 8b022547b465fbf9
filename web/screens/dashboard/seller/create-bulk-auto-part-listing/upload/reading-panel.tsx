import { Button, List, Select, Stack } from '@mantine/core'
import { describeReading } from '#contract/yard-file/detect-reading.ts'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import { SectionCard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/section-card.tsx'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard.ts'
import { OtherReadings } from './other-readings.tsx'
import { ReadingFields } from './reading-fields.tsx'
import { RowsTable } from './rows-table.tsx'

const SHOWN_ROWS = 3

/** How the bytes became rows: what was detected, how else they could be read, and every point of it to decide. */
export function ReadingPanel({ wizard, file }: { wizard: Wizard; file: ImportFile }) {
  const { said, readAs, locked } = wizard
  const { reading, sheets } = file
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
        <OtherReadings wizard={wizard} file={file} />
        <ReadingFields wizard={wizard} file={file} />
      </Stack>
    </SectionCard>
  )
}
