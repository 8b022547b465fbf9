import { useLocation, useSearchParams } from 'react-router'
import { z } from 'zod'
import { type ListingPage, pageSizes } from '#contract/listings.ts'

/** A list's paging state and actions. */
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
    /** `typing` adds one history entry when a search begins, not one per letter; `replace` adds none. */
    change: (filters: Partial<FilterValues<D>>, how?: { typing?: boolean; replace?: boolean }) => void
  }

const addressNow = () => new URLSearchParams(window.location.search)

/** A list's filters and page, stored in the URL so that Back, reload and shared links show the same list. */
export function useListState<D extends FilterDefaults>(
  defaults: D,
  sizes: PageSizes = pageSizes,
): ListControls<D> {
  const [params, setParams] = useSearchParams()
  const state = readListState(params, defaults, sizes)
  const { pathname } = useLocation()
  // A caller may have awaited something first: apply the change to the current URL, and only if still on this page.
  const write = (change: ListChange, options: { replace?: boolean; preventScrollReset?: boolean }) => {
    if (window.location.pathname !== pathname) return
    setParams(changeListState(addressNow(), change, defaults, sizes), options)
  }
  return {
    ...state,
    isFiltered: isFiltered(state.filters, defaults),
    // Keep the scroll position while filtering; start at the top of another page.
    change: (filters, how) => {
      const now = readListState(addressNow(), defaults, sizes).filters
      const goesOn = Object.keys(filters).every((name) => now[name] !== defaults[name])
      const replace = how?.replace === true || (how?.typing === true && goesOn)
      write(filters, { replace, preventScrollReset: true })
    },
    turnTo: (page) => {
      if (page !== readListState(addressNow(), defaults, sizes).page) write({ page }, {})
    },
    resize: (perPage) => write({ perPage }, { preventScrollReset: true }),
    clear: () => write({ ...defaults }, { preventScrollReset: true }),
  }
}

/** The filters of one list, each with the value that means "not filtered". */
type FilterDefaults = Readonly<Record<string, string>>
export type FilterValues<D extends FilterDefaults> = { [Name in keyof D]: string }
export type ListState<D extends FilterDefaults> = { filters: FilterValues<D>; page: number; perPage: number }

/** The allowed page sizes, default first. */
export type PageSizes = readonly [number, ...number[]]

/** Drops malformed ids, which would make the server refuse the whole list. */
const readFilter = (name: string, value: string | null): string | null =>
  value !== null && name.endsWith('Id') && !z.uuid().safeParse(value).success ? null : value

/** Reads the URL. An invalid page or size falls back to the default. */
export function readListState<D extends FilterDefaults>(
  params: URLSearchParams,
  defaults: D,
  sizes: PageSizes = pageSizes,
): ListState<D> {
  const filters = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, readFilter(name, params.get(name)) ?? value]),
  ) as FilterValues<D>
  const page = Number(params.get('page') ?? 1)
  const perPage = Number(params.get('perPage'))
  return {
    filters,
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    perPage: sizes.find((size) => size === perPage) ?? sizes[0],
  }
}

export type ListChange = { [name: string]: string | number | undefined }

/** The URL parameters after a change. Any change other than the page resets to page 1. Default values are left out. */
export function changeListState(
  params: URLSearchParams,
  change: ListChange,
  defaults: FilterDefaults,
  sizes: PageSizes = pageSizes,
): URLSearchParams {
  const next = new URLSearchParams(params)
  const defaultTexts: Record<string, string> = { ...defaults, page: '1', perPage: String(sizes[0]) }
  next.delete('page')
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || String(value) === defaultTexts[name]) next.delete(name)
    else next.set(name, String(value))
  }
  return next
}

export const isFiltered = <D extends FilterDefaults>(filters: FilterValues<D>, defaults: D): boolean =>
  Object.keys(defaults).some((name) => filters[name] !== defaults[name])

type Counted = { total: number; totalIsAtLeast?: true | undefined }

/** "1 product(s)", or "10,000+ product(s)" if counting stopped there. */
export const productCount = ({ total, totalIsAtLeast }: Counted): string =>
  `${total.toLocaleString('en-US')}${totalIsAtLeast ? '+' : ''} product(s)`

/** Whether the list stops before its last match, as long searches do. An unfiltered list is always complete. */
export const isCapped = ({
  total,
  totalIsAtLeast,
  lastPage,
  perPage,
}: Omit<ListingPage, 'items' | 'page'>): boolean =>
  totalIsAtLeast === true && lastPage === Math.ceil(total / perPage)
