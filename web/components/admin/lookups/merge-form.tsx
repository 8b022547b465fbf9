import { Button, Group, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import type { LookupKind, ManagedLookup } from '#contract/lookups.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { fullName, kindWords, mergeSentence, usageWords } from './lookup-words.ts'
import { type LookupChanges, useManagedLookups } from './managed-lookups.ts'

/** As in the list's own search. */
const searchWaitMs = 300

type MergeFormProps = { kind: LookupKind; lookup: ManagedLookup; merging: LookupChanges['merging'] }

/** Makes one name of two, after naming both. */
export function MergeForm({ kind, lookup, merging }: MergeFormProps) {
  const [words, setWords] = useState('')
  const [into, setInto] = useState<ManagedLookup>()
  const { one } = kindWords[kind]
  const others = useOthers(kind, lookup, words)
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
        description={`Another ${one} that means the same`}
        placeholder="Type to search"
        flex={1}
        searchable
        clearable
        // The server has searched already, among all names and their other names.
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

/** Names that this one can be merged into: any other of its kind; a model stays with its manufacturer. */
function useOthers(kind: LookupKind, lookup: ManagedLookup, words: string) {
  const [settled] = useDebouncedValue(words, searchWaitMs)
  // What was chosen stands in the field with its count behind it; that is not searched for.
  const q = settled.replace(/ \([^()]*\)$/, '')
  const search = { q, manuId: lookup.manuId ?? '', state: 'all' as const, page: 1, perPage: 20 }
  const { data, isPending } = useManagedLookups(kind, search)
  return { items: (data?.items ?? []).filter(({ id }) => id !== lookup.id), isPending }
}
