import { Anchor, Badge, Button, Table } from '@mantine/core'
import { Link } from 'react-router'
import type { Queue } from '#contract/automation.ts'
import { momentWords } from '#web/components/time-words.ts'
import jobs from './jobs.module.css'
import classes from './queues-table.module.css'
import { useQueuePause } from './use-queue-pause.ts'

const counted = [
  ['Waiting', 'waiting'],
  ['Active', 'active'],
  ['Completed', 'completed'],
  ['Failed', 'failed'],
  ['Delayed', 'delayed'],
] as const

/** A count that the server does not know is a dash (spec, section 2). */
const shown = (count: number | null | undefined): string => count?.toLocaleString('en-US') ?? '-'

const ofQueue = (queue: string, status?: string): string =>
  `?${new URLSearchParams({ queue, ...(status !== undefined && { status }) })}`

export function QueuesTable({ queues }: { queues: readonly Queue[] }) {
  const pausing = useQueuePause()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be within reach of the keys
    <section className={classes.frame} aria-label="Queues and their counts" tabIndex={0}>
      <Table className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Queue</Table.Th>
            {counted.map(([label]) => (
              <Table.Th key={label}>{label}</Table.Th>
            ))}
            <Table.Th>Total (DB)</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {queues.map((queue) => (
            <QueueRow
              key={queue.key}
              queue={queue}
              onPause={() => pausing.mutate(queue)}
              pausing={pausing.isPending && pausing.variables.key === queue.key}
            />
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}

type QueueRowProps = { queue: Queue; onPause: () => void; pausing: boolean }

function QueueRow({ queue, onPause, pausing }: QueueRowProps) {
  const { key, name, counts, db, pausedAt } = queue
  return (
    <Table.Tr>
      <Table.Td>
        <span className={classes.name}>
          <Anchor component={Link} to={ofQueue(key)} preventScrollReset className={jobs.plain} title={name}>
            {key}
          </Anchor>
          {pausedAt !== null && (
            <Badge color="warning" size="sm" title={`Since ${momentWords(pausedAt)}`}>
              paused
            </Badge>
          )}
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            className={classes.pause ?? ''}
            onClick={onPause}
            loading={pausing}
            aria-label={`${pausedAt === null ? 'Pause' : 'Resume'} ${key}`}
          >
            {pausedAt === null ? 'Pause' : 'Resume'}
          </Button>
        </span>
      </Table.Td>
      {counted.map(([label, count]) => (
        <Table.Td key={count} data-label={label}>
          {count === 'failed' && (counts?.failed ?? 0) > 0 ? (
            <Link
              to={ofQueue(key, 'failed')}
              preventScrollReset
              className={classes.failed}
              aria-label={`${shown(counts.failed)} failed jobs of ${key}`}
            >
              {shown(counts.failed)}
            </Link>
          ) : (
            shown(counts?.[count])
          )}
        </Table.Td>
      ))}
      <Table.Td data-label="Total (DB)">{shown(db?.total)}</Table.Td>
    </Table.Tr>
  )
}
