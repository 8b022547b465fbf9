import { join } from 'node:path'
import { z } from 'zod'
import type { ScriptDefinition } from '#contract/admin/scripts.ts'
import { defineJob, type JobQueue } from '#server/platform/jobs/job-definition.ts'
import { runScript } from '#server/platform/scripts/run-script.ts'
import { scriptWords } from '#server/platform/scripts/script-messages.ts'

const ids = [
  'tells-all',
  'throws',
  'refuses',
  'gives-up',
  'exits',
  'kills-itself',
  'rejects',
  'ignores-sigterm',
  'ends-when-asked',
  'blocks-and-forks',
  'leaves-a-child',
  'leaves-the-group',
  'floods',
  'prints',
  'listens',
  'asks',
  'steps',
] as const
export type BadScript = (typeof ids)[number]

/** Flags for many texts at once. */
export const manyTexts: readonly string[] = Array.from({ length: 60 }, (_, n) => `text${n}`)

/** The scripts of script-programs.ts. */
export const badScripts: readonly ScriptDefinition[] = ids.map((scriptId) => ({
  name: scriptId,
  scriptId,
  queue: 'scripts',
  source: 'live',
  summary: '',
  instructions: [],
  resumable: true,
  flags: {
    on: { kind: 'boolean', label: 'On' },
    count: { kind: 'number', label: 'Count', least: 0 },
    text: { kind: 'text', label: 'Text' },
    longWord: { kind: 'text', label: 'Long word' },
    ...Object.fromEntries(manyTexts.map((name) => [name, { kind: 'text', label: name }])),
  },
}))

const payload = z.object({
  scriptId: z.enum(ids),
  flags: z.record(z.string(), z.union([z.boolean(), z.number(), z.string()])).default({}),
})
export type BadScriptJob = z.output<typeof payload>

export const badScriptQueue: JobQueue<BadScriptJob> = {
  name: 'scripts',
  title: 'Scripts of tests',
  payload,
  maxAttempts: 1,
  retryDelaySeconds: 1,
  resumable: true,
  timeoutSeconds: 600,
  concurrency: 4,
  abortGraceSeconds: 8,
}

/** The job of those scripts, for a worker on this database. */
export function badScriptJob(databaseUrl: string, files: string, queue = badScriptQueue) {
  const place = {
    program: join(import.meta.dirname, 'bad-script-program.ts'),
    command: [],
    settings: { DATABASE_URL: databaseUrl, FILES: files },
  }
  return defineJob(queue, (job) => {
    const { scriptId, flags } = job.payload
    return runScript(place, [scriptId, ...scriptWords({ flags, source: undefined })], job)
  })
}
