import type { JobEvent } from '#contract/automation.ts'
import type { JobLine } from '#web/components/job-stream/feed-log.ts'

/** Events of the record as lines of a log; progress has its bar, and the end its status. */
export function eventLines(events: readonly JobEvent[]): JobLine[] {
  return events.flatMap(({ id, kind, message, payload: { stream, loggedAt } }) =>
    kind === 'progress' || kind === 'done'
      ? []
      : { id, stream: stream ?? 'system', level: kind, text: message, at: loggedAt },
  )
}
