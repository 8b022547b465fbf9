import { z } from 'zod'
import { datasetOf, stagingRoots } from '#contract/admin/staging.ts'
import type { JsonObject } from '#db/schema.gen.ts'
import { type ApplyPayload, applyQueue } from '#server/features/stock-files/stock-file-queues.ts'
import { looksLikeEscape, writeRefusedPath } from '#server/features/stock-files/store/staging-path.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { issueSentence } from '#server/platform/http/read-body.ts'
import { isAllowedAttempts, MAX_ATTEMPTS } from '#server/platform/jobs/enqueue-job.ts'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'
import { SCRIPT_QUEUES, type ScriptJob } from './automation-queues.ts'

// More problems would not fit in one readable message.
const MAX_PROBLEMS = 5

/** Describes what is wrong with a payload in one message, or undefined. Rules with their own messages keep them. */
export function payloadProblem(schema: z.ZodType, payload: unknown): string | undefined {
  const parsed = schema.safeParse(payload, { error: issueSentence('The payload') })
  if (parsed.success) return undefined
  const sentences = parsed.error.issues.map(({ message }) => message)
  return [...new Set(sentences)].slice(0, MAX_PROBLEMS).join('. ')
}

export type Queues = readonly JobQueue<unknown>[]

/** A job as an administrator requests it. */
export type JobRequest = {
  queue: string
  payload: Record<string, unknown>
  options: { attempts?: number | null | undefined; [name: string]: unknown }
}

/** A job that may be enqueued: the payload parsed by its queue's schema, the options within their limits. */
export type CheckedJob = {
  queue: JobQueue<unknown>
  payload: unknown
  options: JsonObject
  maxAttempts: number
  scriptId?: string
}

/**
 * Validates a requested job against its queue.
 * @throws AppError VALIDATION_FAILED with the problem in `fields.queue`, `fields.payload` or `fields.options`
 */
export function checkNewJob(queues: Queues, request: JobRequest): CheckedJob {
  const queue = findQueue(queues, request.queue)
  if (!queue)
    throw refusal('queue', `There is no queue “${request.queue}”. The queues are: ${namesOf(queues)}.`)
  const problem = payloadProblem(queue.payload, request.payload)
  if (problem !== undefined) throw refusal('payload', problem)
  const payload = queue.payload.parse(request.payload)
  const maxAttempts = request.options.attempts ?? 1
  if (!isAllowedAttempts(maxAttempts)) throw refusal('options', attemptsWrong)
  // The options were parsed from JSON.
  const options = { ...request.options, attempts: maxAttempts } as JsonObject
  return { queue, payload, options, maxAttempts, ...scriptOf(queue, payload) }
}

export const findQueue = (queues: Queues, name: string): JobQueue<unknown> | undefined =>
  queues.find((queue) => queue.name === name)

const namesOf = (queues: Queues) => queues.map(({ name }) => name).join(', ')

const attemptsWrong = `Attempts must be a whole number from 1 to ${MAX_ATTEMPTS}.`

const refusal = (field: 'queue' | 'payload' | 'options', sentence: string) =>
  new AppError('VALIDATION_FAILED', sentence, { fields: { [field]: sentence } })

/** The schema of a script queue returns a ScriptJob. */
const scriptOf = ({ name }: JobQueue<unknown>, payload: unknown) =>
  SCRIPT_QUEUES.some((queue) => queue.name === name) && { scriptId: (payload as ScriptJob).scriptId }

const datasets = stagingRoots.map(datasetOf)

/**
 * Rejects a mistyped dataset, with which a job would succeed and do nothing. Only for new jobs: a repeated one may be
 * from an older version.
 * @throws AppError VALIDATION_FAILED
 */
export function checkDataset({ queue, payload }: CheckedJob): void {
  if (queue.name !== applyQueue.name) return
  const { dataset } = payload as ApplyPayload
  if (datasets.includes(dataset)) return
  throw refusal('payload', `There is no dataset “${dataset}”. The datasets are: ${datasets.join(', ')}.`)
}

type Caller = { readonly actor: Actor; readonly ip: string; readonly requestId: string }

const payloadWithSource = z.object({ source: z.object({ root: z.enum(stagingRoots), path: z.string() }) })

/**
 * Validates a requested job, and audits a staging path that tries to escape its root.
 * @throws AppError as `checkNewJob` does
 */
export async function checkJobRequest(
  db: Db,
  queues: Queues,
  { request, caller }: { request: JobRequest; caller: Caller },
): Promise<CheckedJob> {
  try {
    return checkNewJob(queues, request)
  } catch (error) {
    const source = payloadWithSource.safeParse(request.payload).data?.source
    if (error instanceof AppError && source && looksLikeEscape(source.path)) {
      const { root, path: typed } = source
      const { actor, ip, requestId } = caller
      await writeRefusedPath(db, { root, typed, sentence: error.message, caller: { actor, ip, requestId } })
    }
    throw error
  }
}
