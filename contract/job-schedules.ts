import { z } from 'zod'
import { endpoints } from './endpoint.ts'
import { newJob, repeatedJob } from './new-job.ts'

/** Jobs that are enqueued by the clock. Admins only. */

const json = z.record(z.string(), z.unknown())

const schedule = z.object({
  id: z.uuid(),
  name: z.string(),
  queue: z.string(),
  payload: json,
  options: json,
  cron: z.string(),
  timeZone: z.string(),
  enabled: z.boolean(),
  nextRunAt: z.string().nullable(),
  lastRunAt: z.string().nullable(),
  lastJobId: z.uuid().nullable(),
  /** Why it was not enqueued the last time. */
  problem: z.string().nullable(),
})
export type JobSchedule = z.infer<typeof schedule>

const byId = z.object({ id: z.uuid() })
const adminErrors = ['SIGNED_OUT', 'NOT_ALLOWED'] as const

const changedSchedule = repeatedJob.extend({
  queue: newJob.shape.queue.optional(),
  name: z
    .string('Give it a name')
    .trim()
    .min(1, 'Give it a name')
    .max(100, 'A name has at most 100 characters')
    .optional(),
  /** Five fields: minute, hour, day of month, month, day of week. */
  cron: z
    .string('Say when, as a cron expression')
    .trim()
    .min(1, 'Say when, as a cron expression')
    .max(100, 'A cron expression has at most 100 characters')
    .optional(),
  timeZone: z.string('Choose a time zone').max(100).optional(),
  enabled: z.boolean('A schedule is on or off').optional(),
})

const newSchedule = newJob.extend({
  name: changedSchedule.shape.name.unwrap(),
  cron: changedSchedule.shape.cron.unwrap(),
  timeZone: changedSchedule.shape.timeZone.unwrap().default('UTC'),
  enabled: changedSchedule.shape.enabled.unwrap().default(true),
})

export const jobScheduleEndpoints = endpoints({
  listSchedules: {
    method: 'GET',
    path: '/admin/automation/schedules',
    summary: 'Jobs that are enqueued by the clock',
    access: 'admin',
    limit: 'read',
    reply: z.object({ items: z.array(schedule) }),
    errors: adminErrors,
  },
  createSchedule: {
    method: 'POST',
    path: '/admin/automation/schedules',
    summary: 'Enqueue a job by the clock from now on',
    access: 'admin',
    limit: 'write',
    body: newSchedule,
    status: 201,
    reply: schedule,
    errors: [...adminErrors, 'VALIDATION_FAILED', 'CONFLICT', 'KEY_REUSED', 'STILL_RUNNING'],
  },
  changeSchedule: {
    method: 'PUT',
    path: '/admin/automation/schedules/{id}',
    summary: 'Change a schedule, or switch it off and on',
    access: 'admin',
    limit: 'write',
    params: byId,
    body: changedSchedule,
    reply: schedule,
    errors: [...adminErrors, 'NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT'],
  },
  deleteSchedule: {
    method: 'DELETE',
    path: '/admin/automation/schedules/{id}',
    summary: 'Remove a schedule; jobs it has enqueued stay',
    access: 'admin',
    limit: 'write',
    params: byId,
    reply: z.object({ ok: z.literal(true) }),
    errors: [...adminErrors, 'NOT_FOUND'],
  },
})
