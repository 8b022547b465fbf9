import { Button, MultiSelect, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import {
  type SearchWord,
  type SearchWordKind,
  searchWordEndpoints,
  searchWordKinds,
  type WrittenWord,
} from '#contract/search/search-words.ts'
import { placeNames } from '#contract/trade-language/places.ts'
import { call } from '#web/api/client.ts'
import { fieldProblems } from '#web/api/failures.ts'
import { SideDrawer, useLastChosen } from '#web/components/admin/records.tsx'
import { useCategories, useManufacturers } from '#web/components/listing-lookups/lookup-queries.ts'
import { SearchSelect } from '#web/components/listing-lookups/lookup-selects.tsx'
import { notifyError } from '#web/components/toasts.tsx'
import { useNotifyChanged, useRefreshWords } from './word-changes.tsx'
import { ReachOfTyped } from './word-reach.tsx'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'

/** The word being edited: a new one, one from the list, or one for a search without a result. */
export type EditedWord = Omit<WrittenWord, 'means'> & { id?: string; means: string; emptySearch?: string }

export const noWord: EditedWord = { word: '', kind: 'part', means: '' }

type WordDrawerProps = { edited: EditedWord | undefined; onClose: () => void }

export function WordDrawer({ edited, onClose }: WordDrawerProps) {
  const last = useLastChosen(edited)
  return (
    <SideDrawer
      opened={edited !== undefined}
      onClose={onClose}
      title={last?.id === undefined ? 'Add a word' : `Edit “${last.word}”`}
    >
      {last && <WordForm key={`${last.id} ${last.emptySearch}`} edited={last} onSaved={onClose} />}
    </SideDrawer>
  )
}

function save({ id, emptySearch, word, kind, means }: EditedWord): Promise<SearchWord & { change: string }> {
  const written = { word, kind, means }
  if (id !== undefined) return call(searchWordEndpoints.changeSearchWord, { params: { id }, body: written })
  return call(searchWordEndpoints.addSearchWord, {
    body: { ...written, ...(emptySearch !== undefined && { emptySearch }) },
  })
}

function WordForm({ edited, onSaved }: { edited: EditedWord; onSaved: () => void }) {
  const [form, setForm] = useState(edited)
  const refresh = useRefreshWords()
  const notifyChanged = useNotifyChanged()
  const saving = useMutation({
    mutationFn: save,
    onSuccess: async ({ word, change }) => {
      notifyChanged(`“${word}” saved. Searches use it now.`, change)
      await refresh()
      onSaved()
    },
    onError: (error) => notifyError(error, 'The word could not be saved. Try again.'),
  })
  const refused = fieldProblems(saving.error)
  const change = (part: Partial<EditedWord>) => {
    setForm({ ...form, ...part })
    saving.reset()
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!saving.isPending) saving.mutate(form)
  }
  return (
    <form onSubmit={send} noValidate>
      <Stack gap="md" pb="lg">
        <TextInput
          label="Word"
          description="As buyers type it. Capitals, spaces, and hyphens make no difference."
          value={form.word}
          onChange={(event) => change({ word: event.currentTarget.value })}
          error={refused.word}
          maxLength={80}
          autoComplete="off"
          data-autofocus
        />
        <ReachOfTyped word={form.word} />
        <NativeSelect
          label="It means"
          data={Object.entries(searchWordKinds).map(([value, label]) => ({ value, label }))}
          value={form.kind}
          onChange={(event) => change({ kind: event.currentTarget.value as SearchWordKind, means: '' })}
        />
        {meaningFields[form.kind]({
          value: form.means,
          onChange: (means) => change({ means }),
          error: refused.means,
        })}
        <Button type="submit" loading={saving.isPending} style={{ alignSelf: 'flex-start' }}>
          Save word
        </Button>
      </Stack>
    </form>
  )
}

type MeaningProps = {
  value: string
  onChange: (means: string) => void
  error: string | boolean | undefined
}

const meaningFields: Record<SearchWordKind, (props: MeaningProps) => ReactNode> = {
  part: (props) => <PartTypes {...props} />,
  make: (props) => <Make {...props} />,
  model: (props) => <MeaningText {...props} label="Make and model" placeholder="Ford/Mustang" />,
  side: ({ value, onChange, error }) => (
    <NativeSelect
      label="Side"
      data={['', ...placeNames]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
    />
  ),
  same: (props) => <MeaningText {...props} label="Other word" />,
  skip: () => null,
}

function PartTypes({ value, onChange, error }: MeaningProps) {
  const names = (useCategories().data ?? []).map(({ name }) => name)
  const chosen = value.split(';').flatMap((name) => name.trim() || [])
  return (
    <MultiSelect
      label="Part types"
      placeholder={chosen.length === 0 ? 'Choose one or more' : ''}
      data={[...new Set([...chosen, ...names])]}
      value={chosen}
      onChange={(next) => onChange(next.join('; '))}
      error={error}
      searchable
      hidePickedOptions
      maxDropdownHeight={280}
    />
  )
}

function Make({ value, onChange, error }: MeaningProps) {
  const names = (useManufacturers().data ?? []).map(({ manuname }) => manuname)
  return (
    <SearchSelect
      label="Make"
      placeholder="Choose a make"
      data={names}
      value={value || null}
      onChange={(make) => onChange(make ?? '')}
      error={error}
    />
  )
}

type MeaningTextProps = MeaningProps & { label: string; placeholder?: string }

function MeaningText({ value, onChange, error, ...words }: MeaningTextProps) {
  return (
    <TextInput
      {...words}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      maxLength={500}
      autoComplete="off"
    />
  )
}
