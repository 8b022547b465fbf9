import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { LookupKind, ManagedLookup } from '#contract/lookups.ts'
import { fieldProblems } from '#web/api/failures.ts'
import { kindWords } from './lookup-words.ts'
import type { LookupChanges } from './managed-lookups.ts'

type RenameFormProps = {
  kind: LookupKind
  lookup: ManagedLookup
  renaming: LookupChanges['renaming']
  onDone: () => void
}

export function RenameForm({ kind, lookup, renaming, onDone }: RenameFormProps) {
  const [name, setName] = useState(lookup.name)
  const typed = name.trim()
  const rename = (event: FormEvent) => {
    event.preventDefault()
    renaming.mutate({ id: lookup.id, name: typed }, { onSuccess: onDone })
  }
  return (
    <form onSubmit={rename} aria-label={`Rename the ${kindWords[kind].one}`} noValidate>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          label="New name"
          flex={1}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={fieldProblems(renaming.error).name}
          autoComplete="off"
          maxLength={80}
        />
        <Button
          type="submit"
          variant="default"
          loading={renaming.isPending}
          disabled={typed === '' || typed === lookup.name}
        >
          Rename
        </Button>
      </Group>
    </form>
  )
}
