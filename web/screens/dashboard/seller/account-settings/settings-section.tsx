import { Button, Card, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { accountEndpoints } from '#contract/accounts.ts'
import { keepUser } from '#web/api/account.ts'
import { type CallOptions, call } from '#web/api/client.ts'
import { type AccountCopy, keepOnDevice } from '#web/api/device-copies.ts'
import { fieldProblems } from '#web/api/failures.ts'
import { currentSession } from '#web/api/session.ts'
import { focusFirstProblem } from '#web/components/form/problems.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'

type SettingsCardProps = {
  title: string
  lead: string
  save: string
  changed: boolean
  saving: boolean
  onSave: () => Promise<unknown>
  children: ReactNode
}

export function SettingsCard({ title, lead, save, changed, saving, onSave, children }: SettingsCardProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    // The mutation has already shown the error.
    void onSave().catch(() => focusFirstProblem(form))
  }
  return (
    <Card component="form" onSubmit={submit} noValidate>
      <Stack gap="md">
        <div>
          <Title size="h3">{title}</Title>
          <Text className="second">{lead}</Text>
        </div>
        {children}
        <Button type="submit" disabled={!changed} loading={saving} style={{ alignSelf: 'flex-start' }}>
          {save}
        </Button>
      </Stack>
    </Card>
  )
}

/** The values of one settings card: saved values overlaid with unsaved edits. */
export function useSection<Values extends object>(saved: Values) {
  const [typed, setTyped] = useState<Partial<Values>>({})
  const values = { ...saved, ...typed }
  const changed = (Object.keys(typed) as (keyof Values)[]).some((name) => typed[name] !== saved[name])
  return {
    values,
    changed,
    set: (change: Partial<Values>) => setTyped((before) => ({ ...before, ...change })),
    /** Call after saving: drops the edits that were sent. */
    settle: (sent: Partial<Values>) => setTyped((now) => typedSince(now, sent)),
  }
}

/** The edits made while `sent` was being saved. */
export function typedSince<Values extends object>(
  typed: Partial<Values>,
  sent: Partial<Values>,
): Partial<Values> {
  const since = { ...typed }
  for (const name of Object.keys(typed) as (keyof Values)[]) {
    if (typed[name] === sent[name]) delete since[name]
  }
  return since
}

export type Section<Values extends object> = ReturnType<typeof useSection<Values>>

type Changes = CallOptions<typeof accountEndpoints.updateProfile>['body']
type Saving = {
  changes: Changes
  /** The spec's toast. */
  done: string
  failed: string
  /** The parts that are also stored on the device. */
  copy?: AccountCopy[]
}

/** Saves a settings card to the account. `problems` has a sentence for each field the server refused. */
export function useSaveSettings() {
  const saving = useMutation({
    mutationFn: ({ changes }: Saving) => call(accountEndpoints.updateProfile, { body: changes }),
    onSuccess: async (user, { changes, copy = [], done }) => {
      await keepUser(user)
      // The user may have signed out meanwhile. Don't leave copies for the next user of this computer.
      if (currentSession().user?.id !== user.id) return
      // Only after the account has them, or the device would show values that were never saved.
      for (const key of copy) keepOnDevice(key, changes[key] ?? {})
      notifyDone(done, { place: 'top-center' })
    },
    onError: (error, { failed }) => notifyError(error, failed, { place: 'top-center', about: failed }),
  })
  return { save: saving.mutateAsync, saving: saving.isPending, problems: fieldProblems(saving.error) }
}
