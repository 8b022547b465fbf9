import {
  type InfiniteData,
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { automationEndpoints, type JobStatus } from '#contract/automation.ts'
import type { Answer } from '#contract/endpoint.ts'
import { call } from '#web/api/client.ts'
import { filterQuery, type JobFilters, unknownStatuses } from './job-filter-words.ts'

// Spec, section 9. The timers rest while nobody sees the tab; the first look afterwards asks once.
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
    // A status that is half written would only be refused.
    enabled: unknownStatuses(filters.status).length === 0,
    placeholderData: keepPreviousData,
    refetchInterval: JOBS_EVERY_MS,
  })
}

/** Asks for queues and jobs again: after anything that changes them. */
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

/** The status that a job has in the lists that were loaded; undefined where it is in none. */
export function listedStatus(client: QueryClient, id: string): JobStatus | undefined {
  const lists = client.getQueriesData<JobPages>({ queryKey: jobsKey })
  const jobs = lists.flatMap(([, list]) => list?.pages.flatMap(({ items }) => items) ?? [])
  return jobs.find((job) => job.id === id)?.status
}
