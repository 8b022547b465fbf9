import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type StagingPlan,
  type StagingRoot,
  type StagingState,
  stagingDeskEndpoints,
} from '#contract/staging.ts'
import { taxonomyEndpoints } from '#contract/taxonomy.ts'
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
  return useInfiniteQuery({
    queryKey: [KEY, 'files', root, filters],
    queryFn: ({ pageParam: cursor, signal }) =>
      call(stagingDeskEndpoints.listStagingFiles, {
        query: {
          root,
          ...(filters.q !== '' && { q: filters.q }),
          ...stateQuery(filters.state),
          ...(cursor !== undefined && { cursor }),
        },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: (before) => before,
  })
}

function stateQuery(state: FileState) {
  if (state === 'open') return { openNames: 'yes' as const }
  return state === '' ? {} : { state }
}

export function useVersions(name: StagedName | undefined) {
  return useQuery({
    queryKey: [KEY, 'versions', name],
    queryFn: ({ signal }) =>
      call(stagingDeskEndpoints.listStagingVersions, { query: name as StagedName, signal }),
    enabled: name !== undefined,
    refetchInterval: POLL_MS,
  })
}

export function useDiff(name: StagedName, { from, to }: { from: number; to: number }) {
  return useInfiniteQuery({
    queryKey: [KEY, 'diff', name, from, to],
    queryFn: ({ pageParam: cursor, signal }) =>
      call(stagingDeskEndpoints.diffStagingVersions, {
        query: { ...name, from, to, ...(cursor !== undefined && { cursor }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    enabled: from !== to,
    // Versions never change.
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** A file's last taxonomy result, and the job resolving it now. */
export function useLastTaxonomy(name: StagedName | undefined) {
  return useQuery({
    queryKey: [KEY, 'taxonomy', name],
    queryFn: ({ signal }) => call(taxonomyEndpoints.readTaxonomy, { query: name as StagedName, signal }),
    enabled: name !== undefined,
  })
}

const moving = ['planning', 'applying', 'undoing']

export function usePlan(name: StagedName | undefined) {
  return useQuery({
    queryKey: [KEY, 'plan', name],
    queryFn: ({ signal }) =>
      call(stagingDeskEndpoints.readStagingPlan, { query: name as StagedName, signal }),
    enabled: name !== undefined,
    select: ({ plan }) => plan,
    refetchInterval: ({ state }) =>
      moving.includes(state.data?.plan?.state ?? '') ? WHILE_MOVING_MS : POLL_MS,
  })
}

export type PlannedAction = 'create' | 'update' | 'end'

export function usePlannedRows(name: StagedName, planId: string, action: PlannedAction) {
  return useInfiniteQuery({
    queryKey: [KEY, 'plan-rows', name, planId, action],
    queryFn: ({ pageParam: cursor, signal }) =>
      call(stagingDeskEndpoints.listPlannedRows, {
        query: { ...name, action, ...(cursor !== undefined && { cursor }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
}

export const stateColors: Record<StagingState, string> = {
  staged: 'gray',
  resolved: 'sea',
  promoted: 'warning',
  live: 'good',
  'rolled back': 'bad',
}

const planStates: Record<StagingPlan['state'], [label: string, color: string]> = {
  planning: ['Planning', 'sea'],
  planned: ['Ready to promote', 'warning'],
  review: ['Needs review', 'warning'],
  applying: ['Going live', 'sea'],
  applied: ['Live', 'good'],
  undoing: ['Undoing', 'sea'],
  undone: ['Undone', 'gray'],
  failed: ['Failed', 'bad'],
}

export const planStateWords = (state: StagingPlan['state']): { label: string; color: string } => {
  const [label, color] = planStates[state]
  return { label, color }
}

/** Waits for an admin to promote it. */
export const isOpenPlan = ({ state }: Pick<StagingPlan, 'state'>): boolean =>
  state === 'planned' || state === 'review'
