import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { LAST_PAGE } from '#contract/endpoint.ts'
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

export function useRefreshLookups() {
  const queryClient = useQueryClient()
  return () => {
    for (const list of ['lookups', 'categories', 'manufacturers', 'carmodels', 'listings']) {
      void queryClient.invalidateQueries({ queryKey: [list] })
    }
  }
}

type LookupChange<Input, Output> = {
  run: (input: Input) => Promise<Output>
  done: (output: Output, input: Input) => string
  failed: string
  /** Called once the lookup is merged or deleted. */
  onGone?: () => void
}

export function useLookupChange<Input, Output>({ run, done, failed, onGone }: LookupChange<Input, Output>) {
  const about = 'lookup change'
  return useMutation({
    mutationFn: run,
    onSuccess: (output, input) => {
      notifyDone(done(output, input), { about })
      onGone?.()
    },
    onError: (error) => notifyError(error, failed, { about }),
    onSettled: useRefreshLookups(),
  })
}

export const useConfirmLookup = (kind: LookupKind) =>
  useLookupChange({
    run: ({ id }: ManagedLookup) => call(adminLookupEndpoints.confirmLookup, { params: { kind, id } }),
    done: ({ name }) => `“${name}” confirmed`,
    failed: 'The name could not be confirmed. Try again.',
  })

/** `all` shows unconfirmed names first, then confirmed ones. */
export const noLookupFilters = { q: '', state: 'all', manuId: '' } as const
export type LookupControls = ListControls<typeof noLookupFilters>

export const lookupViews = [
  { value: 'all', label: 'All' },
  { value: 'provisional', label: 'From files' },
  { value: 'unused', label: 'Unused' },
]

/** The search in the URL; an unknown state means confirmed. */
export function lookupSearch({ filters, page, perPage }: LookupControls): LookupSearch {
  const state: LookupState =
    filters.state === 'provisional' || filters.state === 'unused' ? filters.state : 'confirmed'
  return { q: filters.q, manuId: filters.manuId, state, page: Math.min(page, LAST_PAGE), perPage }
}
