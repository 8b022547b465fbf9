import { z } from 'zod'
import { jobStatuses } from '#contract/admin/automation.ts'
import {
  type Flags,
  findScript,
  flagArguments,
  flagsSchema,
  type ScriptDefinition,
  scriptPayload,
  scripts,
} from '#contract/admin/scripts.ts'
import type { StagingRoot } from '#contract/admin/staging.ts'
import { readStagingPath } from '#server/features/stock-files/store/staging-path.ts'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'

export const BULK_QUEUE = 'bulk-jobs'

const DAY = 86_400

export type BulkPayload = {
  action: 'retry' | 'cancel'
  queues: string[]
  statuses: (typeof jobStatuses)[number][]
  words: string
  /** How many jobs matched when the action was requested. */
  matching: number
}

/** Retries or cancels all jobs that match a filter and are older than this job. */
export const bulkJobsQueue: JobQueue<BulkPayload> = {
  name: BULK_QUEUE,
  title: 'Bulk actions on jobs',
  payload: z
    .object({
      action: z.enum(['retry', 'cancel']),
      queues: z.array(z.string()),
      statuses: z.array(z.enum(jobStatuses)).min(1),
      words: z.string().max(200),
      matching: z.number().int().min(0),
    })
    .strict(),
  maxAttempts: 5,
  retryDelaySeconds: 5,
  resumable: true,
  // It waits for its canary job, and a large import may take 12 hours.
  timeoutSeconds: DAY,
  concurrency: 2,
}

/** The stored payload of a script's job, derived by the server from the request. */
export type ScriptJob = {
  scriptId: string
  flags: Flags
  /** The command line for display; always built from the flags, never taken from the request. */
  args: string[]
  /** The root that the console showed; the script reads `source`. */
  stagingRoot: StagingRoot | null
  source: { root: StagingRoot; path: string } | null
}

const HOUR = 3_600

/** A script gets 5 s to exit on its own, then a moment to flush its output. */
const ABORT_GRACE_SECONDS = 8

function scriptQueue(name: string, title: string, concurrency: number): JobQueue<ScriptJob> {
  return {
    name,
    title,
    payload: payloadOf(name),
    maxAttempts: 1,
    retryDelaySeconds: 30,
    resumable: true,
    timeoutSeconds: 12 * HOUR,
    // A process of 100 MB each.
    concurrency,
    abortGraceSeconds: ABORT_GRACE_SECONDS,
    keyOf: keyOfScript,
  }
}

export const preprocessQueue = scriptQueue('preprocess', 'Preprocess', 2)
export const namingOptimizerQueue = scriptQueue('namingOptimizer', 'Naming optimizer', 1)

export const SCRIPT_QUEUES = [
  preprocessQueue,
  namingOptimizerQueue,
  scriptQueue('h1Optimizer', 'H1 optimizer', 2),
  scriptQueue('descriptionOptimizer', 'Description optimizer', 2),
  scriptQueue('internalLinking', 'Internal linking', 1),
] as const

/** Two runs of one script on the same records would undo each other's work. */
function keyOfScript({ scriptId, source }: ScriptJob): string {
  return source ? `script:${scriptId}:${source.root}:${source.path}` : `script:${scriptId}`
}

/** Validates a requested payload and turns it into the stored one. A stored payload parses to itself. */
function payloadOf(queue: string): z.ZodType<ScriptJob> {
  return scriptPayload.transform((sent, context): ScriptJob => {
    const refuse = (message: string, path: string[]) => {
      context.addIssue({ code: 'custom', message, path })
      return z.NEVER
    }
    const script = findScript(sent.scriptId)
    if (script?.queue !== queue) return refuse(unknownScript(sent.scriptId, queue), ['scriptId'])
    const flags = flagsSchema(script).safeParse(sent.flags)
    if (!flags.success) {
      for (const { message, path } of flags.error.issues) refuse(message, ['flags', ...path.map(String)])
      return z.NEVER
    }
    const source = sourceOf(script, sent.source ?? undefined)
    if (typeof source === 'string') return refuse(source, ['source'])
    return {
      scriptId: script.scriptId,
      flags: flags.data,
      args: flagArguments(flags.data),
      stagingRoot: sent.stagingRoot ?? null,
      source,
    }
  })
}

function unknownScript(scriptId: string, queue: string): string {
  const known = scripts.filter((script) => script.queue === queue).map((script) => script.scriptId)
  const elsewhere = findScript(scriptId)
  if (elsewhere) return `${scriptId} belongs in the queue ${elsewhere.queue}, not in ${queue}`
  return known.length > 0
    ? `There is no script "${scriptId}" in the queue ${queue}; it has ${known.join(', ')}`
    : `There is no script "${scriptId}"; the queue ${queue} has no scripts`
}

/** The staged file to work on (null for a script on live data), or a message if the path is missing or invalid. */
function sourceOf(
  script: ScriptDefinition,
  sent: { root: StagingRoot; path: string } | undefined,
): ScriptJob['source'] | string {
  if (script.source === 'live') return null
  if (!sent?.path.trim())
    return script.source === 'staging' ? 'Select or load a staging file path first' : null
  const path = readStagingPath(sent.path)
  return typeof path === 'string' ? path.replace(/\.$/, '') : { root: sent.root, path: path.path }
}
