import type { JobEvent } from '#contract/job-events.ts'
import { formatEvent } from '#server/platform/http/event-stream.ts'
import type { EventRow } from './job-stream-queries.ts'

/** An event as people see it, in a list or in a stream. */
export function presentEvent(row: EventRow): JobEvent {
  const { seq, at, kind, stream, message } = row
  const data = isRecord(row.data) ? row.data : {}
  return {
    id: seq,
    kind,
    status: statusOf(kind, data),
    message,
    payload: {
      stream: stream ?? 'system',
      message,
      loggedAt: at.toISOString(),
      ...(kind === 'progress' && presentProgress(data)),
      ...(row.data !== null && { data: row.data }),
    },
  }
}

/** The words of the console for the last event, `COMPLETED` and `FAILED`; those of the record for all others. */
function statusOf(kind: EventRow['kind'], { status }: Record<string, unknown>): string | null {
  if (typeof status !== 'string') return null
  return kind === 'done' ? status.toUpperCase() : status
}

function presentProgress({ done, total, note }: Record<string, unknown>) {
  return {
    ...(typeof note === 'string' && { stage: note }),
    ...(typeof done === 'number' && { count: done }),
    ...(typeof total === 'number' && { total }),
    ...(typeof done === 'number' &&
      typeof total === 'number' &&
      total > 0 && { percentage: share(done, total) }),
  }
}

const share = (done: number, total: number) => Math.min(100, Math.round((done / total) * 1_000) / 10)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function formatJobEvent(row: EventRow): string {
  const { id, kind, status, payload } = presentEvent(row)
  return formatEvent({ id, event: kind, data: { ...payload, ...(status !== null && { status }) } })
}

/** The end of a job, said again to a reader who has seen all its events: without a number, since it is no new one. */
export function formatDoneAgain(status: string, now: Date): string {
  const data = {
    stream: 'system',
    message: status,
    loggedAt: now.toISOString(),
    status: status.toUpperCase(),
  }
  return formatEvent({ event: 'done', data })
}

type Note = { event: 'log' | 'error'; message: string; id?: number; data?: Record<string, unknown> }

/** A sentence of the stream itself. It has a number only where a reader that comes back goes on behind it. */
export function formatNote({ event, message, id, data }: Note, now: Date): string {
  const told = { stream: 'system', message, loggedAt: now.toISOString(), ...(data && { data }) }
  return formatEvent({ ...(id !== undefined && { id }), event, data: told })
}

export type Start = { after: number; problem?: string }

/** Where a stream begins: behind the event that the reader saw last, or at the first one and why. */
export function startAfter(lastEventId: string | undefined, lastSeq: number): Start {
  if (lastEventId === undefined || lastEventId === '') return { after: 0 }
  if (!/^\d{1,15}$/.test(lastEventId)) {
    return { after: 0, problem: 'Last-Event-ID is not the number of an event: shown from the first one.' }
  }
  const after = Number(lastEventId)
  if (after <= lastSeq) return { after }
  const problem = `Last-Event-ID is ${after}, and this job has ${lastSeq} events: shown from the first one.`
  return { after: 0, problem }
}
