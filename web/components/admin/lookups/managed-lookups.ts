import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { adminLookupEndpoints, type LookupKind, type ManagedLookup } from '#contract/lookups.ts'
import { call } from '#web/api/client.ts'
import type { ListControls } from '#web/components/listing-filters/list-state.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'

type LookupState = 'confirmed' | 'provisional' | 'unused'
type LookupSearch = {
  q: string
  manuId: string
  state: LookupState | 'all'
  page: number
  perPage: number
}

export function useManagedLookups(kind: LookupKind, query: LookupSearch, enabled = true) {
  return useQuery({
    queryKey: ['lookups', kind, query],
    queryFn: ({ signal }) => call(adminLookupEndpoints.manageLookups, { params: { kind }, query, signal }),
    placeholderData: keepPreviousData,
    enabled,
  })
}

export type NewLookup = Pick<ManagedLookup, 'id' | 'name'>

/** The newest lookup, read again: it may have been renamed or deleted since. */
export function useNewLookup(kind: LookupKind, created: NewLookup | undefined): ManagedLookup | undefined {
  const search = { q: created?.name ?? '', manuId: '', state: 'confirmed', page: 1, perPage: 100 } as const
  const { data } = useManagedLookups(kind, search, created !== undefined)
  return data?.items.find(({ id }) => id === created?.id)
}

/** Refreshes every list that shows names: the admin's, the forms', and the listings. */
export function useRefreshLookups() {
  const queryClient = useQueryClient()
  return () => {
    for (const list of ['lookups', 'categories', 'manufacturers', 'carmodels', 'listings']) {
      void queryClient.invalidateQueries({ queryKey: [list] })
    }
  }
}

/** An admin's changes to one lookup. `onGone` is called after it was merged or deleted. */
export function useLookupChanges(kind: LookupKind, onGone: () => void) {
  const refresh = useRefreshLookups()
  const about = `lookups ${kind}`
  const confirming = useMutation({
    mutationFn: ({ id }: ManagedLookup) => call(adminLookupEndpoints.confirmLookup, { params: { kind, id } }),
    onSuccess: ({ name }) => notifyDone(`“${name}” confirmed`, { about }),
    onError: (error) => notifyError(error, 'The name could not be confirmed. Try again.', { about }),
    onSettled: refresh,
  })
  const renaming = useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) =>
      call(adminLookupEndpoints.renameLookup, { params: { kind, id }, body: { name } }),
    onSuccess: ({ name }) => notifyDone(`Renamed to “${name}”`, { about }),
    onError: (error) => notifyError(error, 'The name could not be changed. Try again.', { about }),
    onSettled: refresh,
  })
  const merging = useMutation({
    mutationFn: ({ from, into }: { from: ManagedLookup; into: ManagedLookup }) =>
      call(adminLookupEndpoints.mergeLookup, { params: { kind, id: from.id }, body: { into: into.id } }),
    onSuccess: (_, { from, into }) => {
      notifyDone(`“${from.name}” merged into “${into.name}”`, { about })
      onGone()
    },
    onError: (error) => notifyError(error, 'The names could not be merged. Try again.', { about }),
    onSettled: refresh,
  })
  const deleting = useMutation({
    mutationFn: ({ id }: ManagedLookup) => call(adminLookupEndpoints.deleteLookup, { params: { kind, id } }),
    onSuccess: (_, { name }) => {
      notifyDone(`“${name}” deleted`, { about })
      onGone()
    },
    onError: (error) => notifyError(error, 'The name could not be deleted. Try again.', { about }),
    onSettled: refresh,
  })
  return { confirming, renaming, merging, deleting }
}

export type LookupChanges = ReturnType<typeof useLookupChanges>

/** `all` shows unconfirmed names first, then confirmed ones. */
export const noLookupFilters = { q: '', state: 'all', manuId: '' } as const
export type LookupControls = ListControls<typeof noLookupFilters>

export const lookupViews = [
  { value: 'all', label: 'All' },
  { value: 'provisional', label: 'From files' },
  { value: 'unused', label: 'Unused' },
]

/** Where the server stops counting pages. */
const lastPossiblePage = 100_000

/** The search in the URL; an unknown state means confirmed. */
export function lookupSearch({ filters, page, perPage }: LookupControls): LookupSearch {
  const state: LookupState =
    filters.state === 'provisional' || filters.state === 'unused' ? filters.state : 'confirmed'
  return { q: filters.q, manuId: filters.manuId, state, page: Math.min(page, lastPossiblePage), perPage }
}
