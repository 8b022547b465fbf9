import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { automationEndpoints } from '#contract/automation.ts'
import { type Flags, flagArguments, type ScriptDefinition } from '#contract/scripts.ts'
import { call } from '#web/api/client.ts'
import type { JobLine } from '#web/components/job-stream/feed-log.ts'
import { notifyProblem } from '#web/components/toasts.tsx'
import { failureWords } from '#web/screens/dashboard/admin/mission-control/failure-words.ts'
import { useQueues } from '#web/screens/dashboard/admin/mission-control/jobs/use-job-lists.ts'
import { type ConsoleStep, statusLine } from './console-status.ts'
import { type StagedSource, startProblem } from './start-problem.ts'
import type { ConsoleJob } from './use-console-job.ts'
import { type ConsoleStream, useConsoleStream } from './use-console-stream.ts'

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
