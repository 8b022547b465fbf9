import type { ListControls } from '#web/components/listing-filters/use-list-state.ts'
import type { LookupSearch, LookupState } from './managed-lookups.ts'

/** `all` shows what waits for a decision first, and then what is confirmed. */
export const noLookupFilters = { q: '', state: 'all', manuId: '' } as const
export type LookupControls = ListControls<typeof noLookupFilters>

export const lookupViews = [
  { value: 'all', label: 'All' },
  { value: 'provisional', label: 'From files' },
  { value: 'unused', label: 'Unused' },
]

/** Where the server stops counting pages. */
const lastPossiblePage = 100_000

/** What the address asks for; a state that it made up is the usual one. */
export function lookupSearch({ filters, page, perPage }: LookupControls): LookupSearch {
  const state: LookupState =
    filters.state === 'provisional' || filters.state === 'unused' ? filters.state : 'confirmed'
  return { q: filters.q, manuId: filters.manuId, state, page: Math.min(page, lastPossiblePage), perPage }
}
