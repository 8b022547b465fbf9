import { Button, NativeSelect, Stack, TextInput, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useMemo, useState } from 'react'
import { lookupEndpoints } from '#contract/lookups.ts'
import { call } from '#web/api/client.ts'
import { fieldProblems } from '#web/api/failures.ts'
import { LookupDesk } from '#web/components/admin/lookups/lookup-desk.tsx'
import { type NewLookup, useRefreshLookups } from '#web/components/admin/lookups/managed-lookups.ts'
import { useManufacturers } from '#web/components/listing-lookups/lookup-queries.ts'
import { Page } from '#web/components/page/page.tsx'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'

export function Component() {
  const manufacturers = useManufacturerOptions('All manufacturers')
  return (
    <Page title="Manage Car Models" lead="Car models by manufacturer.">
      <LookupDesk
        kind="car-model"
        form={(onCreated) => <CreateCarModelForm onCreated={onCreated} />}
        filter={(manuId, onChange) => (
          <NativeSelect
            label="Manufacturer"
            data={manufacturers}
            value={manuId}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        )}
      />
    </Page>
  )
}

const about = 'car model'

function CreateCarModelForm({ onCreated }: { onCreated: (created: NewLookup) => void }) {
  const [carname, setCarname] = useState('')
  const [manuId, setManuId] = useState('')
  const [visited, setVisited] = useState({ carname: false, manuId: false })
  const manufacturers = useManufacturerOptions('Choose manufacturer')
  const refresh = useRefreshLookups()
  const creating = useMutation({
    mutationFn: () => call(lookupEndpoints.createCarModel, { body: { carname, manuId } }),
    onSuccess: (created) => {
      notifyDone(`"${created.carname}" is created`, { about })
      // Keep the manufacturer: the next model usually belongs to it too.
      setCarname('')
      setVisited({ carname: false, manuId: false })
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
          onBlur={() => setVisited((before) => ({ ...before, carname: true }))}
          error={visited.carname && carname.trim() === '' ? 'Model name is required' : refused.carname}
          autoComplete="off"
        />
        <NativeSelect
          label="Manufacturer"
          required
          data={manufacturers}
          value={manuId}
          onChange={(event) => setManuId(event.currentTarget.value)}
          onBlur={() => setVisited((before) => ({ ...before, manuId: true }))}
          error={visited.manuId && manuId === '' ? 'Please choose a manufacturer' : refused.manuId}
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

/** All manufacturers, after an option for none. */
function useManufacturerOptions(none: string): { value: string; label: string }[] {
  const { data } = useManufacturers()
  return useMemo(
    () => [
      { value: '', label: none },
      ...(data ?? []).map(({ id, manuname }) => ({ value: id, label: manuname })),
    ],
    [data, none],
  )
}
