import { SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { JsonArea } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/json-area.tsx'
import { labelsOf } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/mapping/column-choice.ts'
import { SectionCard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/section-card.tsx'
import { WayOn } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/way-on.tsx'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard.ts'
import { DefaultFields } from './default-fields.tsx'

/** Values for cells that are empty or have no column, and where the staged rows go. */
export function DefaultsTab({ wizard }: { wizard: Wizard }) {
  const { defaults, setDefaults, staging, setStaging, locked, lacking, file } = wizard
  return (
    <Stack gap="md">
      <SectionCard
        title="Values for empty cells"
        lead="A row that has no value of its own takes these. What is the same in every row needs no column at all."
      >
        <Stack gap="md">
          {file && lacking.length > 0 && (
            <Text c="warning">No column gives {labelsOf(lacking)}: a value here goes for all rows.</Text>
          )}
          <DefaultFields defaults={defaults} onChange={setDefaults} disabled={locked} />
          <JsonArea
            label="Defaults JSON"
            description="Field to value. The fields above follow it, and it follows them."
            placeholder={'{ "partcity": "Tulsa", "partstate": "OK" }'}
            json={wizard.defaultsJson}
            disabled={locked}
          />
        </Stack>
      </SectionCard>
      <SectionCard
        title="Where the rows are staged"
        lead="Rows wait in a file of their own until they go live. Its name says whose they are and of which day; mostly there is nothing to change."
      >
        <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
          <TextInput
            label="Seller slug"
            value={staging.sellerSlug}
            maxLength={60}
            autoComplete="off"
            disabled={locked}
            onChange={(event) => setStaging({ ...staging, sellerSlug: event.currentTarget.value })}
          />
          <TextInput
            label="Dataset hint"
            value={staging.datasetHint}
            maxLength={60}
            autoComplete="off"
            disabled={locked}
            onChange={(event) => setStaging({ ...staging, datasetHint: event.currentTarget.value })}
          />
          <TextInput
            type="date"
            label="Staging date"
            value={staging.timestamp}
            min="2000-01-01"
            max="2099-12-31"
            disabled={locked}
            onChange={(event) => setStaging({ ...staging, timestamp: event.currentTarget.value })}
          />
        </SimpleGrid>
      </SectionCard>
      <WayOn wizard={wizard} />
    </Stack>
  )
}
