import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { JobDetail } from '#contract/automation.ts'
import type { JobProgress } from '#web/components/job-stream/job-log.ts'
import { type JobStream, useJobStream } from '#web/components/job-stream/use-job-stream.ts'
import { hasEnded, percentOf } from '#web/screens/dashboard/admin/mission-control/jobs/job-words.ts'
import { useRefreshLists } from '#web/screens/dashboard/admin/mission-control/jobs/use-job-lists.ts'
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

/** A status that the record does not have yet: it is read again, and so are the lists. */
function useNews(id: string, known: string | undefined, told: string | undefined): void {
  const client = useQueryClient()
  const refreshLists = useRefreshLists()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new status is news once
  useEffect(() => {
    if (told === undefined || told === known) return
    void client.invalidateQueries({ queryKey: jobKey(id) })
    void refreshLists()
  }, [told])
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
