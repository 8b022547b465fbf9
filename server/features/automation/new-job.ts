import { z } from 'zod'
import { findScript } from '#contract/scripts.ts'
import { stagingRoots } from '#contract/staging.ts'
import type { JsonObject } from '#db/schema.gen.ts'
import { looksLikeEscape, writeRefusedPath } from '#server/features/stock-files/store/staging-path.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { allowedAttempts } from '#server/platform/jobs/enqueue-job.ts'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'
import { SCRIPT_QUEUES, type ScriptJob } from './automation-queues.ts'

// A sentence is read by a person, who mends these and sends again.
const MOST_PROBLEMS = 5

/** What is wrong with a payload, as one sentence; undefined where nothing is. Rules with words of their own keep them. */
export function payloadProblem(schema: z.ZodType, payload: unknown): string | undefined {
  const parsed = schema.safeParse(payload, { error: inWords })
  if (parsed.success) return undefined
  const sentences = parsed.error.issues.map(({ message }) => message)
  return [...new Set(sentences)].slice(0, MOST_PROBLEMS).join('. ')
}

/** The library's own words are for programmers. */
function inWords(issue: z.core.$ZodRawIssue): string {
  const name = issue.path?.join('.') || 'The payload'
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? `${name} is missing` : `${name} has to be of type ${issue.expected}`
    case 'unrecognized_keys':
      return `There is no ${issue.keys.join(', ')} in the payload of this queue`
    case 'invalid_value':
      return `${name} is one of: ${issue.values.map(String).join(', ')}`
    case 'too_small':
      return `${name} has to be at least ${issue.minimum}${lengthOf(issue.origin)}`
    case 'too_big':
      return `${name} can be at most ${issue.maximum}${lengthOf(issue.origin)}`
    case 'invalid_format':
      return `${name} is not a valid ${issue.format}`
    default:
      return `${name} has a value that is not allowed here`
  }
}

const lengthOf = (origin: string) => (origin === 'string' ? ' characters long' : '')

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

type Caller = { readonly actor: Actor; readonly ip: string; readonly requestId: string }

const sentSource = z.object({ source: z.object({ root: z.enum(stagingRoots), path: z.string() }) })

/**
 * Judges a job that somebody sends. A staged file that it names by a way out of its root is written down, as everywhere.
 * @throws AppError as `checkNewJob` does
 */
export async function checkAskedJob(
  db: Db,
  queues: Queues,
  { asked, caller }: { asked: AskedJob; caller: Caller },
): Promise<CheckedJob> {
  try {
    return checkNewJob(queues, asked)
  } catch (error) {
    const sent = sentSource.safeParse(asked.payload).data
    if (error instanceof AppError && sent && looksLikeEscape(sent.source.path)) {
      const { root, path: typed } = sent.source
      const { actor, ip, requestId } = caller
      const refused = { root, typed, sentence: error.message, caller: { actor, ip, requestId } }
      await writeRefusedPath(db, refused)
    }
    throw error
  }
}
