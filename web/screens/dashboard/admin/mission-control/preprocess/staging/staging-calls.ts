import {
  keepPreviousData,
  skipToken,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import {
  type StagingPlan,
  type StagingRoot,
  type StagingState,
  stagingDeskEndpoints,
} from '#contract/admin/staging.ts'
import { taxonomyEndpoints } from '#contract/admin/taxonomy.ts'
import { call } from '#web/api/client.ts'

/** A staged file's root and path. */
export type StagedName = { root: StagingRoot; path: string }

const KEY = 'staging'
/** Scripts and other users create versions too. */
const POLL_MS = 10_000
const WHILE_MOVING_MS = 2_000

export function useRefreshStaging(): () => void {
  const client = useQueryClient()
  return () => void client.invalidateQueries({ queryKey: [KEY] })
}

/** `open`: files with names that need a decision. */
export type FileState = StagingState | 'open' | ''

export function useRecentFiles(root: StagingRoot, filters: { q: string; state: FileState }) {
  const { q, state } = filters
  const query = { root, ...(q !== '' && { q }), ...stateQuery(state) }
  return useInfiniteQuery({
    ...pages(['files', root, filters], (page, signal) =>
      call(stagingDeskEndpoints.listStagingFiles, { query: { ...query, ...page }, signal }),
    ),
    placeholderData: keepPreviousData,
  })
}

/** Query options for a list that is read page by page. */
function pages<Page extends { nextCursor: string | null }>(
  key: readonly unknown[],
  read: (page: { cursor?: string }, signal: AbortSignal) => Promise<Page>,
) {
  return {
    queryKey: [KEY, ...key],
    queryFn: ({ pageParam, signal }: { pageParam: string | undefined; signal: AbortSignal }) =>
      read(pageParam === undefined ? {} : { cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }: Page) => nextCursor ?? undefined,
  }
}

function stateQuery(state: FileState) {
  if (state === 'open') return { openNames: 'yes' as const }
  return state === '' ? {} : { state }
}

export function useVersions(name: StagedName | undefined) {
  return useQuery({
    queryKey: [KEY, 'versions', name],
    queryFn: name
      ? ({ signal }) => call(stagingDeskEndpoints.listStagingVersions, { query: name, signal })
      : skipToken,
    refetchInterval: POLL_MS,
  })
}

export function useDiff(name: StagedName, { from, to }: { from: number; to: number }) {
  return useInfiniteQuery({
    ...pages(['diff', name, from, to], (page, signal) =>
      call(stagingDeskEndpoints.diffStagingVersions, { query: { ...name, from, to, ...page }, signal }),
    ),
    enabled: from !== to,
    // Versions never change.
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** A file's last taxonomy result, and the job resolving it now. */
export function useLastTaxonomy(name: StagedName | undefined) {
  return useQuery({
    queryKey: [KEY, 'taxonomy', name],
    queryFn: name ? ({ signal }) => call(taxonomyEndpoints.readTaxonomy, { query: name, signal }) : skipToken,
  })
}

const moving = ['planning', 'applying', 'undoing']

export function usePlan(name: StagedName | undefined) {
  return useQuery({
    queryKey: [KEY, 'plan', name],
    queryFn: name
      ? ({ signal }) => call(stagingDeskEndpoints.readStagingPlan, { query: name, signal })
      : skipToken,
    select: ({ plan }) => plan,
    refetchInterval: ({ state }) =>
      moving.includes(state.data?.plan?.state ?? '') ? WHILE_MOVING_MS : POLL_MS,
  })
}

export type PlannedAction = 'create' | 'update' | 'end'

export function usePlannedRows(name: StagedName, planId: string, action: PlannedAction) {
  return useInfiniteQuery(
    pages(['plan-rows', name, planId, action], (page, signal) =>
      call(stagingDeskEndpoints.listPlannedRows, { query: { ...name, action, ...page }, signal }),
    ),
  )
}

export const stateColors: Record<StagingState, string> = {
  staged: 'gray',
  resolved: 'sea',
  promoted: 'warning',
  live: 'good',
  'rolled back': 'bad',
}

export const planStates: Record<StagingPlan['state'], [label: string, color: string]> = {
  planning: ['Planning', 'sea'],
  planned: ['Ready to promote', 'warning'],
  review: ['Needs review', 'warning'],
  applying: ['Going live', 'sea'],
  applied: ['Live', 'good'],
  undoing: ['Undoing', 'sea'],
  undone: ['Undone', 'gray'],
  failed: ['Failed', 'bad'],
}

/** Waits for an admin to promote it. */
export const isOpenPlan = ({ state }: Pick<StagingPlan, 'state'>): boolean =>
  state === 'planned' || state === 'review'
