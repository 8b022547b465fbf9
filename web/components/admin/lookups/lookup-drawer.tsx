import { Button, Checkbox, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type FormEvent, useState } from 'react'
import { adminLookupEndpoints, type LookupKind, type ManagedLookup } from '#contract/lookups.ts'
import { call } from '#web/api/client.ts'
import { fieldProblems } from '#web/api/failures.ts'
import { Facts } from '#web/components/account/facts.tsx'
import { Moment, SideDrawer, useLastChosen } from '#web/components/admin/records.tsx'
import { askToConfirm } from '#web/components/confirm.tsx'
import { fullName, isUnused, kindWords, mergeSentence, universalLabel, usageWords } from './lookup-words.ts'
import { useConfirmLookup, useLookupChange, useManagedLookups } from './managed-lookups.ts'

type LookupDrawerProps = { kind: LookupKind; chosen: ManagedLookup | undefined; onClose: () => void }

export function LookupDrawer({ kind, chosen, onClose }: LookupDrawerProps) {
  const last = useLastChosen(chosen)
  return (
    <SideDrawer opened={chosen !== undefined} onClose={onClose} title={last && fullName(last)} width="28rem">
      {last && <Choices key={last.id} kind={kind} lookup={last} onClose={onClose} />}
    </SideDrawer>
  )
}

type ChoicesProps = { kind: LookupKind; lookup: ManagedLookup; onClose: () => void }

function Choices({ kind, lookup, onClose }: ChoicesProps) {
  const confirming = useConfirmLookup(kind)
  return (
    <Stack gap="lg" pb="lg">
      <Facts
        facts={[
          { name: 'Used by', value: usageWords(lookup) },
          { name: 'Also known as', value: lookup.aliases.join(', ') || 'No other names' },
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
      {kind === 'category' && <UniversalMark lookup={lookup} />}
      <RenameForm kind={kind} lookup={lookup} onClose={onClose} />
      <MergeForm kind={kind} lookup={lookup} onClose={onClose} />
      <DeleteName kind={kind} lookup={lookup} onClose={onClose} />
    </Stack>
  )
}

/** Whether a category's parts need no vehicle. */
function UniversalMark({ lookup }: { lookup: ManagedLookup }) {
  const marking = useLookupChange({
    run: (universal: boolean) =>
      call(adminLookupEndpoints.renameLookup, {
        params: { kind: 'category', id: lookup.id },
        body: { universal },
      }),
    done: ({ name, universal }) =>
      universal ? `Parts in “${name}” need no vehicle now` : `Parts in “${name}” need a vehicle again`,
    failed: 'The category could not be changed. Try again.',
  })
  return (
    <Checkbox
      label={universalLabel}
      description="Such as tires: sellers list them without make, model and year."
      checked={marking.data?.universal ?? lookup.universal}
      disabled={marking.isPending}
      onChange={(event) => marking.mutate(event.currentTarget.checked)}
    />
  )
}

function DeleteName({ kind, lookup, onClose }: ChoicesProps) {
  const deleting = useLookupChange({
    run: () => call(adminLookupEndpoints.deleteLookup, { params: { kind, id: lookup.id } }),
    done: () => `“${lookup.name}” deleted`,
    failed: 'The name could not be deleted. Try again.',
    onGone: onClose,
  })
  const { one } = kindWords[kind]
  const unused = isUnused(lookup)
  const ask = async () => {
    const sure = await askToConfirm({
      title: `Delete the ${one} “${fullName(lookup)}”?`,
      text: 'Nothing uses it. Its other names are deleted too.',
      confirm: `Delete ${one}`,
      destroys: true,
    })
    if (sure) deleting.mutate(undefined)
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

function RenameForm({ kind, lookup, onClose }: ChoicesProps) {
  const renaming = useLookupChange({
    run: (name: string) =>
      call(adminLookupEndpoints.renameLookup, { params: { kind, id: lookup.id }, body: { name } }),
    done: ({ name }) => `Renamed to “${name}”`,
    failed: 'The name could not be changed. Try again.',
  })
  const [name, setName] = useState(lookup.name)
  const typed = name.trim()
  const rename = (event: FormEvent) => {
    event.preventDefault()
    renaming.mutate(typed, { onSuccess: onClose })
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

function MergeForm({ kind, lookup, onClose }: ChoicesProps) {
  const merging = useLookupChange({
    run: ({ id }: ManagedLookup) =>
      call(adminLookupEndpoints.mergeLookup, { params: { kind, id: lookup.id }, body: { into: id } }),
    done: (_, { name }) => `“${lookup.name}” merged into “${name}”`,
    failed: 'The names could not be merged. Try again.',
    onGone: onClose,
  })
  const [words, setWords] = useState('')
  const [into, setInto] = useState<ManagedLookup>()
  const { one } = kindWords[kind]
  const [settled] = useDebouncedValue(words, searchWaitMs)
  // A chosen name is in the field with its count in parentheses, which is not part of the search.
  const q = settled.replace(/ \([^()]*\)$/, '')
  // A model is merged only into one of the same manufacturer.
  const search = { q, manuId: lookup.manuId ?? '', state: 'all' as const, page: 1, perPage: 20 }
  const { data, isPending } = useManagedLookups(kind, search)
  const others = (data?.items ?? []).filter(({ id }) => id !== lookup.id)
  const ask = async () => {
    if (!into) return
    const sure = await askToConfirm({
      title: `Merge “${fullName(lookup)}” into “${fullName(into)}”?`,
      text: mergeSentence(lookup, into),
      confirm: 'Merge names',
      destroys: true,
    })
    if (sure) merging.mutate(into)
  }
  const options = into && !others.some(({ id }) => id === into.id) ? [into, ...others] : others
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
        nothingFoundMessage={isPending ? 'Loading…' : `No such ${one}`}
        comboboxProps={{ withinPortal: true }}
      />
      <Button variant="default" onClick={() => void ask()} loading={merging.isPending} disabled={!into}>
        Merge
      </Button>
    </Group>
  )
}
