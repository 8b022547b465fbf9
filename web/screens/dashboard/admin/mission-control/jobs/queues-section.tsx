import { Alert, Anchor, Badge, Button, Group, Skeleton, Table, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { automationEndpoints, type Queue } from '#contract/admin/automation.ts'
import { call } from '#web/api/client.ts'
import { momentWords } from '#web/components/time-words.ts'
import { notifyDone, notifyProblem } from '#web/components/toasts.tsx'
import { failureWords, QuietRetry } from '#web/screens/dashboard/admin/mission-control/run-feedback.tsx'
import { type useQueues, useRefreshLists } from './job-lists.ts'
import classes from './jobs.module.css'

type QueuesSectionProps = { queues: ReturnType<typeof useQueues>; actions: ReactNode }

export function QueuesSection({ queues, actions }: QueuesSectionProps) {
  const { data, isError } = queues
  const [showsInternal, setShowsInternal] = useState(false)
  // Queues that the program fills itself.
  const internal = data?.queues.filter((queue) => queue.internal) ?? []
  return (
    <section aria-labelledby="queues" className={classes.section}>
      <div className={classes.head}>
        <Group gap="xs">
          <Title order={2} id="queues">
            Queues
          </Title>
          {internal.length > 0 && (
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              aria-expanded={showsInternal}
              onClick={() => setShowsInternal(!showsInternal)}
            >
              {showsInternal ? 'Hide internal queues' : internalWords(internal)}
            </Button>
          )}
        </Group>
        {actions}
      </div>
      {data && data.warnings.length > 0 && (
        <Alert color="warning" radius="lg" mb="sm" role="status" icon={<IconAlertTriangle aria-hidden />}>
          <Text>{data.warnings.join(' | ')}</Text>
        </Alert>
      )}
      {isError && <QuietRetry query={queues} fallback="Failed to load queues" />}
      {data && (
        <QueuesTable
          queues={data.queues.filter(({ internal }) => !internal)}
          label="Queues and their counts"
        />
      )}
      {showsInternal && internal.length > 0 && (
        <div className={classes.internal}>
          <Title order={3} size="h4" mb="xs">
            Internal queues
          </Title>
          <QueuesTable queues={internal} label="Internal queues and their counts" />
        </div>
      )}
      {!data && !isError && <Skeleton height={220} radius="lg" role="status" aria-label="Loading queues…" />}
    </section>
  )
}

const counted = [
  ['Waiting', 'waiting'],
  ['Active', 'active'],
  ['Completed', 'completed'],
  ['Failed', 'failed'],
  ['Delayed', 'delayed'],
] as const

/** An unknown count is a dash. */
const shown = (count: number | null | undefined): string => count?.toLocaleString('en-US') ?? '-'

const ofQueue = (queue: string, status?: string): string =>
  `?${new URLSearchParams({ queue, ...(status !== undefined && { status }) })}`

/** "Show 14 internal queues, 1 with failed jobs" */
function internalWords(queues: readonly Queue[]): string {
  const failed = queues.filter(({ counts }) => (counts?.failed ?? 0) > 0).length
  const many = `Show ${queues.length} internal ${queues.length === 1 ? 'queue' : 'queues'}`
  return failed > 0 ? `${many}, ${failed} with failed jobs` : many
}

function QueuesTable({ queues, label }: { queues: readonly Queue[]; label: string }) {
  const pausing = useQueuePause()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content needs keyboard access
    <section className={classes.frame} aria-label={label} tabIndex={0}>
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
            <QueueRow key={queue.key} queue={queue} pausing={pausing} />
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}

type QueueRowProps = { queue: Queue; pausing: ReturnType<typeof useQueuePause> }

function QueueRow({ queue, pausing }: QueueRowProps) {
  const { key, name, counts, db, pausedAt } = queue
  return (
    <Table.Tr>
      <Table.Td>
        <span className={classes.name}>
          <Anchor
            component={Link}
            to={ofQueue(key)}
            preventScrollReset
            className={classes.plain}
            title={name}
          >
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
            onClick={() => pausing.mutate(queue)}
            loading={pausing.isPending && pausing.variables.key === key}
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

function useQueuePause() {
  const refresh = useRefreshLists()
  return useMutation({
    mutationFn: ({ key, pausedAt }: Queue) =>
      call(automationEndpoints.changeQueue, { params: { key }, body: { paused: pausedAt === null } }),
    onSuccess: ({ key, pausedAt }) =>
      notifyDone(pausedAt === null ? `${key} is resumed` : `${key} is paused`, { about: `queue ${key}` }),
    onError: (error, { key, pausedAt }) =>
      notifyProblem(failureWords(error, `Failed to ${pausedAt === null ? 'pause' : 'resume'} queue`), {
        about: `queue ${key}`,
      }),
    onSettled: refresh,
  })
}
