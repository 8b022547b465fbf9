import { useEffect, useEffectEvent, useState } from 'react'
import { useListState } from '#web/components/listing-filters/use-list-state.ts'
import { type JobFilters, noFilters } from './job-filter-words.ts'

/** Spec, section 9. */
const SYNC_MS = 300

const same = (a: JobFilters, b: JobFilters) =>
  a.queue === b.queue && a.status === b.status && a.search === b.search

export type FilterControls = {
  /** What stands in the fields. */
  typed: JobFilters
  /** What the list shows: what the address says. */
  filters: JobFilters
  isFiltered: boolean
  type: (change: Partial<JobFilters>) => void
  /** At once, without the pause that typing gets. */
  apply: () => void
  clear: () => void
}

/** The address follows the fields after a pause, in place; Back, a link or Clear moves the fields. */
export function useJobFilters(): FilterControls {
  const { filters, isFiltered, change } = useListState(noFilters)
  const [typed, setTyped] = useState<JobFilters>(filters)
  const [seen, setSeen] = useState<JobFilters>(filters)
  const [sent, setSent] = useState<JobFilters>(filters)
  if (!same(filters, seen)) {
    setSeen(filters)
    if (!same(filters, sent)) setTyped(filters)
  }
  const write = (next: JobFilters) => {
    setSent(next)
    if (!same(next, filters)) change(next, { typing: true })
  }
  const sync = useEffectEvent(write)
  useEffect(() => {
    const timer = setTimeout(() => sync(typed), SYNC_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return {
    typed,
    filters,
    isFiltered,
    type: (part) => setTyped((before) => ({ ...before, ...part })),
    apply: () => write(typed),
    clear: () => {
      setTyped(noFilters)
      write(noFilters)
    },
  }
}
