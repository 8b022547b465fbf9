import { Button, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { fieldProblems } from '#web/api/failures.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import { type NewLookup, useRefreshLookups } from './managed-lookups.ts'

type CreateNameFormProps = {
  /** The spec's label. */
  label: string
  /** The API's field name, by which a refusal marks the field. */
  field: string
  submit: string
  create: (name: string) => Promise<NewLookup>
  onCreated: (created: NewLookup) => void
}

/** The one-field form for categories and manufacturers; only the server validates the name (spec, section 5). */
export function CreateNameForm({ label, field, submit, create, onCreated }: CreateNameFormProps) {
  const [name, setName] = useState('')
  const refresh = useRefreshLookups()
  const creating = useMutation({
    mutationFn: create,
    onSuccess: (created) => {
      notifyDone(`${created.name} is created`, { about: label })
      setName('')
      onCreated(created)
      refresh()
    },
    // The spec has this one sentence for both forms.
    onError: (error) => notifyError(error, 'Create category failed. Try again.', { about: label }),
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!creating.isPending) creating.mutate(name)
  }
  return (
    <form onSubmit={send} noValidate>
      <Stack gap="md">
        <TextInput
          label={label}
          value={name}
          onChange={(event) => {
            setName(event.currentTarget.value)
            creating.reset()
          }}
          error={fieldProblems(creating.error)[field]}
          autoComplete="off"
        />
        <Button type="submit" loading={creating.isPending} style={{ alignSelf: 'flex-start' }}>
          {submit}
        </Button>
      </Stack>
    </form>
  )
}
