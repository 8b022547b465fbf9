import { TextInput } from '@mantine/core'
import type { User } from '#contract/accounts.ts'
import { SettingsCard } from './settings-card.tsx'
import { useSaveSettings } from './use-save-settings.ts'
import type { Section } from './use-section.ts'

export function ProfileCard({ section }: { section: Section<Pick<User, 'name' | 'email'>> }) {
  const { values, changed, set, settle } = section
  const { save, saving, problems } = useSaveSettings()
  const onSave = async () => {
    await save({ changes: values, done: 'Profile updated', failed: 'Could not update profile' })
    settle(values)
  }
  return (
    <SettingsCard
      title="Profile basics"
      lead="How we greet you, and where our mail goes."
      save="Save Changes"
      changed={changed}
      saving={saving}
      onSave={onSave}
    >
      <TextInput
        label="Name"
        name="name"
        autoComplete="name"
        value={values.name}
        error={problems.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <TextInput
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        value={values.email}
        error={problems.email}
        onChange={(event) => set({ email: event.currentTarget.value })}
      />
    </SettingsCard>
  )
}
