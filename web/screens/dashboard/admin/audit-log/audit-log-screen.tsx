import { Button, Group, Skeleton, Stack } from '@mantine/core'
import emptyDrawing from '#web/artwork/empty.svg?raw'
import { EmptyState } from '#web/components/empty-state.tsx'
import { useListState } from '#web/components/listing-filters/use-list-state.ts'
import { LoadError } from '#web/components/load-error.tsx'
import { Page } from '#web/components/page.tsx'
import { AuditFilterBar } from './audit-filter-bar.tsx'
import { AuditTable } from './audit-table.tsx'
import { type AuditControls, noFilters, useAudit } from './use-audit.ts'

export function Component() {
  const list = useListState(noFilters)
  const audit = useAudit(list.filters)
  return (
    <Page title="Audit Log" lead="Who did what, when and from where, newest first.">
      <AuditFilterBar list={list} actions={audit.data?.pages[0]?.actions ?? []} />
      {audit.isError && !audit.data ? (
        <LoadError
          message="Unable to load the audit log"
          onRetry={() => void audit.refetch()}
          retrying={audit.isFetching}
        />
      ) : (
        <Entries list={list} audit={audit} />
      )}
    </Page>
  )
}

type EntriesProps = { list: AuditControls; audit: ReturnType<typeof useAudit> }

function Entries({ list, audit }: EntriesProps) {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage, isPlaceholderData } = audit
  if (!data) return <Loading />
  const entries = data.pages.flatMap(({ items }) => items)
  if (entries.length === 0) {
    return list.isFiltered ? (
      <EmptyState
        title="Nothing in the log matches these filters."
        text="Try another action, more days, or part of a name or e-mail address."
        action={<Button onClick={list.clear}>Clear filters</Button>}
        drawing={emptyDrawing}
      />
    ) : (
      <EmptyState
        title="Nothing is logged yet."
        text="Sign-ins, changes of roles, bulk saves and the like stand here."
        drawing={emptyDrawing}
      />
    )
  }
  return (
    <Stack gap="md">
      <AuditTable entries={entries} turning={isPlaceholderData} />
      {hasNextPage && (
        <Group justify="center">
          <Button variant="default" onClick={() => void fetchNextPage()} loading={isFetchingNextPage}>
            Load More
          </Button>
        </Group>
      )}
    </Stack>
  )
}

const Loading = () => (
  <Stack gap={1} role="status" aria-label="Loading the audit log…">
    {Array.from({ length: 10 }, (_, line) => line).map((line) => (
      <Skeleton key={line} height={44} radius={0} />
    ))}
  </Stack>
)
