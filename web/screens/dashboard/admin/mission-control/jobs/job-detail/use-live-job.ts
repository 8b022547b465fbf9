import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { hasEnded, type JobDetail, type JobStatus } from '#contract/automation.ts'
import type { JobProgress } from '#web/components/job-stream/feed-log.ts'
import { type JobStream, useJobStream } from '#web/components/job-stream/use-job-stream.ts'
import { percentOf } from '#web/screens/dashboard/admin/mission-control/jobs/job-words.ts'
import {
  listedStatus,
  useRefreshLists,
} from '#web/screens/dashboard/admin/mission-control/jobs/use-job-lists.ts'
import { jobKey, useJob } from './use-job.ts'

export type LiveJob = {
  job: JobDetail
  progress: JobProgress | undefined
  /** Nothing yet, or nothing at all, of a job that had ended when it was opened. */
  stream: JobStream
  isLive: boolean
}

/** A job as its record has it, with what its stream tells while it goes on. */
export function useLiveJob(id: string) {
  const [follows, setFollows] = useState(false)
  const stream = useJobStream(follows ? id : undefined)
  const isLive = stream.state === 'streaming'
  const query = useJob(id, { isLive })
  const { data: job, dataUpdatedAt } = query
  if (job && !follows && !hasEnded(job.status)) setFollows(true)
  useNews(id, job?.status, stream.status)
  const recorded = job?.progress ? recordedProgress(job.progress, dataUpdatedAt) : undefined
  const live: LiveJob | undefined = job && { job, progress: stream.progress ?? recorded, stream, isLive }
  return { query, live }
}

/** A status that the record does not have yet has it read again, and one that the lists do not have, these. */
function useNews(id: string, known: JobStatus | undefined, told: JobStatus | undefined): void {
  const client = useQueryClient()
  const refreshLists = useRefreshLists()
  const hear = useEffectEvent((status: JobStatus | undefined) => {
    if (status !== undefined && status !== known) void client.invalidateQueries({ queryKey: jobKey(id) })
  })
  useEffect(() => hear(told), [told])
  const compare = useEffectEvent((status: JobStatus | undefined) => {
    const listed = listedStatus(client, id)
    if (status !== undefined && listed !== undefined && listed !== status) void refreshLists()
  })
  useEffect(() => compare(known), [known])
}

/** As a stream would have told it. */
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
