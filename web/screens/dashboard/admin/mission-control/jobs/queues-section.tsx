import { Alert, Skeleton, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { QuietRetry } from '#web/screens/dashboard/admin/mission-control/quiet-retry.tsx'
import classes from './jobs.module.css'
import { QueuesTable } from './queues-table.tsx'
import type { useQueues } from './use-job-lists.ts'

type QueuesSectionProps = { queues: ReturnType<typeof useQueues>; actions: ReactNode }

export function QueuesSection({ queues, actions }: QueuesSectionProps) {
  const { data, isError } = queues
  return (
    <section aria-labelledby="queues" className={classes.section}>
      <div className={classes.head}>
        <Title order={2} id="queues">
          Queues
        </Title>
        {actions}
      </div>
      {data && data.warnings.length > 0 && (
        <Alert color="warning" radius="lg" mb="sm" role="status" icon={<IconAlertTriangle aria-hidden />}>
          <Text>{data.warnings.join(' | ')}</Text>
        </Alert>
      )}
      {isError && <QuietRetry query={queues} fallback="Failed to load queues" />}
      {data && <QueuesTable queues={data.queues} />}
      {!data && !isError && <Skeleton height={276} radius="lg" role="status" aria-label="Loading queues…" />}
    </section>
  )
}
