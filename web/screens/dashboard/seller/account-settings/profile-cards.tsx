import {
  Checkbox,
  Fieldset,
  NativeSelect,
  Radio,
  Stack,
  Switch,
  TextInput,
  VisuallyHidden,
} from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { User } from '#contract/account/accounts.ts'
import { PendingEmail } from '#web/components/account/confirm-email.tsx'
import { NewPasswordField, PasswordField } from '#web/components/form/password-field.tsx'
import { lastUseWords, useTokens } from './api-tokens-card.tsx'
import { SettingsCard, useSection } from './settings-section.tsx'
import '@mantine/core/styles/Switch.layer.css'

export const useProfileSection = ({ name, email }: User) =>
  useSection(
    { name, email, currentPassword: '' },
    {
      changesOf: ({ currentPassword, ...values }) => ({
        ...values,
        ...(currentPassword !== '' && { currentPassword }),
      }),
      done: 'Profile updated',
      failed: 'Could not update profile',
    },
  )

type ProfileCardProps = { section: ReturnType<typeof useProfileSection>; user: User }

export function ProfileCard({ section, user }: ProfileCardProps) {
  const changesEmail = section.values.email.trim().toLowerCase() !== user.email.toLowerCase()
  return (
    <SettingsCard
      title="Profile basics"
      lead="Your name and email."
      save="Save Changes"
      section={section}
      canSave={section.changed && (!changesEmail || section.values.currentPassword !== '')}
    >
      <TextInput label="Name" autoComplete="name" {...section.text('name')} />
      <TextInput label="Email" type="email" autoComplete="email" {...section.text('email')} />
      {changesEmail && (
        <PasswordField
          label="Current password"
          description="Needed for a new email address. It takes effect when you open the link we email there."
          autoComplete="current-password"
          {...section.text('currentPassword')}
        />
      )}
      {user.pendingEmail !== null && <PendingEmail email={user.pendingEmail} current={user.email} />}
    </SettingsCard>
  )
}

export function usePasswordSection() {
  const queryClient = useQueryClient()
  return useSection(
    { currentPassword: '', password: '', keepToken: '' },
    {
      changesOf: ({ keepToken, ...values }) => ({ ...values, ...(keepToken !== '' && { keepToken }) }),
      done: 'Password changed',
      failed: 'Could not change the password',
      onSaved: () => {
        void queryClient.invalidateQueries({ queryKey: ['sessions'] })
        void queryClient.invalidateQueries({ queryKey: ['api-tokens'] })
      },
    },
  )
}

type PasswordCardProps = { section: ReturnType<typeof usePasswordSection>; email: string }

export function PasswordCard({ section, email }: PasswordCardProps) {
  const { values, text, set } = section
  const { items: tokens = [] } = useTokens().data ?? {}
  return (
    <SettingsCard
      title="Password"
      lead="A new password signs you out on every other device."
      save="Change password"
      section={section}
      canSave={values.currentPassword !== '' && values.password !== ''}
    >
      <VisuallyHidden>
        {/* Lets password managers match the account. */}
        <input type="email" autoComplete="username" value={email} readOnly tabIndex={-1} aria-hidden />
      </VisuallyHidden>
      <PasswordField label="Current password" autoComplete="current-password" {...text('currentPassword')} />
      <NewPasswordField label="New password" {...text('password')} />
      {tokens.length > 0 && (
        <Radio.Group
          label="API tokens"
          description="Anyone who knew the old password may have copied them. Keep at most one."
          value={values.keepToken}
          onChange={(keepToken) => set({ keepToken })}
        >
          <Stack gap="xs" mt="xs">
            <Radio
              value=""
              label={tokens.length === 1 ? 'End the token' : `End all ${tokens.length} tokens`}
            />
            {tokens.map(({ id, name, ending, lastUsedAt }) => (
              <Radio
                key={id}
                value={id}
                label={`Keep “${name}”, ending in ${ending}`}
                description={lastUseWords(lastUsedAt)}
              />
            ))}
          </Stack>
        </Radio.Group>
      )}
    </SettingsCard>
  )
}

export const usePreferences = ({ notificationPrefs, communicationPrefs }: User) =>
  useSection(
    { ...notificationPrefs, ...communicationPrefs },
    {
      changesOf: ({ showPhonePublicly, preferredContact, takesOffers, ...emails }) => ({
        notificationPrefs: emails,
        communicationPrefs: { showPhonePublicly, preferredContact, takesOffers },
      }),
      copy: ['notificationPrefs', 'communicationPrefs'],
      done: 'Preferences saved',
      failed: 'Could not save preferences',
    },
  )

const emails: { name: keyof User['notificationPrefs']; label: string }[] = [
  { name: 'orderEmails', label: 'Email me about new orders' },
  { name: 'messageEmails', label: 'Email me about new messages' },
  { name: 'weeklySummary', label: 'Send me a weekly summary' },
]

export function PreferencesCard({ section }: { section: ReturnType<typeof usePreferences> }) {
  const { values, set } = section
  return (
    <SettingsCard
      title="Notifications and communication"
      lead="Which emails you get and how buyers reach you."
      save="Save preferences"
      section={section}
    >
      <Fieldset legend={<strong>Emails</strong>} variant="unstyled">
        <Stack gap="sm" mt="xs">
          {emails.map(({ name, label }) => (
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
      <Checkbox
        label="Let buyers make offers below my price"
        checked={values.takesOffers}
        onChange={(event) => set({ takesOffers: event.currentTarget.checked })}
      />
    </SettingsCard>
  )
}
