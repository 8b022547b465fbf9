import { Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { LookupKind, ManagedLookup } from '#contract/lookups.ts'
import emptyDrawing from '#web/artwork/empty.svg?raw'
import { EmptyState } from '#web/components/page/empty-state.tsx'
import { LoadError } from '#web/components/page/load-error.tsx'
import { Pager } from '#web/components/pager.tsx'
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
  /** Stands first, or the list's order would hide it on a page of its own. */
  created: NewLookup | undefined
  onChoose: (lookup: ManagedLookup) => void
}

export function LookupList({ kind, list, created, onChoose }: LookupListProps) {
  const search = lookupSearch(list)
  const names = useManagedLookups(kind, search)
  const newest = useNewLookup(kind, created)
  const found = names.data
  if (names.isError && !found) {
    return (
      <LoadError
        message={`Unable to load the ${kindWords[kind].many}`}
        onRetry={() => void names.refetch()}
        retrying={names.isFetching}
      />
    )
  }
  if (!found) return <Loading />
  const first = list.page === 1 && !list.isFiltered ? newest : undefined
  if (found.items.length === 0 && !first) return <Nothing kind={kind} list={list} beyond={found.total > 0} />
  return (
    <section aria-label={`Existing ${kindWords[kind].many}`}>
      <Text role="status" fw={600} mb="xs">
        {found.total.toLocaleString('en-US')} {kindWords[kind][found.total === 1 ? 'one' : 'many']}
      </Text>
      <ul className={classes.lines} aria-busy={names.isPlaceholderData}>
        {first && <LookupLine lookup={first} onChoose={onChoose} isNew />}
        {found.items
          .filter(({ id }) => id !== first?.id)
          .map((lookup) => (
            <LookupLine key={lookup.id} lookup={lookup} onChoose={onChoose} />
          ))}
      </ul>
      <Group justify="flex-end" mt="md">
        <Pager
          page={list.page}
          pageCount={Math.ceil(found.total / found.perPage)}
          onChange={list.turnTo}
          label="Pages of names"
        />
      </Group>
    </section>
  )
}

type LookupLineProps = {
  lookup: ManagedLookup
  onChoose: (lookup: ManagedLookup) => void
  isNew?: boolean
  actions?: ReactNode
}

/** A name as a button, with what stands behind it; `actions` stand beside. */
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

function Nothing({ kind, list, beyond }: { kind: LookupKind; list: LookupControls; beyond: boolean }) {
  const { many } = kindWords[kind]
  if (beyond) {
    return (
      <EmptyState
        title={`There is no page ${list.page}`}
        text="The list has become shorter."
        action={<Button onClick={() => list.turnTo(1)}>Go to the first page</Button>}
      />
    )
  }
  if (list.filters.q !== '' || list.filters.manuId !== '') {
    return (
      <EmptyState
        title={`No ${many} match.`}
        text="Try fewer letters; other names of a thing are searched too."
        action={<Button onClick={list.clear}>Clear filters</Button>}
        drawing={emptyDrawing}
      />
    )
  }
  const nothing = {
    all: {
      title: `No ${many} yet.`,
      text: 'Write the first name in the form; listings can choose it at once.',
    },
    provisional: { title: 'No names wait for you.', text: 'New names from imported files stand here first.' },
    unused: { title: `Every one of the ${many} is used.`, text: 'What no listing uses stands here.' },
  }
  const { title, text } = nothing[list.filters.state as keyof typeof nothing] ?? nothing.all
  return <EmptyState title={title} text={text} drawing={emptyDrawing} />
}

const Loading = () => (
  <Stack gap={1} role="status" aria-label="Loading names…">
    {Array.from({ length: 10 }, (_, line) => line).map((line) => (
      <Skeleton key={line} height={44} radius={0} />
    ))}
  </Stack>
)
