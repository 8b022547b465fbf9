import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type JobSchedule, jobScheduleEndpoints } from '#contract/admin/automation.ts'
import { call } from '#web/api/client.ts'
import { notifyDone, notifyProblem } from '#web/components/toasts.tsx'
import { failureWords } from '#web/screens/dashboard/admin/mission-control/run-feedback.tsx'

const key = ['automation', 'schedules']
const about = 'schedules'

type ScheduleValues = Pick<JobSchedule, 'name' | 'queue' | 'cron' | 'timeZone' | 'payload' | 'options'>

export function useSchedules() {
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(jobScheduleEndpoints.listSchedules, { signal }),
    // The time of the next run changes.
    refetchInterval: 60_000,
  })
}

export function useScheduleChanges() {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: key })
  const failed = (fallback: string) => (error: unknown) =>
    notifyProblem(failureWords(error, fallback), { about })
  const saving = useMutation({
    mutationFn: ({ id, values }: { id: string | undefined; values: ScheduleValues }) =>
      id === undefined
        ? call(jobScheduleEndpoints.createSchedule, { body: values })
        : call(jobScheduleEndpoints.changeSchedule, { params: { id }, body: values }),
    onSuccess: (_, { id }) => notifyDone(id === undefined ? 'Schedule created' : 'Schedule saved', { about }),
    onError: failed('Failed to save'),
    onSettled: refresh,
  })
  const switching = useMutation({
    mutationFn: ({ id, enabled }: JobSchedule) =>
      call(jobScheduleEndpoints.changeSchedule, { params: { id }, body: { enabled: !enabled } }),
    onSuccess: ({ enabled }) => notifyDone(enabled ? 'Schedule on' : 'Schedule off', { about }),
    onError: failed('Failed to save'),
    onSettled: refresh,
  })
  const deleting = useMutation({
    mutationFn: ({ id }: JobSchedule) => call(jobScheduleEndpoints.deleteSchedule, { params: { id } }),
    onSuccess: () => notifyDone('Schedule deleted', { about }),
    onError: failed('Failed to delete'),
    onSettled: refresh,
  })
  return { saving, switching, deleting }
}
