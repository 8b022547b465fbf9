import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { automationEndpoints, hasEnded, type JobDetail, type JobStatus } from '#contract/admin/automation.ts'
import { call } from '#web/api/client.ts'
import type { JobProgress } from '#web/components/job-stream/feed-log.ts'
import { type JobStream, useJobStream } from '#web/components/job-stream/job-feed.ts'
import {
  listedStatus,
  percentOf,
  useRefreshLists,
} from '#web/screens/dashboard/admin/mission-control/jobs/job-lists.ts'
import { useStreamToasts } from '#web/screens/dashboard/admin/mission-control/run-feedback.tsx'

export type LiveJob = {
  job: JobDetail
  progress: JobProgress | undefined
  /** Idle for a job that had already ended when it was opened. */
  stream: JobStream
  isLive: boolean
  /** The server cannot be reached, so what is shown may be old. */
  isOffline: boolean
}

export function useLiveJob(id: string) {
  const [follows, setFollows] = useState(false)
  const stream = useJobStream(follows ? id : undefined)
  useStreamToasts(stream)
  const isLive = stream.state === 'streaming'
  const query = useJob(id, { isLive })
  const { data: job, dataUpdatedAt } = query
  if (job && !follows && !hasEnded(job.status)) setFollows(true)
  useStatusSync(id, job?.status, stream.status)
  const recorded = job?.progress ? recordedProgress(job.progress, dataUpdatedAt) : undefined
  const live: LiveJob | undefined = job && {
    job,
    progress: stream.progress ?? recorded,
    stream,
    isLive,
    isOffline: stream.state === 'offline' || query.isRefetchError,
  }
  return { query, live }
}

/** Refetches the record if the stream has a newer status, and the lists if the record has. */
function useStatusSync(id: string, known: JobStatus | undefined, streamed: JobStatus | undefined): void {
  const client = useQueryClient()
  const refreshLists = useRefreshLists()
  const sync = useEffectEvent((status: JobStatus | undefined) => {
    if (status !== undefined && status !== known) void client.invalidateQueries({ queryKey: jobKey(id) })
  })
  useEffect(() => sync(streamed), [streamed])
  const compare = useEffectEvent((status: JobStatus | undefined) => {
    const listed = listedStatus(client, id)
    if (status !== undefined && listed !== undefined && listed !== status) void refreshLists()
  })
  useEffect(() => compare(known), [known])
}

function recordedProgress(progress: NonNullable<JobDetail['progress']>, atMs: number): JobProgress {
  const { done, total, note } = progress
  const percentage = percentOf(progress)
  return {
    atMs,
    count: done,
    ...(total !== undefined && { total }),
    ...(note !== undefined && { stage: note }),
    ...(percentage !== undefined && { percentage }),
  }
}

/** Given by the spec. */
const POLL_MS = 3_000
/** The stream has the events; counts, artifacts, and the engine's state come from the record. */
const WHILE_LIVE_MS = 15_000

export const jobKey = (id: string) => ['automation', 'job', id]

function useJob(id: string, { isLive }: { isLive: boolean }) {
  return useQuery({
    queryKey: jobKey(id),
    queryFn: ({ signal }) => call(automationEndpoints.readJob, { params: { id }, signal }),
    refetchInterval: ({ state }) => {
      if (state.data && hasEnded(state.data.status)) return false
      return isLive ? WHILE_LIVE_MS : POLL_MS
    },
    staleTime: 0,
  })
}
