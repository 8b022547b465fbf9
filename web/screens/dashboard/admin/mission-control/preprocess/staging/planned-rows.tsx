import { Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import type { PlannedRow, StagingPlan } from '#contract/staging.ts'
import { formatCount } from '#web/components/imports/import-words.ts'
import { Waiting } from '#web/components/waiting.tsx'
import { paths } from '#web/paths.ts'
import { QuietRetry } from '#web/screens/dashboard/admin/mission-control/quiet-retry.tsx'
import { CellChanges } from './cell-changes.tsx'
import classes from './staging.module.css'
import { type PlannedAction, type StagedName, usePlannedRows } from './staging-calls.ts'

type PlannedRowsProps = { name: StagedName; plan: StagingPlan }

/** What a plan does, row by row, with the fields that differ. */
export function PlannedRows({ name, plan }: PlannedRowsProps) {
  const ways: [PlannedAction, string, number][] = [
    ['create', 'To create', plan.create],
    ['update', 'To update', plan.update],
    ['end', 'To end', plan.ended],
  ]
  const [chosen, setAction] = useState<PlannedAction>()
  const action = chosen ?? ways.find(([, , count]) => count > 0)?.[0]
  if (action === undefined) return null
  return (
    <section aria-label="Planned rows">
      <fieldset aria-label="Rows to show" className={classes.ways}>
        <Button.Group>
          {ways.map(([way, label, count]) => (
            <Button
              key={way}
              size="xs"
              color="sea"
              variant={way === action ? 'light' : 'default'}
              aria-pressed={way === action}
              disabled={count === 0}
              onClick={() => setAction(way)}
            >
              {label} ({formatCount(count)})
            </Button>
          ))}
        </Button.Group>
      </fieldset>
      <Rows key={action} name={name} planId={plan.id} action={action} />
    </section>
  )
}

function Rows({ name, planId, action }: { name: StagedName; planId: string; action: PlannedAction }) {
  const rows = usePlannedRows(name, planId, action)
  if (rows.isError && !rows.data) {
    return <QuietRetry query={rows} fallback="Failed to load" />
  }
  if (!rows.data) return <Waiting />
  const items = rows.data.pages.flatMap((page) => page.items)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be within reach of the keys
    <section className={classes.planned} aria-label="Rows of the plan" tabIndex={0}>
      <Stack gap="xs">
        {items.map((row) => (
          <Row key={row.row} row={row} />
        ))}
        {rows.hasNextPage && (
          <Button
            size="xs"
            variant="default"
            loading={rows.isFetchingNextPage}
            onClick={() => void rows.fetchNextPage()}
          >
            Load more
          </Button>
        )}
      </Stack>
    </section>
  )
}

function Row({ row: { row, action, title, listing, changes, kept } }: { row: PlannedRow }) {
  const fields = Object.entries(changes).map(([field, [before, after]]) => ({ field, before, after }))
  return (
    <article className={classes.change} aria-label={`Row ${row + 1}: ${title}`}>
      <Group gap="xs" mb={4}>
        <Text size="sm" fw={650}>
          {action === 'end' ? title : `Row ${formatCount(row + 1)}: ${title}`}
        </Text>
        {listing && (
          <Anchor component={Link} to={paths.part(listing.partslug)} size="sm">
            Listing
          </Anchor>
        )}
        {kept !== null && <Badge color="warning">Left as it is: {kept}</Badge>}
      </Group>
      <CellChanges changes={fields} />
    </article>
  )
}
