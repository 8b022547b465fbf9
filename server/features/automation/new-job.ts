import { findScript } from '#contract/scripts.ts'
import type { JsonObject } from '#db/schema.gen.ts'
import { AppError } from '#server/platform/errors.ts'
import { allowedAttempts } from '#server/platform/jobs/enqueue-job.ts'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'
import { payloadProblem } from './payload-problem.ts'
import { SCRIPT_QUEUES, type ScriptJob } from './script-queues.ts'

export type Queues = readonly JobQueue<unknown>[]

/** A job as an administrator writes it down. */
export type AskedJob = {
  queue: string
  payload: Record<string, unknown>
  options: { attempts?: number | null | undefined; [name: string]: unknown }
}

/** What may be enqueued: the payload as its queue's schema left it, the options as they count. */
export type CheckedJob = {
  queue: JobQueue<unknown>
  payload: unknown
  options: JsonObject
  maxAttempts: number
  scriptId?: string
  resumable?: boolean
}

/**
 * Judges a job that somebody wrote by hand against the queue it is for.
 * @throws AppError VALIDATION_FAILED with what is wrong in `fields.queue` or `fields.payload`
 */
export function checkNewJob(queues: Queues, asked: AskedJob): CheckedJob {
  const queue = findQueue(queues, asked.queue)
  if (!queue)
    throw refusal('queue', `There is no queue “${asked.queue}”. The queues are: ${namesOf(queues)}.`)
  const problem = payloadProblem(queue.payload, asked.payload)
  if (problem !== undefined) throw refusal('payload', problem)
  const payload = queue.payload.parse(asked.payload)
  const maxAttempts = allowedAttempts(asked.options.attempts ?? 1)
  // It came as JSON.
  const options = { ...asked.options, attempts: maxAttempts } as JsonObject
  return { queue, payload, options, maxAttempts, ...scriptOf(queue, payload) }
}

export const findQueue = (queues: Queues, name: string): JobQueue<unknown> | undefined =>
  queues.find((queue) => queue.name === name)

const namesOf = (queues: Queues) => queues.map(({ name }) => name).join(', ')

const refusal = (field: 'queue' | 'payload', sentence: string) =>
  new AppError('VALIDATION_FAILED', sentence, { fields: { [field]: sentence } })

/** A script says itself whether it may be started again after its worker was lost. */
function scriptOf({ name }: JobQueue<unknown>, payload: unknown) {
  if (!SCRIPT_QUEUES.some((queue) => queue.name === name)) return undefined
  // Its queue's schema has made it one.
  const { scriptId } = payload as ScriptJob
  return { scriptId, resumable: findScript(scriptId)?.resumable ?? false }
}
