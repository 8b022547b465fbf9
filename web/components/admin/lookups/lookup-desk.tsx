import { Anchor, Button, Card, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { LookupKind, ManagedLookup } from '#contract/lookups.ts'
import { useListState } from '#web/components/listing-filters/list-state.ts'
import { CreateLookupForm, ManufacturerField } from './create-lookup-form.tsx'
import classes from './lookup-desk.module.css'
import { LookupDrawer } from './lookup-drawer.tsx'
import { LookupLine, LookupList } from './lookup-list.tsx'
import { fullName, kindWords } from './lookup-words.ts'
import {
  type LookupControls,
  lookupViews,
  type NewLookup,
  noLookupFilters,
  useConfirmLookup,
  useManagedLookups,
} from './managed-lookups.ts'
import '@mantine/core/styles/FloatingIndicator.layer.css'
import { SearchInput } from '#web/components/listing-filters/search-input.tsx'

/** Given by the spec. */
const searchWaitMs = 300

export function LookupDesk({ kind }: { kind: LookupKind }) {
  const list = useListState(noLookupFilters, [100])
  const [chosen, setChosen] = useState<ManagedLookup>()
  const [created, setCreated] = useState<NewLookup>()
  return (
    <div className={classes.desk}>
      <Card component="section" aria-label={`New ${kindWords[kind].one}`} className={classes.form}>
        <CreateLookupForm kind={kind} onCreated={setCreated} />
      </Card>
      <Stack gap="md">
        <Group gap="sm" align="flex-end">
          <SearchInput
            label="Search"
            placeholder={kindWords[kind].search}
            flex="1 1 14rem"
            value={list.filters.q}
            waitMs={searchWaitMs}
            onSearch={(q) => list.change({ q }, { typing: true })}
          />
          {kind === 'car-model' && (
            <ManufacturerField
              none="All manufacturers"
              value={list.filters.manuId}
              onChange={(manuId) => list.change({ manuId })}
            />
          )}
          <SegmentedControl
            aria-label="Show"
            data={lookupViews}
            value={lookupViews.some(({ value }) => value === list.filters.state) ? list.filters.state : 'all'}
            onChange={(state) => list.change({ state })}
          />
        </Group>
        {list.filters.state === 'all' && <NamesFromFiles kind={kind} list={list} onChoose={setChosen} />}
        <LookupList kind={kind} list={list} created={created} onChoose={setChosen} />
      </Stack>
      <LookupDrawer kind={kind} chosen={chosen} onClose={() => setChosen(undefined)} />
    </div>
  )
}

/** Few enough that the list below stays visible. */
const provisionalShown = 8

type NamesFromFilesProps = {
  kind: LookupKind
  list: LookupControls
  onChoose: (lookup: ManagedLookup) => void
}

function NamesFromFiles({ kind, list, onChoose }: NamesFromFilesProps) {
  const { q, manuId } = list.filters
  const { data } = useManagedLookups(kind, {
    q,
    manuId,
    state: 'provisional',
    page: 1,
    perPage: provisionalShown,
  })
  const confirming = useConfirmLookup(kind)
  if (!data || data.items.length === 0 || list.page > 1) return null
  return (
    <section className={classes.waiting} aria-labelledby="names-from-files">
      <Group justify="space-between" mb="xs">
        <div>
          <Title order={2} size="h4" id="names-from-files">
            {data.total.toLocaleString('en-US')} new from files
          </Title>
          <Text size="sm" className="second">
            {data.items.every(({ ofOneYard }) => ofOneYard)
              ? 'Their listings already use them. Everyone else can choose them once you confirm.'
              : 'Sellers can already choose some of these. Merge the ones you don’t want.'}
          </Text>
        </div>
        {data.total > provisionalShown && (
          <Anchor component="button" type="button" onClick={() => list.change({ state: 'provisional' })}>
            See all {kindWords[kind].many} from files
          </Anchor>
        )}
      </Group>
      <ul className={classes.lines}>
        {data.items.map((lookup) => (
          <LookupLine
            key={lookup.id}
            lookup={lookup}
            onChoose={onChoose}
            actions={
              <Group gap="xs" wrap="nowrap" className={classes.decide}>
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => confirming.mutate(lookup)}
                  loading={confirming.isPending && confirming.variables.id === lookup.id}
                  aria-label={`Confirm ${fullName(lookup)}`}
                >
                  Confirm
                </Button>
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => onChoose(lookup)}
                  aria-label={`Merge ${fullName(lookup)}`}
                >
                  Merge
                </Button>
              </Group>
            }
          />
        ))}
      </ul>
    </section>
  )
}
