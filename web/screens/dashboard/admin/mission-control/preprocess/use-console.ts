import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { automationEndpoints, type JobStatus } from '#contract/automation.ts'
import { type Flags, flagArguments, type ScriptDefinition } from '#contract/scripts.ts'
import type { StagingRoot } from '#contract/staging.ts'
import { call } from '#web/api/client.ts'
import type { JobLine } from '#web/components/job-stream/feed-log.ts'
import { type JobStream, useJobStream } from '#web/components/job-stream/job-feed.ts'
import { notifyProblem } from '#web/components/toasts.tsx'
import { jobKey } from '#web/screens/dashboard/admin/mission-control/jobs/job-detail/live-job.ts'
import { useQueues } from '#web/screens/dashboard/admin/mission-control/jobs/job-lists.ts'
import { failureWords } from '#web/screens/dashboard/admin/mission-control/run-feedback.tsx'
import type { ConsoleJob } from './script-choice.ts'

type ConsoleOptions = {
  job: ConsoleJob
  script: ScriptDefinition
  /** The staged file that is loaded. */
  source: StagedSource | undefined
  /** The flags as they are sent; undefined where one of them is wrong, which is then said beside it. */
  checkFlags: () => Flags | undefined
}

/** What the console does, and what it shows: the lines of its job and what it says itself. */
export function useConsole({ job, script, source, checkFlags }: ConsoleOptions) {
  const stream = useConsoleStream(job.id)
  const queues = useQueues().data?.queues.map(({ key }) => key)
  const [said, setSaid] = useState<readonly JobLine[]>([])
  const [last, setLast] = useState<Last>({ step: 'none', jobId: job.id, after: 0 })
  const begin = (step: ConsoleStep, jobId = job.id) => setLast({ step, jobId, after: lastIdOf(stream.lines) })

  const { starting, stopping } = useJobCalls({
    onStarted: (id) => {
      setSaid([])
      begin('enqueueing', id)
      job.show(id)
    },
    onNotStarted: (sentence) => {
      setSaid([...said, lineOf(sentence)])
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
    setSaid([])
    stream.clear()
    if (stream.isLive) return begin('cleared')
    setLast({ step: 'cleared', jobId: undefined, after: 0 })
    job.show(undefined)
  }
  return {
    stream,
    lines: said.length === 0 ? stream.lines : [...stream.lines, ...said],
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

/** What the console did last, with which job, and which line was the last one then. */
type Last = { step: ConsoleStep; jobId: string | undefined; after: number }

/** News of the job take the place of what the console said about itself. */
function stepNow(last: Last, jobId: string | undefined, stream: ConsoleStream): ConsoleStep {
  const { step, after } = last
  // Until the new job is the one that is shown.
  if (step === 'enqueueing') return last.jobId === jobId ? 'none' : step
  if (last.jobId !== jobId) return 'none'
  const fades = step === 'cleared' || step === 'not-enqueued'
  const isOver = stream.phase === 'ended' && step === 'cleared'
  return fades && (isOver || lastIdOf(stream.lines) > after) ? 'none' : step
}

const lastIdOf = (lines: readonly JobLine[]): number => lines.at(-1)?.id ?? 0

type NewRun = { script: ScriptDefinition; flags: Flags; source: StagedSource | undefined }

type CallsOptions = {
  onStarted: (jobId: string) => void
  onNotStarted: (sentence: string) => void
  onStopping: () => void
}

function useJobCalls({ onStarted, onNotStarted, onStopping }: CallsOptions) {
  const client = useQueryClient()
  const starting = useMutation({
    mutationFn: ({ script, flags, source }: NewRun) =>
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

/** The console's own lines are numbered downwards, away from those of events. */
let saidSoFar = 0

function lineOf(text: string): JobLine {
  saidSoFar -= 1
  return { id: saidSoFar, stream: 'system', level: 'error', text, at: new Date().toISOString() }
}

type ConsoleStream = JobStream & { phase: ConsolePhase; isLive: boolean }

/** What a job says, as it says it; what goes wrong with the stream is told. */
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
  if (state === 'stopped') return 'ended'
  if (state !== 'failed') return state
  // Closed by the server after it had spoken, for example to somebody who is no administrator any more.
  return status === undefined ? 'not-opened' : 'ended'
}

function useStreamToasts({ state, error }: JobStream): void {
  const before = useRef(state)
  const tell = useEffectEvent(() => {
    const was = before.current
    before.current = state
    if (was === state) return
    if (state === 'failed') notifyProblem(failureWords(error, 'Failed to open stream'), { about: 'stream' })
    const broke = was === 'streaming' && (state === 'connecting' || state === 'polling')
    if (broke) notifyProblem('Stream error', { about: 'stream' })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of state is what is told
  useEffect(() => tell(), [state])
}

/** The record knows what the events do not tell, such as the question of a job that waits. */
function useFreshDetail(jobId: string | undefined, { lines, state }: JobStream): void {
  const client = useQueryClient()
  const lastChange = lines.findLast(({ level }) => level === 'status')?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: the record is asked again when the job has changed
  useEffect(() => {
    if (jobId !== undefined) void client.invalidateQueries({ queryKey: jobKey(jobId) })
  }, [client, jobId, lastChange, state])
}

/** What the console does by itself; everything else its status line takes from the stream. */
type ConsoleStep = 'none' | 'enqueueing' | 'not-enqueued' | 'cancel-requested' | 'cleared'

type ConsolePhase = 'idle' | 'connecting' | 'streaming' | 'polling' | 'not-opened' | 'ended'

export type ConsoleFacts = {
  step: ConsoleStep
  phase: ConsolePhase
  jobStatus: JobStatus | undefined
}

/** The spec's words for the status line, with the colour of its dot. */
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
  'not-opened': { text: 'Failed to open stream', tone: 'bad' },
} as const

/** A job that was stopped from here stopped its stream; one that somebody else stopped just ended. */
function endLine(jobStatus: JobStatus | undefined, stoppedHere: boolean): { text: string; tone?: string } {
  if (jobStatus === 'completed') return { text: 'Job completed', tone: 'good' }
  if (jobStatus === 'failed') return { text: 'Job failed', tone: 'bad' }
  return { text: stoppedHere ? 'Stream stopped' : 'Stream ended' }
}

/** A staged file that a script is to read. */
export type StagedSource = { root: StagingRoot; path: string }

/** Why a script cannot be started, in the spec's words (section 5). The queues are undefined until they are known. */
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
