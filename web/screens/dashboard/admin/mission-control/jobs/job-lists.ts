import {
  type InfiniteData,
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { automationEndpoints, type Job, type JobStatus } from '#contract/admin/automation.ts'
import type { Answer } from '#contract/endpoint.ts'
import { call } from '#web/api/client.ts'
import { filterQuery, type JobFilters, unknownStatuses } from './job-filters.ts'

// Given by the spec. The timers stop while the tab is hidden; returning to it refetches once.
const JOBS_EVERY_MS = 60_000
const QUEUES_EVERY_MS = 90_000
const JOBS_A_PAGE = 20

const queuesKey = ['automation', 'queues']
const jobsKey = ['automation', 'jobs']

export function useQueues() {
  return useQuery({
    queryKey: queuesKey,
    queryFn: ({ signal }) => call(automationEndpoints.listQueues, { signal }),
    refetchInterval: QUEUES_EVERY_MS,
  })
}

export function useJobs(filters: JobFilters) {
  const query = filterQuery(filters)
  return useInfiniteQuery({
    queryKey: [...jobsKey, query],
    queryFn: ({ pageParam: cursor, signal }) =>
      call(automationEndpoints.listJobs, {
        query: { ...query, limit: JOBS_A_PAGE, ...(cursor !== undefined && { cursor }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pageInfo }) => pageInfo.nextCursor ?? undefined,
    // The server would refuse a half-typed status.
    enabled: unknownStatuses(filters.status).length === 0,
    placeholderData: keepPreviousData,
    refetchInterval: JOBS_EVERY_MS,
  })
}

export function useRefreshLists(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: queuesKey }),
      client.invalidateQueries({ queryKey: jobsKey }),
    ])
  }
}

type JobPages = InfiniteData<Answer<typeof automationEndpoints.listJobs>>

export function listedStatus(client: QueryClient, id: string): JobStatus | undefined {
  const lists = client.getQueriesData<JobPages>({ queryKey: jobsKey })
  const jobs = lists.flatMap(([, list]) => list?.pages.flatMap(({ items }) => items) ?? [])
  return jobs.find((job) => job.id === id)?.status
}

/** The open job, kept in the URL: it can be linked to, and Back closes it. */
export function useChosenJob(): [id: string | undefined, choose: (id: string | undefined) => void] {
  const [params, setParams] = useSearchParams()
  const choose = (id: string | undefined) => setParams(withJob(params, id), { preventScrollReset: true })
  return [params.get('job') ?? undefined, choose]
}

/** The URL's query with a job opened or closed; the list's filters stay. */
export function withJob(params: URLSearchParams, id: string | undefined): URLSearchParams {
  const next = new URLSearchParams(params)
  if (id === undefined) next.delete('job')
  else next.set('job', id)
  return next
}

/** Percent, rounded down, or undefined without a total. */
export function percentOf(progress: Job['progress']): number | undefined {
  if (!progress?.total || progress.total <= 0) return undefined
  return Math.min(100, Math.max(0, Math.floor((progress.done / progress.total) * 100)))
}

/** A short name for a job: its script or queue, and the end of its id. */
export const jobName = ({ scriptId, queueKey, id }: Pick<Job, 'scriptId' | 'queueKey' | 'id'>): string =>
  `${scriptId ?? queueKey} ${id.slice(-8)}`
