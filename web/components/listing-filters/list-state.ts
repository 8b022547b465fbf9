import { useLocation, useSearchParams } from 'react-router'
import { z } from 'zod'
import { type ListingPage, pageSizes } from '#contract/listings.ts'

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

/** The filters of one list, each with the value that means "not filtered". */
type FilterDefaults = Readonly<Record<string, string>>
export type FilterValues<D extends FilterDefaults> = { [Name in keyof D]: string }
export type ListState<D extends FilterDefaults> = { filters: FilterValues<D>; page: number; perPage: number }

/** How many a page may hold, the usual first. */
export type PageSizes = readonly [number, ...number[]]

/** An id that cannot be one would only make the server refuse the whole list. */
const readFilter = (name: string, value: string | null): string | null =>
  value !== null && name.endsWith('Id') && !z.uuid().safeParse(value).success ? null : value

/** What the address says; a number that cannot be is the first page, or the usual size. */
export function readListState<D extends FilterDefaults>(
  params: URLSearchParams,
  defaults: D,
  sizes: PageSizes = pageSizes,
): ListState<D> {
  const filters = Object.fromEntries(
    Object.entries(defaults).map(([name, otherwise]) => [
      name,
      readFilter(name, params.get(name)) ?? otherwise,
    ]),
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

/** The address after a change. Whatever is not a change of page begins at page 1 again; what is usual is left out. */
export function changeListState(
  params: URLSearchParams,
  change: ListChange,
  defaults: FilterDefaults,
  sizes: PageSizes = pageSizes,
): URLSearchParams {
  const next = new URLSearchParams(params)
  const usual: Record<string, string> = { ...defaults, page: '1', perPage: String(sizes[0]) }
  next.delete('page')
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || String(value) === usual[name]) next.delete(name)
    else next.set(name, String(value))
  }
  return next
}

export const isFiltered = <D extends FilterDefaults>(filters: FilterValues<D>, defaults: D): boolean =>
  Object.keys(defaults).some((name) => filters[name] !== defaults[name])

type Counted = { total: number; totalIsAtLeast?: true | undefined }

/** "1 product(s)", "10,000+ product(s)" where counting stopped there. */
export const productCount = ({ total, totalIsAtLeast }: Counted): string =>
  `${total.toLocaleString('en-US')}${totalIsAtLeast ? '+' : ''} product(s)`

/** A search shows its first matches only; a list without filters goes to its end, however long it is. */
export const isCapped = ({
  total,
  totalIsAtLeast,
  lastPage,
  perPage,
}: Omit<ListingPage, 'items' | 'page'>): boolean =>
  totalIsAtLeast === true && lastPage === Math.ceil(total / perPage)
