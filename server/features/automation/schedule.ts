import type { JobSchedule } from '#contract/job-schedules.ts'
import type { JsonObject } from '#db/schema.gen.ts'
import { violatesUnique } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { nextRunOf } from '#server/platform/jobs/schedules.ts'
import { type AskedJob, checkNewJob, type Queues } from './new-job.ts'
import type { NewSchedule, ScheduleRow } from './schedule-queries.ts'

export type AskedSchedule = AskedJob & { name: string; cron: string; timeZone: string; enabled: boolean }

/**
 * Judges a schedule as it is asked for: its job as one that is enqueued now, its time as one that comes.
 * @throws AppError VALIDATION_FAILED with what is wrong in its field
 */
export function checkSchedule(queues: Queues, asked: AskedSchedule, now: Date): NewSchedule {
  const { queue, payload, options } = checkNewJob(queues, asked)
  const { name, timeZone, enabled } = asked
  const cron = asked.cron.split(/\s+/).join(' ')
  // Any expression tells whether there is such a zone.
  orRefuse('timeZone', () => nextRunOf('0 0 * * *', timeZone, now))
  const next = orRefuse('cron', () => nextRunOf(cron, timeZone, now))
  // It came as JSON and went through the queue's schema.
  const checked = payload as JsonObject
  return {
    name,
    queue: queue.name,
    payload: checked,
    options,
    cron,
    timeZone,
    enabled,
    nextRunAt: enabled ? next : null,
  }
}

type Change = { [K in keyof AskedSchedule]?: AskedSchedule[K] | undefined }

/** What a change does not name stays as it is. */
export function changedSchedule(before: ScheduleRow, change: Change): AskedSchedule {
  const { queue, payload, options, name, cron, timeZone, enabled } = before
  return {
    queue: change.queue ?? queue,
    payload: change.payload ?? payload,
    options: change.options ?? options,
    name: change.name ?? name,
    cron: change.cron ?? cron,
    timeZone: change.timeZone ?? timeZone,
    enabled: change.enabled ?? enabled,
  }
}

function orRefuse(field: 'timeZone' | 'cron', compute: () => Date): Date {
  try {
    return compute()
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error)
    throw new AppError('VALIDATION_FAILED', sentence, { fields: { [field]: sentence }, cause: error })
  }
}

/** For the failure of writing a schedule of that name: @throws AppError CONFLICT where another has it, else the failure */
export function refuseTakenName(name: string): (failure: unknown) => never {
  return (failure) => {
    if (!violatesUnique(failure, 'job_schedule_name')) throw failure
    const sentence = `There is a schedule “${name}” already. Choose another name.`
    throw new AppError('CONFLICT', sentence, { fields: { name: sentence } })
  }
}

/** What the audit log keeps of a schedule. */
export function auditedSchedule({ name, queue, cron, timeZone, enabled }: ScheduleRow) {
  return { name, queue, cron, timeZone, enabled }
}

export function presentSchedule({ nextRunAt, lastRunAt, ...row }: ScheduleRow): JobSchedule {
  return {
    ...row,
    nextRunAt: nextRunAt?.toISOString() ?? null,
    lastRunAt: lastRunAt?.toISOString() ?? null,
  }
}
