import { useEffect, useEffectEvent, useState } from 'react'
import { jobStatuses } from '#contract/automation.ts'
import { useListState } from '#web/components/listing-filters/list-state.ts'

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

export const noFilters = { queue: '', status: '', search: '' } as const
export type JobFilters = Record<keyof typeof noFilters, string>

const parts = (list: string): string[] =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** What the server is asked for: lists without gaps, and nothing that filters nothing. */
export function filterQuery({ queue, status, search }: JobFilters): Partial<JobFilters> {
  const said = { queue: parts(queue).join(','), status: parts(status).join(','), search: search.trim() }
  return Object.fromEntries(Object.entries(said).filter(([, text]) => text !== ''))
}

/** The statuses of a typed list that are none. */
export const unknownStatuses = (status: string): string[] =>
  parts(status).filter((part) => !jobStatuses.some((known) => known === part))

/** A filter as a sentence's end: "all jobs" where it says nothing. */
export function filterWords(filters: JobFilters): string {
  const { queue, status, search } = filterQuery(filters)
  const said = [
    status && `with status ${status.replaceAll(',', ', ')}`,
    queue && `of ${queue.replaceAll(',', ', ')}`,
    search && `that contain “${search}”`,
  ].filter((words) => words !== undefined)
  return said.length === 0 ? 'all jobs' : `jobs ${said.join(' ')}`
}
