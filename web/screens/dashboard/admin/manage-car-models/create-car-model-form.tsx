import { Button, NativeSelect, Stack, TextInput, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { lookupEndpoints } from '#contract/lookups.ts'
import { call } from '#web/api/client.ts'
import { fieldProblems } from '#web/api/failures.ts'
import { type NewLookup, useRefreshLookups } from '#web/components/admin/lookups/managed-lookups.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import { useManufacturerOptions } from './manufacturer-options.ts'

const about = 'car model'

export function CreateCarModelForm({ onCreated }: { onCreated: (created: NewLookup) => void }) {
  const [carname, setCarname] = useState('')
  const [manuId, setManuId] = useState('')
  const [left, setLeft] = useState({ carname: false, manuId: false })
  const manufacturers = useManufacturerOptions('Choose manufacturer')
  const refresh = useRefreshLookups()
  const creating = useMutation({
    mutationFn: () => call(lookupEndpoints.createCarModel, { body: { carname, manuId } }),
    onSuccess: (created) => {
      notifyDone(`"${created.carname}" is created`, { about })
      // The manufacturer stays: its next model is what one usually writes now.
      setCarname('')
      setLeft({ carname: false, manuId: false })
      onCreated({ id: created.id, name: created.carname })
      refresh()
    },
    onError: (error) => notifyError(error, 'Create car model failed. Try again.', { about }),
  })
  const refused = fieldProblems(creating.error)
  const complete = carname.trim() !== '' && manuId !== ''
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (complete && !creating.isPending) creating.mutate()
  }
  return (
    <form onSubmit={send} noValidate aria-labelledby="create-car-model">
      <Stack gap="md">
        <Title order={2} size="h3" id="create-car-model">
          Create a Car Model
        </Title>
        <TextInput
          label="Model name"
          required
          value={carname}
          onChange={(event) => {
            setCarname(event.currentTarget.value)
            creating.reset()
          }}
          onBlur={() => setLeft((before) => ({ ...before, carname: true }))}
          error={left.carname && carname.trim() === '' ? 'Model name is required' : refused.carname}
          autoComplete="off"
        />
        <NativeSelect
          label="Manufacturer"
          required
          data={manufacturers}
          value={manuId}
          onChange={(event) => setManuId(event.currentTarget.value)}
          onBlur={() => setLeft((before) => ({ ...before, manuId: true }))}
          error={left.manuId && manuId === '' ? 'Please choose a manufacturer' : refused.manuId}
        />
        <Button
          type="submit"
          loading={creating.isPending}
          disabled={!complete}
          style={{ alignSelf: 'flex-start' }}
        >
          Create car model
        </Button>
      </Stack>
    </form>
  )
}
