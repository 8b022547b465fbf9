import { Stack, Text, Title } from '@mantine/core'
import type { JobDetail } from '#contract/automation.ts'
import { StatusBadge } from '#web/screens/dashboard/admin/mission-control/jobs/status-badge.tsx'
import classes from './job-detail.module.css'
import { timelineSteps } from './timeline-steps.ts'

const clock = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium' })

/** Its statuses since it was enqueued, with the run of each and how long it lasted. */
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
