import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type FormEvent, useState } from 'react'
import type { LookupKind, ManagedLookup } from '#contract/lookups.ts'
import { fieldProblems } from '#web/api/failures.ts'
import { Facts } from '#web/components/account/facts.tsx'
import { Moment, SideDrawer, useLastChosen } from '#web/components/admin/records.tsx'
import { askToConfirm } from '#web/components/confirm.tsx'
import { fullName, isUnused, kindWords, mergeSentence, usageWords } from './lookup-words.ts'
import { type LookupChanges, useLookupChanges, useManagedLookups } from './managed-lookups.ts'

type LookupDrawerProps = { kind: LookupKind; chosen: ManagedLookup | undefined; onClose: () => void }

export function LookupDrawer({ kind, chosen, onClose }: LookupDrawerProps) {
  const last = useLastChosen(chosen)
  const changes = useLookupChanges(kind, onClose)
  return (
    <SideDrawer opened={chosen !== undefined} onClose={onClose} title={last && fullName(last)} width="28rem">
      {last && <Choices key={last.id} kind={kind} lookup={last} changes={changes} onClose={onClose} />}
    </SideDrawer>
  )
}

type ChoicesProps = { kind: LookupKind; lookup: ManagedLookup; changes: LookupChanges; onClose: () => void }

function Choices({ kind, lookup, changes, onClose }: ChoicesProps) {
  const { confirming } = changes
  return (
    <Stack gap="lg" pb="lg">
      <Facts
        facts={[
          { name: 'Used by', value: usageWords(lookup) },
          { name: 'Also known as', value: lookup.aliases.join(', ') || 'nothing else' },
          { name: 'Since', value: <Moment at={lookup.createdAt} /> },
        ]}
      />
      {!lookup.confirmed && (
        <Stack gap="xs" align="flex-start">
          <Text>
            This name came from a file. Confirm it so everyone can choose it, or merge it into an existing
            name.
          </Text>
          <Button
            onClick={() => confirming.mutate(lookup, { onSuccess: onClose })}
            loading={confirming.isPending}
          >
            Confirm name
          </Button>
        </Stack>
      )}
      <RenameForm kind={kind} lookup={lookup} renaming={changes.renaming} onDone={onClose} />
      <MergeForm kind={kind} lookup={lookup} merging={changes.merging} />
      <DeleteName kind={kind} lookup={lookup} deleting={changes.deleting} />
    </Stack>
  )
}

type DeleteNameProps = { kind: LookupKind; lookup: ManagedLookup; deleting: LookupChanges['deleting'] }

function DeleteName({ kind, lookup, deleting }: DeleteNameProps) {
  const { one } = kindWords[kind]
  const unused = isUnused(lookup)
  const ask = async () => {
    const sure = await askToConfirm({
      title: `Delete the ${one} “${fullName(lookup)}”?`,
      text: 'Nothing uses it. Its other names are deleted too.',
      confirm: `Delete ${one}`,
      destroys: true,
    })
    if (sure) deleting.mutate(lookup)
  }
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        variant="light"
        color="bad"
        onClick={() => void ask()}
        loading={deleting.isPending}
        disabled={!unused}
        aria-describedby="delete-hint"
      >
        Delete {one}
      </Button>
      <Text size="sm" className="second" id="delete-hint">
        {unused
          ? 'Nothing uses it.'
          : `Cannot be deleted: used by ${usageWords(lookup)}. Merge it into another one instead.`}
      </Text>
    </Stack>
  )
}

type RenameFormProps = {
  kind: LookupKind
  lookup: ManagedLookup
  renaming: LookupChanges['renaming']
  onDone: () => void
}

function RenameForm({ kind, lookup, renaming, onDone }: RenameFormProps) {
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

const searchWaitMs = 300

type MergeFormProps = { kind: LookupKind; lookup: ManagedLookup; merging: LookupChanges['merging'] }

function MergeForm({ kind, lookup, merging }: MergeFormProps) {
  const [words, setWords] = useState('')
  const [into, setInto] = useState<ManagedLookup>()
  const { one } = kindWords[kind]
  const others = useMergeTargets(kind, lookup, words)
  const ask = async () => {
    if (!into) return
    const sure = await askToConfirm({
      title: `Merge “${fullName(lookup)}” into “${fullName(into)}”?`,
      text: mergeSentence(lookup, into),
      confirm: 'Merge names',
      destroys: true,
    })
    if (sure) merging.mutate({ from: lookup, into })
  }
  const options =
    into && !others.items.some(({ id }) => id === into.id) ? [into, ...others.items] : others.items
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <Select
        label="Merge into"
        description={`Another ${one} with the same meaning`}
        placeholder="Type to search"
        flex={1}
        searchable
        clearable
        // The server already searched all names and their aliases.
        filter={({ options: found }) => found}
        data={options.map((other) => ({
          value: other.id,
          label: `${fullName(other)} (${usageWords(other)})`,
        }))}
        value={into?.id ?? null}
        onChange={(id) => setInto(options.find((other) => other.id === id))}
        onSearchChange={setWords}
        nothingFoundMessage={others.isPending ? 'Loading…' : `No such ${one}`}
        comboboxProps={{ withinPortal: true }}
      />
      <Button variant="default" onClick={() => void ask()} loading={merging.isPending} disabled={!into}>
        Merge
      </Button>
    </Group>
  )
}

/** Names this one can be merged into: others of its kind; for a model, of the same manufacturer. */
function useMergeTargets(kind: LookupKind, lookup: ManagedLookup, words: string) {
  const [settled] = useDebouncedValue(words, searchWaitMs)
  // A chosen name is in the field with its count in parentheses, which is not part of the search.
  const q = settled.replace(/ \([^()]*\)$/, '')
  const search = { q, manuId: lookup.manuId ?? '', state: 'all' as const, page: 1, perPage: 20 }
  const { data, isPending } = useManagedLookups(kind, search)
  return { items: (data?.items ?? []).filter(({ id }) => id !== lookup.id), isPending }
}
