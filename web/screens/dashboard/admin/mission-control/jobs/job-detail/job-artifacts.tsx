import { Button, Text } from '@mantine/core'
import { automationEndpoints, type JobDetail } from '#contract/automation.ts'
import { call } from '#web/api/client.ts'
import { formatBytes } from '#web/components/imports/import-words.ts'
import { useDownload } from '#web/screens/dashboard/admin/mission-control/use-download.ts'
import classes from './job-detail.module.css'

export function JobArtifacts({ job }: { job: JobDetail }) {
  const downloading = useDownload()
  if (job.artifacts.length === 0) return <Text className="second">No artifacts</Text>
  return (
    <ul className={classes.artifacts}>
      {job.artifacts.map(({ id, name, bytes }) => (
        <li key={id}>
          <span>
            {name}{' '}
            <Text span size="sm" className="second">
              {formatBytes(bytes)}
            </Text>
          </span>
          <Button
            variant="default"
            size="xs"
            flex="none"
            aria-label={`Download ${name}`}
            loading={downloading.isPending && downloading.variables.name === name}
            onClick={() =>
              downloading.mutate({
                name,
                read: () =>
                  call(automationEndpoints.readArtifact, { params: { id: job.id, artifactId: id } }),
              })
            }
          >
            Download
          </Button>
        </li>
      ))}
    </ul>
  )
}
