import { Alert, Anchor, Button, Group, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { z } from 'zod'
import {
  automationEndpoints,
  type JobDetail,
  type JobStatus,
  LONGEST_LINE,
} from '#contract/admin/automation.ts'
import type { Flags, ScriptDefinition } from '#contract/admin/scripts.ts'
import { call } from '#web/api/client.ts'
import { formatCount } from '#web/components/imports/import-words.ts'
import { JobQuestion } from '#web/components/job-question/job-question.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { notifyProblem } from '#web/components/toasts.tsx'
import { copyText } from '#web/screens/dashboard/admin/mission-control/download.ts'
import { useQueues, withJob } from '#web/screens/dashboard/admin/mission-control/jobs/job-lists.ts'
import { StatusBadge } from '#web/screens/dashboard/admin/mission-control/jobs/status-badge.tsx'
import { JobLog } from '#web/screens/dashboard/admin/mission-control/log/job-log.tsx'
import { DownloadLog } from '#web/screens/dashboard/admin/mission-control/log/log-tools.tsx'
import { withView } from '#web/screens/dashboard/admin/mission-control/mission-views.ts'
import { failureWords, RunProgress } from '#web/screens/dashboard/admin/mission-control/run-feedback.tsx'
import classes from './preprocess.module.css'
import type { ConsoleJob } from './script-choice.ts'
import { type StagedSource, useConsole } from './use-console.ts'

type ConsoleCardProps = {
  job: ConsoleJob
  script: ScriptDefinition
  source: StagedSource | undefined
  checkFlags: () => Flags | undefined
}

/** Starts the chosen script, shows its output, and sends it input. */
export function ConsoleCard(props: ConsoleCardProps) {
  const { job, script } = props
  const console = useConsole(props)
  const { stream } = console
  const { isLive } = stream
  // Enqueueing creates no event.
  const detail = job.detail?.id === job.id ? job.detail : undefined
  const status = stream.status ?? detail?.status
  // No badge while the next run is being enqueued, or if nothing is known about this one.
  const isKnown = !console.isStarting && stream.phase !== 'offline'
  const [commandOpen, setCommandOpen] = useState(true)
  // A second run of the same script would only wait for the first.
  const isRunning = isLive && detail?.scriptId === script.scriptId
  const acceptsInput = status === 'running' || status === 'waiting-manual'
  return (
    <SectionCard
      title="Error & Debugging Console"
      aside={
        <Group gap="xs">
          <Button onClick={console.start} loading={console.isStarting} disabled={isRunning}>
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
      }
    >
      {job.id !== undefined && <JobIdLine jobId={job.id} />}
      <Group gap="sm" justify="space-between">
        <Text role="status" className={classes.status ?? ''} data-tone={console.status.tone}>
          {console.status.text}
        </Text>
        {isKnown && status !== undefined && <StatusBadge status={status} />}
      </Group>
      {status === 'queued' && detail && <WaitingReason job={detail} />}
      {stream.progress && (
        <RunProgress
          key={`${job.id} progress`}
          progress={stream.progress}
          isMoving={isKnown && status === 'running'}
        />
      )}
      <Outcome job={job} status={status} />
      <JobLog
        key={`${job.id} log`}
        lines={console.lines}
        dropped={stream.dropped}
        empty="waiting for stream…"
        actions={<DownloadLog jobId={job.id} />}
      />
      {commandOpen && (
        <CommandBox jobId={acceptsInput ? job.id : undefined} onClose={() => setCommandOpen(false)} />
      )}
    </SectionCard>
  )
}

type OutcomeProps = { job: ConsoleJob; status: JobStatus | undefined }

/** A run's question, or what people should know about how it ended. */
function Outcome({ job: { id, detail }, status }: OutcomeProps) {
  if (status === 'completed') return <RefusedRecords result={detail?.result} />
  const question = status === 'waiting-manual' && detail?.id === id ? detail?.question : undefined
  return id !== undefined && question ? <JobQuestion jobId={id} question={question} /> : null
}

const withErrors = z.object({
  outcome: z.literal('completed-with-errors'),
  written: z.number(),
  unchanged: z.number(),
  refused: z.number(),
})

/** A run that skipped records is completed, but people should know. */
function RefusedRecords({ result }: { result: unknown }) {
  const counts = withErrors.safeParse(result).data
  if (!counts) return null
  const [written, unchanged, refused] = [counts.written, counts.unchanged, counts.refused].map(formatCount)
  return (
    <Alert color="warning" variant="light" title="Completed with errors">
      {written} written, {unchanged} unchanged, {refused} refused. The log has the reason for each.
    </Alert>
  )
}

type CommandBoxProps = {
  /** The job that receives the input, if one accepts it. */
  jobId: string | undefined
  onClose: () => void
}

function CommandBox({ jobId, onClose }: CommandBoxProps) {
  const [line, setLine] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const sending = useMutation({
    mutationFn: (sent: { id: string; data: string }) =>
      call(automationEndpoints.controlJob, {
        params: { id: sent.id },
        body: { action: 'stdin', data: sent.data },
      }),
    onSuccess: () => setLine(''),
    onError: (error) => notifyProblem(failureWords(error, 'Failed to send manual command')),
    onSettled: () => field.current?.focus(),
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (jobId !== undefined && !sending.isPending) sending.mutate({ id: jobId, data: line })
  }
  return (
    <form className={classes.command} onSubmit={send}>
      <TextInput
        ref={field}
        label="Manual command"
        description="One line of input for the running script"
        value={line}
        maxLength={LONGEST_LINE}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setLine(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" disabled={jobId === undefined} loading={sending.isPending}>
        Send
      </Button>
      <Button variant="subtle" color="gray" onClick={onClose}>
        Close
      </Button>
    </form>
  )
}

/** The console's job, with a link to its details. */
function JobIdLine({ jobId }: { jobId: string }) {
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
  copyText(jobId, { done: 'Job id copied', instead: 'Select the id and copy it manually.' })

/** Why a job does not start, if an admin can do something about it. */
function WaitingReason({ job }: { job: JobDetail }) {
  const [params] = useSearchParams()
  const queue = useQueues().data?.queues.find(({ key }) => key === job.queueKey)
  const holder = job.state.keyHeldBy
  if (queue && queue.pausedAt !== null) {
    return <Text size="sm">Waiting because the queue {queue.name} is paused.</Text>
  }
  if (typeof holder !== 'string') return null
  return (
    <Text size="sm">
      Waiting for{' '}
      <Anchor component={Link} inherit to={{ search: withJob(params, holder).toString() }}>
        another run
      </Anchor>{' '}
      to end: only one can run at a time.
    </Text>
  )
}
