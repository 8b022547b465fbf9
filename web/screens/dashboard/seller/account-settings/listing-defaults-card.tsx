import { SimpleGrid, TextInput } from '@mantine/core'
import type { FilledDefaults } from '#web/components/listing-form/device-defaults.ts'
import { SettingsCard } from './settings-card.tsx'
import { useSaveSettings } from './use-save-settings.ts'
import type { Section } from './use-section.ts'

const fields: { name: keyof FilledDefaults; label: string; placeholder?: string; autoComplete?: string }[] = [
  { name: 'city', label: 'City', autoComplete: 'address-level2' },
  { name: 'state', label: 'State', placeholder: 'OK', autoComplete: 'address-level1' },
  { name: 'dealerName', label: 'Dealer name', autoComplete: 'organization' },
  { name: 'dealerPhone', label: 'Dealer phone', autoComplete: 'tel' },
  { name: 'grade', label: 'Condition/grade', placeholder: 'A, B, C' },
  { name: 'shipping', label: 'Shipping', placeholder: 'Free, Flat $20, Pickup only' },
]

export function ListingDefaultsCard({ section }: { section: Section<FilledDefaults> }) {
  const { values, changed, set, reset } = section
  const { save, saving, problems } = useSaveSettings()
  const onSave = async () => {
    await save({
      changes: { listingDefaults: values },
      copy: ['listingDefaults'],
      done: 'Listing defaults saved',
      failed: 'Could not save listing defaults',
    })
    reset()
  }
  return (
    <SettingsCard
      title="Listing defaults"
      lead="Each new listing begins with these; every one of them can be changed there."
      save="Save listing defaults"
      changed={changed}
      saving={saving}
      onSave={onSave}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        {fields.map(({ name, label, ...rest }) => (
          <TextInput
            key={name}
            label={label}
            name={name}
            value={values[name]}
            error={problems[name]}
            onChange={(event) => set({ [name]: event.currentTarget.value })}
            {...rest}
          />
        ))}
      </SimpleGrid>
    </SettingsCard>
  )
}
