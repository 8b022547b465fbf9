import { DownloadLog } from '#web/screens/dashboard/admin/mission-control/log/download-log.tsx'
import { JobLog } from '#web/screens/dashboard/admin/mission-control/log/job-log.tsx'
import { eventLines } from './event-lines.ts'
import type { LiveJob } from './use-live-job.ts'

/** What the job said, as the console shows it: from the stream once it is as far as the record, else its last lines. */
export function JobEvents({ job, stream }: LiveJob) {
  const recorded = eventLines(job.events)
  const isStreamed = stream.lines.length > 0 && stream.lines.length >= recorded.length
  const before = (job.events[0]?.id ?? 1) - 1
  return (
    <JobLog
      lines={isStreamed ? stream.lines : recorded}
      dropped={isStreamed ? stream.dropped : before}
      empty="No events"
      actions={<DownloadLog jobId={job.id} />}
    />
  )
}
