import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { automationEndpoints } from '#contract/automation.ts'
import { addressOf, call } from '#web/api/client.ts'
import { EventStream } from '#web/api/event-stream.ts'
import { currentSession, endSession } from '#web/api/session.ts'
import { type FeedSurroundings, type FeedView, JobFeed } from './job-feed.ts'

export type JobStream = Omit<FeedView, 'state'> & {
  /** `idle` while there is no job. */
  state: FeedView['state'] | 'idle'
  /** Forgets the lines that came so far. */
  clear: () => void
  /** Lets go of the job's stream; the job goes on. */
  stop: () => void
  /** Follows again after a stop. */
  follow: () => void
}

const nothing: Omit<JobStream, 'clear' | 'stop' | 'follow'> = {
  state: 'idle',
  lines: [],
  dropped: 0,
  progress: undefined,
  status: undefined,
  hasEnded: false,
  error: undefined,
}

/** Lines, progress and status of a job as they come; the component renders at most once a frame. */
export function useJobStream(jobId: string | undefined): JobStream {
  const feed = useMemo(() => (jobId === undefined ? undefined : new JobFeed(surroundingsOf(jobId))), [jobId])
  useEffect(() => {
    feed?.open()
    return () => feed?.close()
  }, [feed])
  const view = useSyncExternalStore(feed?.subscribe ?? noSubscription, feed?.view ?? nothingYet)
  return useMemo(
    () => ({
      ...view,
      clear: () => feed?.clear(),
      stop: () => feed?.stop(),
      follow: () => feed?.open(),
    }),
    [feed, view],
  )
}

const noSubscription = () => () => undefined
const nothingYet = () => nothing

function surroundingsOf(jobId: string): FeedSurroundings {
  return {
    makeStream: (handlers) => {
      let token: string | undefined
      return new EventStream({
        ...handlers,
        address: addressOf(automationEndpoints.streamJob, { params: { id: jobId } }),
        headers: () => {
          token = currentSession().token
          return token === undefined ? {} : { Authorization: `Bearer ${token}` }
        },
        onPhase: (phase) => {
          handlers.onPhase(phase)
          if (phase.name === 'failed' && phase.error.status === 401 && token !== undefined) endSession(token)
        },
      })
    },
    readJob: (signal) => call(automationEndpoints.readJob, { params: { id: jobId }, signal }),
    onNextFrame: (paint) => requestAnimationFrame(paint),
    isHidden: () => document.hidden,
    onVisibility: (changed) => {
      document.addEventListener('visibilitychange', changed)
      return () => document.removeEventListener('visibilitychange', changed)
    },
  }
}
