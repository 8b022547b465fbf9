import { useMutation } from '@tanstack/react-query'
import { automationEndpoints } from '#contract/automation.ts'
import { call } from '#web/api/client.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { notifyDone, notifyInfo, notifyProblem } from '#web/components/toasts.tsx'
import { failureWords } from '#web/screens/dashboard/admin/mission-control/failure-words.ts'
import { type BulkAction, bulkQuestion, nothingToDo } from './bulk-words.ts'
import { filterQuery, type JobFilters } from './job-filter-words.ts'
import { useRefreshLists } from './use-job-lists.ts'

/**
 * Retries or cancels every job of the filter, not only those of the page: counts them, asks with the count, and opens the
 * job that does it.
 */
export function useBulkAction(filters: JobFilters, onBegun: (jobId: string) => void) {
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
