import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { z } from 'zod'
import { automationEndpoints, type JobDetail } from '#contract/automation.ts'
import { call } from '#web/api/client.ts'
import { jobKey } from '#web/screens/dashboard/admin/mission-control/jobs/job-detail/use-job.ts'
import { withJob } from '#web/screens/dashboard/admin/mission-control/jobs/use-chosen-job.ts'

export type ConsoleJob = {
  /** Named by the address, so that a reload or a sent link shows the same job. */
  id: string | undefined
  detail: JobDetail | undefined
  show: (id: string | undefined) => void
}

export function useConsoleJob(): ConsoleJob {
  const [params, setParams] = useSearchParams()
  const asked = z.uuid().safeParse(params.get('job'))
  const id = asked.success ? asked.data : undefined
  const { data: detail } = useQuery({
    queryKey: jobKey(id ?? ''),
    queryFn: ({ signal }) => call(automationEndpoints.readJob, { params: { id: id ?? '' }, signal }),
    enabled: id !== undefined,
  })
  const show = (next: string | undefined) =>
    setParams((now) => withJob(now, next), { replace: true, preventScrollReset: true })
  return { id, detail, show }
}
