import { Button, Group, Stack, Tabs, Text, Title } from '@mantine/core'
import '@mantine/core/styles/Tabs.layer.css'
import type { ReactNode } from 'react'
import { automationEndpoints, type JobDetail, type JobEvent } from '#contract/admin/automation.ts'
import { call } from '#web/api/client.ts'
import { formatBytes } from '#web/components/imports/import-words.ts'
import type { JobLine } from '#web/components/job-stream/feed-log.ts'
import { useDownload } from '#web/screens/dashboard/admin/mission-control/download.ts'
import { jsonText } from '#web/screens/dashboard/admin/mission-control/jobs/job-input.tsx'
import { JobLog } from '#web/screens/dashboard/admin/mission-control/log/job-log.tsx'
import { DownloadLog } from '#web/screens/dashboard/admin/mission-control/log/log-tools.tsx'
import classes from './job-detail.module.css'
import { CopyValue } from './job-facts.tsx'
import type { LiveJob } from './live-job.ts'

export function JobTabs({ live }: { live: LiveJob }) {
  const { job } = live
  const hasResult = job.result !== null && job.result !== undefined
  const tabs: { name: string; count?: number; content: ReactNode }[] = [
    { name: 'Payload', content: <JsonBlock value={job.payload} what="payload" /> },
    { name: 'Options', content: <JsonBlock value={job.options} what="options" /> },
    {
      name: 'State',
      content: (
        <Stack gap="md">
          <JsonBlock value={job.state} what="state" />
          {hasResult && (
            <Stack gap={0}>
              <Title order={4}>Result</Title>
              <JsonBlock value={job.result} what="result" />
            </Stack>
          )}
        </Stack>
      ),
    },
    { name: 'Events', count: job._count.events, content: <JobEvents {...live} /> },
    { name: 'Artifacts', count: job._count.artifacts, content: <JobArtifacts job={job} /> },
  ]
  return (
    <Tabs defaultValue="Payload" keepMounted={false}>
      <Tabs.List mb="sm" className={classes.tabs}>
        {tabs.map(({ name, count = 0 }) => (
          <Tabs.Tab
            key={name}
            value={name}
            px={7}
            fz="sm"
            rightSection={count > 0 && <span aria-hidden>{count.toLocaleString('en-US')}</span>}
          >
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ name, content }) => (
        <Tabs.Panel key={name} value={name}>
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

function JsonBlock({ value, what }: { value: unknown; what: string }) {
  const text = jsonText(value)
  return (
    <Stack gap="xs">
      <Group justify="flex-end">
        <CopyValue value={text} what={what} />
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content needs keyboard access */}
      <pre className={classes.code} tabIndex={0}>
        {text}
      </pre>
    </Stack>
  )
}

function JobArtifacts({ job }: { job: JobDetail }) {
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

/** The job's log: from the stream once it has caught up with the record, otherwise the record's last lines. */
function JobEvents({ job, stream }: LiveJob) {
  const recorded = eventLines(job.events)
  const isStreamed = stream.lines.length > 0 && stream.lines.length >= recorded.length
  const before = (job.events[0]?.id ?? 1) - 1
  return (
    <JobLog
      lines={isStreamed ? stream.lines : recorded}
      dropped={isStreamed ? stream.dropped : before}
      empty="No events"
      actions={<DownloadLog jobId={job.id} />}
    />
  )
}

/** Events as log lines, without progress and end, which are shown elsewhere. */
function eventLines(events: readonly JobEvent[]): JobLine[] {
  return events.flatMap(({ id, kind, message, payload: { stream, loggedAt } }) =>
    kind === 'progress' || kind === 'done'
      ? []
      : { id, stream: stream ?? 'system', level: kind, text: message, at: loggedAt },
  )
}
