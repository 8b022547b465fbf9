import { useMutation } from '@tanstack/react-query'
import { automationEndpoints, type Queue } from '#contract/automation.ts'
import { call } from '#web/api/client.ts'
import { notifyDone, notifyProblem } from '#web/components/toasts.tsx'
import { failureWords } from '#web/screens/dashboard/admin/mission-control/failure-words.ts'
import { useRefreshLists } from './use-job-lists.ts'

/** Pauses a queue, or lets a paused one go on. */
export function useQueuePause() {
  const refresh = useRefreshLists()
  return useMutation({
    mutationFn: ({ key, pausedAt }: Queue) =>
      call(automationEndpoints.changeQueue, { params: { key }, body: { paused: pausedAt === null } }),
    onSuccess: ({ key, pausedAt }) =>
      notifyDone(pausedAt === null ? `${key} goes on` : `${key} is paused`, { about: `queue ${key}` }),
    onError: (error, { key, pausedAt }) =>
      notifyProblem(failureWords(error, `Failed to ${pausedAt === null ? 'pause' : 'resume'} queue`), {
        about: `queue ${key}`,
      }),
    onSettled: refresh,
  })
}
