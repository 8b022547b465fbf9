import type { automationEndpoints } from '#contract/automation.ts'
import type { Answer } from '#contract/endpoint.ts'
import { filterWords, type JobFilters } from './job-filter-words.ts'

export type BulkAction = 'retry' | 'cancel'
type Found = Pick<Answer<typeof automationEndpoints.bulkJobs>, 'matching' | 'matchingIsAtLeast'>

/** "1 job", "1,200+ jobs". */
function jobsInWords({ matching, matchingIsAtLeast }: Found): string {
  const one = matching === 1 && !matchingIsAtLeast
  return `${matching.toLocaleString('en-US')}${matchingIsAtLeast ? '+' : ''} ${one ? 'job' : 'jobs'}`
}

/** A cancelled job was ended on purpose: it is retried where the filter asks for it. */
const whichEnded = ({ status }: JobFilters): string =>
  status.includes('cancelled') ? 'failed or were cancelled' : 'failed'

/** What is asked before: how many, of which filter, and what then happens. */
export function bulkQuestion(action: BulkAction, found: Found, filters: JobFilters) {
  const jobs = jobsInWords(found)
  const of = filterWords(filters)
  const more = found.matchingIsAtLeast ? ' There may be more than were counted.' : ''
  return action === 'retry'
    ? {
        title: `Retry ${jobs}?`,
        text: `Of ${of}: those that ${whichEnded(filters)} and were not retried yet. One is tried first; the others follow when it ends well.${more}`,
        confirm: `Retry ${jobs}`,
      }
    : {
        title: `Cancel ${jobs}?`,
        text: `Of ${of}: those that have not ended. What they have done stays done.${more}`,
        confirm: `Cancel ${jobs}`,
        cancel: 'Keep jobs',
        destroys: true,
      }
}

export const nothingToDo = (action: BulkAction): string =>
  action === 'retry' ? 'No failed job here is left to retry' : 'No job here is waiting or running'
