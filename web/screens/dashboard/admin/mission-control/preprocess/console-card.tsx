import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useId, useState } from 'react'
import type { Flags, ScriptDefinition } from '#contract/scripts.ts'
import { JobQuestion } from '#web/components/job-question/job-question.tsx'
import { StatusBadge } from '#web/screens/dashboard/admin/mission-control/jobs/status-badge.tsx'
import { DownloadLog } from '#web/screens/dashboard/admin/mission-control/log/download-log.tsx'
import { JobLog } from '#web/screens/dashboard/admin/mission-control/log/job-log.tsx'
import { RunProgress } from '#web/screens/dashboard/admin/mission-control/run-progress.tsx'
import { CommandBox } from './command-box.tsx'
import { JobIdLine } from './job-id-line.tsx'
import classes from './preprocess.module.css'
import type { StagedSource } from './start-problem.ts'
import { useConsole } from './use-console.ts'
import type { ConsoleJob } from './use-console-job.ts'
import { WaitingReason } from './waiting-reason.tsx'

type ConsoleCardProps = {
  job: ConsoleJob
  script: ScriptDefinition
  source: StagedSource | undefined
  checkFlags: () => Flags | undefined
}

/** Starts the chosen script, shows what it says, and takes what it is told. */
export function ConsoleCard(props: ConsoleCardProps) {
  const { job, script } = props
  const console = useConsole(props)
  const { stream } = console
  const { isLive } = stream
  // Being enqueued leaves no event.
  const status = stream.status ?? job.detail?.status
  const [commandOpen, setCommandOpen] = useState(true)
  const titleId = useId()
  // The same script again would only wait for the first to end.
  const runsAlready = isLive && job.detail?.scriptId === script.scriptId
  const listens = status === 'running' || status === 'waiting-manual'
  const asked = status === 'waiting-manual' ? job.detail?.question : undefined
  return (
    <Card component="section" aria-labelledby={titleId}>
      <Stack gap="md">
        <div className={classes.head}>
          <Title order={2} size="h3" id={titleId}>
            Error & Debugging Console
          </Title>
          <Group gap="xs">
            <Button onClick={console.start} loading={console.isStarting} disabled={runsAlready}>
              Start
            </Button>
            <Button variant="default" onClick={console.stop} loading={console.isStopping} disabled={!isLive}>
              Stop / Break
            </Button>
            <Button variant="default" onClick={console.clear}>
              Clear
            </Button>
            <Button variant="default" disabled={commandOpen} onClick={() => setCommandOpen(true)}>
              Manual
            </Button>
          </Group>
        </div>
        {job.id !== undefined && <JobIdLine jobId={job.id} />}
        <Group gap="sm" justify="space-between">
          <Text role="status" className={classes.status ?? ''} data-tone={console.status.tone}>
            {console.status.text}
          </Text>
          {status !== undefined && <StatusBadge status={status} />}
        </Group>
        {status === 'queued' && job.detail && <WaitingReason job={job.detail} />}
        {stream.progress && (
          <RunProgress
            key={`${job.id} progress`}
            progress={stream.progress}
            isMoving={status === 'running'}
          />
        )}
        {job.id !== undefined && asked && <JobQuestion jobId={job.id} question={asked} />}
        <JobLog
          key={`${job.id} log`}
          lines={console.lines}
          dropped={stream.dropped}
          empty="waiting for stream…"
          actions={<DownloadLog jobId={job.id} />}
        />
        {commandOpen && (
          <CommandBox jobId={listens ? job.id : undefined} onClose={() => setCommandOpen(false)} />
        )}
      </Stack>
    </Card>
  )
}
