import { Alert, Checkbox, Group, Radio, SimpleGrid, Text } from '@mantine/core'
import { NumberField } from '#web/components/form/number-field.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { Details } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/next-step-bar.tsx'
import {
  chunkSizeOf,
  chunkSizes,
  concurrencies,
  concurrencyOf,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/import-memory.ts'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/use-wizard.ts'
import '@mantine/core/styles/RadioCard.layer.css'
import '@mantine/core/styles/RadioIndicator.layer.css'
import { type ImportMode, importModes } from '#contract/imports.ts'
import classes from './run.module.css'

export function RunOptionsCard({ wizard }: { wizard: Wizard }) {
  const { options, setOptions, preview, locked } = wizard
  return (
    <SectionCard title="Upload options">
      <ModeChoice
        mode={options.mode}
        onChange={(mode) => setOptions({ ...options, mode })}
        disabled={locked}
      />
      <Checkbox
        checked={options.dryRun || preview}
        disabled={preview || locked}
        onChange={(event) => setOptions({ ...options, dryRun: event.currentTarget.checked })}
        label="Dry run"
        description="Checks every row and shows what would change. Changes nothing."
      />
      <Details>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" maw="36rem">
          <NumberField
            label="Chunk size"
            description="Rows per request."
            value={options.chunkSize}
            onChange={(rows) => rows !== undefined && setOptions({ ...options, chunkSize: rows })}
            onBlur={() => setOptions({ ...options, chunkSize: chunkSizeOf(options.chunkSize) })}
            min={chunkSizes.least}
            max={chunkSizes.most}
            disabled={locked}
          />
          <NumberField
            label="Concurrency"
            description="Chunks uploaded at the same time."
            value={options.concurrency}
            onChange={(count) =>
              count !== undefined && setOptions({ ...options, concurrency: concurrencyOf(count) })
            }
            min={concurrencies.least}
            max={concurrencies.most}
            disabled={locked}
          />
        </SimpleGrid>
      </Details>
      {preview && <PreviewNote />}
    </SectionCard>
  )
}

export function PreviewNote() {
  return (
    <Alert color="sea" variant="light" role="note">
      As an administrator you can check a file here. Importing requires the Pro plan.
    </Alert>
  )
}

const modes: Record<ImportMode, { label: string; text: string }> = {
  add: {
    label: 'Add and update',
    text: 'Lists new parts and updates existing ones. A quantity of 0 ends a listing. Nothing else changes.',
  },
  replace: {
    label: 'Replace my stock',
    text: 'Parts that are no longer in your file are taken down. If that is more than 20% of them, we ask first.',
  },
}

const partsToday = (missing: number): string =>
  missing === 1 ? '1 part today.' : `${missing.toLocaleString('en-US')} parts today.`

type ModeChoiceProps = {
  mode: ImportMode
  onChange: (mode: ImportMode) => void
  disabled?: boolean
  /** Why the file can't be all of the stock. */
  part?: string | undefined
  /** Live parts that the file does not name. */
  missing?: number | undefined
}

export function ModeChoice({ mode, onChange, disabled = false, part, missing }: ModeChoiceProps) {
  return (
    <Radio.Group label="What it does to your listings" description={part} value={mode} onChange={onChange}>
      <div className={classes.modes}>
        {importModes.map((value) => (
          <Radio.Card key={value} value={value} className={classes.mode} disabled={disabled}>
            <Group wrap="nowrap" align="flex-start" gap="sm">
              <Radio.Indicator mt={2} className={classes.indicator} />
              <div>
                <Text fw={600}>{modes[value].label}</Text>
                <Text size="sm" className="second">
                  {modes[value].text}
                  {value === 'replace' && missing !== undefined && ` ${partsToday(missing)}`}
                </Text>
              </div>
            </Group>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  )
}
