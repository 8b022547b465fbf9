import { useRef, useState } from 'react'
import { adminListingEndpoints } from '#contract/admin/listings.ts'
import type { ListingPage } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import { type AdminFilters, filterQuery } from '#web/components/admin/all-listings.tsx'
import type { Grid } from '#web/components/data-grid/grid.ts'
import type { FilterValues } from '#web/components/listing-filters/list-state.ts'
import { notifyError } from '#web/components/toasts.tsx'
import { toServerRow } from './bulk-values.ts'

/** Given by the spec. */
export const ROWS_PER_PAGE = 20
/** The grid stays responsive with this many rows; use an import for more. */
export const MAX_LOADED_ROWS = 5_000
/** The server's maximum per call. */
const ROWS_A_CALL = 100

type ListSize = Pick<ListingPage, 'total' | 'lastPage' | 'totalIsAtLeast'>

export type BulkList = ReturnType<typeof useBulkList>

/** The pages of the list: Next appends a page, everything else replaces the rows. */
export function useBulkList(grid: Grid, filters: FilterValues<AdminFilters>) {
  const [found, setFound] = useState<ListSize>()
  const [page, setPage] = useState(1)
  const { loading, failed, ask } = useLatestRequest()
  const loaded = useRef(0)

  const read = (at: number, perPage: number, signal: AbortSignal) =>
    call(adminListingEndpoints.listAll, { query: { ...filterQuery(filters), page: at, perPage }, signal })

  const showPage = (to: number) => {
    setPage(to)
    const { selection, editing } = grid.state()
    // Do not interrupt editing.
    if (editing) return
    const { anchor } = selection
    grid.selectCell({ row: (to - 1) * ROWS_PER_PAGE, column: anchor.column })
  }
  const shownPages = () => Math.max(1, Math.ceil(grid.sheet.view().ids.length / ROWS_PER_PAGE))

  return {
    loading,
    failed,
    found,
    page,
    hasPrevious: page > 1,
    hasNext: page < shownPages() || loaded.current < (found?.lastPage ?? 1),
    reload: () =>
      ask(async (signal) => {
        const answer = await read(1, ROWS_PER_PAGE, signal)
        grid.sheet.load(answer.items.map(toServerRow), 'replace')
        loaded.current = 1
        setFound(answer)
        showPage(1)
      }),
    previous: () => showPage(page - 1),
    async next() {
      if (page < shownPages()) return showPage(page + 1)
      await ask(async (signal) => {
        const answer = await read(loaded.current + 1, ROWS_PER_PAGE, signal)
        grid.sheet.load(answer.items.map(toServerRow), 'append')
        loaded.current += 1
        setFound(answer)
        showPage(Math.min(page + 1, shownPages()))
      })
    },
    loadAll: () =>
      ask(async (signal) => {
        let last = 1
        for (let at = 1; at <= Math.min(last, MAX_LOADED_ROWS / ROWS_A_CALL); at++) {
          const answer = await read(at, ROWS_A_CALL, signal)
          last = answer.lastPage
          grid.sheet.load(answer.items.map(toServerRow), at === 1 ? 'replace' : 'append')
          loaded.current = at * (ROWS_A_CALL / ROWS_PER_PAGE)
          setFound({ ...answer, lastPage: Math.ceil((last * ROWS_A_CALL) / ROWS_PER_PAGE) })
        }
        showPage(1)
      }),
  }
}

/** One request at a time: a newer one aborts the previous one. */
function useLatestRequest() {
  const [loading, setLoading] = useState(false)
  const [failed, setFailed] = useState(false)
  const running = useRef<AbortController>(undefined)

  const ask = async (work: (signal: AbortSignal) => Promise<void>) => {
    running.current?.abort()
    const control = new AbortController()
    running.current = control
    setLoading(true)
    setFailed(false)
    try {
      await work(control.signal)
    } catch (error) {
      if (control.signal.aborted) return
      setFailed(true)
      notifyError(error, 'Could not load products')
    } finally {
      if (running.current === control) setLoading(false)
    }
  }
  return { loading, failed, ask }
}
