import { VisuallyHidden } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { PasswordField } from '#web/components/password-field.tsx'
import { SettingsCard } from './settings-card.tsx'
import { useSaveSettings } from './use-save-settings.ts'
import type { Section } from './use-section.ts'

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
        {/* Tells a password store whose password this is. */}
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
        description="At least 8 characters; a few words in a row are easy to keep"
        name="password"
        autoComplete="new-password"
        value={values.password}
        error={problems.password}
        onChange={(event) => set({ password: event.currentTarget.value })}
      />
    </SettingsCard>
  )
}
