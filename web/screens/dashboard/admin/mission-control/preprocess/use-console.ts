import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { automationEndpoints, type JobStatus } from '#contract/admin/automation.ts'
import { type Flags, flagArguments, type ScriptDefinition } from '#contract/admin/scripts.ts'
import type { StagingRoot } from '#contract/admin/staging.ts'
import { call } from '#web/api/client.ts'
import type { JobLine } from '#web/components/job-stream/feed-log.ts'
import { type JobStream, useJobStream } from '#web/components/job-stream/job-feed.ts'
import { notifyProblem } from '#web/components/toasts.tsx'
import { jobKey } from '#web/screens/dashboard/admin/mission-control/jobs/job-detail/live-job.ts'
import { useQueues } from '#web/screens/dashboard/admin/mission-control/jobs/job-lists.ts'
import { failureWords, useStreamToasts } from '#web/screens/dashboard/admin/mission-control/run-feedback.tsx'
import type { ConsoleJob } from './script-choice.ts'

type ConsoleOptions = {
  job: ConsoleJob
  script: ScriptDefinition
  /** The loaded staged file. */
  source: StagedSource | undefined
  /** Returns the flags, or shows the problems and returns undefined. */
  checkFlags: () => Flags | undefined
}

/** The console's actions and its lines: the job's log plus the console's own messages. */
export function useConsole({ job, script, source, checkFlags }: ConsoleOptions) {
  const stream = useConsoleStream(job.id)
  const queues = useQueues().data?.queues.map(({ key }) => key)
  const [ownLines, setOwnLines] = useState<readonly JobLine[]>([])
  const [last, setLast] = useState<LastStep>({ step: 'none', jobId: job.id, after: 0 })
  const begin = (step: ConsoleStep, jobId = job.id) => setLast({ step, jobId, after: lastIdOf(stream.lines) })

  const { starting, stopping } = useJobCalls({
    onStarted: (id) => {
      setOwnLines([])
      begin('enqueueing', id)
      job.show(id)
    },
    onNotStarted: (sentence) => {
      setOwnLines([...ownLines, lineOf(sentence)])
      begin('not-enqueued')
    },
    onStopping: () => begin('cancel-requested'),
  })

  const start = () => {
    const flags = checkFlags()
    if (!flags) return
    const problem = startProblem(script, queues, source)
    if (problem !== undefined) return notifyProblem(problem, { about: 'start' })
    begin('enqueueing', NEW_JOB)
    starting.mutate({ script, flags, source })
  }
  const clear = () => {
    setOwnLines([])
    stream.clear()
    if (stream.isLive) return begin('cleared')
    setLast({ step: 'cleared', jobId: undefined, after: 0 })
    job.show(undefined)
  }
  return {
    stream,
    lines: ownLines.length === 0 ? stream.lines : [...stream.lines, ...ownLines],
    status: statusLine({
      step: stepNow(last, job.id, stream),
      phase: stream.phase,
      jobStatus: stream.status,
    }),
    start,
    isStarting: starting.isPending,
    stop: () => job.id !== undefined && stopping.mutate(job.id),
    isStopping: stopping.isPending,
    clear,
  }
}

const NEW_JOB = 'new'

/** The console's last action, its job, and the id of the last line at that time. */
type LastStep = { step: ConsoleStep; jobId: string | undefined; after: number }

/** New lines of the job replace the console's own status. */
function stepNow(last: LastStep, jobId: string | undefined, stream: ConsoleStream): ConsoleStep {
  const { step, after } = last
  // Until the new job is shown.
  if (step === 'enqueueing') return last.jobId === jobId ? 'none' : step
  if (last.jobId !== jobId) return 'none'
  const fades = step === 'cleared' || step === 'not-enqueued'
  const isOver = stream.phase === 'ended' && step === 'cleared'
  return fades && (isOver || lastIdOf(stream.lines) > after) ? 'none' : step
}

const lastIdOf = (lines: readonly JobLine[]): number => lines.at(-1)?.id ?? 0

type CallsOptions = {
  onStarted: (jobId: string) => void
  onNotStarted: (sentence: string) => void
  onStopping: () => void
}

function useJobCalls({ onStarted, onNotStarted, onStopping }: CallsOptions) {
  const client = useQueryClient()
  const starting = useMutation({
    mutationFn: ({ script, flags, source }: Omit<ConsoleOptions, 'job' | 'checkFlags'> & { flags: Flags }) =>
      call(automationEndpoints.enqueueJob, {
        body: {
          queue: script.queue,
          payload: {
            scriptId: script.scriptId,
            flags,
            args: flagArguments(flags),
            stagingRoot: source?.root ?? null,
            source: source ?? null,
          },
          options: { attempts: 1 },
        },
      }),
    onSuccess: ({ jobId }) => onStarted(jobId),
    onError: (error, { script }) => {
      const sentence = failureWords(error, `Failed to enqueue ${script.name}`)
      notifyProblem(sentence)
      onNotStarted(sentence)
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['automation'] }),
  })
  const stopping = useMutation({
    mutationFn: (id: string) => call(automationEndpoints.cancelJob, { params: { id } }),
    onSuccess: onStopping,
    onError: (error) => notifyProblem(failureWords(error, 'Failed to cancel job')),
  })
  return { starting, stopping }
}

/** The console's own lines have negative ids, apart from those of events. */
let ownLineId = 0

function lineOf(text: string): JobLine {
  ownLineId -= 1
  return { id: ownLineId, stream: 'system', level: 'error', text, at: new Date().toISOString() }
}

type ConsoleStream = JobStream & { phase: ConsolePhase; isLive: boolean }

/** A job's log as it grows; shows stream errors. */
function useConsoleStream(jobId: string | undefined): ConsoleStream {
  const stream = useJobStream(jobId)
  useStreamToasts(stream)
  useFreshDetail(jobId, stream)
  const phase = phaseOf(stream)
  return {
    ...stream,
    phase,
    isLive: jobId !== undefined && phase !== 'ended' && phase !== 'not-opened',
  }
}

function phaseOf({ state, status }: JobStream): ConsolePhase {
  if (state !== 'failed') return state
  // The server closed an open stream, for example because the user is no longer an administrator.
  return status === undefined ? 'not-opened' : 'ended'
}

/** The record has more than the events, such as the question of a waiting job. */
function useFreshDetail(jobId: string | undefined, { lines, state }: JobStream): void {
  const client = useQueryClient()
  const lastChange = lines.findLast(({ level }) => level === 'status')?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: refetches the record when the job has changed
  useEffect(() => {
    if (jobId !== undefined) void client.invalidateQueries({ queryKey: jobKey(jobId) })
  }, [client, jobId, lastChange, state])
}

/** The console's own steps; the rest of the status line comes from the stream. */
type ConsoleStep = 'none' | 'enqueueing' | 'not-enqueued' | 'cancel-requested' | 'cleared'

type ConsolePhase = 'idle' | 'connecting' | 'streaming' | 'polling' | 'offline' | 'not-opened' | 'ended'

export type ConsoleFacts = {
  step: ConsoleStep
  phase: ConsolePhase
  jobStatus: JobStatus | undefined
}

/** The spec's words for the status line, and its dot's color. */
export function statusLine({ step, phase, jobStatus }: ConsoleFacts): { text: string; tone?: string } {
  switch (step) {
    case 'enqueueing':
      return { text: 'Enqueueing job…', tone: 'sea' }
    case 'not-enqueued':
      return { text: 'Failed to enqueue job', tone: 'bad' }
    case 'cleared':
      return { text: 'Console cleared' }
    case 'cancel-requested':
      return phase === 'ended' ? endLine(jobStatus, true) : { text: 'Cancel requested', tone: 'warning' }
    case 'none':
      return phase === 'ended' ? endLine(jobStatus, false) : phases[phase]
  }
}

const phases = {
  idle: { text: 'Stream inactive' },
  connecting: { text: 'Connecting…', tone: 'sea' },
  streaming: { text: 'Streaming…', tone: 'sea' },
  polling: { text: 'Polling for logs…', tone: 'warning' },
  offline: { text: 'No connection', tone: 'bad' },
  'not-opened': { text: 'Failed to open stream', tone: 'bad' },
} as const

/** A job stopped here ends with "Stream stopped", one stopped elsewhere with "Stream ended". */
function endLine(jobStatus: JobStatus | undefined, stoppedHere: boolean): { text: string; tone?: string } {
  if (jobStatus === 'completed') return { text: 'Job completed', tone: 'good' }
  if (jobStatus === 'failed') return { text: 'Job failed', tone: 'bad' }
  return { text: stoppedHere ? 'Stream stopped' : 'Stream ended' }
}

/** The staged file a script reads. */
export type StagedSource = { root: StagingRoot; path: string }

/** Why a script cannot be started, in the spec's words. `queues` is undefined until loaded. */
export function startProblem(
  script: ScriptDefinition,
  queues: readonly string[] | undefined,
  source: StagedSource | undefined,
): string | undefined {
  if (queues !== undefined && !queues.includes(script.queue)) {
    return `Queue '${script.queue}' not available on server. Known queues: ${queues.join(', ')}`
  }
  if (script.source === 'staging' && (source?.path ?? '') === '') {
    return 'Select or load a staging file path first'
  }
  return undefined
}
