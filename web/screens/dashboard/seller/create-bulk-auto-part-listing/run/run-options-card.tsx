import { Alert, Checkbox, NumberInput, SimpleGrid, Stack } from '@mantine/core'
import '@mantine/core/styles/NumberInput.layer.css'
import { SectionCard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/section-card.tsx'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard.ts'
import { ModeChoice } from './mode-choice.tsx'
import { chunkSizeOf, chunkSizes, concurrencies, concurrencyOf } from './run-options.ts'

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
