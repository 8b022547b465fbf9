import { z } from 'zod'
import { adminErrors, count, endpoints } from '#contract/endpoint.ts'

/* The operator's daily overview. Each list has its first lines; `total` counts all. */

const emptySearchLine = z.object({ words: z.string(), times: count, lastAt: z.string() })

const reportedImport = z.object({
  id: z.uuid(),
  fileName: z.string(),
  seller: z.string(),
  /** Number of the import's parts with an open report. */
  reported: count,
  lastAt: z.string(),
})

const failedMail = z.object({
  id: z.uuid(),
  to: z.string(),
  subject: z.string(),
  error: z.string(),
  at: z.string(),
})

/** A queue's unfinished jobs, and its failures within a day. */
const queueAge = z.object({
  queue: z.string(),
  title: z.string(),
  /** Due but not started; the oldest has waited since `waitingSince`. */
  waiting: count,
  waitingSince: z.string().nullable(),
  running: count,
  runningSince: z.string().nullable(),
  /** Waiting for a person's answer. */
  asking: count,
  failed: count,
  isPaused: z.boolean(),
})
export type QueueAge = z.infer<typeof queueAge>

const lastBackup = z.object({ name: z.string(), at: z.string(), bytes: count, rows: count, files: count })

const lines = <Line extends z.ZodType>(line: Line) => z.object({ items: z.array(line), total: count })

export const operationsEndpoints = endpoints({
  readOperations: {
    summary:
      'What needs an operator: jobs by age, mail that failed, reported imports, searches without a result',
    reply: z.object({
      isWorkerAlive: z.boolean(),
      queues: z.array(queueAge),
      /** Failures within the last week. */
      failedMails: lines(failedMail),
      reportedImports: lines(reportedImport),
      emptySearches: lines(emptySearchLine),
      backup: z.object({
        last: lastBackup.nullable(),
        /** Time of the daily backup in UTC; null if there are no automatic backups. */
        at: z.string().nullable(),
        isLate: z.boolean(),
      }),
    }),
    errors: adminErrors,
  },
})
export type Operations = z.output<typeof operationsEndpoints.readOperations.reply>
