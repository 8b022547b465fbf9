import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import type { RowDifference } from '#contract/staging.ts'
import { formatCount } from '#web/components/imports/import-words.ts'
import { Waiting } from '#web/components/waiting.tsx'
import { QuietRetry } from '#web/screens/dashboard/admin/mission-control/quiet-retry.tsx'
import { CellChanges } from './cell-changes.tsx'
import classes from './staging.module.css'
import { type StagedName, useDiff } from './staging-calls.ts'

type ChangedRowsProps = { name: StagedName; from: number; to: number }

/** What two versions of a file say differently, cell by cell. */
export function ChangedRows({ name, from, to }: ChangedRowsProps) {
  const diff = useDiff(name, { from, to })
  if (from === to) return <Text className="second">Choose two different versions.</Text>
  if (diff.isError) {
    return <QuietRetry query={diff} fallback="Failed to load" />
  }
  const [first] = diff.data?.pages ?? []
  if (!first) return <Waiting />
  const rows = diff.data?.pages.flatMap((page) => page.rows) ?? []
  return (
    <section aria-label={`Differences between version ${from} and version ${to}`}>
      <Group gap="xs" mb="sm">
        <Badge color="good">{formatCount(first.added)} added</Badge>
        <Badge color="bad">{formatCount(first.removed)} removed</Badge>
        <Badge color="sea">{formatCount(first.changed)} changed</Badge>
      </Group>
      {rows.length === 0 && <Text className="second">Both versions have the same rows.</Text>}
      <Stack gap="xs">
        {rows.map((row) => (
          <RowChange key={`${row.kind} ${row.id}`} row={row} />
        ))}
      </Stack>
      {diff.hasNextPage && (
        <Button
          mt="sm"
          variant="default"
          loading={diff.isFetchingNextPage}
          onClick={() => void diff.fetchNextPage()}
        >
          Load more
        </Button>
      )}
    </section>
  )
}

const colors = { added: 'good', removed: 'bad', changed: 'sea' }

function RowChange({ row }: { row: RowDifference }) {
  const fields = [...new Set([...Object.keys(row.before ?? {}), ...Object.keys(row.after ?? {})])]
  return (
    <article className={classes.change} aria-label={`Row ${row.row + 1} ${row.kind}`}>
      <Group gap="xs" mb={4}>
        <Text size="sm" fw={650}>
          Row {formatCount(row.row + 1)}
        </Text>
        <Badge size="sm" color={colors[row.kind]}>
          {row.kind}
        </Badge>
      </Group>
      <CellChanges
        changes={fields.map((field) => ({ field, before: row.before?.[field], after: row.after?.[field] }))}
      />
    </article>
  )
}
