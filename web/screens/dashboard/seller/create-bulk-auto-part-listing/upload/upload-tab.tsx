import { Button, Group, List, Stack, Table, Text, Title } from '@mantine/core'
import { describeReading } from '#contract/yard-file/detect-reading.ts'
import bar from '#web/components/form/save-bar.module.css'
import { rowsInWords } from '#web/components/imports/import-words.ts'
import { SectionCard } from '#web/components/page/section-card.tsx'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import { RunOptionsCard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/run/run-options-card.tsx'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/use-wizard.ts'
import { DropZone } from './drop-zone.tsx'
import { ReadingFields, SheetChoice } from './reading-fields.tsx'
import classes from './upload.module.css'

export function UploadTab({ wizard }: { wizard: Wizard }) {
  const { file, choose, locked, options, preview, chosen } = wizard
  const checksOnly = options.dryRun || preview
  return (
    <Stack gap="md">
      {!file && chosen.step !== 'reading' && (
        <SectionCard title="Choose your file">
          <DropZone onChoose={choose} />
        </SectionCard>
      )}
      {file && <ReadingPanel key={file.file.name} wizard={wizard} file={file} />}
      <RunOptionsCard wizard={wizard} />
      <section className={bar.bar} aria-label="Next step">
        <Text className="second">{file ? rowsInWords(file.records) : 'No file yet'}</Text>
        <Button
          size="md"
          disabled={locked}
          onClick={() => (checksOnly ? wizard.check() : wizard.startImport())}
        >
          {checksOnly ? 'Validate (dry run)' : 'Run import'}
        </Button>
      </section>
    </Stack>
  )
}

const SHOWN_ROWS = 3

/** How the file was read, with alternatives and inputs to change each setting. */
function ReadingPanel({ wizard, file }: { wizard: Wizard; file: ImportFile }) {
  const { overrides, readAs, locked } = wizard
  const { reading, sheets } = file
  return (
    <SectionCard
      title="How your file is read"
      lead={describeReading(reading)}
      aside={
        Object.keys(overrides).length > 0 && (
          <Button variant="default" size="xs" onClick={() => readAs({})} disabled={locked}>
            Use detected settings
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
        <SheetChoice {...file} sheets={sheets} disabled={locked} onChoose={readAs} />
        <RowsTable label="First rows" header={file.headers} rows={file.samples.slice(0, SHOWN_ROWS)} />
        <OtherReadings wizard={wizard} file={file} />
        <ReadingFields wizard={wizard} file={file} />
      </Stack>
    </SectionCard>
  )
}

function OtherReadings({ wizard, file }: { wizard: Wizard; file: ImportFile }) {
  const { overrides, readAs, locked } = wizard
  const { alternatives } = file.detection
  if (alternatives.length === 0) return null
  return (
    <div>
      <Title order={3} size="h4">
        Doesn’t look right?
      </Title>
      <Text className="second" mb="xs">
        Here are the same rows, read differently.
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
                onClick={() => readAs({ ...reading, decimals: overrides.decimals ?? {} })}
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

type RowsTableProps = { label: string; header: readonly string[]; rows: readonly (readonly string[])[] }

/** More than anyone compares. All columns are visible when matching them. */
const MAX_COLUMNS = 40

function RowsTable({ label, header, rows }: RowsTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling table must be reachable by keyboard
    <section className={classes.scroll} aria-label={label} tabIndex={0}>
      <Table className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            {header.slice(0, MAX_COLUMNS).map((name, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns never move, and two may have one name
              <Table.Th key={place} scope="col">
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows never move, and two may be alike
            <Table.Tr key={row}>
              {header.slice(0, MAX_COLUMNS).map((_, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells never move
                <Table.Td key={place}>{cells[place] ?? ''}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}
