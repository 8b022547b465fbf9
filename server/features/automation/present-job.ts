import type { Job, JobArtifact, JobDetail } from '#contract/automation.ts'
import type { Artifact, JobDetailRow, JobRow, StatusEvent } from './job-queries.ts'
import { presentEvent } from './job-stream-events.ts'
import type { EventRow } from './job-stream-queries.ts'
import { findQueue, type Queues } from './new-job.ts'

export function presentJob(row: JobRow): Job {
  return {
    id: row.id,
    status: row.status,
    queueKey: row.queue,
    scriptId: row.scriptId,
    attempts: row.attempts,
    maxAttempts: row.maxAttempts,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    payload: row.payload,
    options: row.options,
    progress: row.progress,
    error: row.error,
    retryOf: row.retryOf,
    cancelRequested: row.cancelRequested,
    _count: { events: row.events, artifacts: row.artifacts },
  }
}

type Belongings = {
  events: readonly EventRow[]
  artifacts: readonly Artifact[]
  statuses: readonly StatusEvent[]
}

export function presentJobDetail(
  row: JobDetailRow,
  { events, artifacts, statuses }: Belongings,
  queues: Queues,
): JobDetail {
  return {
    ...presentJob(row),
    events: events.map(presentEvent),
    artifacts: artifacts.map(presentArtifact),
    question: row.question && {
      key: row.question.key,
      text: row.question.text,
      schema: row.question.schema ?? null,
      problem: row.question.problem ?? null,
      askedAt: new Date(row.question.askedAt).toISOString(),
    },
    result: row.result,
    timeline: timelineOf(row, statuses),
    retriedBy: row.retriedBy,
    createdBy: row.createdBy,
    state: engineState(row, queues),
  }
}

function presentArtifact({ id, name, bytes, createdAt }: Artifact): JobArtifact {
  return { id, name, bytes, createdAt: createdAt.toISOString() }
}

/** Being enqueued leaves no event. */
function timelineOf(row: JobRow, statuses: readonly StatusEvent[]): JobDetail['timeline'] {
  const told = statuses.map(({ status, at, runNo }) => ({ status, at: at.toISOString(), runNo }))
  return [{ status: 'queued', at: row.createdAt.toISOString(), runNo: null }, ...told]
}

const isoOrNull = (time: string | null | undefined) => (time ? new Date(time).toISOString() : null)

function engineState(row: JobDetailRow, queues: Queues): Record<string, unknown> {
  const { delivery } = row
  return {
    delivery: delivery && {
      state: delivery.state,
      startAfter: isoOrNull(delivery.startAfter),
      createdOn: isoOrNull(delivery.createdOn),
      startedOn: isoOrNull(delivery.startedOn),
    },
    runNo: row.runNo,
    runAfter: row.runAfter.toISOString(),
    heartbeatAt: row.heartbeatAt?.toISOString() ?? null,
    lostDeliveries: row.lostDeliveries,
    resumable: row.resumable,
    timeoutSeconds: findQueue(queues, row.queue)?.timeoutSeconds ?? null,
    concurrencyKey: row.concurrencyKey,
    keyHeldBy: row.keyHeldBy,
    cancelRequestedAt: row.cancelRequestedAt?.toISOString() ?? null,
    checkpoint: row.checkpoint,
  }
}
