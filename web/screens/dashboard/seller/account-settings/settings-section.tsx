import { Button, Card, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, type FormEvent, type ReactNode, useState } from 'react'
import { accountEndpoints } from '#contract/account/accounts.ts'
import { keepUser } from '#web/api/account.ts'
import { type CallOptions, call } from '#web/api/client.ts'
import { type AccountCopy, keepOnDevice } from '#web/api/device-copies.ts'
import { fieldProblems } from '#web/api/failures.ts'
import { currentSession } from '#web/api/session.ts'
import { focusFirstProblem } from '#web/components/form/problems.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'

type SettingsCardProps<Values extends object> = {
  title: string
  lead: string
  /** The button's label. */
  save: string
  section: Section<Values>
  /** Whether the button is enabled; defaults to whether there are unsaved edits. */
  canSave?: boolean
  children: ReactNode
}

export function SettingsCard<Values extends object>(props: SettingsCardProps<Values>) {
  const { title, lead, save, section, canSave = section.changed, children } = props
  return (
    <Card component="form" onSubmit={section.submit} noValidate>
      <Stack gap="md">
        <div>
          <Title size="h3">{title}</Title>
          <Text className="second">{lead}</Text>
        </div>
        {children}
        <Button
          type="submit"
          disabled={!canSave}
          loading={section.saving}
          style={{ alignSelf: 'flex-start' }}
        >
          {save}
        </Button>
      </Stack>
    </Card>
  )
}

type Changes = CallOptions<typeof accountEndpoints.updateProfile>['body']

type Saving<Values> = {
  changesOf: (values: Values) => Changes
  /** The parts that are also stored on the device. */
  copy?: AccountCopy[]
  /** The spec's toasts. */
  done: string
  failed: string
  onSaved?: () => void
}

/** One settings card: the account's values overlaid with unsaved edits, and saving them. */
export function useSection<Values extends object>(saved: Values, saving: Saving<Values>) {
  const [typed, setTyped] = useState<Partial<Values>>({})
  const values = { ...saved, ...typed }
  const { copy = [], done, failed } = saving
  const request = useMutation({
    // A variable, because the user may keep typing while these are being saved.
    mutationFn: (sent: Values) => call(accountEndpoints.updateProfile, { body: saving.changesOf(sent) }),
    onSuccess: async (user, sent) => {
      await keepUser(user)
      // The user may have signed out meanwhile. Don't leave copies for the next user of this computer.
      if (currentSession().user?.id === user.id) {
        // Only after the account has them, or the device would show values that were never saved.
        for (const key of copy) keepOnDevice(key, saving.changesOf(sent)[key] ?? {})
        notifyDone(done, { place: 'top-center', about: failed })
      }
      setTyped((now) => typedSince(now, sent))
      saving.onSaved?.()
    },
    onError: (error) => notifyError(error, failed, { place: 'top-center', about: failed }),
  })
  const problems = fieldProblems(request.error)
  const set = (change: Partial<Values>) => setTyped((before) => ({ ...before, ...change }))
  return {
    values,
    changed: (Object.keys(typed) as (keyof Values)[]).some((name) => typed[name] !== saved[name]),
    set,
    saving: request.isPending,
    submit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault()
      const form = event.currentTarget
      request.mutate(values, { onError: () => focusFirstProblem(form) })
    },
    /** The error of each field that the server refused. */
    problems,
    /** The props of a text field. */
    text: (name: keyof Values & string) => ({
      name,
      value: String(values[name]),
      error: problems[name],
      onChange: (event: ChangeEvent<HTMLInputElement>) =>
        set({ [name]: event.currentTarget.value } as Partial<Values>),
    }),
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

type Section<Values extends object> = ReturnType<typeof useSection<Values>>
