import { jobStatuses } from '#contract/automation.ts'

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
