import { Checkbox, Fieldset, NativeSelect, Stack, Switch, TextInput, VisuallyHidden } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { User } from '#contract/accounts.ts'
import { PasswordField } from '#web/components/form/password-field.tsx'
import { type Section, SettingsCard, useSaveSettings } from './settings-section.tsx'
import '@mantine/core/styles/Switch.layer.css'

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
      lead="Your name and email."
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

export type NewPassword = { currentPassword: string; password: string }
export const noPassword: NewPassword = { currentPassword: '', password: '' }

type PasswordCardProps = { section: Section<NewPassword>; email: string }

export function PasswordCard({ section, email }: PasswordCardProps) {
  const { values, set, settle } = section
  const queryClient = useQueryClient()
  const { save, saving, problems } = useSaveSettings()
  const onSave = async () => {
    await save({
      changes: values,
      done: 'Password changed',
      failed: 'Could not change the password',
    })
    settle(values)
    await queryClient.invalidateQueries({ queryKey: ['sessions'] })
  }
  return (
    <SettingsCard
      title="Password"
      lead="A new password signs you out on every other device."
      save="Change password"
      changed={values.currentPassword !== '' && values.password !== ''}
      saving={saving}
      onSave={onSave}
    >
      <VisuallyHidden>
        {/* Lets password managers match the account. */}
        <input type="email" autoComplete="username" value={email} readOnly tabIndex={-1} aria-hidden />
      </VisuallyHidden>
      <PasswordField
        label="Current password"
        name="currentPassword"
        autoComplete="current-password"
        value={values.currentPassword}
        error={problems.currentPassword}
        onChange={(event) => set({ currentPassword: event.currentTarget.value })}
      />
      <PasswordField
        label="New password"
        description="At least 8 characters. A few unrelated words are easy to remember."
        name="password"
        autoComplete="new-password"
        value={values.password}
        error={problems.password}
        onChange={(event) => set({ password: event.currentTarget.value })}
      />
    </SettingsCard>
  )
}

type Preferences = User['notificationPrefs'] & User['communicationPrefs']

const mails: { name: keyof User['notificationPrefs']; label: string }[] = [
  { name: 'orderEmails', label: 'Email me about new orders' },
  { name: 'messageEmails', label: 'Email me about new messages' },
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
      lead="Which emails you get and how buyers reach you."
      save="Save preferences"
      changed={changed}
      saving={saving}
      onSave={onSave}
    >
      <Fieldset legend={<strong>Emails</strong>} variant="unstyled">
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
