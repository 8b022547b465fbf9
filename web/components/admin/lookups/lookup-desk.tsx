import { Card, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { LookupKind, ManagedLookup } from '#contract/lookups.ts'
import { useListState } from '#web/components/listing-filters/use-list-state.ts'
import classes from './lookup-desk.module.css'
import { LookupDrawer } from './lookup-drawer.tsx'
import { LookupFilters } from './lookup-filters.tsx'
import { LookupList } from './lookup-list.tsx'
import { noLookupFilters } from './lookup-state.ts'
import { kindWords } from './lookup-words.ts'
import type { NewLookup } from './managed-lookups.ts'
import { NamesFromFiles } from './names-from-files.tsx'

type LookupDeskProps = {
  kind: LookupKind
  /** The form for a new one. */
  form: (onCreated: (created: NewLookup) => void) => ReactNode
  /** What narrows the list besides the words. */
  narrowing?: (manuId: string, onChange: (manuId: string) => void) => ReactNode
}

/** A form for a new name, beside the names there are; a name opens what can be done with it. */
export function LookupDesk({ kind, form, narrowing }: LookupDeskProps) {
  const list = useListState(noLookupFilters, [100])
  const [chosen, setChosen] = useState<ManagedLookup>()
  const [created, setCreated] = useState<NewLookup>()
  const { state, manuId } = list.filters
  return (
    <div className={classes.desk}>
      <Card component="section" aria-label={`New ${kindWords[kind].one}`} className={classes.form}>
        {form(setCreated)}
      </Card>
      <Stack gap="md" className={classes.names}>
        <LookupFilters
          kind={kind}
          list={list}
          narrowing={narrowing?.(manuId, (id) => list.change({ manuId: id }))}
        />
        {state === 'all' && <NamesFromFiles kind={kind} list={list} onChoose={setChosen} />}
        <LookupList kind={kind} list={list} created={created} onChoose={setChosen} />
      </Stack>
      <LookupDrawer kind={kind} chosen={chosen} onClose={() => setChosen(undefined)} />
    </div>
  )
}
