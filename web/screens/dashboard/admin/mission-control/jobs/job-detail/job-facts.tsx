import { Anchor, Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { JobDetail } from '#contract/automation.ts'
import { Facts } from '#web/components/account/facts.tsx'
import { StatusBadge } from '#web/screens/dashboard/admin/mission-control/jobs/status-badge.tsx'
import { withJob } from '#web/screens/dashboard/admin/mission-control/jobs/use-chosen-job.ts'
import { CopyValue } from './copy-value.tsx'
import classes from './job-detail.module.css'

export function JobFacts({ job, isLive }: { job: JobDetail; isLive: boolean }) {
  const { id, queueKey, status, attempts, maxAttempts, retryOf, retriedBy } = job
  const facts: { name: string; value: ReactNode }[] = [
    { name: 'ID', value: <Copied value={id} what="ID" exact /> },
    { name: 'Queue', value: <Copied value={queueKey} what="Queue" /> },
    {
      name: 'Status',
      value: (
        <span className={classes.value}>
          {isLive && (
            <Badge color="good" size="sm">
              live
            </Badge>
          )}
          <StatusBadge status={status} />
        </span>
      ),
    },
    { name: 'Script', value: job.scriptId ?? '–' },
    { name: 'Attempts', value: `${attempts} of ${maxAttempts} used` },
    { name: 'Created', value: <time className={classes.exact}>{job.createdAt}</time> },
    { name: 'Updated', value: <time className={classes.exact}>{job.updatedAt}</time> },
  ]
  if (job.createdBy !== null) facts.push({ name: 'Created by', value: job.createdBy })
  if (retryOf !== null) facts.push({ name: 'Retry of', value: <JobLinks ids={[retryOf]} /> })
  if (retriedBy.length > 0) facts.push({ name: 'Retried by', value: <JobLinks ids={retriedBy} /> })
  return (
    <div className={classes.facts}>
      <Facts facts={facts} />
    </div>
  )
}

function Copied({ value, what, exact = false }: { value: string; what: string; exact?: boolean }) {
  return (
    <span className={classes.value}>
      <span className={exact ? classes.exact : undefined}>{value}</span>
      <CopyValue value={value} what={what} />
    </span>
  )
}

function JobLinks({ ids }: { ids: readonly string[] }) {
  const [params] = useSearchParams()
  return ids.map((id) => (
    <Anchor
      key={id}
      component={Link}
      to={{ search: withJob(params, id).toString() }}
      preventScrollReset
      display="block"
      className={classes.exact}
    >
      {id}
    </Anchor>
  ))
}
