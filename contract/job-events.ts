import { z } from 'zod'

/* What a job says while it runs: a line of its log, how far it is, its status. */

export const jobEventKinds = ['log', 'progress', 'status', 'error', 'done'] as const
export type JobEventKind = (typeof jobEventKinds)[number]

/** Events are numbered within their job, without gaps; a stream carries the number as its event id. */
export const jobEvent = z.object({
  id: z.number().int(),
  kind: z.enum(jobEventKinds),
  /** Only of events that say so; `COMPLETED` and `FAILED` of the last one. */
  status: z.string().nullable(),
  message: z.string(),
  payload: z.object({
    /** `stdout`, `stderr` or `system`. */
    stream: z.string().nullable(),
    message: z.string(),
    loggedAt: z.string(),
    /** What is being done, how far it is, and of how many: of progress. */
    stage: z.string().optional(),
    percentage: z.number().optional(),
    count: z.number().optional(),
    total: z.number().optional(),
    data: z.unknown().optional(),
  }),
})
export type JobEvent = z.infer<typeof jobEvent>
