import { type JobStatus, jobStatuses } from '#contract/automation.ts'
import { HIGHEST_ID, LOWEST_ID } from '#server/platform/database/cursors.ts'

/** Which jobs. An empty list means all. */
export type JobFilter = { queues: string[]; statuses: JobStatus[]; words: string }

type Typed = { queue?: string | undefined; status?: string | undefined; search?: string | undefined }

/** Reads a filter as it is typed; answers a sentence where a status is none. A queue that nobody knows matches nothing. */
export function readJobFilter({ queue, status, search }: Typed): JobFilter | string {
  const statuses = listed(status)
  const known = statuses.filter((word): word is JobStatus =>
    (jobStatuses as readonly string[]).includes(word),
  )
  const unknown = statuses.filter((word) => !(jobStatuses as readonly string[]).includes(word))
  if (unknown.length > 0) {
    return `There is no status ${unknown.join(', ')}. A status is one of: ${jobStatuses.join(', ')}`
  }
  return { queues: listed(queue), statuses: known, words: search?.trim() ?? '' }
}

/** "a, b,,a" → a, b */
function listed(text = ''): string[] {
  const names = text.split(',').map((name) => name.trim())
  return [...new Set(names.filter((name) => name !== ''))]
}

/** Between these two, which are not part of it. */
export type IdRange = { above: string; below: string }
export const everyId: IdRange = { above: LOWEST_ID, below: HIGHEST_ID }

export const isId = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

/** The ids that begin as this text does, where it looks like the beginning of one; both ends belong to it. */
export function idsBeginningWith(text: string): { first: string; last: string } | undefined {
  const typed = text.toLowerCase()
  // Eight signs of an id are its minute. Fewer are as likely to be a number.
  if (typed.length < 8 || typed.length > LOWEST_ID.length) return undefined
  const fits = [...typed].every((sign, place) =>
    LOWEST_ID[place] === '-' ? sign === '-' : /[\da-f]/.test(sign),
  )
  if (!fits) return undefined
  return { first: typed + LOWEST_ID.slice(typed.length), last: typed + HIGHEST_ID.slice(typed.length) }
}
