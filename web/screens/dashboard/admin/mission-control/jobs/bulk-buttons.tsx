import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { automationEndpoints } from '#contract/admin/automation.ts'
import type { Answer } from '#contract/endpoint.ts'
import { call } from '#web/api/client.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { notifyDone, notifyInfo, notifyProblem } from '#web/components/toasts.tsx'
import { failureWords } from '#web/screens/dashboard/admin/mission-control/run-feedback.tsx'
import { filterQuery, filterWords, type JobFilters } from './job-filters.ts'
import { useRefreshLists } from './job-lists.ts'

const bulkActions = [
  { action: 'retry', label: 'Retry all…' },
  { action: 'cancel', label: 'Cancel all…' },
] as const

type BulkButtonsProps = { filters: JobFilters; onStarted: (jobId: string) => void }

export function BulkButtons({ filters, onStarted }: BulkButtonsProps) {
  const acting = useBulkAction(filters, onStarted)
  const pending = acting.isPending ? acting.variables : undefined
  return (
    <Group gap="xs" role="group" aria-label="All jobs that match this filter">
      {bulkActions.map(({ action, label }) => (
        <Button
          key={action}
          variant="default"
          size="xs"
          onClick={() => acting.mutate(action)}
          loading={pending === action}
          disabled={pending !== undefined && pending !== action}
        >
          {label}
        </Button>
      ))}
    </Group>
  )
}

/** Retries or cancels all jobs of the filter, not just the loaded ones: counts, confirms, and opens the bulk job. */
function useBulkAction(filters: JobFilters, onStarted: (jobId: string) => void) {
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
      notifyDone(action === 'retry' ? 'Bulk retry started' : 'Bulk cancel started', { about: 'bulk jobs' })
      void refresh()
      onStarted(jobId)
    },
    onError: (error, action) =>
      notifyProblem(failureWords(error, `Failed to ${action} jobs`), { about: 'bulk jobs' }),
  })
}

type BulkAction = 'retry' | 'cancel'
type Found = Pick<Answer<typeof automationEndpoints.bulkJobs>, 'matching' | 'matchingIsAtLeast'>

function jobsInWords({ matching, matchingIsAtLeast }: Found): string {
  const one = matching === 1 && !matchingIsAtLeast
  return `${matching.toLocaleString('en-US')}${matchingIsAtLeast ? '+' : ''} ${one ? 'job' : 'jobs'}`
}

/** Canceled jobs were ended on purpose: they are retried only if the filter includes them. */
const whichEnded = ({ status }: JobFilters): string =>
  status.includes('cancelled') ? 'failed or were canceled' : 'failed'

export function bulkQuestion(action: BulkAction, found: Found, filters: JobFilters) {
  const jobs = jobsInWords(found)
  const of = filterWords(filters)
  const more = found.matchingIsAtLeast ? ' There may be more.' : ''
  return action === 'retry'
    ? {
        title: `Retry ${jobs}?`,
        text: `Among ${of}: those that ${whichEnded(filters)} and were not retried yet. One runs first; the rest follow if it succeeds.${more}`,
        confirm: `Retry ${jobs}`,
      }
    : {
        title: `Cancel ${jobs}?`,
        text: `Among ${of}: those that have not ended. Work already done is kept.${more}`,
        confirm: `Cancel ${jobs}`,
        cancel: 'Keep jobs',
        destroys: true,
      }
}

const nothingToDo = (action: BulkAction): string =>
  action === 'retry' ? 'No failed jobs to retry' : 'No waiting or running jobs'
