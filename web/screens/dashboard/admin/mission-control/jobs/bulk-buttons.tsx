import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { automationEndpoints } from '#contract/automation.ts'
import type { Answer } from '#contract/endpoint.ts'
import { call } from '#web/api/client.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { notifyDone, notifyInfo, notifyProblem } from '#web/components/toasts.tsx'
import { failureWords } from '#web/screens/dashboard/admin/mission-control/run-feedback.tsx'
import { filterQuery, filterWords, type JobFilters } from './job-filters.ts'
import { useRefreshLists } from './job-lists.ts'

type BulkButtonsProps = { filters: JobFilters; onBegun: (jobId: string) => void }

export function BulkButtons({ filters, onBegun }: BulkButtonsProps) {
  const acting = useBulkAction(filters, onBegun)
  const pending = acting.isPending ? acting.variables : undefined
  return (
    <Group gap="xs" role="group" aria-label="All jobs of this filter">
      <Button
        variant="default"
        size="xs"
        onClick={() => acting.mutate('retry')}
        loading={pending === 'retry'}
        disabled={pending === 'cancel'}
      >
        Retry all…
      </Button>
      <Button
        variant="default"
        size="xs"
        onClick={() => acting.mutate('cancel')}
        loading={pending === 'cancel'}
        disabled={pending === 'retry'}
      >
        Cancel all…
      </Button>
    </Group>
  )
}

/**
 * Retries or cancels every job of the filter, not only those of the page: counts them, asks with the count, and opens the
 * job that does it.
 */
function useBulkAction(filters: JobFilters, onBegun: (jobId: string) => void) {
  const refresh = useRefreshLists()
  return useMutation({
    mutationFn: async (action: BulkAction): Promise<string | null> => {
      const body = { action, ...filterQuery(filters) }
      const found = await call(automationEndpoints.bulkJobs, { body: { ...body, count: true } })
      if (found.matching === 0 && !found.matchingIsAtLeast) {
        notifyInfo(nothingToDo(action), { about: 'bulk jobs' })
        return null
      }
      if (!(await askToConfirm(bulkQuestion(action, found, filters)))) return null
      return (await call(automationEndpoints.bulkJobs, { body })).jobId
    },
    onSuccess: (jobId, action) => {
      if (jobId === null) return
      notifyDone(action === 'retry' ? 'Bulk retry begun' : 'Bulk cancel begun', { about: 'bulk jobs' })
      void refresh()
      onBegun(jobId)
    },
    onError: (error, action) =>
      notifyProblem(failureWords(error, `Failed to ${action} jobs`), { about: 'bulk jobs' }),
  })
}

type BulkAction = 'retry' | 'cancel'
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

const nothingToDo = (action: BulkAction): string =>
  action === 'retry' ? 'No failed job here is left to retry' : 'No job here is waiting or running'
