import { Button, Group, Text } from '@mantine/core'
import { Link, useSearchParams } from 'react-router'
import { copyText } from '#web/components/copy-text.ts'
import { withJob } from '#web/screens/dashboard/admin/mission-control/jobs/use-chosen-job.ts'
import { withView } from '#web/screens/dashboard/admin/mission-control/mission-views.ts'
import classes from './preprocess.module.css'

/** Which job the console shows, with the way to its details. */
export function JobIdLine({ jobId }: { jobId: string }) {
  const [params] = useSearchParams()
  return (
    <Group gap="sm">
      <Text size="sm">
        Job id <span className={classes.jobId}>{jobId}</span>
      </Text>
      <Group gap="xs">
        <Button
          component={Link}
          to={{ search: withView(withJob(params, jobId), 'jobs').toString() }}
          variant="default"
          size="compact-sm"
        >
          View
        </Button>
        <Button variant="default" size="compact-sm" onClick={() => void copyId(jobId)}>
          Copy ID
        </Button>
      </Group>
    </Group>
  )
}

const copyId = (jobId: string) =>
  copyText(jobId, { done: 'Job id copied', instead: 'Select the id and copy it by hand.' })
