import { useEffect, useEffectEvent, useState } from 'react'
import { jobStatuses } from '#contract/automation.ts'
import { useListState } from '#web/components/listing-filters/list-state.ts'

/** Spec, section 9. */
const SYNC_MS = 300

const same = (a: JobFilters, b: JobFilters) =>
  a.queue === b.queue && a.status === b.status && a.search === b.search

export type FilterControls = {
  /** The text in the fields. */
  typed: JobFilters
  /** The filters in the URL, which the list shows. */
  filters: JobFilters
  isFiltered: boolean
  type: (change: Partial<JobFilters>) => void
  /** Without the delay that typing has. */
  apply: () => void
  clear: () => void
}

/** Typing updates the URL after a delay; Back, a link, or Clear updates the fields. */
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

/** The query for the server: lists without empty parts, and no empty filters. */
export function filterQuery({ queue, status, search }: JobFilters): Partial<JobFilters> {
  const texts = { queue: parts(queue).join(','), status: parts(status).join(','), search: search.trim() }
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))
}

/** The parts of a typed list that are not statuses. */
export const unknownStatuses = (status: string): string[] =>
  parts(status).filter((part) => !jobStatuses.some((known) => known === part))

/** Describes a filter for a sentence: "all jobs" without filters. */
export function filterWords(filters: JobFilters): string {
  const { queue, status, search } = filterQuery(filters)
  const texts = [
    status && `with status ${status.replaceAll(',', ', ')}`,
    queue && `of ${queue.replaceAll(',', ', ')}`,
    search && `that contain “${search}”`,
  ].filter((words) => words !== undefined)
  return texts.length === 0 ? 'all jobs' : `jobs ${texts.join(' ')}`
}
