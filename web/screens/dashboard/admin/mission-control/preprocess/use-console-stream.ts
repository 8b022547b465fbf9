import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { type JobStream, useJobStream } from '#web/components/job-stream/use-job-stream.ts'
import { notifyProblem } from '#web/components/toasts.tsx'
import { failureWords } from '#web/screens/dashboard/admin/mission-control/failure-words.ts'
import { jobKey } from '#web/screens/dashboard/admin/mission-control/jobs/job-detail/use-job.ts'
import type { ConsolePhase } from './console-status.ts'

export type ConsoleStream = JobStream & { phase: ConsolePhase; isLive: boolean }

/** What a job says, as it says it; what goes wrong with the stream is told. */
export function useConsoleStream(jobId: string | undefined): ConsoleStream {
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
