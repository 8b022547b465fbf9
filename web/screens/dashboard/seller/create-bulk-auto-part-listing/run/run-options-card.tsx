import { Alert, Checkbox, Group, NumberInput, Radio, SimpleGrid, Stack, Text } from '@mantine/core'
import '@mantine/core/styles/NumberInput.layer.css'
import { SectionCard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/section-card.tsx'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/wizard.ts'
import { chunkSizeOf, chunkSizes, concurrencies, concurrencyOf } from './run-options.ts'
import '@mantine/core/styles/RadioCard.layer.css'
import '@mantine/core/styles/RadioIndicator.layer.css'
import { type ImportMode, importModes } from '#contract/imports.ts'
import classes from './run.module.css'

/** What a run does, and how its rows are sent. */
export function RunOptionsCard({ wizard }: { wizard: Wizard }) {
  const { options, setOptions, preview, locked } = wizard
  return (
    <SectionCard title="How it is sent">
      <Stack gap="md">
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
          description="Reads every row and tells what is wrong and what would change. Writes nothing."
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" maw="36rem">
          <NumberInput
            label="Chunk size"
            description="Rows that are sent in one go."
            value={options.chunkSize}
            onChange={(rows) => typeof rows === 'number' && setOptions({ ...options, chunkSize: rows })}
            onBlur={() => setOptions({ ...options, chunkSize: chunkSizeOf(options.chunkSize) })}
            min={chunkSizes.least}
            max={chunkSizes.most}
            step={chunkSizes.step}
            clampBehavior="blur"
            allowDecimal={false}
            allowNegative={false}
            disabled={locked}
          />
          <NumberInput
            label="Concurrency"
            description="Chunks that are on their way at the same time."
            value={options.concurrency}
            onChange={(count) =>
              typeof count === 'number' && setOptions({ ...options, concurrency: concurrencyOf(count) })
            }
            min={concurrencies.least}
            max={concurrencies.most}
            step={1}
            clampBehavior="strict"
            allowDecimal={false}
            allowNegative={false}
            disabled={locked}
          />
        </SimpleGrid>
        {preview && (
          <Alert color="sea" variant="light" role="note">
            You see this page as an administrator: you can check a file as sellers do. Importing needs the Pro
            plan.
          </Alert>
        )}
      </Stack>
    </SectionCard>
  )
}

const modes: Record<ImportMode, { label: string; text: string }> = {
  add: {
    label: 'Add and update',
    text: 'New parts are listed, known ones take the values of the file. Nothing else is touched.',
  },
  replace: {
    label: 'Replace my stock',
    text: 'The file is your whole stock: besides, parts of earlier imports that it lacks end as sold elsewhere. Above 20 % of them you are asked before anything changes.',
  },
}

const isMode = (value: string): value is ImportMode => importModes.some((mode) => mode === value)

type ModeChoiceProps = { mode: ImportMode; onChange: (mode: ImportMode) => void; disabled?: boolean }

/** What an import is to the listings that are there. */
export function ModeChoice({ mode, onChange, disabled = false }: ModeChoiceProps) {
  return (
    <Radio.Group
      label="What it does to your listings"
      value={mode}
      onChange={(value) => isMode(value) && onChange(value)}
    >
      <div className={classes.modes}>
        {importModes.map((value) => (
          <Radio.Card key={value} value={value} className={classes.mode} disabled={disabled}>
            <Group wrap="nowrap" align="flex-start" gap="sm">
              <Radio.Indicator mt={2} className={classes.indicator} />
              <div>
                <Text fw={600}>{modes[value].label}</Text>
                <Text size="sm" className="second">
                  {modes[value].text}
                </Text>
              </div>
            </Group>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  )
}
