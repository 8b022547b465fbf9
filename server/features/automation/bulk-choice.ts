import { hasEnded, type JobStatus, jobStatuses } from '#contract/automation.ts'
import type { BulkPayload } from './bulk-queues.ts'
import type { JobFilter } from './job-filter.ts'
import type { Choice } from './job-list-queries.ts'

const LIVE = jobStatuses.filter((status) => !hasEnded(status))

/** Which jobs of a filter an action applies to; without a status it retries what failed and cancels what has not ended. */
export function bulkStatuses(
  action: BulkPayload['action'],
  { statuses }: Pick<JobFilter, 'statuses'>,
): JobStatus[] {
  const apt: readonly JobStatus[] = action === 'cancel' ? LIVE : ['failed', 'cancelled']
  if (statuses.length > 0) return statuses.filter((status) => apt.includes(status))
  return action === 'cancel' ? [...apt] : ['failed']
}

/** What has been repeated by hand or by an earlier bulk action is not repeated again. */
export function bulkChoice({
  action,
  queues,
  statuses,
}: Pick<BulkPayload, 'action' | 'queues' | 'statuses'>): Choice {
  return { queues, statuses, exceptBulk: true, toRepeat: action === 'retry' }
}
