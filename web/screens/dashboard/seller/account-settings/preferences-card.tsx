import { Checkbox, Fieldset, NativeSelect, Stack, Switch } from '@mantine/core'
import '@mantine/core/styles/Switch.layer.css'
import type { User } from '#contract/accounts.ts'
import { SettingsCard } from './settings-card.tsx'
import { useSaveSettings } from './use-save-settings.ts'
import type { Section } from './use-section.ts'

type Preferences = User['notificationPrefs'] & User['communicationPrefs']

const mails: { name: keyof User['notificationPrefs']; label: string }[] = [
  { name: 'orderEmails', label: 'E-mail me about new orders' },
  { name: 'messageEmails', label: 'E-mail me about new messages' },
  { name: 'weeklySummary', label: 'Send me a weekly summary' },
]

export function PreferencesCard({ section }: { section: Section<Preferences> }) {
  const { values, changed, set, settle } = section
  const { save, saving } = useSaveSettings()
  const onSave = async () => {
    const { showPhonePublicly, preferredContact, ...notificationPrefs } = values
    await save({
      changes: { notificationPrefs, communicationPrefs: { showPhonePublicly, preferredContact } },
      copy: ['notificationPrefs', 'communicationPrefs'],
      done: 'Preferences saved',
      failed: 'Could not save preferences',
    })
    settle(values)
  }
  return (
    <SettingsCard
      title="Notifications and communication"
      lead="What we write to you, and how buyers reach you."
      save="Save preferences"
      changed={changed}
      saving={saving}
      onSave={onSave}
    >
      <Fieldset legend={<strong>E-mails</strong>} variant="unstyled">
        <Stack gap="sm" mt="xs">
          {mails.map(({ name, label }) => (
            <Switch
              key={name}
              label={label}
              checked={values[name]}
              onChange={(event) => set({ [name]: event.currentTarget.checked })}
            />
          ))}
        </Stack>
      </Fieldset>
      <NativeSelect
        label="Preferred contact"
        data={[
          { value: 'email', label: 'Email' },
          { value: 'phone', label: 'Phone' },
        ]}
        value={values.preferredContact}
        onChange={(event) =>
          set({ preferredContact: event.currentTarget.value === 'phone' ? 'phone' : 'email' })
        }
      />
      <Checkbox
        label="Show my phone number on listings"
        checked={values.showPhonePublicly}
        onChange={(event) => set({ showPhonePublicly: event.currentTarget.checked })}
      />
    </SettingsCard>
  )
}
