import { Badge, Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { LookupKind, ManagedLookup } from '#contract/lookups.ts'
import emptyDrawing from '#web/artwork/empty.svg?url'
import { Pager } from '#web/components/pager.tsx'
import { NoSuchPage, RecordsList } from '#web/components/records-list.tsx'
import { Empty } from '#web/site/page.tsx'
import classes from './lookup-desk.module.css'
import { fullName, kindWords, usageWords } from './lookup-words.ts'
import {
  type LookupControls,
  lookupSearch,
  type NewLookup,
  useManagedLookups,
  useNewLookup,
} from './managed-lookups.ts'

type LookupListProps = {
  kind: LookupKind
  list: LookupControls
  /** Listed first; in its own place it might be on another page. */
  created: NewLookup | undefined
  onChoose: (lookup: ManagedLookup) => void
}

export function LookupList({ kind, list, created, onChoose }: LookupListProps) {
  const names = useManagedLookups(kind, lookupSearch(list))
  const newest = useNewLookup(kind, created)
  const first = list.page === 1 && !list.isFiltered ? newest : undefined
  const found = names.data
  const items = found?.items.filter(({ id }) => id !== first?.id)
  return (
    <RecordsList
      query={names}
      items={first && items ? [first, ...items] : items}
      failed={`Unable to load the ${kindWords[kind].many}`}
      loading="Loading names…"
      skeleton={{ rows: 10, height: 44 }}
      empty={<NoNames kind={kind} list={list} total={found?.total ?? 0} />}
    >
      {(shown, isBusy) => (
        <section aria-label={`Existing ${kindWords[kind].many}`}>
          {found && (
            <Text role="status" fw={600} mb="xs">
              {found.total.toLocaleString('en-US')} {kindWords[kind][found.total === 1 ? 'one' : 'many']}
            </Text>
          )}
          <ul className={classes.lines} aria-busy={isBusy}>
            {shown.map((lookup) => (
              <LookupLine
                key={lookup.id}
                lookup={lookup}
                onChoose={onChoose}
                isNew={lookup.id === first?.id}
              />
            ))}
          </ul>
          {found && (
            <Group justify="flex-end" mt="md">
              <Pager
                page={list.page}
                pageCount={Math.ceil(found.total / found.perPage)}
                onChange={list.turnTo}
                label="Pages of names"
              />
            </Group>
          )}
        </section>
      )}
    </RecordsList>
  )
}

type LookupLineProps = {
  lookup: ManagedLookup
  onChoose: (lookup: ManagedLookup) => void
  isNew?: boolean
  actions?: ReactNode
}

export function LookupLine({ lookup, onChoose, isNew = false, actions }: LookupLineProps) {
  return (
    <li className={classes.line}>
      <button type="button" onClick={() => onChoose(lookup)} className={classes.name}>
        <span className={classes.words}>
          <strong>{fullName(lookup)}</strong>
          {isNew && (
            <Badge component="span" color="good" size="md">
              New
            </Badge>
          )}
          {!lookup.confirmed && (
            <Badge component="span" color="warning" size="md">
              From a file
            </Badge>
          )}
          {lookup.aliases.length > 0 && (
            <span className={classes.aliases}>also {lookup.aliases.join(', ')}</span>
          )}
        </span>
        <span className={classes.usage}>{usageWords(lookup)}</span>
      </button>
      {actions}
    </li>
  )
}

function NoNames({ kind, list, total }: { kind: LookupKind; list: LookupControls; total: number }) {
  const { many } = kindWords[kind]
  if (total > 0) return <NoSuchPage page={list.page} onFirst={() => list.turnTo(1)} />
  if (list.filters.q !== '' || list.filters.manuId !== '') {
    return (
      <Empty
        title={`No ${many} match.`}
        text="Try fewer letters; other spellings are searched too."
        action={<Button onClick={list.clear}>Clear filters</Button>}
        drawing={emptyDrawing}
      />
    )
  }
  const nothing = {
    all: {
      title: `No ${many} yet.`,
      text: 'Add your first one above; listings can use it right away.',
    },
    provisional: { title: 'No names to review.', text: 'New names from imported files appear here.' },
    unused: { title: `All ${many} are in use.`, text: 'Names that no listing uses appear here.' },
  }
  const { title, text } = nothing[list.filters.state as keyof typeof nothing] ?? nothing.all
  return <Empty title={title} text={text} drawing={emptyDrawing} />
}
