import {
  Button,
  Checkbox,
  NativeSelect,
  type NativeSelectProps,
  Stack,
  TextInput,
  Title,
} from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type LookupKind, lookupEndpoints } from '#contract/lookups.ts'
import { call } from '#web/api/client.ts'
import { fieldProblems } from '#web/api/failures.ts'
import { useManufacturers } from '#web/components/listing-lookups/lookup-queries.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import { universalLabel } from './lookup-words.ts'
import { type NewLookup, useRefreshLookups } from './managed-lookups.ts'

type LookupForm = {
  label: string
  /** The API's field name, by which a refusal marks the field. */
  field: string
  submit: string
  /** The spec has one sentence for categories and manufacturers. */
  failed: string
  create: (name: string, more: { manuId: string; universal: boolean }) => Promise<NewLookup>
}

const forms: Record<LookupKind, LookupForm> = {
  category: {
    label: 'Write Category Name',
    field: 'name',
    submit: 'Create category',
    failed: 'Create category failed. Try again.',
    create: (name, { universal }) => call(lookupEndpoints.createCategory, { body: { name, universal } }),
  },
  manufacturer: {
    label: 'Write Manufacturer Name',
    field: 'manuname',
    submit: 'Create manufacturer',
    failed: 'Create category failed. Try again.',
    create: async (typed) => {
      const { id, manuname } = await call(lookupEndpoints.createManufacturer, { body: { manuname: typed } })
      return { id, name: manuname }
    },
  },
  'car-model': {
    label: 'Model name',
    field: 'carname',
    submit: 'Create car model',
    failed: 'Create car model failed. Try again.',
    create: async (typed, { manuId }) => {
      const { id, carname } = await call(lookupEndpoints.createCarModel, { body: { carname: typed, manuId } })
      return { id, name: carname }
    },
  },
}

type CreateLookupFormProps = { kind: LookupKind; onCreated: (created: NewLookup) => void }

/** Only the server validates a category's or manufacturer's name; a car model needs both fields. */
export function CreateLookupForm({ kind, onCreated }: CreateLookupFormProps) {
  const { label, field, submit, failed, create } = forms[kind]
  const isModel = kind === 'car-model'
  const [name, setName] = useState('')
  const [manuId, setManuId] = useState('')
  const [universal, setUniversal] = useState(false)
  const [visited, setVisited] = useState({ name: false, manuId: false })
  const refresh = useRefreshLookups()
  const creating = useMutation({
    mutationFn: () => create(name, { manuId, universal }),
    onSuccess: (created) => {
      notifyDone(isModel ? `"${created.name}" is created` : `${created.name} is created`, { about: label })
      // Keep the manufacturer: the next model usually belongs to it too.
      setName('')
      setUniversal(false)
      setVisited({ name: false, manuId: false })
      onCreated(created)
      refresh()
    },
    onError: (error) => notifyError(error, failed, { about: label }),
  })
  const refused = fieldProblems(creating.error)
  const isNameMissing = isModel && name.trim() === ''
  const isIncomplete = isNameMissing || (isModel && manuId === '')
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!isIncomplete && !creating.isPending) creating.mutate()
  }
  return (
    <form onSubmit={send} noValidate aria-labelledby={isModel ? 'create-car-model' : undefined}>
      <Stack gap="md">
        {isModel && (
          <Title order={2} size="h3" id="create-car-model">
            Create a Car Model
          </Title>
        )}
        <TextInput
          label={label}
          required={isModel}
          value={name}
          onChange={(event) => {
            setName(event.currentTarget.value)
            creating.reset()
          }}
          onBlur={() => setVisited({ ...visited, name: true })}
          error={visited.name && isNameMissing ? 'Model name is required' : refused[field]}
          autoComplete="off"
        />
        {isModel && (
          <ManufacturerField
            none="Choose manufacturer"
            required
            value={manuId}
            onChange={setManuId}
            onBlur={() => setVisited({ ...visited, manuId: true })}
            error={visited.manuId && manuId === '' ? 'Please choose a manufacturer' : refused.manuId}
          />
        )}
        {kind === 'category' && (
          <Checkbox
            label={universalLabel}
            checked={universal}
            onChange={(event) => setUniversal(event.currentTarget.checked)}
          />
        )}
        <Button
          type="submit"
          loading={creating.isPending}
          disabled={isIncomplete}
          style={{ alignSelf: 'flex-start' }}
        >
          {submit}
        </Button>
      </Stack>
    </form>
  )
}

type ManufacturerFieldProps = Omit<NativeSelectProps, 'data' | 'onChange'> & {
  /** The first option, for no manufacturer. */
  none: string
  onChange: (manuId: string) => void
}

export function ManufacturerField({ none, onChange, ...props }: ManufacturerFieldProps) {
  const { data = [] } = useManufacturers()
  const options = data.map(({ id, manuname }) => ({ value: id, label: manuname }))
  return (
    <NativeSelect
      label="Manufacturer"
      data={[{ value: '', label: none }, ...options]}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...props}
    />
  )
}
