import { Anchor, Badge, Button, CopyButton, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { JobDetail } from '#contract/admin/automation.ts'
import { Facts } from '#web/components/account/facts.tsx'
import { withJob } from '#web/screens/dashboard/admin/mission-control/jobs/job-lists.ts'
import { attemptWords } from '#web/screens/dashboard/admin/mission-control/jobs/job-progress.ts'
import { StatusBadge } from '#web/screens/dashboard/admin/mission-control/jobs/status-badge.tsx'
import classes from './job-detail.module.css'

export function JobFacts({ job, isLive }: { job: JobDetail; isLive: boolean }) {
  const { id, queueKey, status, retryOf, retriedBy } = job
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
    { name: 'Attempts', value: attemptWords(job) },
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

/** `what` completes the button's accessible name: "Copy ID". */
export function CopyValue({ value, what }: { value: string; what: string }) {
  return (
    <CopyButton value={value} timeout={2_000}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          size="compact-sm"
          onClick={copy}
          aria-label={copied ? `${what} copied` : `Copy ${what}`}
          flex="none"
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
      )}
    </CopyButton>
  )
}

const clock = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium' })

export function JobTimeline({ job }: { job: JobDetail }) {
  return (
    <Stack gap="xs">
      <Title order={3} size="h4">
        Timeline
      </Title>
      <ol className={classes.timeline}>
        {timelineSteps(job.timeline).map(({ status, at, runNo, lasted }) => (
          <li key={`${at} ${status} ${runNo}`}>
            <StatusBadge status={status} size="sm" />
            {runNo !== null && <span>run {runNo}</span>}
            {lasted !== undefined && (
              <Text span size="sm" className="second">
                for {lasted}
              </Text>
            )}
            <time dateTime={at} title={at}>
              {clock.format(new Date(at))}
            </time>
          </li>
        ))}
      </ol>
    </Stack>
  )
}

type Step = JobDetail['timeline'][number]

/** Adds durations; the last status has none yet. */
export function timelineSteps(timeline: readonly Step[]): (Step & { lasted: string | undefined })[] {
  return timeline.map((step, place) => {
    const next = timeline[place + 1]
    return { ...step, lasted: next && spanInWords(Date.parse(next.at) - Date.parse(step.at)) }
  })
}

/** "40 ms", "3.2 s", "2 min 5 s", "1 h 4 min". */
export function spanInWords(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, ms)} ms`
  const seconds = ms / 1_000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return `${minutes} min ${whole % 60} s`
  return `${Math.floor(minutes / 60).toLocaleString('en-US')} h ${minutes % 60} min`
}
