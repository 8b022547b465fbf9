import { useLocation, useSearchParams } from 'react-router'
import { pageSizes } from '#contract/listings.ts'
import {
  changeListState,
  type FilterDefaults,
  type FilterValues,
  isFiltered,
  type ListChange,
  type ListState,
  type PageSizes,
  readListState,
} from './filter-state.ts'

/** What a list needs to know and do apart from its own filters. */
export type ListPages = {
  page: number
  perPage: number
  isFiltered: boolean
  turnTo: (page: number) => void
  resize: (perPage: number) => void
  clear: () => void
}

export type ListControls<D extends FilterDefaults> = ListState<D> &
  ListPages & {
    /** `typing` replaces the entry in the history instead of adding one a letter. */
    change: (filters: Partial<FilterValues<D>>, how?: { typing: boolean }) => void
  }

const addressNow = () => new URLSearchParams(window.location.search)

/** A list's filters and page, kept in the address: Back, reload and a sent link show the same list. */
export function useListState<D extends FilterDefaults>(
  defaults: D,
  sizes: PageSizes = pageSizes,
): ListControls<D> {
  const [params, setParams] = useSearchParams()
  const state = readListState(params, defaults, sizes)
  const { pathname } = useLocation()
  // Who waited for an answer first changes the list as its address stands by then, and leaves other pages alone.
  const write = (change: ListChange, options: { replace?: boolean; preventScrollReset?: boolean }) => {
    if (window.location.pathname !== pathname) return
    setParams(changeListState(addressNow(), change, defaults, sizes), options)
  }
  return {
    ...state,
    isFiltered: isFiltered(state.filters, defaults),
    // Filters stay where they are being used; another page is read from its top.
    change: (filters, how) => write(filters, { replace: how?.typing ?? false, preventScrollReset: true }),
    turnTo: (page) => {
      if (page !== readListState(addressNow(), defaults, sizes).page) write({ page }, {})
    },
    resize: (perPage) => write({ perPage }, { preventScrollReset: true }),
    clear: () => write({ ...defaults }, { preventScrollReset: true }),
  }
}
