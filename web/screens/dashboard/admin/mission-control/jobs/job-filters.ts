import { jobStatuses } from '#contract/admin/automation.ts'
import type { ListControls } from '#web/components/listing-filters/list-state.ts'

export const noFilters = { queue: '', status: '', search: '' } as const
export type JobFilters = Record<keyof typeof noFilters, string>
export type JobFilterControls = ListControls<typeof noFilters>

const parts = (list: string): string[] =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

export function filterQuery({ queue, status, search }: JobFilters): Partial<JobFilters> {
  const texts = { queue: parts(queue).join(','), status: parts(status).join(','), search: search.trim() }
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))
}

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
