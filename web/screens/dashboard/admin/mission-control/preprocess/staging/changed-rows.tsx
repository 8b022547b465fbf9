import { Anchor, Badge, Button, type ButtonProps, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { PlannedRow, RowDifference, StagingPlan } from '#contract/admin/staging.ts'
import { formatCount } from '#web/components/imports/import-words.ts'
import { Waiting } from '#web/components/page/waiting.tsx'
import { paths } from '#web/paths.ts'
import { QuietRetry } from '#web/screens/dashboard/admin/mission-control/run-feedback.tsx'
import { cellText } from './staged-cells.ts'
import classes from './staging.module.css'
import { type PlannedAction, type StagedName, useDiff, usePlannedRows } from './staging-calls.ts'

type ChangedRowsProps = { name: StagedName; from: number; to: number }

/** The differences between two versions of a file, cell by cell. */
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
      <LoadMore query={diff} mt="sm" />
    </section>
  )
}

const colors = { added: 'good', removed: 'bad', changed: 'sea' }

function RowChange({ row: { row, kind, before, after } }: { row: RowDifference }) {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return (
    <Change
      label={`Row ${row + 1} ${kind}`}
      title={`Row ${formatCount(row + 1)}`}
      cells={fields.map((field) => [field, [before?.[field], after?.[field]]])}
    >
      <Badge size="sm" color={colors[kind]}>
        {kind}
      </Badge>
    </Change>
  )
}

type PlannedRowsProps = { name: StagedName; plan: StagingPlan }

/** What a plan does, row by row, with the changed fields. */
export function PlannedRows({ name, plan }: PlannedRowsProps) {
  const actions: [PlannedAction, string, number][] = [
    ['create', 'To create', plan.create],
    ['update', 'To update', plan.update],
    ['end', 'To end', plan.ended],
  ]
  const [chosen, setAction] = useState<PlannedAction>()
  const action = chosen ?? actions.find(([, , count]) => count > 0)?.[0]
  if (action === undefined) return null
  return (
    <section aria-label="Planned rows">
      <fieldset aria-label="Rows to show" className={classes.filter}>
        <Button.Group>
          {actions.map(([value, label, count]) => (
            <Button
              key={value}
              size="xs"
              color="sea"
              variant={value === action ? 'light' : 'default'}
              aria-pressed={value === action}
              disabled={count === 0}
              onClick={() => setAction(value)}
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content needs keyboard access
    <section className={classes.planned} aria-label="Rows of the plan" tabIndex={0}>
      <Stack gap="xs">
        {items.map((row) => (
          <Row key={row.row} row={row} />
        ))}
        <LoadMore query={rows} size="xs" />
      </Stack>
    </section>
  )
}

function Row({ row: { row, action, title, listing, changes, keptEdits, kept } }: { row: PlannedRow }) {
  return (
    <Change
      label={`Row ${row + 1}: ${title}`}
      title={action === 'end' ? title : `Row ${formatCount(row + 1)}: ${title}`}
      cells={Object.entries(changes)}
    >
      {listing && (
        <Anchor component={Link} to={paths.part(listing.partslug)} size="sm">
          Listing
        </Anchor>
      )}
      {Object.entries(keptEdits).map(([field, [edited, file]]) => (
        <Text key={field} size="sm" className="second">
          {field} stays “{cellText(edited)}” as edited by hand; the file has “{cellText(file)}”
        </Text>
      ))}
      {kept !== null && <Badge color="warning">Left alone: {kept}</Badge>}
    </Change>
  )
}

type ChangeProps = {
  label: string
  title: string
  /** The old and new value of each field. */
  cells: readonly [field: string, [before: unknown, after: unknown]][]
  children: ReactNode
}

/** A changed row. Old and new values are deletions and insertions: color alone is not accessible. */
function Change({ label, title, cells, children }: ChangeProps) {
  return (
    <article className={classes.change} aria-label={label}>
      <Group gap="xs" mb={4}>
        <Text size="sm" fw={650}>
          {title}
        </Text>
        {children}
      </Group>
      <dl className={classes.cells}>
        {cells.map(([field, values]) => {
          const [was, is] = values.map(cellText)
          return (
            <div key={field}>
              <dt>{field}</dt>
              <dd>
                {was && <del>{was}</del>} {is && <ins>{is}</ins>}
                {!was && !is && <span className="second">empty</span>}
              </dd>
            </div>
          )
        })}
      </dl>
    </article>
  )
}

type LoadMoreProps = ButtonProps & {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }
}

export function LoadMore({ query, ...look }: LoadMoreProps) {
  if (!query.hasNextPage) return null
  return (
    <Button
      variant="default"
      {...look}
      loading={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
    >
      Load more
    </Button>
  )
}
